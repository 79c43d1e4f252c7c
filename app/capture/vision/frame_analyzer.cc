#include "app/capture/vision/frame_analyzer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "app/capture/image/mat.h"
#include "app/capture/vision/face_measures.h"
#include "app/capture/vision/face_parts.h"
#include "app/capture/vision/head_pose.h"
#include "app/capture/vision/occlusion.h"

namespace idkiosk {
namespace {

// Sizes of the looks at a still, longer side in pixels. The first suits a head that fills the
// picture, the last finds one of 15 px in it: a twentieth of the height of an upright photograph.
constexpr std::array<int, 4> kLooks = {160, 320, 640, 1280};

// Of two looks that see the same face, the one that sees it at a size like those the network was
// taught with has the better landmarks.
constexpr float kBestFacePixels = 80;

// Somebody else in the picture counts from this size on, as a share of the largest face.
constexpr double kOtherShare = 0.35;
// A second face is refused only when it surely is one: folds and prints look a little like faces.
constexpr float kOtherScore = 0.7F;

// How wide a face is in the second look, in pixels. Up and down are told apart best at this size
// (of 56 to 128 px, on drawn sitters in four tones, three distances and three turns: 20 degrees
// up are 24 +- 6; at the 112 px of the sharpness they are 23 +- 8), and it takes half the time.
constexpr float kSecondLookWidth = 64;

// Faces that are upside down were seen with scores of 0.69 to 0.85, and with 0.03 and more above
// that once they were turned; of 107 upright ones 105 have 0.89 and more.
constexpr float kSurelyUpright = 0.88F;
constexpr float kSurer = 0.03F;

// A face with the margin that a detector needs to see it.
Box Around(const Box& face, int width, int height) {
  constexpr float kMargin = 0.3F;
  const float left = std::max(0.0F, face.x - kMargin * face.width);
  const float top = std::max(0.0F, face.y - kMargin * face.height);
  const float right = std::min(static_cast<float>(width), face.x + (1 + kMargin) * face.width);
  const float bottom = std::min(static_cast<float>(height), face.y + (1 + kMargin) * face.height);
  return {left, top, std::max(1.0F, right - left), std::max(1.0F, bottom - top)};
}

// Outside of these a network that was taught with whole pictures finds what is not there.
constexpr int kShortestSide = 64;  // pixels
constexpr int kMostAspect = 4;

Status CheckShape(const FrameDecoder::Size& size) {
  const auto [shorter, longer] = std::minmax(size.width, size.height);
  if (shorter >= kShortestSide && longer <= kMostAspect * shorter) return {};
  return Fail(ErrorCode::kInvalid,
              "{} x {} pixels; a picture of a person has at least {} on each side, and no side is "
              "more than {} times the other",
              size.width, size.height, kShortestSide, kMostAspect);
}

float AwayFromBestSize(const Face& face, float scale) {
  return std::abs(std::log(face.box.height / scale / kBestFacePixels));
}

}  // namespace

FrameAnalyzer::FrameAnalyzer(const CaptureSettings& settings, FaceDetector& detector,
                             SmileDetector* smiles, FaceMesh* mesh)
    : settings_(settings), detector_(detector), smiles_(smiles), mesh_(mesh) {}

std::string FrameAnalyzer::detector_name() const {
  if (mesh_ == nullptr) return std::string(detector_.name());
  return fmt::format("{} and {}", detector_.name(), FaceMesh::kName);
}

std::vector<Prompt> FrameAnalyzer::challenges() const {
  std::vector<Prompt> told;
  for (const PromptTraits& each : kChallenges) {
    if (each.detail == Detail::kFace && !detector_.finds_landmarks()) continue;
    if (each.detail == Detail::kSmile && smiles_ == nullptr) continue;
    told.push_back(each.prompt);
  }
  return told;
}

FrameObservation FrameAnalyzer::Describe(const Frame& frame, FrameDecoder::Size size,
                                         float scale) const {
  FrameObservation seen;
  seen.captured_at = frame.captured_at;
  seen.sequence = frame.sequence;
  seen.width = size.width;
  seen.height = size.height;
  const PictureLook look = MeasureLook(small_.view());
  seen.luma = look.luma;
  seen.contrast = look.deviation;
  seen.colour = look.colour;
  seen.appearance = Appearance(small_.view());
  for (const Face& face : faces_.all()) {
    const double area = AreaInPortraitWindow(face.box, size.width, size.height);
    if (!seen.face) {
      seen.face.emplace();
      seen.face->face = face;
      seen.face->area = area;
    } else if (face.score >= kOtherScore &&
               area >= std::min(settings_.other_face_area, kOtherShare * seen.face->area)) {
      ++seen.other_faces;
    }
  }
  if (!seen.face) return seen;
  const Face& face = seen.face->face;
  const Box box{face.box.x / scale, face.box.y / scale, face.box.width / scale,
                face.box.height / scale};
  seen.face->light = MeasureLight(small_.view(), box);
  const FaceTints tints = MeasureTints(small_.view(), box);
  seen.face->tint = tints.face;
  seen.face->tint_behind = tints.behind;
  if (face.has_landmarks) {
    seen.face->pose = PoseOf(face);
    seen.face->pose.pitch.reset();
  } else {
    seen.face->pose.yaw = face.yaw;
  }
  return seen;
}

Result<FrameObservation> FrameAnalyzer::Analyze(const Frame& frame) {
  const auto size = decoder_.DecodeSmall(frame, detector_.preferred_side(), small_);
  if (!size) return std::unexpected(size.error());
  if (Status fits = CheckShape(*size); !fits) return std::unexpected(fits.error());
  if (auto found = detector_.Detect(small_.view(), faces_); !found) {
    return std::unexpected(found.error());
  }
  const float scale = static_cast<float>(size->width) / static_cast<float>(small_.width());
  faces_.Scale(scale);
  return Describe(frame, *size, scale);
}

Status FrameAnalyzer::MeasureDetail(const Frame& frame, Detail detail,
                                    FrameObservation& observation) {
  if (!observation.face || detail == Detail::kNone) return {};
  FaceObservation& seen = *observation.face;
  const Box box = seen.face.box;
  const Box around = Around(box, observation.width, observation.height);
  // Scaled so that the face itself is as wide as sharpness is measured at.
  const float enlarged = std::max(around.width, around.height) / box.width;
  const int side = static_cast<int>(kSharpnessWidth * enlarged);
  if (Status decoded = decoder_.DecodePart(frame, around, side, JpegDecoder::Effort::kQuick, part_);
      !decoded) {
    return decoded;
  }
  const float scale = around.width / static_cast<float>(part_.width());
  const PictureView face = part_.Part({(box.x - around.x) / scale, (box.y - around.y) / scale,
                                       box.width / scale, box.height / scale});
  const auto sharpness = sharpness_.Measure(face);
  if (!sharpness) return std::unexpected(sharpness.error());
  seen.sharpness = sharpness->sharpness;
  seen.grain = sharpness->grain;
  if (With(detail, Detail::kSmile) && smiles_ != nullptr) {
    const auto smile = smiles_->Measure(face);
    if (!smile) return std::unexpected(smile.error());
    seen.smile = *smile;
  }
  if (detector_.finds_landmarks() && With(detail, Detail::kFace)) {
    if (Status refined = Refine(around, seen); !refined) return refined;
  }
  return mesh_ != nullptr && With(detail, Detail::kParts) ? LookAtParts(around, observation)
                                                          : Status();
}

// Looks at the points of the face in `part_`, the part of the frame inside `around`.
Status FrameAnalyzer::LookAtParts(const Box& around, FrameObservation& observation) {
  const float scale = around.width / static_cast<float>(part_.width());
  FaceList face;
  face.Add(observation.face->face.MovedBy(-around.x, -around.y));
  face.Scale(1 / scale);
  auto mesh = mesh_->Look(part_.view(), face[0]);
  if (!mesh) return std::unexpected(mesh.error());
  for (Point& point : mesh->points)
    point = {point.x * scale + around.x, point.y * scale + around.y};
  FaceParts& parts =
      observation.face->parts.emplace(MeasureParts(*mesh, observation.width, observation.height));
  MeasureCovers(*mesh, parts);
  const auto upside_down = IsUpsideDown(observation.face->face.score);
  if (!upside_down) return std::unexpected(upside_down.error());
  if (*upside_down) parts.roll += parts.roll > 0 ? -180 : 180;
  return {};
}

// Returns whether the detector is surer of the face in `smaller_` when that is turned by half a
// circle: it puts its landmarks the right way up in every face, and the mesh believes them. `score`
// is how sure it was.
Result<bool> FrameAnalyzer::IsUpsideDown(float score) {
  if (!detector_.finds_landmarks() || score >= kSurelyUpright) return false;
  turned_.Resize(smaller_.width(), smaller_.height());
  const Status found = WithOpenCv("turning a face", [this]() -> Status {
    cv::Mat to = AsMat(turned_);
    cv::rotate(AsMat(smaller_), to, cv::ROTATE_180);
    return detector_.Detect(turned_.view(), refined_);
  });
  if (!found) return std::unexpected(found.error());
  return std::ranges::any_of(refined_.all(), [&](const Face& face) {
    return face.score > score + kSurer && face.box.width > 0.6F * kSecondLookWidth;
  });
}

// Finds the same face again in `part_`, the part of the frame inside `around`, for landmarks that
// are more exact than those of the first look.
Status FrameAnalyzer::Refine(const Box& around, FaceObservation& seen) {
  const float scale = seen.face.box.width / kSecondLookWidth;
  smaller_.Resize(std::max(1, static_cast<int>(std::lround(around.width / scale))),
                  std::max(1, static_cast<int>(std::lround(around.height / scale))));
  Status found = WithOpenCv("making a face smaller", [this]() -> Status {
    cv::Mat to = AsMat(smaller_);
    cv::resize(AsMat(part_), to, to.size(), 0, 0, cv::INTER_AREA);
    return detector_.Detect(smaller_.view(), refined_);
  });
  if (!found) return found;
  refined_.Scale(scale);
  for (const Face& each : refined_.all()) {
    const Face face = each.MovedBy(around.x, around.y);
    if (Overlap(face.box, seen.face.box) < 0.4F) continue;
    seen.face.landmarks = face.landmarks;
    seen.pose = PoseOf(face);
    return {};
  }
  return {};
}

Result<FrameObservation> FrameAnalyzer::AnalyzeThoroughly(const Frame& frame) {
  struct Seen {
    Face face;
    float away;
  };
  std::vector<Seen> found;
  FrameDecoder::Size size;
  FaceList faces;
  for (int side : kLooks) {
    const auto looked = decoder_.DecodeSmall(frame, side, small_);
    if (!looked) return std::unexpected(looked.error());
    size = *looked;
    if (Status fits = CheckShape(size); !fits) return std::unexpected(fits.error());
    if (auto detected = detector_.Detect(small_.view(), faces); !detected) {
      return std::unexpected(detected.error());
    }
    const float scale = static_cast<float>(size.width) / static_cast<float>(small_.width());
    faces.Scale(scale);
    for (const Face& face : faces.all()) {
      const Seen seen{face, AwayFromBestSize(face, scale)};
      const auto same = std::ranges::find_if(
          found, [&](const Seen& other) { return Overlap(other.face.box, face.box) > 0.3F; });
      if (same == found.end()) {
        found.push_back(seen);
      } else if (seen.away < same->away) {
        *same = seen;
      }
    }
    if (std::max(small_.width(), small_.height()) < side) break;  // there are no more pixels
  }
  faces_.Clear();
  for (const Seen& seen : found) faces_.Add(seen.face);
  const float scale = static_cast<float>(size.width) / static_cast<float>(small_.width());
  FrameObservation observation = Describe(frame, size, scale);
  if (auto measured = MeasureDetail(frame, Detail::kAll, observation); !measured) {
    return std::unexpected(measured.error());
  }
  return observation;
}

}  // namespace idkiosk
