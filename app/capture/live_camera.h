#ifndef IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_
#define IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_

#include <string_view>

#include "app/settings/settings.h"
#include "platform/api/camera.h"

namespace idkiosk {

// Whether people may be verified by such pictures: those of a live camera always, recordings and
// pictures taken elsewhere where capture.allow_recorded says so, drawings never in production.
// `says` begins the sentence: "images:/film shows a recording". Errors: kForbidden, with the mend.
[[nodiscard]] Status RequireLive(PictureMeans means, std::string_view says,
                                 const Settings& settings);

// The same for a camera that is open.
[[nodiscard]] Status RequireLive(const CameraInfo& camera, const Settings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_LIVE_CAMERA_H_
