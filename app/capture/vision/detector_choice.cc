#include <algorithm>
#include <vector>

#include "app/capture/vision/cascade_detector.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/yunet_detector.h"

namespace idkiosk {
namespace {

constexpr size_t kMaxModelSize = 16 << 20;

Result<std::unique_ptr<FaceDetector>> LoadYunet(const std::string& path, FileSystem& files,
                                                const Crypto& crypto) {
  const auto model = files.Read(path, kMaxModelSize);
  if (!model) return std::unexpected(model.error());
  const std::string digest = ToHex(crypto.Sha256(*model));
  if (digest != YunetDetector::kModelSha256) {
    return Fail(ErrorCode::kCorrupt,
                "the face model {} is not the expected file (SHA-256 {} instead of {}): run "
                "tools/setup again",
                path, digest, YunetDetector::kModelSha256);
  }
  auto detector = YunetDetector::Load(*model);
  if (!detector) return std::unexpected(detector.error().Within(path));
  return std::move(*detector);
}

Result<std::unique_ptr<FaceDetector>> FindYunet(const CaptureSettings& settings,
                                                std::span<const std::string> model_places,
                                                FileSystem& files, const Crypto& crypto) {
  std::vector<std::string> places(model_places.begin(), model_places.end());
  if (!settings.model.empty()) places = {settings.model};
  for (const std::string& place : places) {
    if (files.Exists(place).value_or(false)) return LoadYunet(place, files, crypto);
  }
  return Fail(ErrorCode::kNotFound,
              "no face model at {}: run tools/setup, or name it in capture.model",
              places.empty() ? "any known place" : fmt::format("{}", fmt::join(places, " or ")));
}

// One challenge less without it.
std::unique_ptr<SmileDetector> FindSmiles(const CaptureSettings& settings, FileSystem& files) {
  auto smiles = SmileDetector::Load(settings.cascades, files);
  return smiles ? std::move(*smiles) : nullptr;
}

}  // namespace

Result<ChosenDetector> ChooseDetector(const CaptureSettings& settings,
                                      std::span<const std::string> model_places, FileSystem& files,
                                      const Crypto& crypto) {
  const std::string& wanted = settings.detector;
  if (wanted != "auto" && wanted != "yunet" && wanted != "cascade") {
    return Fail(ErrorCode::kInvalid, "capture.detector is '{}'; it can be auto, yunet or cascade",
                wanted);
  }
  std::string compromise;
  if (wanted != "cascade") {
    auto yunet = FindYunet(settings, model_places, files, crypto);
    if (yunet) return ChosenDetector{std::move(*yunet), FindSmiles(settings, files), ""};
    // A model that is there but wrong is somebody's mistake, or worse: never passed over.
    if (wanted == "yunet" || yunet.error().code != ErrorCode::kNotFound) {
      return std::unexpected(yunet.error());
    }
    compromise = yunet.error().message;
  }
  auto cascade = CascadeDetector::Load(settings.cascades, files);
  if (!cascade) {
    if (compromise.empty()) return std::unexpected(cascade.error());
    return Fail(cascade.error().code, "{}; and {}", compromise, cascade.error().message);
  }
  return ChosenDetector{std::move(*cascade), FindSmiles(settings, files), std::move(compromise)};
}

}  // namespace idkiosk
