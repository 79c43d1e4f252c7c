#include "app/capture/vision/smile_detector.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/mat.h"
#include "app/capture/vision/cascade.h"

namespace idkiosk {
namespace {

// Of the part of a face where the mouth is, in pixels: that of a face of 160.
constexpr int kWidth = 128;
// The cascade's margins: mouths at rest reach 1.6, smiles begin at 3 (the drawn sitter,
// photographs).
constexpr double kAtRest = 1.4, kSmiling = 3.4;

// Square roots: on dark skin a smile's contrasts are small, and count for as much as on light skin
// then. Without, at least three of fifteen frames of the darkest drawn sitter missed theirs.
cv::Mat Brightening() {
  cv::Mat table(1, 256, CV_8U);
  for (int value = 0; value < 256; ++value) {
    table.at<uint8_t>(value) = cv::saturate_cast<uint8_t>(std::sqrt(value * 255.0));
  }
  return table;
}

}  // namespace

struct SmileDetector::Mouth {
  Cascade cascade;
  cv::Mat brightening = Brightening();
  cv::Mat grey, scaled;
};

SmileDetector::SmileDetector(std::unique_ptr<Mouth> mouth) : mouth_(std::move(mouth)) {}
SmileDetector::~SmileDetector() = default;

Result<std::unique_ptr<SmileDetector>> SmileDetector::Load(const std::string& folder,
                                                           FileSystem& files) {
  auto cascade = Cascade::Load(folder, "smile", files);
  if (!cascade) return std::unexpected(cascade.error());
  auto mouth = std::make_unique<Mouth>();
  mouth->cascade = std::move(*cascade);
  return std::unique_ptr<SmileDetector>(new SmileDetector(std::move(mouth)));
}

Result<double> SmileDetector::Measure(const PictureView& face) {
  if (face.width < 16 || face.height < 16) return 0;
  double best = 0;
  const Status measured = WithOpenCv("looking for a smile", [&]() -> Status {
    cv::cvtColor(AsMat(face), mouth_->grey, cv::COLOR_BGR2GRAY);
    const cv::Rect around(face.width / 10, face.height * 55 / 100, face.width * 8 / 10,
                          face.height * 45 / 100);
    const cv::Mat mouth = mouth_->grey(around);
    const int height = std::max(1, mouth.rows * kWidth / mouth.cols);
    cv::resize(mouth, mouth_->scaled, {kWidth, height}, 0, 0, cv::INTER_LINEAR);
    cv::LUT(mouth_->scaled, mouth_->brightening, mouth_->scaled);
    for (const Cascade::Found& found :
         mouth_->cascade.Search(mouth_->scaled, {50, 25}, {}, 1, Cascade::Measure::kMargin)) {
      best = std::max(best, found.margin);
    }
    return {};
  });
  if (!measured) return std::unexpected(measured.error());
  return std::clamp((best - kAtRest) / (kSmiling - kAtRest), 0.0, 1.0);
}

}  // namespace idkiosk
