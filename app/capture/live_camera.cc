#include "app/capture/live_camera.h"

namespace idkiosk {

Status RequireLive(PictureMeans means, std::string_view says, const Settings& settings) {
  constexpr std::string_view kMend = "plug in a camera and name it as camera.source";
  if (means == PictureMeans::kLive) return {};
  if (means == PictureMeans::kDrawn && settings.environment == Environment::kProduction) {
    return Fail(ErrorCode::kForbidden, "{}, and in production nobody is verified by that: {}", says,
                kMend);
  }
  if (settings.capture.allow_recorded) return {};
  return Fail(ErrorCode::kForbidden,
              "{}, and nobody is verified by that: {} (capture.allow_recorded is false, the "
              "default in production)",
              says, kMend);
}

Status RequireLive(const CameraInfo& camera, const Settings& settings) {
  const PictureMeans means = MeansOf(camera);
  return RequireLive(means, fmt::format("{} shows {}", camera.source, Shown(means)), settings);
}

}  // namespace idkiosk
