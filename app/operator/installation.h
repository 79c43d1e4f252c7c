#ifndef IDKIOSK_APP_OPERATOR_INSTALLATION_H_
#define IDKIOSK_APP_OPERATOR_INSTALLATION_H_

#include <string>

#include "app/capture/tools/camera_tuning.h"
#include "app/operator/finding.h"
#include "app/settings/settings.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"
#include "platform/api/http_client.h"
#include "platform/api/printer.h"
#include "platform/api/secure_storage.h"

// What is looked at once, where a kiosk is set up, beside what readiness.h checks: the place, the
// light there, the devices around the board. None of it costs money.
namespace idkiosk {

// Says what a camera saw of somebody who sat before it: whether a face was found, how sharp it was,
// and how it was lit. Requires Detail::kFace of what was added. `limits`: those in force.
[[nodiscard]] Findings CheckSitter(const CameraTuning& tuning, const CaptureSettings& limits);

// Says what the kernel knows of screens (resolution, brightness) and of touch panels.
[[nodiscard]] Findings CheckScreen(FileSystem& files);

// Says whether the board has a clock that goes on without power.
[[nodiscard]] Finding CheckBoardClock(FileSystem& files);

// Connects to the host of `url`, and sends nothing. Says how long it took, TLS included.
[[nodiscard]] Finding CheckConnection(HttpClient& http, const std::string& url, KioskPart part,
                                      const Clock& clock);

// Says where the vault's root key lies, and whether a TPM is there that could keep it.
[[nodiscard]] Finding CheckRootKey(SecureStorage& vault, FileSystem& files,
                                   const std::string& tpm_device);

// A slip that shows whether letters, a square code and the knife work. It holds no person's data.
[[nodiscard]] PrintJob TestSlip(const std::string& brand, WallTime now);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_INSTALLATION_H_
