#ifndef IDKIOSK_APP_ASSEMBLY_CAMERA_OPENING_H_
#define IDKIOSK_APP_ASSEMBLY_CAMERA_OPENING_H_

#include <string>

#include "app/assembly/components.h"
#include "app/capture/open_camera.h"

namespace idkiosk {

// A verification takes nothing but a live camera, unless capture.allow_recorded says otherwise.
enum class CameraPurpose { kLook, kVerify };

// Whether people may be verified by the camera `source`, or by the configuration's where that is
// empty, as it is now: asked before anybody is asked for anything. Opens nothing.
[[nodiscard]] CommandResult<CameraPromise> RequireLiveSource(Components& components,
                                                             std::string source);

// Opens the camera `source`, or the configuration's where that is empty, while the face detector
// loads. Once components.analyzer() was asked for: any thread, one at a time.
[[nodiscard]] CommandResult<OpenCamera> OpenCameraOf(Components& components, std::string source,
                                                     CameraPurpose purpose);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_CAMERA_OPENING_H_
