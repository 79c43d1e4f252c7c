#ifndef IDKIOSK_APP_SESSION_VISIT_RECEIPT_H_
#define IDKIOSK_APP_SESSION_VISIT_RECEIPT_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/session/model/ui_snapshot.h"
#include "platform/api/printer.h"
#include "platform/base/enum_rows.h"

namespace idkiosk {

// The words of a receipt in one language, as the page's catalogues have them.
struct ReceiptWords {
  std::string_view language;
  std::string_view title;
  std::string_view practice;  // that nothing is real in the sandbox
  std::string_view reference;
  std::string_view kinds[5];  // by AnswerKind
  std::string_view kept_text;
  std::string_view unknown_text;
};
static_assert(std::size(ReceiptWords().kinds) == EnumeratorCount<AnswerKind>());
// English for a language that receipts are not printed in.
[[nodiscard]] const ReceiptWords& ReceiptWordsIn(std::string_view language);

// The text of a receipt: whose kiosk it was, what kind of answer, the reference, and when.
// Neither a number nor a name, and no picture.
struct Receipt {
  std::string language;
  std::string brand;
  Environment environment = Environment::kSandbox;
  AnswerKind kind = AnswerKind::kKept;
  std::string reference;
  std::optional<WallTime> at;  // nothing: the clock is not to be trusted
};
[[nodiscard]] PrintJob ToPrintJob(const Receipt& receipt);

// "KD7Q2M" as "KD7 Q2M".
[[nodiscard]] std::string Grouped(std::string_view reference);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_RECEIPT_H_
