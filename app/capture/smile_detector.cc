#include "app/capture/smile_detector.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "app/capture/cascade.h"
#include "app/capture/mat.h"

namespace idkiosk {
namespace {

constexpr int kFaceWidth = 160;  // pixels, at which the mouth is looked at
// The cascade's margins: mouths at rest reach 1.6, smiles begin at 3 (the drawn sitter,
// photographs).
constexpr double kAtRest = 1.4, kSmiling = 3.4;

}  // namespace

struct SmileDetector::Mouth {
  Cascade cascade;
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
    const cv::Mat lower = mouth_->grey.rowRange(face.height * 55 / 100, face.height);
    const int height = std::max(1, lower.rows * kFaceWidth / lower.cols);
    cv::resize(lower, mouth_->scaled, {kFaceWidth, height}, 0, 0, cv::INTER_LINEAR);
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
