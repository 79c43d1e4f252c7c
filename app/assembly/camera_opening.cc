#include "app/assembly/camera_opening.h"

#include <future>
#include <utility>

#include "app/capture/live_camera.h"

namespace idkiosk {

CommandResult<OpenCamera> OpenCameraOf(Components& components, std::string source,
                                       CameraPurpose purpose) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  const CameraSettings& camera = (*settings)->camera;
  if (source.empty()) source = camera.source;
  auto chosen = components.drivers().make_camera(source, camera);
  if (!chosen) return StopWith(ExitCode::kUsage, chosen.error());

  OpenCamera open;
  open.camera = std::move(chosen->camera);
  open.follow = std::move(chosen->follow);
  auto opening = std::async(std::launch::async, [&] {
    return open.camera->Open({.width = camera.width,
                              .height = camera.height,
                              .frames_per_second = camera.frames_per_second});
  });
  const auto analyzer = components.analyzer();
  const auto info = opening.get();
  if (!info) return StopWith(ExitCode::kCapture, info.error());
  if (purpose == CameraPurpose::kVerify) {
    if (Status live = RequireLive(*info, (*settings)->capture); !live) {
      return StopWith(ExitCode::kConfiguration, live.error());
    }
  }
  if (!analyzer) return std::unexpected(analyzer.error());
  open.info = *info;
  open.analyzer = *analyzer;
  open.limits = components.newest_capture_settings();
  open.compromise = components.detector_compromise();
  return open;
}

}  // namespace idkiosk
