#ifndef IDKIOSK_APP_SESSION_STAFF_BATTERY_H_
#define IDKIOSK_APP_SESSION_STAFF_BATTERY_H_

#include <optional>

#include "platform/api/file_system.h"

namespace idkiosk {

// The charge of the board's own battery in percent, as Linux tells it in /sys/class/power_supply;
// of several the lowest. Nothing where there is none. May wait for the hardware.
[[nodiscard]] std::optional<int> BatteryPercent(FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_BATTERY_H_
