#ifndef IDKIOSK_DRIVERS_CAMERA_IMAGE_SEQUENCE_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_IMAGE_SEQUENCE_CAMERA_H_

#include <optional>
#include <string>
#include <vector>

#include "drivers/camera/frame_pacer.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Plays a folder of pictures, in the order of their names, as if a camera took them.
//
// When a picture was taken: its name says so if it ends in -MILLISECONDSms, as those of recordings
// do; a gap of more than a second, when the recorder had no time, is played as one second. Else the
// folder is a film of 30 pictures a second, or, with fewer than 30 pictures, a slide show: each is
// shown for a second, in frames like any other, so that it can be looked at long enough.
class ImageSequenceCamera final : public Camera {
 public:
  enum class Pace {
    kByTheClock,        // as they were taken
    kAsFastAsAskedFor,  // at once; captured_at tells the times all the same
  };

  // `folder` is a path. `clock` and `files` must outlive this.
  ImageSequenceCamera(std::string folder, Pace pace, FileSystem& files, Clock& clock,
                      WaitUntil wait_until);

  // Begins with the first picture. Also kInvalid for a folder without a picture.
  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;

  // Also kCorrupt, naming the file, for one that is no picture; the next call goes on behind it.
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override;

 private:
  // One frame to show.
  struct Showing {
    size_t picture;
    Duration at;  // since the first
  };

  [[nodiscard]] Result<Frame> Load(size_t picture);

  const std::string folder_;
  const Pace pace_;
  FileSystem& files_;
  Clock& clock_;
  WaitUntil wait_until_;
  std::vector<std::string> names_;
  std::vector<Showing> showings_;  // empty while closed
  size_t next_ = 0;
  MonotonicTime started_{};
  std::optional<size_t> loaded_;  // the picture in `frame_`
  Frame frame_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_IMAGE_SEQUENCE_CAMERA_H_
