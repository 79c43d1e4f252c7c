#ifndef IDKIOSK_DRIVERS_CAMERA_VIDEO_KERNEL_H_
#define IDKIOSK_DRIVERS_CAMERA_VIDEO_KERNEL_H_

#include <cstddef>
#include <string>
#include <vector>

#include "platform/base/time.h"

namespace idkiosk {

// The system calls that Linux video devices need, so that tests can stand in for the kernel. A call
// that fails returns minus the errno value; interrupted calls are made again. Any thread.
class VideoKernel {
 public:
  virtual ~VideoKernel() = default;

  // A non-blocking file descriptor.
  [[nodiscard]] virtual int Open(const std::string& path) = 0;
  virtual void Close(int fd) = 0;

  // 0 if it went well.
  [[nodiscard]] virtual int Ioctl(int fd, unsigned long request, void* argument) = 0;

  // nullptr if it cannot be mapped.
  [[nodiscard]] virtual void* Map(int fd, size_t length, size_t offset) = 0;
  virtual void Unmap(void* memory, size_t length) = 0;

  // 1 when there is a frame to fetch, 0 if there was none for `timeout`, -ENODEV when the device
  // has gone, -EIO when its stream has failed for good.
  [[nodiscard]] virtual int Wait(int fd, Duration timeout) = 0;

  // CLOCK_MONOTONIC, which stamps the frames.
  [[nodiscard]] virtual Duration StampNow() const = 0;

  // Paths of all video devices there are now, /dev/video0 and so on, in the order of their numbers.
  [[nodiscard]] virtual std::vector<std::string> Devices() const = 0;

  // A path of the same device that stays when it is plugged in again, below /dev/v4l; empty if it
  // has none.
  [[nodiscard]] virtual std::string StablePath(const std::string& path) const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_VIDEO_KERNEL_H_
