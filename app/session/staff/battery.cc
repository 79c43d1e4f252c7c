#include "app/session/staff/battery.h"

#include <algorithm>
#include <string>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr const char* kSupplies = "/sys/class/power_supply";
constexpr size_t kPage = 4096;  // what the kernel gives of an attribute at most

// Without its line end; empty where there is none.
std::string Attribute(FileSystem& files, const std::string& supply, const char* name) {
  const auto bytes = files.Read(fmt::format("{}/{}/{}", kSupplies, supply, name), kPage);
  if (!bytes) return "";
  const std::string_view text = AsText(*bytes);
  return std::string(text.substr(0, text.find_last_not_of(" \n") + 1));
}

}  // namespace

std::optional<int> BatteryPercent(FileSystem& files) {
  const auto supplies = files.List(kSupplies);
  if (!supplies) return std::nullopt;
  std::optional<int> lowest;
  for (const std::string& supply : *supplies) {
    // "Device" is the battery of a mouse.
    if (Attribute(files, supply, "type") != "Battery") continue;
    if (Attribute(files, supply, "scope") == "Device") continue;
    const auto percent = ParseNumber<int>(Attribute(files, supply, "capacity"));
    if (!percent || *percent < 0) continue;
    lowest = std::min({*percent, 100, lowest.value_or(100)});
  }
  return lowest;
}

}  // namespace idkiosk
