#include "app/assembly/camera_opening.h"

#include <future>
#include <utility>

#include "app/capture/live_camera.h"

namespace idkiosk {

CommandResult<CameraPromise> RequireLiveSource(Components& components, std::string source) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  if (source.empty()) source = (*settings)->camera.source;
  auto promise = components.drivers().camera_promise(source);
  if (!promise) return StopWith(ExitCode::kUsage, promise.error());
  const Status live = RequireLive(promise->means, promise->says, **settings);
  if (!live) return StopWith(ExitCode::kConfiguration, live.error());
  return std::move(*promise);
}

CommandResult<OpenCamera> OpenCameraOf(Components& components, std::string source,
                                       CameraPurpose purpose) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  const CameraSettings& camera = (*settings)->camera;
  if (source.empty()) source = camera.source;
  if (purpose == CameraPurpose::kVerify) {
    if (const auto live = RequireLiveSource(components, source); !live) {
      return std::unexpected(live.error());
    }
  }
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
    if (Status live = RequireLive(*info, **settings); !live) {
      return StopWith(ExitCode::kConfiguration, live.error());
    }
  }
  if (!analyzer) return std::unexpected(analyzer.error());
  open.info = *info;
  open.info.coloured = components.HasShownColours(info->source);
  open.saw_colours = [&components, seen = info->source] { components.NoteColours(seen); };
  open.analyzer = *analyzer;
  open.limits = components.newest_capture_settings();
  open.compromise = components.detector_compromise();
  open.forget = [&components] { components.ForgetFaces(); };
  return open;
}

}  // namespace idkiosk
