#ifndef IDKIOSK_APP_CAPTURE_VISION_REPEAT_WATCH_H_
#define IDKIOSK_APP_CAPTURE_VISION_REPEAT_WATCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/capture/vision/observation.h"

namespace idkiosk {

// Notices a recording that is played before a live camera more than once. A sensor's noise never
// makes the same bytes of a face twice. A camera that stutters, and gives one frame again and
// again, is something else, and not counted here. Memory and time are bounded: 32 KB, and a few
// microseconds a frame.
class RepeatWatch {
 public:
  // How many frames are remembered: more than two minutes of a camera with 30 a second.
  static constexpr size_t kFrames = 4096;

  // Returns how many frames in a row, up to this one, had all come before with the same bytes, the
  // last one's repetitions aside. 0 where nobody is seen. `digest` is DigestOf the frame's bytes.
  [[nodiscard]] int Follow(uint64_t digest, const FrameObservation& seen);

 private:
  std::vector<uint64_t> digests_;  // a ring
  size_t next_ = 0;                // its oldest, once it is full
  uint64_t last_ = 0;
  int again_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_REPEAT_WATCH_H_
