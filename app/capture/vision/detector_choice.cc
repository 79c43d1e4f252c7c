#include <algorithm>
#include <vector>

#include "app/capture/vision/cascade_detector.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/yunet_detector.h"

namespace idkiosk {
namespace {

constexpr size_t kMaxModelSize = 16 << 20;

// What has a model: `Model::Load` and `Model::kModelSha256`.
template <typename Model>
Result<std::unique_ptr<Model>> LoadModel(const std::string& path, FileSystem& files,
                                         const Crypto& crypto) {
  const auto model = files.Read(path, kMaxModelSize);
  if (!model) return std::unexpected(model.error());
  const std::string digest = ToHex(crypto.Sha256(*model));
  if (digest != Model::kModelSha256) {
    return Fail(ErrorCode::kCorrupt,
                "the face model {} is not the expected file (SHA-256 {} instead of {}): run "
                "tools/setup again",
                path, digest, Model::kModelSha256);
  }
  auto loaded = Model::Load(*model);
  if (!loaded) return std::unexpected(loaded.error().Within(path));
  return std::move(*loaded);
}

// Where the model may be; one name at the least to say where it was looked for.
std::vector<std::string> Places(const CaptureSettings& settings,
                                std::span<const std::string> model_places) {
  if (!settings.model.empty()) return {settings.model};
  return {model_places.begin(), model_places.end()};
}

Result<std::unique_ptr<FaceDetector>> FindYunet(const CaptureSettings& settings,
                                                std::span<const std::string> model_places,
                                                FileSystem& files, const Crypto& crypto) {
  const std::vector<std::string> places = Places(settings, model_places);
  for (const std::string& place : places) {
    if (files.Exists(place).value_or(false)) return LoadModel<YunetDetector>(place, files, crypto);
  }
  return Fail(ErrorCode::kNotFound,
              "no face model at {}: run tools/setup, or name it in capture.model",
              places.empty() ? "any known place" : fmt::format("{}", fmt::join(places, " or ")));
}

// Errors: kNotFound, and what LoadModel says.
Result<std::unique_ptr<FaceMesh>> FindMesh(const CaptureSettings& settings,
                                           std::span<const std::string> model_places,
                                           FileSystem& files, const Crypto& crypto) {
  std::vector<std::string> places = Places(settings, model_places);
  for (std::string& place : places) {
    place = place.substr(0, place.rfind('/') + 1).append(FaceMesh::kFileName);
    if (files.Exists(place).value_or(false)) return LoadModel<FaceMesh>(place, files, crypto);
  }
  return Fail(ErrorCode::kNotFound,
              "no model of a face's points at {}, so closed eyes, an open mouth and what covers "
              "them go unnoticed: run tools/setup",
              places.empty() ? "any known place" : fmt::format("{}", fmt::join(places, " or ")));
}

// One challenge less without it.
std::unique_ptr<SmileDetector> FindSmiles(const CaptureSettings& settings, FileSystem& files) {
  auto smiles = SmileDetector::Load(settings.cascades, files);
  return smiles ? std::move(*smiles) : nullptr;
}

// All but the mesh.
Result<ChosenDetector> ChooseFinder(const CaptureSettings& settings,
                                    std::span<const std::string> model_places, FileSystem& files,
                                    const Crypto& crypto) {
  const std::string& wanted = settings.detector;
  if (wanted != "auto" && wanted != "yunet" && wanted != "cascade") {
    return Fail(ErrorCode::kInvalid, "capture.detector is '{}'; it can be auto, yunet or cascade",
                wanted);
  }
  ChosenDetector chosen;
  chosen.smiles = FindSmiles(settings, files);
  if (wanted != "cascade") {
    auto yunet = FindYunet(settings, model_places, files, crypto);
    // A model that is there but wrong is somebody's mistake, or worse: never passed over.
    if (!yunet && (wanted == "yunet" || yunet.error().code != ErrorCode::kNotFound)) {
      return std::unexpected(yunet.error());
    }
    if (yunet) {
      chosen.detector = std::move(*yunet);
      return chosen;
    }
    chosen.compromise = yunet.error().message;
  }
  auto cascade = CascadeDetector::Load(settings.cascades, files);
  if (!cascade) {
    if (chosen.compromise.empty()) return std::unexpected(cascade.error());
    return Fail(cascade.error().code, "{}; and {}", chosen.compromise, cascade.error().message);
  }
  chosen.detector = std::move(*cascade);
  return chosen;
}

}  // namespace

Result<ChosenDetector> ChooseDetector(const CaptureSettings& settings,
                                      std::span<const std::string> model_places, FileSystem& files,
                                      const Crypto& crypto) {
  auto chosen = ChooseFinder(settings, model_places, files, crypto);
  if (!chosen) return chosen;
  auto mesh = FindMesh(settings, model_places, files, crypto);
  if (mesh) {
    chosen->mesh = std::move(*mesh);
  } else if (mesh.error().code == ErrorCode::kNotFound) {
    if (!chosen->compromise.empty()) chosen->compromise += "; ";
    chosen->compromise += mesh.error().message;
  } else {
    return std::unexpected(mesh.error());
  }
  return chosen;
}

}  // namespace idkiosk
