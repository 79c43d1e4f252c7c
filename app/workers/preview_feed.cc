#include "app/workers/preview_feed.h"

#include <utility>

namespace idkiosk {
namespace {

// For a camera that gives no JPEG: a smaller picture, now and then.
constexpr int kPreviewSide = 640;  // pixels
constexpr int kPreviewQuality = 70;
constexpr Duration kBetweenEncoded = std::chrono::milliseconds(90);

}  // namespace

void PreviewFeed::Show(const Frame& frame) {
  if (!slot_.watched()) return;
  if (frame.format == PixelFormat::kJpeg) return slot_.Put(SecretBytes::CopyOf(frame.data));
  const MonotonicTime now = clock_.Now();
  if (now - encoded_at_ < kBetweenEncoded) return;
  encoded_at_ = now;
  Picture small;
  if (!decoder_.DecodeSmall(frame, kPreviewSide, small)) return;
  if (auto jpeg = encoder_.Encode(small.view(), kPreviewQuality)) slot_.Put(std::move(*jpeg));
}

}  // namespace idkiosk
