#ifndef IDKIOSK_DRIVERS_OPENCV_CAMERA_NEWEST_FRAME_READER_H_
#define IDKIOSK_DRIVERS_OPENCV_CAMERA_NEWEST_FRAME_READER_H_

#include <functional>
#include <optional>
#include <thread>

#include "platform/base/error.h"
#include "platform/base/frame.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Reads a live source that hands out every frame in its order, and blocks until there is one: in a
// thread of its own, so that a caller gets the newest frame, in time.
class NewestFrameReader {
 public:
  struct Source {
    std::function<Status()> grab;             // waits for the next frame; an error is for good
    std::function<Result<Frame>()> retrieve;  // the frame that was grabbed last
  };

  // Calls both in its own thread, from now on until the first error.
  explicit NewestFrameReader(Source source);

  // Waits for the end of the call that goes on.
  ~NewestFrameReader();
  NewestFrameReader(const NewestFrameReader&) = delete;
  NewestFrameReader& operator=(const NewestFrameReader&) = delete;

  // A frame that was grabbed after this was called.
  // Errors: kTimeout (none within `timeout`), and the source's own.
  [[nodiscard]] Result<Frame> Next(Duration timeout);

 private:
  void Read();

  const Source source_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool wanted_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::optional<Result<Frame>> answer_ GUARDED_BY(mutex_);
  std::optional<Error> ended_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_OPENCV_CAMERA_NEWEST_FRAME_READER_H_
