#ifndef IDKIOSK_APP_FLEET_ENROLMENT_H_
#define IDKIOSK_APP_FLEET_ENROLMENT_H_

#include <optional>
#include <string>

#include "app/fleet/fleet_settings.h"
#include "platform/api/file_system.h"
#include "platform/base/time.h"

namespace idkiosk {

// Asks for this kiosk's certificate: a request (PKCS #10, PEM) in its name, signed by its own key.
// The key is made where there is none, with mode 0600, and never leaves. Errors: FileSystem's;
// kInvalid (the file of the key holds none of the curve P-256); kFailedPrecondition (the broker is
// spoken to without TLS).
[[nodiscard]] Result<std::string> CertificateRequest(FileSystem& files,
                                                     const FleetSettings& settings);

// When this kiosk's certificate ends. Errors: FileSystem's; kInvalid (it is none).
[[nodiscard]] Result<WallTime> EndOfCertificate(FileSystem& files, const FleetSettings& settings);

// A certificate that ends soon is to be renewed: said from so long before.
inline constexpr auto kRenewBefore = std::chrono::days(30);

// What is wrong with a certificate that ends then, and the mend; nothing: it lasts.
struct CertificateTrouble {
  bool is_over = false;
  std::string text;
  std::string mend;
};
[[nodiscard]] std::optional<CertificateTrouble> TroubleOf(WallTime end, WallTime now);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_ENROLMENT_H_
