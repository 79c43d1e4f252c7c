#ifndef IDKIOSK_DRIVERS_CAMERA_V4L2_STREAM_H_
#define IDKIOSK_DRIVERS_CAMERA_V4L2_STREAM_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "drivers/camera/video_kernel.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// An open device with its mapped buffers. A held buffer keeps the whole stream, so that a
// frame stays valid when the camera has been closed.
class V4l2Stream : public std::enable_shared_from_this<V4l2Stream> {
 public:
  // A filled buffer, out of the device's hands while `owner` lives.
  struct Filled {
    ByteSpan bytes;
    Duration stamp{};  // CLOCK_MONOTONIC; zero where the device uses another clock
    uint32_t sequence = 0;
    bool damaged = false;  // the device says that the content is not right
    std::shared_ptr<const void> owner;
  };

  // Takes over `fd`. `kernel` must outlive every frame.
  V4l2Stream(VideoKernel& kernel, int fd, std::string path);
  ~V4l2Stream();
  V4l2Stream(const V4l2Stream&) = delete;
  V4l2Stream& operator=(const V4l2Stream&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

  // Asks for buffers, maps them, and starts the device.
  // Errors: kUnavailable (in use by another program, or gone), kExhausted (no memory).
  [[nodiscard]] Status Start();

  // The newest filled buffer; older ones go back unseen. kTimeout if there is none before
  // `timeout`; kUnavailable if the device has gone; kCorrupt if it failed on this frame.
  [[nodiscard]] Result<Filled> Next(Duration timeout);

  // No further frames; held ones stay.
  void Stop();

 private:
  struct Mapping {
    uint8_t* memory = nullptr;
    size_t length = 0;
  };

  [[nodiscard]] int Enqueue(uint32_t index);
  [[nodiscard]] std::shared_ptr<const void> Lend(uint32_t index);
  [[nodiscard]] Error Gone() const;

  VideoKernel& kernel_;
  const int fd_;
  const std::string path_;
  std::vector<Mapping> buffers_;
  std::atomic<bool> streaming_ = false;
  std::atomic<int> lent_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_V4L2_STREAM_H_
