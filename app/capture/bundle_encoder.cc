#include "app/capture/bundle_encoder.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/mat.h"

namespace idkiosk {
namespace {

constexpr int kMaxEncodes = 3;
// Coarser than this, blocks show on a face: fewer pixels look better.
constexpr int kMinQuality = 50;
// A picture's bytes grow with its quantiser's fineness to about this power (fitted on faces).
constexpr double kBytesPower = 0.72;
// What a guess aims at, so that the next encode fits.
constexpr double kAim = 0.93;

// How coarse libjpeg quantises at this quality, in percent of its standard tables.
double Coarseness(int quality) { return quality < 50 ? 5000.0 / quality : 200.0 - 2.0 * quality; }

int QualityFor(double coarseness) {
  const double quality = coarseness > 100 ? 5000.0 / coarseness : (200.0 - coarseness) / 2.0;
  return std::clamp(static_cast<int>(quality), 1, 100);
}

// What to try after an encode of `bytes` at `quality` was over `budget`.
struct Attempt {
  int quality = 0;
  double shrink = 1;  // of both sides
};

Attempt After(const Attempt& last, size_t bytes, size_t budget) {
  const double excess = static_cast<double>(bytes) / (static_cast<double>(budget) * kAim);
  const double wanted = std::max(Coarseness(last.quality), 2.0) * std::pow(excess, 1 / kBytesPower);
  const int quality = QualityFor(wanted);
  if (quality >= kMinQuality) return {quality, last.shrink};
  // What quality cannot save, fewer pixels must; their number counts about like bytes.
  const double saved =
      std::pow(Coarseness(kMinQuality) / std::max(Coarseness(last.quality), 2.0), kBytesPower);
  const double pixels = std::max(1.0, excess / std::max(saved, 1.0));
  return {std::min(kMinQuality, last.quality), last.shrink / std::sqrt(pixels)};
}

}  // namespace

Box HeadCut(const Box& face, int frame_width, int frame_height) {
  // The box reaches from the hairline to the chin. Twice its height holds the hair, the neck and a
  // margin, as a portrait on a document does.
  constexpr float kHeads = 2.0F;
  const auto width = static_cast<float>(frame_width), height = static_cast<float>(frame_height);
  float tall = std::max(kHeads * face.height, kHeads * face.width / 0.75F);
  tall = std::min({tall, height, width / 0.75F});
  const float wide = 0.75F * tall;
  const Point middle = face.centre();
  // A little more room above than below: hair.
  return {std::clamp(middle.x - wide / 2, 0.0F, width - wide),
          std::clamp(middle.y - 0.04F * face.height - tall / 2, 0.0F, height - tall), wide, tall};
}

BundleEncoder::BundleEncoder(const CaptureSettings& settings, FrameDecoder& decoder)
    : settings_(settings), decoder_(decoder) {}

Result<CapturedPicture> BundleEncoder::EncodePicture(const KeptFrame& kept, int side,
                                                     size_t budget) {
  if (auto decoded =
          decoder_.DecodePart(kept.frame, kept.head, side, JpegDecoder::Effort::kCareful, picture_);
      !decoded) {
    return std::unexpected(decoded.error());
  }
  Attempt attempt{settings_.jpeg_quality, 1};
  for (int encodes = 1;; ++encodes) {
    const Picture* picture = &picture_;
    if (attempt.shrink < 1) {
      const auto scaled = [&](int pixels) {
        return std::max(8, static_cast<int>(pixels * attempt.shrink));
      };
      smaller_.Resize(scaled(picture_.width()), scaled(picture_.height()));
      const Status shrunk = WithOpenCv("shrinking a picture", [&]() -> Status {
        cv::Mat to = AsMat(smaller_);
        cv::resize(AsMat(picture_), to, to.size(), 0, 0, cv::INTER_AREA);
        return {};
      });
      if (!shrunk) return std::unexpected(shrunk.error());
      picture = &smaller_;
    }
    auto jpeg = encoder_.Encode(picture->view(), attempt.quality);
    if (!jpeg) return std::unexpected(jpeg.error());
    if (jpeg->size() <= budget) {
      return CapturedPicture{std::move(*jpeg), picture->width(), picture->height(),
                             attempt.quality};
    }
    if (encodes == kMaxEncodes) {
      return Fail(ErrorCode::kExhausted,
                  "a picture of {} x {} pixels takes {} bytes even at quality {}; {} are allowed: "
                  "raise capture.bundle_bytes",
                  picture->width(), picture->height(), jpeg->size(), attempt.quality, budget);
    }
    attempt = After(attempt, jpeg->size(), budget);
    // The last try must fit.
    if (encodes + 1 == kMaxEncodes) attempt.shrink *= 0.9;
  }
}

Result<CaptureBundle> BundleEncoder::Encode(
    const KeptFrame& selfie,
    const std::array<KeptFrame, CaptureBundle::kLivenessPictures>& liveness) {
  const auto whole = static_cast<size_t>(settings_.bundle_bytes);
  size_t left = whole;
  CaptureBundle bundle;
  for (size_t i = 0; i < liveness.size(); ++i) {
    auto picture = EncodePicture(liveness[i], settings_.liveness_side,
                                 whole / (2 * CaptureBundle::kLivenessPictures));
    if (!picture) return std::unexpected(picture.error());
    left -= picture->jpeg.size();
    bundle.liveness[i] = std::move(*picture);
  }
  auto picture = EncodePicture(selfie, settings_.selfie_side, left);
  if (!picture) return std::unexpected(picture.error());
  bundle.selfie = std::move(*picture);
  return bundle;
}

}  // namespace idkiosk
