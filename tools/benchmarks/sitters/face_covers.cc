#include "tools/benchmarks/sitters/face_covers.h"

#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <span>

namespace idkiosk {
namespace {

using cv::Mat;
using cv::Point2d;
using cv::Scalar;

// MediaPipe's numbers of the points.
constexpr size_t kRightOfEyes = 33, kLeftOfEyes = 263;
// Over the nose and the cheeks, and back along the jaw.
constexpr std::array kMaskEdge = {227, 117, 197, 346, 447, 323, 361, 288, 397, 365, 379, 378,
                                  400, 377, 152, 148, 176, 149, 150, 136, 172, 58,  132, 93};
constexpr std::array kRightEyeEdge = {33,  246, 161, 160, 159, 158, 157, 173,
                                      133, 155, 154, 153, 145, 144, 163, 7};
constexpr std::array kLeftEyeEdge = {263, 466, 388, 387, 386, 385, 384, 398,
                                     362, 382, 381, 380, 374, 373, 390, 249};
constexpr std::array kRightLashes = {33, 7, 163, 144, 145, 153, 154, 155, 133};
constexpr std::array kLeftLashes = {263, 249, 390, 373, 374, 380, 381, 382, 362};

Point2d Of(const Subject& s, size_t point) {
  return {double{s.points[point].x}, double{s.points[point].y}};
}

std::vector<cv::Point> Outline(const Subject& s, std::span<const int> points) {
  std::vector<cv::Point> outline;
  for (int each : points) outline.emplace_back(Of(s, static_cast<size_t>(each)));
  return outline;
}

// Lays `cover` over the picture where `where` is set, with soft edges.
Mat Laid(const Subject& s, const Mat& cover, const Mat& where) {
  Mat soft, share, out(s.picture.size(), CV_8UC3);
  cv::GaussianBlur(where, soft, {}, std::max(0.6, 0.004 * FaceWidth(s)));
  for (int y = 0; y < out.rows; ++y) {
    for (int x = 0; x < out.cols; ++x) {
      const double part = soft.at<uint8_t>(y, x) / 255.0;
      for (int c = 0; c < 3; ++c) {
        out.at<cv::Vec3b>(y, x)[c] = cv::saturate_cast<uint8_t>(
            part * cover.at<cv::Vec3b>(y, x)[c] + (1 - part) * s.picture.at<cv::Vec3b>(y, x)[c]);
      }
    }
  }
  return out;
}

Mat Empty(const Subject& s) { return Mat::zeros(s.picture.size(), CV_8U); }

// Cloth of a colour in the light of the picture, a little shaded from side to side.
Mat Cloth(const Subject& s, const Scalar& colour, double fold) {
  Mat cloth(s.picture.size(), CV_8UC3);
  const Point2d middle = At(s, 0, 0.9);
  const double width = FaceWidth(s);
  for (int y = 0; y < cloth.rows; ++y) {
    for (int x = 0; x < cloth.cols; ++x) {
      const double across = (x - middle.x) / width, down = (y - middle.y) / width;
      const double shade =
          1.02 - 0.9 * across * across + fold * std::sin(30 * down + 6 * across * across);
      for (int c = 0; c < 3; ++c) {
        cloth.at<cv::Vec3b>(y, x)[c] = cv::saturate_cast<uint8_t>(colour[c] * shade);
      }
    }
  }
  return cloth;
}

Mat MaskPlace(const Subject& s) {
  Mat where = Empty(s);
  cv::fillPoly(where, std::vector{Outline(s, kMaskEdge)}, 255);
  return where;
}

double Tilt(const Subject& s) {
  const Point2d across = Of(s, kLeftOfEyes) - Of(s, kRightOfEyes);
  return std::atan2(across.y, across.x) * 180 / CV_PI;
}

void AddLens(const Subject& s, double u, double grow, Mat& where, int thickness) {
  const double size = EyesWidth(s);
  cv::ellipse(where, At(s, u, 0.02), cv::Size2d(0.27 * size * grow, 0.22 * size * grow), Tilt(s), 0,
              360, 255, thickness, cv::LINE_AA);
}

void AddFrame(const Subject& s, Mat& where) {
  const int thick = std::max(1, static_cast<int>(0.025 * EyesWidth(s)));
  for (double u : {-0.34, 0.34}) AddLens(s, u, 1, where, thick);
  cv::line(where, At(s, -0.09, -0.03), At(s, 0.09, -0.03), 255, thick);
  cv::line(where, At(s, -0.60, -0.05), At(s, -0.78, -0.08), 255, thick);
  cv::line(where, At(s, 0.60, -0.05), At(s, 0.78, -0.08), 255, thick);
}

}  // namespace

cv::Point2d At(const Subject& s, double u, double v) {
  const Point2d right = Of(s, kRightOfEyes), left = Of(s, kLeftOfEyes);
  const Point2d across = left - right, down(-across.y, across.x);
  return (right + left) / 2 + across * u + down * v;
}

double EyesWidth(const Subject& s) { return cv::norm(Of(s, kLeftOfEyes) - Of(s, kRightOfEyes)); }
double FaceWidth(const Subject& s) { return cv::norm(Of(s, 454) - Of(s, 234)); }

cv::Scalar SkinOf(const Subject& s) {
  const int size = std::max(3, static_cast<int>(0.12 * EyesWidth(s)));
  Scalar sum;
  for (size_t point : {50, 280}) {
    const Point2d at = Of(s, point);
    const cv::Rect around =
        cv::Rect(static_cast<int>(at.x) - size / 2, static_cast<int>(at.y) - size / 2, size, size) &
        cv::Rect({}, s.picture.size());
    sum += cv::mean(s.picture(around)) * 0.5;
  }
  return sum;
}

cv::Mat Mask(const Subject& s, const Scalar& colour) {
  return Laid(s, Cloth(s, colour, 0.05), MaskPlace(s));
}

cv::Mat PrintedMask(const Subject& s) {
  Mat cloth = Cloth(s, {60, 120, 190}, 0);
  const int step = std::max(4, static_cast<int>(0.09 * FaceWidth(s)));
  for (int y = 0; y < cloth.rows; y += step) {
    for (int x = (y / step % 2) * step / 2; x < cloth.cols; x += step) {
      cv::circle(cloth, {x, y}, step / 3, {40, 40, 160}, cv::FILLED, cv::LINE_AA);
    }
  }
  return Laid(s, cloth, MaskPlace(s));
}

cv::Mat Scarf(const Subject& s, const Scalar& colour) {
  Mat where = MaskPlace(s);
  const std::vector<cv::Point> below = {At(s, -0.85, 0.5), At(s, 0.85, 0.5), At(s, 0.9, 2.4),
                                        At(s, -0.9, 2.4)};
  cv::fillPoly(where, std::vector{below}, 255);
  return Laid(s, Cloth(s, colour, 0.25), where);
}

cv::Mat Fingers(const Subject& s, double v, const Scalar& skin) {
  Mat out = s.picture.clone();
  constexpr double kFinger = 0.17;
  for (int finger = -2; finger < 2; ++finger) {
    const double at = v + (finger + 0.5) * kFinger;
    for (int layer = 0; layer < 6; ++layer) {  // round: dark edges, bright middle
      const double part = 1 - layer / 6.0;
      const int thick = std::max(1, static_cast<int>(kFinger * part * EyesWidth(s)));
      cv::line(out, At(s, -0.52, at + 0.05), At(s, 1.0, at - 0.10),
               skin * (0.62 + 0.42 * (1 - part)), thick, cv::LINE_AA);
    }
  }
  return out;
}

cv::Mat Bar(const Subject& s, double v, double half, const Scalar& colour) {
  Mat out = s.picture.clone();
  const std::vector<cv::Point> bar = {At(s, -0.8, v - half), At(s, 0.8, v - half),
                                      At(s, 0.8, v + half), At(s, -0.8, v + half)};
  cv::fillPoly(out, std::vector{bar}, colour, cv::LINE_AA);
  return out;
}

cv::Mat Glasses(const Subject& s, const Scalar& colour, double dense) {
  Subject seen{s.picture.clone(), s.points};
  if (dense > 0) {
    Mat lenses = Empty(s);
    for (double u : {-0.34, 0.34}) AddLens(s, u, 1, lenses, cv::FILLED);
    lenses *= dense;
    seen.picture = Laid(s, Mat(s.picture.size(), CV_8UC3, colour), lenses);
  }
  // A lamp in each lens.
  for (double u : {-0.44, 0.24}) {
    cv::circle(seen.picture, At(s, u, -0.07), std::max(1, static_cast<int>(0.025 * EyesWidth(s))),
               {235, 235, 235}, cv::FILLED, cv::LINE_AA);
  }
  Mat frame = Empty(s);
  AddFrame(s, frame);
  return Laid(seen, Mat(s.picture.size(), CV_8UC3, Scalar(28, 24, 24)), frame);
}

cv::Mat MirrorGlasses(const Subject& s) {
  Mat mirror(s.picture.size(), CV_8UC3);
  const double middle = At(s, 0, 0).y, size = 0.25 * EyesWidth(s);
  for (int y = 0; y < mirror.rows; ++y) {
    const double up = std::clamp((middle - y) / size, -1.0, 1.0);
    mirror.row(y) = up > 0 ? Scalar(200 + 40 * up, 170, 130) : Scalar(70, 80 - 20 * up, 90);
  }
  Mat lenses = Empty(s);
  for (double u : {-0.34, 0.34}) AddLens(s, u, 1.1, lenses, cv::FILLED);
  return Laid(s, mirror, lenses);
}

cv::Mat EyePatch(const Subject& s) {
  Mat where = Empty(s);
  AddLens(s, -0.34, 1.1, where, cv::FILLED);
  return Laid(s, Mat(s.picture.size(), CV_8UC3, Scalar(18, 16, 16)), where);
}

cv::Mat EyesClosed(const Subject& s) {
  Subject seen{s.picture, s.points};
  const int grow = std::max(1, static_cast<int>(0.02 * EyesWidth(s)));
  struct Eye {
    std::span<const int> outline, lashes;
    size_t lid;
  };
  for (const auto& [eye, lashes, lid] :
       std::vector<Eye>{{kRightEyeEdge, kRightLashes, 27}, {kLeftEyeEdge, kLeftLashes, 257}}) {
    Mat where = Empty(s);
    cv::fillPoly(where, std::vector{Outline(s, eye)}, 255);
    cv::dilate(where, where, {}, {-1, -1}, grow);
    const cv::Rect all({}, s.picture.size());
    const Point2d at = Of(s, lid);
    const cv::Rect skin = cv::Rect(static_cast<int>(at.x) - grow, static_cast<int>(at.y) - grow,
                                   2 * grow + 1, 2 * grow + 1) &
                          all;
    const Scalar colour = cv::mean(s.picture(skin));
    seen.picture = Laid(seen, Mat(s.picture.size(), CV_8UC3, colour), where);
    cv::polylines(seen.picture, std::vector{Outline(s, lashes)}, false, colour * 0.3,
                  std::max(1, grow * 3 / 4), cv::LINE_AA);
  }
  return seen.picture;
}

cv::Mat Glare(const Subject& s) {
  Mat where = Empty(s);
  cv::circle(where, At(s, 0.3, 0.35), static_cast<int>(0.5 * EyesWidth(s)), 255, cv::FILLED);
  cv::GaussianBlur(where, where, {}, 0.12 * EyesWidth(s));
  return Laid(s, Mat(s.picture.size(), CV_8UC3, Scalar(255, 255, 255)), where);
}

}  // namespace idkiosk
