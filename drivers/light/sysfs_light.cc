#include "drivers/light/sysfs_light.h"

#include <algorithm>
#include <charconv>

namespace idkiosk {

Status SysfsLight::On() {
  constexpr size_t kLongest = 64;
  const auto text = files_.Read(folder_ + "/max_brightness", kLongest);
  if (!text) return std::unexpected(text.error());
  int most = 0;
  (void)std::from_chars(AsText(*text).data(), AsText(*text).data() + text->size(), most);
  if (most < 1) {
    return Fail(ErrorCode::kCorrupt, "{}/max_brightness holds no brightness", folder_);
  }
  const int wanted = std::max(1, static_cast<int>(int64_t{most} * percent_ / 100));
  return files_.WriteAttribute(folder_ + "/brightness", fmt::format("{}\n", wanted));
}

Status SysfsLight::Off() { return files_.WriteAttribute(folder_ + "/brightness", "0\n"); }

}  // namespace idkiosk
