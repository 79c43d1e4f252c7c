#ifndef IDKIOSK_APP_SERVICE_ANSWER_CODEC_H_
#define IDKIOSK_APP_SERVICE_ANSWER_CODEC_H_

#include <optional>
#include <string>
#include <vector>

#include "app/service/endpoint_profile.h"
#include "platform/base/json.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/time.h"

// Reads what the service answers, by the profile's pointers.
namespace idkiosk {

// Errors: kCorrupt for what is not JSON, no object or list, or has a name twice in one object: two
// readers could take two meanings from it.
[[nodiscard]] Result<JsonDocument> ParseAnswer(ByteSpan body);

// The parts of a verification's answer that the profile points at. Texts are Printable, and cut at
// 300 bytes.
struct AnswerParts {
  bool verified = false;
  SecretBytes name;
  SecretBytes status;
  SecretBytes photo;  // the picture itself, decoded
  SecretBytes reference;
};

// Errors: kCorrupt for anything that is not the expected JSON.
[[nodiscard]] Result<AnswerParts> ReadAnswer(const EndpointProfile& profile, ByteSpan body);

struct ReferenceInAnswer {
  std::string text;
  bool names_somebody = false;  // it holds a part of the name that stands in the same answer
};
// The service's own reference, of an answer or of an error that has one at the same place. Empty:
// there is none, or it is longer than 64 bytes, or holds anything but printable ASCII.
[[nodiscard]] ReferenceInAnswer ReadReference(const EndpointProfile& profile, ByteSpan body);

// Whether an answer, or an error, repeats the number of another attempt than `attempt_id` where the
// profile says that it repeats ours; a number, a list, an object, true and false count as that.
// False where nothing says so: no such place, nothing or null there, or a text that is no attempt's
// number (32 hex digits, also written as a UUID).
[[nodiscard]] bool RepeatsAnotherAttempt(const EndpointProfile& profile, ByteSpan body,
                                         std::string_view attempt_id);

struct RequestReason {
  std::string code;
  std::string label;  // the code again where the service gives none; Printable
};

// Errors: kCorrupt.
[[nodiscard]] Result<std::vector<RequestReason>> ReadReasons(const EndpointProfile& profile,
                                                             ByteSpan body);

struct LoginAnswer {
  SecretBytes token;
  std::optional<WallTime> expires_at;  // by the server's clock; nothing if it cannot be read
  SecretBytes user_id;                 // empty where the answer has none
};

// `expires_at` may be RFC 3339, or seconds or milliseconds since 1970 as a number or a string.
// Errors: kCorrupt (no token).
[[nodiscard]] Result<LoginAnswer> ReadLogin(const EndpointProfile& profile, ByteSpan body);

// Returns whether an error says what the profile's `no_record` describes: the number was looked up,
// and there is none. `message`: the error's, as ReadErrorMessage gives it.
[[nodiscard]] bool SaysNoRecord(const EndpointProfile& profile, ByteSpan body,
                                std::string_view message);

// The service's own words in an error: at most 300 bytes, one line, Printable; empty if there are
// none. May hold personal data.
[[nodiscard]] SecretBytes ReadErrorMessage(const ServiceProfile& profile, ByteSpan body);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_ANSWER_CODEC_H_
