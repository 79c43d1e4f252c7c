#ifndef IDKIOSK_DRIVERS_CAMERA_FRAME_BUFFERS_H_
#define IDKIOSK_DRIVERS_CAMERA_FRAME_BUFFERS_H_

#include <memory>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Memory for pictures, used again as soon as nobody holds it: new memory for each costs as much as
// the picture's decoding. Any thread.
class FrameBuffers {
 public:
  FrameBuffers() : spare_(std::make_shared<Spare>()) {}

  // `size` bytes, which hold what was in them before. May outlive this.
  [[nodiscard]] std::shared_ptr<Bytes> Take(size_t size);

 private:
  // One is looked at while the next comes.
  static constexpr size_t kMost = 2;

  struct Spare {
    Mutex mutex;
    std::vector<Bytes> buffers GUARDED_BY(mutex);
  };

  const std::shared_ptr<Spare> spare_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_FRAME_BUFFERS_H_
