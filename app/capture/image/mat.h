#ifndef IDKIOSK_APP_CAPTURE_IMAGE_MAT_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_MAT_H_

#include <opencv2/core.hpp>

#include "app/capture/image/picture.h"

// Our pixels as OpenCV sees them. For sources of this folder only: no header that others include
// may name OpenCV.
namespace idkiosk {

// Borrows. OpenCV has no Mat of const bytes: nobody writes to this one.
[[nodiscard]] inline cv::Mat AsMat(const PictureView& view) {
  return {view.height, view.width, CV_8UC3, const_cast<uint8_t*>(view.data),
          static_cast<size_t>(view.stride)};
}

[[nodiscard]] inline cv::Mat AsMat(Picture& picture) { return AsMat(picture.view()); }

// Runs `work`, which returns a Status, and turns an OpenCV exception into kInternal: none leaves
// this folder.
template <typename Work>
[[nodiscard]] Status WithOpenCv(std::string_view what, Work work) {
  try {
    return work();
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kInternal, "{}: OpenCV failed: {}", what, exception.err);
  }
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_MAT_H_
