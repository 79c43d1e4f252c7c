#ifndef IDKIOSK_DRIVERS_CAMERA_LINUX_VIDEO_KERNEL_H_
#define IDKIOSK_DRIVERS_CAMERA_LINUX_VIDEO_KERNEL_H_

#include "drivers/camera/video_kernel.h"

namespace idkiosk {

class LinuxVideoKernel : public VideoKernel {
 public:
  [[nodiscard]] int Open(const std::string& path) override;
  void Close(int fd) override;
  [[nodiscard]] int Ioctl(int fd, unsigned long request, void* argument) override;
  [[nodiscard]] void* Map(int fd, size_t length, size_t offset) override;
  void Unmap(void* memory, size_t length) override;
  [[nodiscard]] int Wait(int fd, Duration timeout) override;
  [[nodiscard]] Duration StampNow() const override;
  [[nodiscard]] std::vector<std::string> Devices() const override;
  [[nodiscard]] std::string StablePath(const std::string& path) const override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_LINUX_VIDEO_KERNEL_H_
