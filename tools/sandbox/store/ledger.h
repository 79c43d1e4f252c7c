#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_LEDGER_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_LEDGER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/error.h"
#include "platform/base/time.h"
#include "tools/sandbox/store/database.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {

// One request to the service as the log keeps it: nothing in it is a NIN, a secret or a picture.
struct LoggedRequest {
  WallTime time;
  std::optional<int64_t> account;  // none when it was not known who called
  std::string_view endpoint;       // "unknown" for a path that is none of the service's
  std::string_view method;
  std::string path;
  int status = 0;            // 0: no answer was made, the fault came first
  std::string message;       // of an error answer
  std::string fault;         // its kind; empty for none
  size_t body_bytes = 0;     // as received
  bool body_read = true;     // false when the connection was dropped before its body
  std::string attempt_id;    // the caller's own number of it; empty: none came
  std::string_view subject;  // the NIN or phone number; only its digest is kept
  std::string_view content;  // the body; only its digest is kept
};

// The row that a billed request adds to the ledger.
struct Charge {
  std::string_view outcome;  // "verified", "not_verified", "rejected", "not_found", "failed"
  std::string reference;     // as told in the answer
  int64_t amount = 0;        // in the hundredth of the currency
};

// Which rows to read. Counts and sums are over all that match, rows over the last `limit`.
struct LedgerQuery {
  std::optional<int64_t> account;
  std::optional<WallTime> since;
  std::string endpoint;    // empty: every one
  std::string subject;     // a NIN or phone number; empty: every one
  std::string attempt_id;  // empty: every one
  int64_t limit = 100;
};

// The billing ledger and the request log. Any thread.
class Ledger {
 public:
  // `digest` makes NINs and bodies unreadable in what is kept.
  Ledger(Database& database, KeyedDigest digest)
      : database_(database), digest_(std::move(digest)) {}

  // Commits the request and, where there is one, its charge, before this returns.
  [[nodiscard]] Status Record(const LoggedRequest& request, const std::optional<Charge>& charge);

  // {"rows":[...],"sum":{"count","amount","by_endpoint":{...},"by_outcome":{...}}}; newest first.
  [[nodiscard]] Result<std::string> BillingJson(const LedgerQuery& query);

  // {"rows":[...],"count":{"received","posts","billed","by_endpoint":{NAME:{...}}}}; newest first.
  [[nodiscard]] Result<std::string> RequestsJson(const LedgerQuery& query);

 private:
  [[nodiscard]] Status Trim(Database::Transaction& transaction);

  Database& database_;
  const KeyedDigest digest_;
  int64_t until_trim_ = 0;  // in a transaction
};

// "1250.00" for 125000.
[[nodiscard]] std::string FormatAmount(int64_t hundredths);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_LEDGER_H_
