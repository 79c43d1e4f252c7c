#include "app/capture/picture_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/capture/bundle_encoder.h"
#include "app/capture/bundle_folder.h"
#include "app/capture/quality_gate.h"
#include "app/capture/vision/moment.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

struct Still {
  KeptFrame kept;
  FrameObservation seen;
  Moment moment;
};

Result<Moment> MomentOf(const Frame& frame, const FrameObservation& seen, FrameDecoder& decoder) {
  Picture picture;
  const auto size = decoder.DecodeSmall(frame, Moment::kSide, picture);
  if (!size) return std::unexpected(size.error());
  const float scale = static_cast<float>(picture.width()) / static_cast<float>(size->width);
  FaceList face;
  face.Add(seen.face->face);
  face.Scale(scale);
  return Moment(picture, face[0]);
}

Status RequireMoments(std::span<const Moment> moments, std::span<const std::string> paths) {
  for (size_t i = 0; i < moments.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!moments[i].IsThatOf(moments[j])) continue;
      return Fail(ErrorCode::kRejected,
                  "{} and {} show the same moment: five pictures are needed that were taken one "
                  "after the other, with the head turned or nearer in each",
                  paths[j], paths[i]);
    }
  }
  return {};
}

// A head that is asked to turn aside stays upright. Of a picture that was turned the landmarks are
// guesses, and so one photograph would pass for another moment: at 90 and 135 degrees the points'
// score is 0.02 at most, on every pose of the drawn sitter 1.
Status RequireUpright(const std::string& path, const FrameObservation& seen) {
  constexpr double kMostRoll = 40;  // degrees
  constexpr double kLeastScore = 0.1;
  const auto& parts = seen.face->parts;
  const double roll = parts ? parts->roll : seen.face->pose.roll.value_or(0);
  if (std::abs(roll) <= kMostRoll && (!parts || parts->score >= kLeastScore)) return {};
  return Fail(ErrorCode::kRejected,
              "{}: the head is not upright: turn the picture, or take another one", path);
}

Result<Still> ReadStill(const std::string& path, Purpose purpose, const CaptureSettings& settings,
                        FrameAnalyzer& analyzer, const PictureReader& read) {
  auto frame = read(path);
  if (!frame) return std::unexpected(frame.error());
  auto seen = analyzer.AnalyzeThoroughly(*frame);
  if (!seen) return std::unexpected(seen.error().Within(path));
  if (const auto flaw = FirstFlaw(*seen, purpose, settings)) {
    return Fail(ErrorCode::kRejected, "{}: {}", path, flaw->Text(*seen));
  }
  if (Status upright = RequireUpright(path, *seen); !upright) {
    return std::unexpected(upright.error());
  }
  auto moment = MomentOf(*frame, *seen, analyzer.decoder());
  if (!moment) return std::unexpected(moment.error().Within(path));
  const Box head = HeadCut(seen->face->face.box, seen->width, seen->height);
  return Still{{std::move(*frame), head}, *seen, std::move(*moment)};
}

void WriteFace(JsonWriter& json, const Face& face) {
  const auto point = [&](std::string_view name, const Point& p) {
    json.Key(name).BeginArray().Value(double{p.x}).Value(double{p.y}).EndArray();
  };
  json.BeginObject().Field("score", double{face.score});
  json.Key("box").BeginObject();
  json.Field("x", double{face.box.x}).Field("y", double{face.box.y});
  json.Field("width", double{face.box.width}).Field("height", double{face.box.height});
  json.EndObject();
  if (face.has_landmarks) {
    json.Key("landmarks").BeginObject();
    point("right_eye", face.landmarks[kRightEye]);
    point("left_eye", face.landmarks[kLeftEye]);
    point("nose_tip", face.landmarks[kNoseTip]);
    point("right_mouth_corner", face.landmarks[kRightMouthCorner]);
    point("left_mouth_corner", face.landmarks[kLeftMouthCorner]);
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

Result<CaptureResult> BundleFromPictures(const std::string& folder, const CaptureSettings& settings,
                                         FrameAnalyzer& analyzer, FileSystem& files,
                                         const PictureReader& read, Clock& clock) {
  // Everything is looked for before anything is read.
  const auto paths = FindBundlePictures(folder, files);
  if (!paths) return std::unexpected(paths.error());
  auto result = BundleFromStills(*paths, settings, analyzer, read, clock);
  if (result) result->record.camera.source = "pictures:" + folder;
  return result;
}

Result<CaptureResult> BundleFromStills(const BundleNames& paths, const CaptureSettings& settings,
                                       FrameAnalyzer& analyzer, const PictureReader& read,
                                       Clock& clock) {
  const MonotonicTime started = clock.Now();
  CaptureResult result;
  CaptureRecord& record = result.record;
  record.detector = analyzer.detector_name();
  record.settings = settings;
  record.camera.name = "pictures taken elsewhere";
  record.camera.source = "pictures";
  record.camera.live = false;
  KeptFrame selfie;
  std::array<KeptFrame, CaptureBundle::kLivenessPictures> liveness;
  std::array<Moment, 1 + CaptureBundle::kLivenessPictures> moments;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto still = ReadStill(paths[i], i == 0 ? Purpose::kSelfieStill : Purpose::kLivenessStill,
                           settings, analyzer, read);
    if (!still) return std::unexpected(still.error());
    PictureRecord picture;
    picture.name = kBundleNames[i];
    picture.seen = still->seen;
    record.pictures.push_back(std::move(picture));
    (i == 0 ? selfie : liveness[i - 1]) = std::move(still->kept);
    moments[i] = std::move(still->moment);
    ++record.frames;
  }
  if (Status apart = RequireMoments(moments, paths); !apart) return std::unexpected(apart.error());
  const MonotonicTime judged = clock.Now();
  BundleEncoder encoder(settings, analyzer.decoder());
  auto bundle = encoder.Encode(selfie, liveness);
  if (!bundle) return std::unexpected(bundle.error());
  result.bundle = std::move(*bundle);
  result.bundle.means = PictureMeans::kElsewhere;
  NotePictures(result.bundle, record);
  record.own = clock.Now() - judged;
  record.to_bundle = clock.Now() - started;
  return result;
}

Result<std::string> InspectPicture(const std::string& path, const CaptureSettings& settings,
                                   FrameAnalyzer& analyzer, const PictureReader& read) {
  const auto frame = read(path);
  if (!frame) return std::unexpected(frame.error());
  const auto seen = analyzer.AnalyzeThoroughly(*frame);
  if (!seen) return std::unexpected(seen.error().Within(path));
  JsonWriter json;
  json.BeginObject().Field("file", path);
  json.Field("width_px", seen->width).Field("height_px", seen->height);
  json.Field("detector", analyzer.detector_name());
  json.Key("faces").BeginArray();
  for (const Face& face : analyzer.faces().all()) WriteFace(json, face);
  json.EndArray();
  json.Key("measured");
  WriteMeasures(json, *seen);
  const auto flaw = FirstFlaw(*seen, Purpose::kSelfieStill, settings);
  json.Field("good_selfie", !flaw);
  if (flaw) json.Field("because", flaw->Text(*seen));
  json.EndObject();
  return json.Take();
}

}  // namespace idkiosk
