#ifndef IDKIOSK_APP_ACCOUNTS_LEDGER_LINES_H_
#define IDKIOSK_APP_ACCOUNTS_LEDGER_LINES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/accounts/period.h"
#include "platform/base/error.h"

namespace idkiosk {

// Begins the rule of an attempt whose end the service's operator told.
inline constexpr std::string_view kToldRule = "told_";

// One attempt as it leaves the kiosk for an accountant. No personal data.
struct LedgerLine {
  WallTime at;
  std::string reference;  // the call's: six letters and digits
  int attempt = 0;        // of the call's, from 1
  std::string endpoint;
  std::string operator_id;
  std::string stage;
  int http_status = 0;  // 0: none came
  std::string billed;   // "no", "maybe", "yes"
  std::string rule;     // the word for what decided that: "verified", "lost", ...
  int64_t price = 0;    // hundredths
  std::string currency;
  std::string attempt_id;                 // what went out with it; empty: none
  std::string service_reference;          // the service's own; empty: none
  bool genuine = true;                    // false: altered; counts for nothing
  std::string case_id = {};               // the asker's own number for the call; empty: none
  std::optional<WallTime> ended_at = {};  // nothing: it has not ended
  std::string pictures = {};  // how they came to be: "live", "drawn", ...; empty: the call has none
};

// The id of an attempt as it is compared: whoever repeats it may write it in capitals, or as a
// UUID, with hyphens.
[[nodiscard]] std::string PlainAttemptId(std::string_view id);

// A reference as it is compared: whoever repeats it may write it in small letters, or in groups.
[[nodiscard]] std::string PlainReference(std::string_view reference);
[[nodiscard]] bool IsSameReference(std::string_view one, std::string_view other);

// The head of the CSV, and a line's fields below it.
[[nodiscard]] std::string LedgerCsvHead();
[[nodiscard]] std::string LedgerCsv(const LedgerLine& line, Zone zone);

// The same as a JSON object, wherever an attempt is told of: by 'ledger list', the local API, the
// fleet's journal. The price is a text, "100.00": exact in every program.
[[nodiscard]] std::string LedgerJson(const LedgerLine& line, Zone zone);
// Reads it back. Errors: kInvalid, naming the member and what it should be.
[[nodiscard]] Result<LedgerLine> ParseLedgerJson(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_LEDGER_LINES_H_
