#include "drivers/camera/linux_video_kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "video";

// 12 of "video12"; -1 for another name.
int DeviceNumber(std::string_view name) {
  if (!name.starts_with(kPrefix)) return -1;
  name.remove_prefix(kPrefix.size());
  return ParseNumber<int>(name).value_or(-1);
}

}  // namespace

int LinuxVideoKernel::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  return fd >= 0 ? fd : -errno;
}

void LinuxVideoKernel::Close(int fd) { (void)close(fd); }

int LinuxVideoKernel::Ioctl(int fd, unsigned long request, void* argument) {
  for (;;) {
    if (ioctl(fd, request, argument) == 0) return 0;
    if (errno != EINTR) return -errno;
  }
}

void* LinuxVideoKernel::Map(int fd, size_t length, size_t offset) {
  void* const memory =
      mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? nullptr : memory;
}

void LinuxVideoKernel::Unmap(void* memory, size_t length) { (void)munmap(memory, length); }

int LinuxVideoKernel::Wait(int fd, Duration timeout) {
  pollfd waiting{fd, POLLIN, 0};
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  const int ready =
      poll(&waiting, 1, static_cast<int>(std::clamp<int64_t>(milliseconds, 0, 60000)));
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  if (ready == 0) return 0;
  // A device that was pulled out reports both for ever.
  if ((waiting.revents & (POLLHUP | POLLNVAL)) != 0) return -ENODEV;
  return (waiting.revents & POLLERR) != 0 ? -EIO : 1;
}

Duration LinuxVideoKernel::StampNow() const {
  timespec now{};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::vector<std::string> LinuxVideoKernel::Devices() const {
  std::vector<int> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev", error)) {
    const int number = DeviceNumber(entry.path().filename().string());
    if (number >= 0) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  std::vector<std::string> paths;
  for (int number : numbers) paths.push_back("/dev/video" + std::to_string(number));
  return paths;
}

std::string LinuxVideoKernel::StablePath(const std::string& path) const {
  std::error_code error;
  const fs::path device = fs::canonical(path, error);
  if (error) return "";
  // By the device's own serial number where it has one, else by the socket it is plugged into.
  for (const char* folder : {"/dev/v4l/by-id", "/dev/v4l/by-path"}) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (fs::canonical(entry.path(), error) == device) return entry.path().string();
    }
  }
  return "";
}

}  // namespace idkiosk
