#include "app/workers/picture_shrinker.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "app/capture/bundle_encoder.h"
#include "app/capture/image/frame_decoder.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// A sealed picture as a frame again. The copy lives as long as the frame, and is wiped with it.
Result<KeptFrame> WholeFrame(const SecretBytes& jpeg, FrameDecoder& decoder) {
  auto owner = std::make_shared<const SecretBytes>(jpeg.Clone());
  Frame frame;
  frame.format = PixelFormat::kJpeg;
  frame.data = owner->view();
  frame.owner = owner;
  Picture small;
  const auto size = decoder.DecodeSmall(frame, 64, small);
  if (!size) return std::unexpected(size.error());
  const Box whole{0, 0, static_cast<float>(size->width), static_cast<float>(size->height)};
  return KeptFrame{std::move(frame), whole};
}

}  // namespace

PictureShrinker::PictureShrinker(const CaptureSettings& settings, FileSystem& files,
                                 std::string path)
    : settings_(settings), files_(files), path_(std::move(path)) {
  const auto text = files_.Read(path_, 16);
  if (!text) return;
  const std::string_view digits = AsText(*text);
  int rung = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rung);
  remembered_ = std::clamp(rung, 0, kLastRung);
}

CaptureSettings PictureShrinker::AtRung(int rung) const {
  CaptureSettings smaller = settings_;
  for (; rung > 0; --rung) {
    smaller.selfie_side = smaller.selfie_side * 3 / 4;
    smaller.liveness_side = smaller.liveness_side * 3 / 4;
    smaller.bundle_bytes /= 2;
  }
  return smaller;
}

Result<FacePictures> PictureShrinker::Shrink(const FacePictures& pictures, int rung) {
  if (rung < 1 || rung > kLastRung) {
    return Fail(ErrorCode::kExhausted, "the pictures have been made smaller {} times already",
                kLastRung);
  }
  // The ladder starts at what this capture aimed at.
  const CaptureSettings target = AtRung(remembered_ + rung);
  FrameDecoder decoder;
  BundleEncoder encoder(target, decoder);
  const auto shrink = [&](const SecretBytes& jpeg, int side,
                          int64_t budget) -> Result<SecretBytes> {
    const auto whole = WholeFrame(jpeg, decoder);
    if (!whole) return std::unexpected(whole.error());
    auto smaller = encoder.EncodePicture(*whole, side, static_cast<size_t>(budget));
    if (!smaller) return std::unexpected(smaller.error());
    return std::move(smaller->jpeg);
  };
  FacePictures result;
  auto selfie = shrink(pictures.selfie, target.selfie_side, target.bundle_bytes / 2);
  if (!selfie) return std::unexpected(selfie.error().Within("selfie"));
  result.selfie = std::move(*selfie);
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    auto picture = shrink(pictures.liveness[i], target.liveness_side, target.bundle_bytes / 8);
    if (!picture) return std::unexpected(picture.error().Within("liveness picture"));
    result.liveness[i] = std::move(*picture);
  }
  return result;
}

void PictureShrinker::Remember(int rung) {
  const int now = std::clamp(remembered_ + rung, 0, kLastRung);
  remembered_ = now;
  const auto kept =
      files_.WriteDurably(path_, AsBytes(std::to_string(now)), FileAccess::kOwnerOnly);
  if (!kept)
    LogWarning("remembering the picture size that the service accepts: {}", kept.error().message);
}

}  // namespace idkiosk
