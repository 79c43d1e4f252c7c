#ifndef IDKIOSK_DRIVERS_TAMPER_GPIO_TAMPER_SWITCH_H_
#define IDKIOSK_DRIVERS_TAMPER_GPIO_TAMPER_SWITCH_H_

#include <cstdint>
#include <string>
#include <utility>

#include "platform/api/tamper_switch.h"

namespace idkiosk {

// Asks an open file of the kernel: ioctl(2), which returns 0, or the error as a negative number.
using IoctlFunction = int (*)(int fd, unsigned long request, void* argument);
[[nodiscard]] int LinuxIoctl(int fd, unsigned long request, void* argument);

// A line of a GPIO chip. It is pulled to the level that says the case is open, where the chip can:
// a wire that is cut says so, too. Bounces of less than 10 ms count for nothing.
class GpioTamperSwitch final : public TamperSwitch {
 public:
  struct Options {
    std::string chip;  // "/dev/gpiochip0"
    uint32_t line = 0;
    bool active_high = true;  // the level that says it
  };
  explicit GpioTamperSwitch(Options options, IoctlFunction ioctl = &LinuxIoctl)
      : options_(std::move(options)), ioctl_(ioctl) {}
  ~GpioTamperSwitch() override { CloseLine(); }
  GpioTamperSwitch(const GpioTamperSwitch&) = delete;
  GpioTamperSwitch& operator=(const GpioTamperSwitch&) = delete;

  [[nodiscard]] Status Open() override;
  [[nodiscard]] Result<bool> Wait(Duration patience) override;

 private:
  [[nodiscard]] std::unexpected<Error> Trouble(int error) const;
  [[nodiscard]] Result<bool> IsActive() const;
  // Returns whether an event says that it became active. Errors: kUnavailable.
  [[nodiscard]] Result<bool> ReadEvent() const;
  void CloseLine();

  const Options options_;
  const IoctlFunction ioctl_;
  int line_ = -1;  // the file of the line; -1: not open
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_TAMPER_GPIO_TAMPER_SWITCH_H_
