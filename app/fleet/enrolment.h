#ifndef IDKIOSK_APP_FLEET_ENROLMENT_H_
#define IDKIOSK_APP_FLEET_ENROLMENT_H_

#include <functional>
#include <optional>
#include <string>

#include "app/fleet/est_client.h"
#include "app/fleet/fleet_settings.h"
#include "app/fleet/reconnect.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"
#include "platform/base/time.h"

namespace idkiosk {

// Asks for this kiosk's certificate: a request (PKCS #10, PEM) in its name, signed by its own key.
// The key is made where there is none, with mode 0600, and never leaves. Errors: FileSystem's;
// kInvalid (the file of the key holds none of the curve P-256); kFailedPrecondition (the broker is
// spoken to without TLS).
[[nodiscard]] Result<std::string> CertificateRequest(FileSystem& files,
                                                     const FleetSettings& settings);

// From when to when a certificate is good.
struct Lifetime {
  WallTime begin;
  WallTime end;
};
// That of this kiosk's. Errors: FileSystem's; kInvalid (it is none).
[[nodiscard]] Result<Lifetime> LifetimeOfCertificate(FileSystem& files,
                                                     const FleetSettings& settings);

// A certificate is to be renewed from so long before its end, and one that is good for less than
// three times as long in its last third.
inline constexpr auto kRenewBefore = std::chrono::days(30);

// What is wrong with a certificate, and the mend. Nothing: it lasts; or, where it comes by EST, the
// kiosk has had less than half of the time to renew it by itself.
struct CertificateTrouble {
  bool is_over = false;
  std::string text;
  std::string mend;
};
[[nodiscard]] std::optional<CertificateTrouble> TroubleOf(const Lifetime& lifetime, WallTime now,
                                                          bool comes_by_est = false);

// AskByEst, or a test's.
using AskEst = std::function<Result<std::string>(const EstRequest& request, ByteSpan pkcs10)>;

// Asks the EST server for this kiosk's certificate, and puts it in its place. Where there is none,
// or it is over, by the claim, which is erased once it was of use; else by the one that is there.
// That one stays where anything goes wrong, and nobody is asked where its place cannot be written:
// a claim may be good once. Errors: those of `ask` and FileSystem; kInvalid (the claim makes no
// sense, or what came names another kiosk); kFailedPrecondition (there is neither a certificate nor
// a claim).
[[nodiscard]] Status Enrol(FileSystem& files, const FleetSettings& settings, WallTime now,
                           const AskEst& ask);

// Whether Enrol could begin: --check says so before anybody is asked. Errors: Enrol's.
[[nodiscard]] Status CheckEnrolment(FileSystem& files, const FleetSettings& settings, WallTime now);

// Gets the certificate where there is none, and another one before it ends. Asks again by chance
// within minutes, since thousands of kiosks may have been enrolled on one day. One thread.
class CertificateKeeper {
 public:
  static constexpr Duration kLook = std::chrono::hours(1);

  // All must outlive this.
  CertificateKeeper(FileSystem& files, const FleetSettings& settings, const Clock& clock,
                    Entropy& entropy, AskEst ask);

  // Whether there is a certificate, or nobody is to be asked for one.
  [[nodiscard]] bool has_certificate() const;
  // Asks where it is time to. True: another certificate is there.
  [[nodiscard]] bool Step();

 private:
  [[nodiscard]] bool Ask();
  // How long nothing is looked at: a tenth of what the certificate is good for, at most `longest`.
  [[nodiscard]] Duration Pause(Duration longest) const;

  FileSystem& files_;
  const FleetSettings& settings_;
  const Clock& clock_;
  const AskEst ask_;
  Reconnect patience_;
  MonotonicTime next_{};
  bool waits_ = false;  // for its turn, or after a try in vain
  std::string said_;    // what went wrong, the last time that was logged
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_ENROLMENT_H_
