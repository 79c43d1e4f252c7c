#include "app/capture/vision/face_measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/mat.h"

namespace idkiosk {
namespace {

constexpr int kClippedLuma = 250;

// BT.601, in 1/256.
int LumaOf(const uint8_t* bgr) { return (29 * bgr[0] + 150 * bgr[1] + 77 * bgr[2] + 128) >> 8; }

using Histogram = std::array<int, 256>;

template <size_t values>
int Percentile(const std::array<int, values>& histogram, int total, double share) {
  int left = static_cast<int>(std::lround(share * total));
  for (size_t value = 0; value < values; ++value) {
    left -= histogram[value];
    if (left < 0) return static_cast<int>(value);
  }
  return static_cast<int>(values) - 1;
}

struct Area {
  int left, top, right, bottom;
};

Area Inside(const PictureView& picture, float left, float top, float right, float bottom) {
  const auto clamp = [](float value, int limit) {
    return std::clamp(static_cast<int>(std::lround(value)), 0, limit);
  };
  return {clamp(left, picture.width), clamp(top, picture.height), clamp(right, picture.width),
          clamp(bottom, picture.height)};
}

}  // namespace

FaceLight MeasureLight(const PictureView& picture, const Box& box) {
  // The middle of the box: skin, eyes and mouth, but neither hair nor what is behind.
  const Area skin = Inside(picture, box.x + 0.18F * box.width, box.y + 0.15F * box.height,
                           box.x + 0.82F * box.width, box.y + 0.90F * box.height);
  const Area face = Inside(picture, box.x, box.y, box.x + box.width, box.y + box.height);
  const int middle = (skin.left + skin.right) / 2;
  Histogram histogram{};
  int64_t inside = 0, left_half = 0, outside = 0;
  int count = 0, left_count = 0, outside_count = 0;
  for (int y = 0; y < picture.height; ++y) {
    const uint8_t* pixel = picture.row(y);
    for (int x = 0; x < picture.width; ++x, pixel += 3) {
      const int luma = LumaOf(pixel);
      if (x >= skin.left && x < skin.right && y >= skin.top && y < skin.bottom) {
        ++histogram[static_cast<size_t>(luma)];
        inside += luma;
        ++count;
        if (x < middle) left_half += luma, ++left_count;
      } else if (x < face.left || x >= face.right || y < face.top || y >= face.bottom) {
        outside += luma;
        ++outside_count;
      }
    }
  }
  FaceLight light;
  if (count == 0) return light;
  light.mean = static_cast<double>(inside) / count;
  light.low = Percentile(histogram, count, 0.05);
  light.high = Percentile(histogram, count, 0.95);
  int clipped = 0;
  for (size_t value = kClippedLuma; value < histogram.size(); ++value) clipped += histogram[value];
  light.clipped = static_cast<double>(clipped) / count;
  if (outside_count > 0) light.surround = static_cast<double>(outside) / outside_count;
  const int right_count = count - left_count;
  if (left_count > 0 && right_count > 0) {
    const double left = static_cast<double>(left_half) / left_count;
    const double right = static_cast<double>(inside - left_half) / right_count;
    light.imbalance = std::abs(left - right) / std::max(light.mean, 1.0);
  }
  return light;
}

namespace {

// Returns the tint of the darker part of the areas: what is overexposed has no colour, and how much
// that is changes with each colour of the light, where the order of brightness does not.
std::optional<Tint> TintOf(const PictureView& picture, std::initializer_list<Area> areas) {
  constexpr double kDarker = 0.6;
  constexpr int kLeast = 24, kNearlyBlack = 4;
  const auto each_pixel = [&](auto&& take) {
    for (const Area& area : areas) {
      for (int y = area.top; y < area.bottom; ++y) {
        const uint8_t* pixel = picture.row(y) + ptrdiff_t{3} * area.left;
        for (int x = area.left; x < area.right; ++x, pixel += 3) take(pixel);
      }
    }
  };
  Histogram histogram{};
  int count = 0;
  each_pixel([&](const uint8_t* pixel) {
    const int brightest = std::max({pixel[0], pixel[1], pixel[2]});
    if (brightest < kNearlyBlack) return;
    ++histogram[static_cast<size_t>(brightest)];
    ++count;
  });
  if (count < kLeast) return std::nullopt;
  const int most = Percentile(histogram, count, kDarker);
  if (most >= kClippedLuma) return std::nullopt;
  std::array<int64_t, 3> sum{};
  each_pixel([&](const uint8_t* pixel) {
    const int brightest = std::max({pixel[0], pixel[1], pixel[2]});
    if (brightest < kNearlyBlack || brightest > most) return;
    for (size_t c = 0; c < sum.size(); ++c) sum[c] += pixel[c];
  });
  const auto log_of = [&](size_t c) { return std::log(static_cast<double>(sum[c]) + 1); };
  return Tint{log_of(2) - log_of(1), log_of(0) - log_of(1)};
}

}  // namespace

FaceTints MeasureTints(const PictureView& picture, const Box& box) {
  const float right = box.x + box.width;
  const Area middle = Inside(picture, box.x + 0.2F * box.width, box.y + 0.25F * box.height,
                             box.x + 0.8F * box.width, box.y + 0.8F * box.height);
  // Beyond ears and hair, above the shoulders.
  const float top = box.y - 0.2F * box.height, bottom = box.y + 0.6F * box.height;
  const Area one =
      Inside(picture, box.x - 0.95F * box.width, top, box.x - 0.4F * box.width, bottom);
  const Area other =
      Inside(picture, right + 0.4F * box.width, top, right + 0.95F * box.width, bottom);
  return {TintOf(picture, {middle}), TintOf(picture, {one, other})};
}

PictureLook MeasureLook(const PictureView& picture) {
  if (picture.empty()) return {};
  int64_t sum = 0, squares = 0, colour = 0;
  for (int y = 0; y < picture.height; ++y) {
    const uint8_t* pixel = picture.row(y);
    for (int x = 0; x < picture.width; ++x, pixel += 3) {
      const int luma = LumaOf(pixel);
      sum += luma;
      squares += luma * luma;
      const auto [weakest, strongest] = std::minmax({pixel[0], pixel[1], pixel[2]});
      colour += strongest - weakest;
    }
  }
  const double pixels = static_cast<double>(picture.width) * picture.height;
  const double mean = static_cast<double>(sum) / pixels;
  return {mean, std::sqrt(std::max(0.0, static_cast<double>(squares) / pixels - mean * mean)),
          static_cast<double>(colour) / pixels};
}

struct SharpnessMeter::Buffers {
  cv::Mat grey, scaled, stretched, edges;

