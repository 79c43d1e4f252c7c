#ifndef IDKIOSK_APP_SERVICE_REQUEST_TEMPLATE_H_
#define IDKIOSK_APP_SERVICE_REQUEST_TEMPLATE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/json.h"

namespace idkiosk {

// The values that a profile's request can name: "{nin}". A further number of a person also needs a
// member of VerificationCall, with its place in SerializeQuestion and CheckQuestion
// (verification_call.cc), QuestionMac (app/queue/same_question.cc: who asks the same), NumberIn
// (app/queue/who_is_asked.cc), ValuesOf (request_codec.cc); one of PersonNumbers, by which a person
// is erased (app/queue/call_record.h, erase_person.cc, supervisor_routes.cc, people_commands.cc);
// and a way in: the clerk's fields (app/session/model/clerk_view.cc, clerk_console.cc), the command
// line (verify_commands.cc, running_kiosk.cc) and the local API (accept_check.cc).
enum class Placeholder {
  kNone,
  kType,
  kIdNumber,
  kNin,
  kPhone,
  kSearchType,
  kRequestReason,
  kSelfie,
  kLiveness1,
  kLiveness2,
  kLiveness3,
  kLiveness4,
  kLogin,
  kPassword,
  kNewPassword,
  kName,
  kAttemptId,
};

// The word between the braces.
[[nodiscard]] std::string_view Name(Placeholder placeholder);
[[nodiscard]] constexpr bool IsPicture(Placeholder placeholder) {
  return placeholder >= Placeholder::kSelfie && placeholder <= Placeholder::kLiveness4;
}

// Literal text, then what is filled in behind it.
struct TemplatePiece {
  std::string literal;
  Placeholder placeholder = Placeholder::kNone;
};
using Template = std::vector<TemplatePiece>;

struct NamedTemplate {
  std::string name;
  Template value;
};

// Errors of all three: kInvalid, without a place.

// "data:image/jpeg;base64,{selfie}". Every brace begins or ends a placeholder.
[[nodiscard]] Result<Template> ParseTemplate(std::string_view text);
// Any JSON value; its strings may hold placeholders. The literals are JSON text, so what is filled
// in is escaped for a JSON string.
[[nodiscard]] Result<Template> ParseJsonTemplate(JsonView json);
// An object of strings, or of lists of strings for a name that comes more than once.
[[nodiscard]] Result<std::vector<NamedTemplate>> ParseNamedTemplates(JsonView json);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REQUEST_TEMPLATE_H_
