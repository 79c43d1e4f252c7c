#ifndef IDKIOSK_APP_CAPTURE_CAMERA_WATCH_H_
#define IDKIOSK_APP_CAPTURE_CAMERA_WATCH_H_

#include <optional>
#include <string>

#include "app/capture/vision/observation.h"
#include "platform/base/error.h"

namespace idkiosk {

// Decides when trouble with a camera is worth a sentence, and when it is the end. Knows no clock:
// it is told the time.
class CameraWatch {
 public:
  struct Verdict {
    bool tell = false;     // say it to the person now
    bool give_up = false;  // it has lasted too long
  };

  // `source` names the camera in messages.
  explicit CameraWatch(std::string source) : source_(std::move(source)) {}

  // The camera gave no frame, or none that can be read.
  [[nodiscard]] Verdict Trouble(const Error& error, MonotonicTime now);
  // It gave one, which ends the trouble, unless the frame shows nothing: then that is the trouble.
  [[nodiscard]] Verdict Seen(const FrameObservation& seen, MonotonicTime now);

  // The first error of the trouble that is on, which the later ones only repeat.
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

 private:
  const std::string source_;
  std::optional<Error> trouble_;
  MonotonicTime since_{};
  MonotonicTime told_at_{};
  std::optional<MonotonicTime> blank_since_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CAMERA_WATCH_H_
