#include "app/capture/live_camera.h"

namespace idkiosk {

Status RequireLive(const CameraInfo& camera, const CaptureSettings& settings) {
  if ((camera.live && !camera.drawn) || settings.allow_recorded) return {};
  return Fail(ErrorCode::kForbidden,
              "{} shows {}, and nobody is verified by that: plug in a camera and name it as "
              "camera.source (capture.allow_recorded is false)",
              camera.source, camera.drawn ? "a drawing of a person" : "a recording");
}

}  // namespace idkiosk
