#include "platform/posix/system_clock.h"

#include <ctime>
#include <fstream>

namespace idkiosk {
namespace {

// Not __DATE__, which would make two builds of the same commit differ: the year this was written.
constexpr WallTime kNotBefore = std::chrono::sys_days{std::chrono::year{2026} / 11 / 1};

}  // namespace

MonotonicTime SystemClock::Now() const {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return MonotonicTime{std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec)};
}

WallTime SystemClock::WallNow() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::chrono::seconds SystemClock::AheadOfUtc(WallTime time) const {
  const time_t seconds = std::chrono::system_clock::to_time_t(time);
  tm local{};
  tzset();  // looks whether the zone was changed; localtime_r does not
  if (localtime_r(&seconds, &local) == nullptr) return {};
  return std::chrono::seconds(local.tm_gmtoff);
}

bool SystemClock::WallIsTrusted() const { return WallNow() >= kNotBefore; }

std::string SystemClock::BootId() const {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace idkiosk
