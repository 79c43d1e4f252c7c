#include "app/capture/vision/cascade_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "app/capture/image/mat.h"
#include "app/capture/vision/cascade.h"

namespace idkiosk {
namespace {

constexpr int kNeighbours = 3;
constexpr int kSmallestFace = 24;  // pixels, the least that the cascades were taught

// The margin of the cascade for profiles from which a head is turned by 25 degrees or more (it
// answers from there to about 60). On frontal heads it stays below 1.2.
constexpr double kProfileMargin = 2;
constexpr float kTurnedYaw = 35;  // degrees; the middle of what it answers to
constexpr float kProfileScore = 0.8F;
// Found twice, by windows that were not grouped.
constexpr float kMaxOverlap = 0.1F;

// On the scale of a confidence: a face gathers 15 votes and more, a fold in a curtain three or
// four.
float ScoreOf(int votes) { return 1 - 2.5F / static_cast<float>(votes + 1); }

// The frontal cascade's square reaches from the brows to the lower lip; boxes of this product reach
// from the hairline to the chin, as the network's do.
Box BoxOf(const cv::Rect& square) {
  const auto side = static_cast<float>(square.width);
  return {static_cast<float>(square.x) + 0.06F * side, static_cast<float>(square.y) - 0.07F * side,
          0.88F * side, 1.18F * side};
}

// Dark skin has too little contrast for the cascades: shadows are lifted by this power, then the
// contrast is evened out in tiles. With both, all of the drawn sitter's tones are found; without,
// the two darkest are not.
constexpr double kLift = 0.35;
constexpr double kContrastLimit = 3;
constexpr int kTiles = 4;

cv::Mat LiftingTable() {
  cv::Mat values(1, 256, CV_8U);
  for (int i = 0; i < 256; ++i) {
    values.at<uint8_t>(i) = static_cast<uint8_t>(std::lround(255 * std::pow(i / 255.0, kLift)));
  }
  return values;
}

// The cascade for profiles takes in the whole head.
cv::Rect FaceInProfile(const cv::Rect& head) {
  const int trim = head.width / 8;
  return {head.x + trim, head.y + trim, head.width - 2 * trim, head.height - 2 * trim};
}

cv::Rect Around(const cv::Rect& place, const cv::Mat& picture) {
  const int margin = place.width / 3;
  const cv::Rect wide(place.x - margin, place.y - margin, place.width + 2 * margin,
                      place.height + 2 * margin);
  return wide & cv::Rect(0, 0, picture.cols, picture.rows);
}

}  // namespace

struct CascadeDetector::Cascades {
  Cascade frontal;
  Cascade profile;
  cv::Mat lifting = LiftingTable();
  cv::Ptr<cv::CLAHE> evening = cv::createCLAHE(kContrastLimit, {kTiles, kTiles});
  cv::Mat grey, mirrored;
  FaceList profiles;

  // Grey, with the contrast that the cascades were taught.
  const cv::Mat& Prepare(const cv::Mat& bgr) {
    cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
    cv::LUT(grey, lifting, grey);
    evening->apply(grey, grey);
    return grey;
  }

  void AddFrontal(const cv::Mat& picture, int smallest, FaceList& faces) {
    for (const Cascade::Found& found :
         frontal.Search(picture, {smallest, smallest}, {}, kNeighbours, Cascade::Measure::kVotes)) {
      Face face;
      face.box = BoxOf(found.place);
      face.score = ScoreOf(found.votes);
      const bool again = std::ranges::any_of(faces.all(), [&](const Face& other) {
        return Overlap(other.box, face.box) > kMaxOverlap;
      });
      if (again) continue;
      face.yaw = Turned(picture, found.place).value_or(0.0F);
      faces.Add(face);
    }
  }

  // How far a head inside `place` is turned, if it is.
  std::optional<float> Turned(const cv::Mat& picture, const cv::Rect& place) {
    const cv::Mat part = picture(Around(place, picture));
    const int size = place.width;
    cv::flip(part, mirrored, 1);
    const double right = Best(part, size * 3 / 4, size * 4 / 3);
    const double left = Best(mirrored, size * 3 / 4, size * 4 / 3);
    if (std::max(right, left) < kProfileMargin) return std::nullopt;
    return right > left ? -kTurnedYaw : kTurnedYaw;
  }

  double Best(const cv::Mat& picture, int smallest, int largest) {
    double best = 0;
    for (const Cascade::Found& found :
         profile.Search(picture, {smallest, smallest}, {largest, largest}, kNeighbours,
                        Cascade::Measure::kMargin)) {
      best = std::max(best, found.margin);
    }
    return best;
  }

  void AddProfiles(const cv::Mat& picture, int smallest, FaceList& faces) {
    faces.Clear();
    cv::flip(picture, mirrored, 1);
    for (const bool flipped : {false, true}) {
      const cv::Mat& seen = flipped ? mirrored : picture;
      for (const Cascade::Found& found :
           profile.Search(seen, {smallest, smallest}, {}, kNeighbours, Cascade::Measure::kMargin)) {
        if (found.margin < kProfileMargin) continue;
        cv::Rect place = found.place;
        if (flipped) place.x = picture.cols - place.x - place.width;
        Face face;
        face.box = BoxOf(FaceInProfile(place));
        face.score = kProfileScore;
        face.yaw = flipped ? kTurnedYaw : -kTurnedYaw;
        faces.Add(face);
      }
    }
  }
};

CascadeDetector::CascadeDetector(std::unique_ptr<Cascades> cascades)
    : cascades_(std::move(cascades)) {}
CascadeDetector::~CascadeDetector() = default;

Result<std::unique_ptr<CascadeDetector>> CascadeDetector::Load(const std::string& folder,
                                                               FileSystem& files) {
  cv::setNumThreads(1);
  auto frontal = Cascade::Load(folder, "frontalface_alt2", files);
  if (!frontal) return std::unexpected(frontal.error());
  auto profile = Cascade::Load(folder, "profileface", files);
  if (!profile) return std::unexpected(profile.error());
  auto cascades = std::make_unique<Cascades>();
  cascades->frontal = std::move(*frontal);
  cascades->profile = std::move(*profile);
  return std::unique_ptr<CascadeDetector>(new CascadeDetector(std::move(cascades)));
}

Status CascadeDetector::Find(const PictureView& bgr, FaceList& faces) {
  faces.Clear();
  if (bgr.empty()) return Fail(ErrorCode::kInvalid, "an empty picture has no faces to find");
  Cascades& cascades = *cascades_;
  return WithOpenCv("finding faces", [&]() -> Status {
    const cv::Mat& picture = cascades.Prepare(AsMat(bgr));
    const int smallest = std::max(kSmallestFace, std::min(bgr.width, bgr.height) / 6);
    cascades.AddFrontal(picture, smallest, faces);
    const bool sure = std::ranges::any_of(
        faces.all(), [](const Face& face) { return face.score >= kProfileScore; });
    if (sure) return {};
    // Something on a turned head may look a little like a face from the front.
    cascades.AddProfiles(picture, smallest, cascades.profiles);
    if (!cascades.profiles.empty()) std::swap(faces, cascades.profiles);
    return {};
  });
}

}  // namespace idkiosk
