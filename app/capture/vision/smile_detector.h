#ifndef IDKIOSK_APP_CAPTURE_VISION_SMILE_DETECTOR_H_
#define IDKIOSK_APP_CAPTURE_VISION_SMILE_DETECTOR_H_

#include <memory>
#include <string>

#include "app/capture/image/picture.h"
#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// OpenCV's cascade for smiles: the network's landmarks do not show one. One thread at a time.
class SmileDetector {
 public:
  // Errors: kNotFound, kCorrupt; each names the file.
  [[nodiscard]] static Result<std::unique_ptr<SmileDetector>> Load(const std::string& folder,
                                                                   FileSystem& files);
  ~SmileDetector();

  // `face` is cut out without margin. 0..1: 0.5 and more is a smile that others would call one.
  // Errors: kInternal.
  [[nodiscard]] Result<double> Measure(const PictureView& face);

 private:
  struct Mouth;
  explicit SmileDetector(std::unique_ptr<Mouth> mouth);

  std::unique_ptr<Mouth> mouth_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_SMILE_DETECTOR_H_
