#include "drivers/camera/camera_source.h"

#include <filesystem>

#include "drivers/camera/image_sequence_camera.h"
#include "drivers/camera/opencv_module.h"
#include "drivers/camera/supervised_camera.h"
#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr std::string_view kForms =
    "v4l2:/dev/video0, opencv:URL-OR-FILE, images:FOLDER, synthetic, synthetic:SCRIPT or auto";

std::unique_ptr<Camera> Supervised(std::unique_ptr<Camera> camera, const CameraControls& controls,
                                   Clock& clock) {
  SupervisedCamera::Patience patience;
  patience.silence = controls.silence;
  return std::make_unique<SupervisedCamera>(std::move(camera), patience, clock, SleepingWait());
}

Result<CameraChoice> MakeSynthetic(std::string_view source, std::string_view script,
                                   const CameraControls& controls, Clock& clock) {
  const auto parsed = ParseSitterScript(script);
  if (!parsed) return std::unexpected(parsed.error());
  auto camera =
      std::make_unique<SyntheticCamera>(std::string(source), *parsed, clock, SleepingWait());
  SyntheticCamera* const sitter = camera.get();
  return CameraChoice{Supervised(std::move(camera), controls, clock), sitter};
}

CameraChoice MakeV4l2(std::string path, const CameraControls& controls, VideoKernel& kernel,
                      Clock& clock) {
  auto camera = std::make_unique<V4l2Camera>(std::move(path), controls, kernel, clock);
  return {Supervised(std::move(camera), controls, clock), nullptr};
}

Result<CameraChoice> MakeOpenCv(const std::string& name, const CameraControls& controls,
                                Clock& clock) {
  auto camera = LoadOpenCvCamera(name, clock);
  if (!camera) return std::unexpected(camera.error());
  // A film ends: nobody waits for it to come back.
  std::error_code error;
  if (std::filesystem::is_regular_file(name, error)) {
    return CameraChoice{std::move(*camera), nullptr};
  }
  return CameraChoice{Supervised(std::move(*camera), controls, clock), nullptr};
}

}  // namespace

Result<CameraChoice> MakeCamera(std::string_view source, const CameraControls& controls,
                                VideoKernel& kernel, Clock& clock, FileSystem& files) {
  const size_t colon = source.find(':');
  const std::string_view kind = source.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : source.substr(colon + 1);
  if (kind == "synthetic") return MakeSynthetic(source, rest, controls, clock);
  if (source == "auto") {
    const auto cameras = ListCameras(kernel);
    if (cameras.empty()) return MakeSynthetic("synthetic", "", controls, clock);
    return MakeV4l2(cameras.front().path, controls, kernel, clock);
  }
  if (kind == "v4l2" && !rest.empty()) return MakeV4l2(std::string(rest), controls, kernel, clock);
  if (kind == "opencv" && !rest.empty()) return MakeOpenCv(std::string(rest), controls, clock);
  if (kind == "images" && !rest.empty()) {
    return CameraChoice{std::make_unique<ImageSequenceCamera>(
                            std::string(rest), ImageSequenceCamera::Pace::kByTheClock, files, clock,
                            SleepingWait()),
                        nullptr};
  }
  return Fail(ErrorCode::kInvalid, "'{}' names no camera; write {}", WithoutCredentials(source),
              kForms);
}

}  // namespace idkiosk
