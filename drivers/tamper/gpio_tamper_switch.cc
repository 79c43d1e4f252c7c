#include "drivers/tamper/gpio_tamper_switch.h"

#include <fcntl.h>
#include <linux/gpio.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

namespace idkiosk {
namespace {

constexpr std::string_view kConsumer = "idkiosk tamper";
constexpr uint32_t kDebounceMicroseconds = 10'000;

gpio_v2_line_request RequestFor(const GpioTamperSwitch::Options& options) {
  gpio_v2_line_request request{};
  request.offsets[0] = options.line;
  request.num_lines = 1;
  std::ranges::copy(kConsumer, request.consumer);
  request.config.flags =
      GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
  request.config.flags |= options.active_high
                              ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP
                              : GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN | GPIO_V2_LINE_FLAG_ACTIVE_LOW;
  request.config.num_attrs = 1;
  request.config.attrs[0].mask = 1;
  request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
  request.config.attrs[0].attr.debounce_period_us = kDebounceMicroseconds;
  return request;
}

}  // namespace

int LinuxIoctl(int fd, unsigned long request, void* argument) {
  for (;;) {
    if (ioctl(fd, request, argument) >= 0) return 0;
    if (errno != EINTR) return -errno;
  }
}

std::unexpected<Error> GpioTamperSwitch::Trouble(int error) const {
  switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return Fail(ErrorCode::kNotFound, "there is no GPIO chip {}", options_.chip);
    case EACCES:
    case EPERM:
      return Fail(ErrorCode::kForbidden,
                  "this user may not open the GPIO chip {}: allow it by udev rule or group",
                  options_.chip);
    case ENOTTY:
    case EISDIR:
      return Fail(ErrorCode::kInvalid, "{} is no GPIO chip, or the kernel is older than Linux 5.10",
                  options_.chip);
    case EINVAL:
      return Fail(ErrorCode::kInvalid, "the GPIO chip {} has no line {} that can be watched",
                  options_.chip, options_.line);
    case EBUSY:
      return Fail(ErrorCode::kUnavailable, "line {} of {} is used by something else already",
                  options_.line, options_.chip);
    default:
      return Fail(ErrorCode::kUnavailable, "line {} of {}: {}", options_.line, options_.chip,
                  std::strerror(error));
  }
}

void GpioTamperSwitch::CloseLine() {
  if (line_ >= 0) (void)close(std::exchange(line_, -1));
}

Status GpioTamperSwitch::Open() {
  CloseLine();
  const int chip = open(options_.chip.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (chip < 0) return Trouble(errno);
  gpio_v2_line_request request = RequestFor(options_);
  const int done = ioctl_(chip, GPIO_V2_GET_LINE_IOCTL, &request);
  (void)close(chip);
  if (done < 0) return Trouble(-done);
  line_ = request.fd;
  return {};
}

Result<bool> GpioTamperSwitch::IsActive() const {
  gpio_v2_line_values values{.bits = 0, .mask = 1};
  const int done = ioctl_(line_, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
  if (done < 0) return Fail(ErrorCode::kUnavailable, "{}", Trouble(-done).error().message);
  return (values.bits & 1) != 0;
}

Result<bool> GpioTamperSwitch::ReadEvent() const {
  gpio_v2_line_event event{};
  ssize_t size = 0;
  do {
    size = read(line_, &event, sizeof(event));
  } while (size < 0 && errno == EINTR);
  if (size == static_cast<ssize_t>(sizeof(event))) {
    return event.id == GPIO_V2_LINE_EVENT_RISING_EDGE;
  }
  return Fail(ErrorCode::kUnavailable, "line {} of {} can no longer be read: {}", options_.line,
              options_.chip, size < 0 ? std::strerror(errno) : "the device is gone");
}

Result<bool> GpioTamperSwitch::Wait(Duration patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (const auto active = IsActive(); !active || *active) return active;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd waiting{line_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) return Trouble(errno);
    if (ready == 0) return false;
    if (ready < 0) continue;
    if (const auto opened = ReadEvent(); !opened || *opened) return opened;
  }
}

}  // namespace idkiosk
