#ifndef IDKIOSK_TESTS_DRIVERS_CAMERA_FAKE_VIDEO_KERNEL_H_
#define IDKIOSK_TESTS_DRIVERS_CAMERA_FAKE_VIDEO_KERNEL_H_

#include <linux/videodev2.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "drivers/camera/video_kernel.h"
#include "platform/base/bytes.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {

// The kernel's side of video devices, in memory: buffers go from hand to hand by the same rules.
// Waiting moves `clock`.
class FakeVideoKernel final : public VideoKernel {
 public:
  struct Size {
    uint32_t width, height;
    std::vector<uint32_t> rates;  // frames a second
  };
  struct Format {
    uint32_t fourcc;
    std::vector<Size> sizes;  // empty: the driver does not enumerate them
  };
  struct Device {
    std::string name = "Fake Webcam";
    std::string stable_path;
    uint32_t capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    std::vector<Format> formats;
    uint32_t most_buffers = 8;
    std::map<uint32_t, int> controls;  // those it has
    // Set by the test.
    int open_fails_with = 0;                  // an errno value
    std::map<unsigned long, int> fails_with;  // request -> errno value
    bool gone = false;
    bool stream_failed = false;  // until it is started anew
    uint32_t forced_fourcc = 0;  // S_FMT answers with it, whatever was asked for
    bool monotonic_stamps = true;
    uint32_t padding = 0;  // bytes behind each row
    // Set by the driver.
    v4l2_pix_format set{};
    uint32_t rate = 0;
    bool streaming = false;
  };

  explicit FakeVideoKernel(FakeClock& clock) : clock_(clock) {}

  Device& Add(const std::string& path);
  Device& device(const std::string& path) { return *devices_.at(path); }
  // Gives the device another path, as plugging it in again does.
  void Move(const std::string& from, const std::string& to);

  // The device fills its next buffer with `bytes`, `age` ago. False if it has none to fill.
  bool Shoot(const std::string& path, const Bytes& bytes, Duration age = {}, uint32_t flags = 0);

  [[nodiscard]] int open_files() const { return static_cast<int>(files_.size()); }
  [[nodiscard]] int mappings() const { return mappings_; }
  // Buffers in the device's hands.
  [[nodiscard]] size_t queued(const std::string& path) const;

  [[nodiscard]] int Open(const std::string& path) override;
  void Close(int fd) override;
  [[nodiscard]] int Ioctl(int fd, unsigned long request, void* argument) override;
  [[nodiscard]] void* Map(int fd, size_t length, size_t offset) override;
  void Unmap(void* memory, size_t length) override;
  [[nodiscard]] int Wait(int fd, Duration timeout) override;
  [[nodiscard]] Duration StampNow() const override;
  [[nodiscard]] std::vector<std::string> Devices() const override;
  [[nodiscard]] std::string StablePath(const std::string& path) const override;

 private:
  struct File {
    std::shared_ptr<Device> device;
    std::vector<Bytes> buffers;
    std::vector<Bytes> orphans;      // given back, but mapped still
    std::deque<uint32_t> empty;      // with the device, to be filled
    std::deque<v4l2_buffer> filled;  // with the device, to be fetched
  };

  // Whoever has buffers owns the device.
  [[nodiscard]] bool OwnedByAnother(const File& file) const;
  int Enumerate(const Device& device, unsigned long request, void* argument) const;
  int SetUp(File& file, unsigned long request, void* argument);
  int MoveBuffer(File& file, unsigned long request, v4l2_buffer& buffer);

  FakeClock& clock_;
  std::map<std::string, std::shared_ptr<Device>> devices_;
  std::map<int, File> files_;
  int next_fd_ = 3;
  int mappings_ = 0;
  uint32_t sequence_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_DRIVERS_CAMERA_FAKE_VIDEO_KERNEL_H_