  [[nodiscard]] FaceDetail Measure(const cv::Mat& face);
  // Fills noise, flat and one_way from the middle of `scaled`, where skin is.
  void MeasureGrain(double stretch, FaceDetail& detail) const;
};

FaceDetail SharpnessMeter::Buffers::Measure(const cv::Mat& face) {
  cv::cvtColor(face, grey, cv::COLOR_BGR2GRAY);
  if (face.cols > kSharpnessWidth) {
    const int height = std::max(1, face.rows * kSharpnessWidth / face.cols);
    cv::resize(grey, scaled, {kSharpnessWidth, height}, 0, 0, cv::INTER_AREA);
  } else {
    grey.copyTo(scaled);  // enlarging would only make it look soft
  }
  Histogram histogram{};
  for (int y = 0; y < scaled.rows; ++y) {
    for (int x = 0; x < scaled.cols; ++x) ++histogram[scaled.at<uint8_t>(y, x)];
  }
  const int total = scaled.rows * scaled.cols;
  const int span = Percentile(histogram, total, 0.95) - Percentile(histogram, total, 0.05);
  const double stretch = std::clamp(128.0 / std::max(span, 1), 0.5, 4.0);
  scaled.convertTo(stretched, CV_32F, stretch);
  cv::Laplacian(stretched, edges, CV_32F);
  cv::Scalar mean, deviation;
  cv::meanStdDev(edges, mean, deviation);
  FaceDetail detail;
  detail.sharpness = deviation[0] * deviation[0];
  MeasureGrain(stretch, detail);
  return detail;
}

void SharpnessMeter::Buffers::MeasureGrain(double stretch, FaceDetail& detail) const {
  constexpr int kLargest = 8 * 255;
  std::array<int, kLargest + 1> grains{};  // of |second difference of second differences|
  double across = 0, across_squares = 0, down = 0, down_squares = 0;
  int count = 0, flat = 0;
  for (int y = scaled.rows / 4; y < scaled.rows * 17 / 20; ++y) {
    if (y < 1 || y + 1 >= scaled.rows) continue;
    const uint8_t* const over = scaled.ptr(y - 1);
    const uint8_t* const row = scaled.ptr(y);
    const uint8_t* const under = scaled.ptr(y + 1);
    for (int x = std::max(1, scaled.cols / 5); x < std::min(scaled.cols - 1, scaled.cols * 4 / 5);
         ++x, ++count) {
      const auto second = [x](const uint8_t* line) {
        return line[x - 1] - 2 * line[x] + line[x + 1];
      };
      const int to_right = second(row), below = over[x] - 2 * row[x] + under[x];
      ++grains[static_cast<size_t>(std::abs(second(over) - 2 * to_right + second(under)))];
      across += to_right, across_squares += to_right * to_right;
      down += below, down_squares += below * below;
      flat += std::abs(row[x + 1] - row[x]) + std::abs(under[x] - row[x]) <= 1 ? 1 : 0;
    }
  }
  if (count == 0) return;
  const auto variance = [&](double sum, double squares) {
    return stretch * stretch * (squares / count - sum / count * sum / count);
  };
  const auto [less, more] =
      std::minmax({variance(across, across_squares), variance(down, down_squares)});
  detail.grain.one_way = less;
  detail.grain.balance = less / std::max(more, 1e-3);
  detail.grain.flat = static_cast<double>(flat) / count;
  // By the median, which an eye's edges do not move; 6 and 20 are how much of a pixel's noise comes
  // through these two filters.
  const double deviation = stretch * Percentile(grains, count, 0.5) / 0.6745 / 6;
  detail.grain.noise = 20 * deviation * deviation / std::max(detail.sharpness, 1.0);
  detail.grain.deviation = deviation / stretch;
}

SharpnessMeter::SharpnessMeter() : buffers_(std::make_unique<Buffers>()) {}
SharpnessMeter::~SharpnessMeter() = default;

Result<FaceDetail> SharpnessMeter::Measure(const PictureView& face) {
  FaceDetail detail;
  if (face.width < 8 || face.height < 8) return detail;
  const Status measured = WithOpenCv("measuring sharpness", [&]() -> Status {
    detail = buffers_->Measure(AsMat(face));
    return {};
  });
  if (!measured) return std::unexpected(measured.error());
  return detail;
}

double AreaInPortraitWindow(const Box& box, int frame_width, int frame_height) {
  const double height = std::min<double>(frame_height, frame_width * 4.0 / 3.0);
  return static_cast<double>(box.area()) / std::max(1.0, height * height * 0.75);
}

}  // namespace idkiosk
