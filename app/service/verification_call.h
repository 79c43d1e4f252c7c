#ifndef IDKIOSK_APP_SERVICE_VERIFICATION_CALL_H_
#define IDKIOSK_APP_SERVICE_VERIFICATION_CALL_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/service/endpoint_profile.h"
#include "platform/base/picture_means.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Five JPEGs of one person, as they are sent.
struct FacePictures {
  static constexpr size_t kLivenessCount = 4;
  SecretBytes selfie;
  std::array<SecretBytes, kLivenessCount> liveness;
  // By what means they were taken. Not sent.
  PictureMeans means = PictureMeans::kDrawn;

  [[nodiscard]] bool empty() const { return selfie.empty(); }
};

// A question to the service. Holds no credential. Fields that the endpoint does not take are
// empty.
struct VerificationCall {
  Endpoint endpoint = Endpoint::kVerify;
  SecretBytes nin;
  SecretBytes phone;
  SecretBytes id_number;
  std::string id_type = "nin";  // of id_number
  std::string reason;           // its code
  std::string search_type = "advance";
  FacePictures pictures;
};

// The facts that local checks need.
struct CallRules {
  Environment environment = Environment::kSandbox;
  std::string test_nin;
  std::vector<std::string> reasons;  // codes of the service's own list; empty: not known yet
};

// Every fault the service would bill as a 400, found before anything is sent: a NIN of 11 digits, a
// Nigerian phone number, a reason of the service's list, exactly one selfie and four liveness
// pictures that begin like JPEG and are of a sane size, no test NIN in production.
// Errors: kInvalid (the message never repeats the number), kFailedPrecondition (no list of reasons
// yet).
[[nodiscard]] Status CheckCall(const VerificationCall& call, const CallRules& rules);

// Whether the service is known to take this type of number, or of search: another one might be
// billed as a 400. Errors: kInvalid, naming what it takes, and the profile's key for more.
[[nodiscard]] Status CheckKind(const VerificationCall& call, const EndpointProfile& profile);

// The same as CheckCall but for the pictures: asked before a person stands in front of the camera.
[[nodiscard]] Status CheckQuestion(const VerificationCall& call, const CallRules& rules);

// Returns the typed number without spaces, hyphens, dots and brackets; nothing else is judged.
[[nodiscard]] SecretBytes CleanNumber(std::string_view typed);

// The call without its pictures, for sealing; the format is described in the source.
[[nodiscard]] SecretBytes SerializeQuestion(const VerificationCall& call);
// A call without pictures. Errors: kCorrupt.
[[nodiscard]] Result<VerificationCall> ParseQuestion(ByteSpan bytes);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_VERIFICATION_CALL_H_
