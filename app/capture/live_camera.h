#ifndef IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_
#define IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_

#include "app/settings/settings.h"
#include "platform/api/camera.h"

namespace idkiosk {

// Whether people may be verified by this camera: it shows what is there now, or
// capture.allow_recorded allows recordings and drawings. Errors: kForbidden, with the mend.
[[nodiscard]] Status RequireLive(const CameraInfo& camera, const CaptureSettings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_
