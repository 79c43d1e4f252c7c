#ifndef IDKIOSK_APP_SETTINGS_LOCAL_SETTINGS_H_
#define IDKIOSK_APP_SETTINGS_LOCAL_SETTINGS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings/settings.h"
#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// Of a configuration, a local one too, and of a profile: bytes.
inline constexpr size_t kLargestSettings = 1 << 20;

// "kiosk.jsonc" -> "kiosk.local.jsonc", in the same folder: what this one machine decides, written
// by programs.
[[nodiscard]] std::string LocalSettingsPath(const std::string& path);

struct SettingChange {
  std::string key;  // "service.base_url"
  // Nothing takes the key out, so that the configuration itself decides again.
  std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<std::string>> value;
};

// Returns what SaveLocalSettings would write. Errors: its own.
[[nodiscard]] Result<std::string> LocalSettingsWith(FileSystem& files, const std::string& path,
                                                    const std::vector<SettingChange>& changes);
// Reads the whole configuration as if that text were in the local file. Errors: LoadSettings'.
[[nodiscard]] Result<Settings> SettingsIfLocal(FileSystem& files, const std::string& path,
                                               std::string_view local_text);

// Writes the changes into the local file of the configuration at `path`; its other keys stay, its
// comments do not. The old file or the new one is there, never a piece. One program at a time.
// Errors: kInvalid (an unknown key, a value out of its range, or a local file that is not JSON;
// then nothing is written), or what reading and writing said.
[[nodiscard]] Status SaveLocalSettings(FileSystem& files, const std::string& path,
                                       const std::vector<SettingChange>& changes);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_LOCAL_SETTINGS_H_
