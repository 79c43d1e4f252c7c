#ifndef IDKIOSK_APP_CAPTURE_IMAGE_PICTURE_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_PICTURE_H_

#include <cstdint>

#include "app/capture/vision/face.h"
#include "platform/base/bytes.h"

namespace idkiosk {

// Borrowed pixels, blue green red, one byte each.
struct PictureView {
  const uint8_t* data = nullptr;
  int width = 0;   // pixels
  int height = 0;  // pixels
  int stride = 0;  // bytes from one row to the next

  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] const uint8_t* row(int y) const {
    return data + static_cast<ptrdiff_t>(y) * stride;
  }
};

// Pixels of its own, blue green red, rows without gaps. Shows somebody's face: what it held is
// wiped when it goes. Growing to a size it had before allocates nothing.
class Picture {
 public:
  Picture() = default;
  ~Picture() { Wipe(pixels_); }
  Picture(Picture&&) noexcept = default;
  Picture& operator=(Picture&&) noexcept = default;

  // The content is undefined afterwards.
  void Resize(int width, int height);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int stride() const { return 3 * width_; }
  [[nodiscard]] uint8_t* row(int y) {
    return pixels_.data() + static_cast<ptrdiff_t>(y) * stride();
  }
  [[nodiscard]] const uint8_t* row(int y) const {
    return pixels_.data() + static_cast<ptrdiff_t>(y) * stride();
  }
  [[nodiscard]] PictureView view() const { return {pixels_.data(), width_, height_, stride()}; }
  // The part of it inside both the picture and `box`, in whole pixels.
  [[nodiscard]] PictureView Part(const Box& box) const;

 private:
  static void Wipe(Bytes& pixels);

  Bytes pixels_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_PICTURE_H_
