#include "app/capture/image/picture.h"

#include <algorithm>
#include <cmath>

#include "platform/base/secret_bytes.h"

namespace idkiosk {

void Picture::Resize(int width, int height) {
  const size_t size = 3 * static_cast<size_t>(width) * static_cast<size_t>(height);
  if (size > pixels_.capacity()) {
    // A growing vector would copy and free its old content without wiping it.
    idkiosk::Wipe(pixels_);
    pixels_ = Bytes();
  }
  pixels_.resize(size);
  width_ = width;
  height_ = height;
}

PictureView Picture::Part(const Box& box) const {
  const auto clamp = [](float value, int limit) {
    return static_cast<int>(std::clamp(std::round(value), 0.0F, static_cast<float>(limit)));
  };
  const int left = clamp(box.x, width_), right = clamp(box.x + box.width, width_);
  const int top = clamp(box.y, height_), bottom = clamp(box.y + box.height, height_);
  return {row(top) + ptrdiff_t{3} * left, right - left, bottom - top, stride()};
}

void Picture::Wipe(Bytes& pixels) { idkiosk::Wipe(pixels); }

}  // namespace idkiosk
