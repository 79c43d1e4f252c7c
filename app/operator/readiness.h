#ifndef IDKIOSK_APP_OPERATOR_READINESS_H_
#define IDKIOSK_APP_OPERATOR_READINESS_H_

#include <string>
#include <string_view>

#include "app/audit/audit_trail.h"
#include "app/capture/light_tally.h"
#include "app/operator/finding.h"
#include "app/queue/durable_queue.h"
#include "app/service/endpoint_profile.h"
#include "app/service/service_client.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/crypto.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

// Checks each part that a kiosk needs. Each function may take its time and is called on the
// thread that owns its part; none of them costs money, and each finding that is not good says what
// to do about it.
namespace idkiosk {

// Checks the configuration on the disk, which the next start would read, whatever is in force.
[[nodiscard]] Findings CheckConfiguration(FileSystem& files, const std::string& path);

// Checks the profile: names endpoints that cannot be called, and those that are only assumed.
[[nodiscard]] Findings CheckProfile(const ServiceProfile& profile);

// Whether the service can be asked what the mode is for: without it 'idkiosk run' does not start.
// Errors: CheckCallable's.
[[nodiscard]] Status CheckMode(const Settings& settings, const ServiceProfile& profile);

// Checks the vault, and whether those have a PIN who sign in by these settings.
[[nodiscard]] Findings CheckVault(SecureStorage& storage, const Settings& settings);

// Reads the audit trail, and says whether it is genuine and complete.
[[nodiscard]] Findings CheckAudit(AuditTrail& trail);

// Checks the queue, and whether there is room for one more call.
[[nodiscard]] Findings CheckQueue(DurableQueue& queue);

// What was to be erased by the audit trail, and is not: it was on its way then, or an older file
// and an older ledger brought it back together. Empty: nothing.
[[nodiscard]] Findings CheckErasures(AuditTrail& trail, DurableQueue& queue);

// What prevents this user from writing into the journals of that state folder; none: nothing.
[[nodiscard]] Findings CheckJournals(FileSystem& files, const std::string& state_folder);

// Checks the hand-over of results; nothing where none is configured.
[[nodiscard]] Findings CheckResults(const Settings& settings, SecureStorage& storage,
                                    const Crypto& crypto, FileSystem& files, DurableQueue& queue,
                                    const Clock& clock);

[[nodiscard]] Findings CheckClock(const Clock& clock);

// Logs in and fetches the list of reasons; also says if this clock is far from the service's.
[[nodiscard]] Findings CheckService(ServiceClient& service, const Settings& settings);

// Checks an open camera: waits for one frame, at most three seconds.
[[nodiscard]] Findings CheckCamera(Camera& camera, const CameraInfo& info, const Settings& settings,
                                   const Clock& clock);
// Says that a camera could not be opened, or a face detector could not be loaded.
[[nodiscard]] Finding CameraTroubleFinding(const std::string& why);
// Says that the camera is in use for something else.
[[nodiscard]] Finding CameraTakenFinding();

// Says that the screen's light can seldom be judged here, and why; nothing where it mostly is.
[[nodiscard]] Findings CheckLights(const LightTally& lights);

// `compromise`: why it is not the one that was wished for; empty: it is.
[[nodiscard]] Finding DetectorFinding(std::string_view name, const std::string& compromise);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_READINESS_H_
