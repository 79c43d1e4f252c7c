#ifndef IDKIOSK_APP_SESSION_FACE_PICTURES_H_
#define IDKIOSK_APP_SESSION_FACE_PICTURES_H_

#include "app/capture/capture_bundle.h"
#include "app/service/verification_call.h"

namespace idkiosk {

// Returns the bundle's pictures as a call sends them.
[[nodiscard]] FacePictures TakePictures(CaptureBundle bundle);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_FACE_PICTURES_H_
