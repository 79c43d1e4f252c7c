#include "app/capture/vision/face_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/mat.h"

namespace idkiosk {
namespace {

constexpr double kMargin = 0.25;  // on each side, of the face's size

// The detector sees a tilted head straighter than it is, and so does this network, as far as the
// detector has misled it: each look from the points of the last one sees more of the tilt. A
// head of 30 degrees is seen as 16, 25 and 29.
constexpr int kMostLooks = 4;
constexpr double kUpright = 4;  // degrees

// The luma that faces are brought to, and the least exponent for that.
constexpr double kBright = 125, kMostBrighter = 0.4;

constexpr double kSurely = 0.5;  // the score of a face

constexpr size_t kRightOfEyes = 33, kLeftOfEyes = 263;  // MediaPipe's numbers

const std::vector<std::string> kOutputs = {"output_mesh", "output_faceflag"};

// The square of the picture that becomes the upright one.
struct Square {
  double x, y;  // its middle
  double side;
  double turn;  // radians, clockwise

  // Pixels of the picture over those of the upright one.
  [[nodiscard]] double scale() const { return side / FaceMesh::kSide; }
  [[nodiscard]] Point ToPicture(double u, double v) const {
    const double across = (u - FaceMesh::kSide / 2.0) * scale();
    const double down = (v - FaceMesh::kSide / 2.0) * scale();
    return {static_cast<float>(x + across * std::cos(turn) - down * std::sin(turn)),
            static_cast<float>(y + across * std::sin(turn) + down * std::cos(turn))};
  }
};

Square AroundFace(const Face& face) {
  const Point middle = face.box.centre();
  const double size = double{std::max(face.box.width, face.box.height)};
  Square square{double{middle.x}, double{middle.y}, size * (1 + 2 * kMargin), 0};
  if (!face.has_landmarks) return square;
  const auto& at = face.landmarks;
  square.turn = std::atan2(double{at[kLeftEye].y} - double{at[kRightEye].y},
                           double{at[kLeftEye].x} - double{at[kRightEye].x});
  return square;
}

// Returns degrees, clockwise.
double TurnOf(const MeshObservation::Points& at) {
  const Point &right = at[kRightOfEyes], &left = at[kLeftOfEyes];
  return std::atan2(double{left.y} - double{right.y}, double{left.x} - double{right.x}) * 180 /
         std::numbers::pi;
}

// Of the face whose points were found in `seen`.
Square AroundPoints(const Square& seen, const MeshObservation::Points& in_upright) {
  const auto [left, right] = std::ranges::minmax(in_upright, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(in_upright, {}, &Point::y);
  const Point middle = seen.ToPicture(double{left.x + right.x} / 2, double{top.y + bottom.y} / 2);
  const double size = double{std::max(right.x - left.x, bottom.y - top.y)} * seen.scale();
  return {double{middle.x}, double{middle.y}, size * (1 + 2 * kMargin),
          seen.turn + TurnOf(in_upright) * std::numbers::pi / 180};
}

}  // namespace

struct FaceMesh::Network {
  cv::dnn::Net net;
  Picture upright;

  [[nodiscard]] Status Look(const PictureView& picture, const Square& square,
                            MeshObservation& seen) {
    Turn(picture, square);
    Brighten();
    cv::dnn::blobFromImage(bright, blob, 1 / 255.0, {}, {}, true);
    net.setInput(blob);
    net.forward(outputs, kOutputs);
    const cv::Mat& mesh = outputs[0];
    if (mesh.total() != 3 * MeshObservation::kPoints || outputs[1].total() != 1) {
      return Fail(ErrorCode::kInternal, "the outputs of FaceMesh have another shape");
    }
    const float* const at = mesh.ptr<float>();
    for (size_t i = 0; i < MeshObservation::kPoints; ++i) {
      const float x = at[3 * i], y = at[3 * i + 1];
      if (!std::isfinite(x) || !std::isfinite(y)) {
        return Fail(ErrorCode::kInternal, "FaceMesh found points that are no numbers");
      }
      seen.in_upright[i] = {x, y};
      seen.points[i] = square.ToPicture(double{x}, double{y});
    }
    seen.score = double{outputs[1].ptr<float>()[0]};
    return {};
  }

 private:
  void Turn(const PictureView& picture, const Square& square) {
    upright.Resize(kSide, kSide);
    turning.create(2, 3, CV_64F);
    const double cosine = square.scale() * std::cos(square.turn);
    const double sine = square.scale() * std::sin(square.turn);
    const double half = kSide / 2.0;
    double* const row = turning.ptr<double>(0);
    row[0] = cosine, row[1] = -sine, row[2] = square.x - half * (cosine - sine);
    row[3] = sine, row[4] = cosine, row[5] = square.y - half * (sine + cosine);
    cv::Mat to = AsMat(upright);
    cv::warpAffine(AsMat(picture), to, turning, to.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                   cv::BORDER_REPLICATE);
  }

  // Makes `bright`, for the network: it sees little of a dark face, such as a mouth that is open.
  void Brighten() {
    const cv::Mat from = AsMat(upright);
    const int inner = kSide / 4;
    const cv::Scalar mean = cv::mean(from(cv::Rect(inner, inner, 2 * inner, 2 * inner)));
    const double luma = 0.114 * mean[0] + 0.587 * mean[1] + 0.299 * mean[2];
    const double exponent =
        std::clamp(std::log(kBright / 255) / std::log((luma + 1) / 256), kMostBrighter, 1.0);
    table.create(1, 256, CV_8U);
    for (int value = 0; value < 256; ++value) {
      table.at<uint8_t>(value) =
          cv::saturate_cast<uint8_t>(255 * std::pow(value / 255.0, exponent));
    }
    cv::LUT(from, table, bright);
  }

  cv::Mat blob, turning, table, bright;
  std::vector<cv::Mat> outputs;
};

FaceMesh::FaceMesh(std::unique_ptr<Network> network) : network_(std::move(network)) {}
FaceMesh::~FaceMesh() = default;

Result<std::unique_ptr<FaceMesh>> FaceMesh::Load(ByteSpan model) {
  auto network = std::make_unique<Network>();
  try {
    network->net =
        cv::dnn::readNetFromONNX(reinterpret_cast<const char*>(model.data()), model.size());
    auto names = network->net.getUnconnectedOutLayersNames();
    std::ranges::sort(names, std::greater());
    if (names != kOutputs) {
      return Fail(ErrorCode::kCorrupt, "the model of a face's points is not FaceMesh");
    }
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kCorrupt, "the model of a face's points cannot be read: {}",
                exception.err);
  }
  return std::unique_ptr<FaceMesh>(new FaceMesh(std::move(network)));
}

Result<MeshObservation> FaceMesh::Look(const PictureView& picture, const Face& face) {
  Square square = AroundFace(face);
  if (picture.empty() || !(square.side >= 1)) {
    return Fail(ErrorCode::kInvalid, "a face without a size has no points");
  }
  MeshObservation seen;
  const Status looked = WithOpenCv("finding a face's points", [&]() -> Status {
    for (int look = 1;; ++look) {
      if (Status points = network_->Look(picture, square, seen); !points) return points;
      const bool upright = std::abs(TurnOf(seen.in_upright)) <= kUpright;
      if (upright || seen.score < kSurely || look == kMostLooks) return {};
      square = AroundPoints(square, seen.in_upright);
    }
  });
  if (!looked) return std::unexpected(looked.error());
  seen.upright = network_->upright.view();
  seen.roll = TurnOf(seen.points);
  return seen;
}

}  // namespace idkiosk
