#include "app/capture/cascade_detector.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <vector>

#include "app/capture/mat.h"

namespace idkiosk {
namespace {

constexpr double kScaleStep = 1.1;
constexpr int kNeighbours = 3;

// The cascade's square reaches from the brows to the lower lip; boxes of this product reach from
// the hairline to the chin, as the network's do.
Box FaceBox(const cv::Rect& square) {
  const auto side = static_cast<float>(square.width);
  return {static_cast<float>(square.x) + 0.10F * side, static_cast<float>(square.y) - 0.02F * side,
          0.80F * side, 1.08F * side};
}

Result<cv::CascadeClassifier> LoadCascade(const std::string& path, FileSystem& files) {
  const auto exists = files.Exists(path);
  if (!exists) return std::unexpected(exists.error());
  if (!*exists) {
    return Fail(ErrorCode::kNotFound, "no face cascade at {}: install Debian's opencv-data", path);
  }
  cv::CascadeClassifier cascade;
  bool loaded = false;
  try {
    loaded = cascade.load(path);
  } catch (const cv::Exception&) {
    // Told below.
  }
  if (!loaded) return Fail(ErrorCode::kCorrupt, "{} is not a cascade that OpenCV can read", path);
  return cascade;
}

}  // namespace

struct CascadeDetector::Cascades {
  cv::CascadeClassifier face;
  cv::CascadeClassifier eye;
  cv::Mat grey;
  std::vector<cv::Rect> squares;
  std::vector<int> levels;
  std::vector<double> weights;
};

CascadeDetector::CascadeDetector(std::unique_ptr<Cascades> cascades)
    : cascades_(std::move(cascades)) {}
CascadeDetector::~CascadeDetector() = default;

Result<std::unique_ptr<CascadeDetector>> CascadeDetector::Load(const std::string& folder,
                                                               FileSystem& files) {
  auto cascades = std::make_unique<Cascades>();
  cv::setNumThreads(1);
  auto face = LoadCascade(folder + "/haarcascade_frontalface_alt2.xml", files);
  if (!face) return std::unexpected(face.error());
  auto eye = LoadCascade(folder + "/haarcascade_eye.xml", files);
  if (!eye) return std::unexpected(eye.error());
  cascades->face = *face;
  cascades->eye = *eye;
  return std::unique_ptr<CascadeDetector>(new CascadeDetector(std::move(cascades)));
}

Status CascadeDetector::Detect(const PictureView& bgr, FaceList& faces) {
  faces.Clear();
  if (bgr.empty()) return Fail(ErrorCode::kInvalid, "no faces are sought in an empty picture");
  Cascades& cascades = *cascades_;
  return WithOpenCv("finding faces", [&]() -> Status {
    cv::cvtColor(AsMat(bgr), cascades.grey, cv::COLOR_BGR2GRAY);
    const int smallest = std::max(24, std::min(bgr.width, bgr.height) / 6);
    cascades.face.detectMultiScale(cascades.grey, cascades.squares, cascades.levels,
                                   cascades.weights, kScaleStep, kNeighbours, 0,
                                   {smallest, smallest}, {}, true);
    for (size_t i = 0; i < cascades.squares.size(); ++i) {
      Face face;
      face.box = FaceBox(cascades.squares[i]);
      // The last stage's margin, which has no upper end, on the scale of a confidence.
      face.score = static_cast<float>(1 - 1 / (1 + std::max(0.0, cascades.weights[i])));
      faces.Add(face);
    }
    return {};
  });
}

}  // namespace idkiosk
