#ifndef IDKIOSK_APP_CAPTURE_VISION_CASCADE_H_
#define IDKIOSK_APP_CAPTURE_VISION_CASCADE_H_

#include <opencv2/core.hpp>
#include <opencv2/objdetect.hpp>
#include <string>
#include <vector>

#include "platform/api/file_system.h"

// One of OpenCV's Haar cascades. For sources of this folder only: no header that others include may
// name OpenCV.
namespace idkiosk {

class Cascade {
 public:
  struct Found {
    cv::Rect place;
    // How surely; only one of the two is there. `votes`: windows that agreed on this place.
    // `margin`: by how much the last stage was passed, on a scale of the cascade's own.
    int votes = 0;
    double margin = 0;
  };

  enum class Measure { kVotes, kMargin };

  // Errors: kNotFound (names the file and Debian's package), kCorrupt.
  [[nodiscard]] static Result<Cascade> Load(const std::string& folder, std::string_view name,
                                            FileSystem& files);

  // Everything it sees in `grey` between those sizes (pixels; `largest` 0 for no limit), without
  // order. Throws cv::Exception.
  [[nodiscard]] const std::vector<Found>& Search(const cv::Mat& grey, cv::Size smallest,
                                                 cv::Size largest, int neighbours, Measure measure);

 private:
  cv::CascadeClassifier classifier_;
  std::vector<cv::Rect> places_;
  std::vector<int> counts_;
  std::vector<double> margins_;
  std::vector<Found> found_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_CASCADE_H_
