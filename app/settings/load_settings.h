#ifndef IDKIOSK_APP_SETTINGS_LOAD_SETTINGS_H_
#define IDKIOSK_APP_SETTINGS_LOAD_SETTINGS_H_

#include <string>
#include <string_view>

#include "app/settings/settings.h"
#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// The configuration in the file at `path`, with the file of LocalSettingsPath laid over it key by
// key if that is there. Files that it names relatively are taken from its folder.
//
// Errors: kNotFound (no such file; the message names the mend), kInvalid (everything that is wrong
// in either file, a line each: "FILE:LINE: KEY: what is wrong and the mend"), or what reading said.
[[nodiscard]] Result<Settings> LoadSettings(FileSystem& files, const std::string& path);

// The same, but service.base_url may still be missing: enough to make the vault and to provision.
[[nodiscard]] Result<Settings> LoadSettingsBeforeProvisioning(FileSystem& files,
                                                              const std::string& path);

// Where the value in force of `key`, such as "camera.source", is written: "FILE:LINE", or `path`
// where it is a default. For whoever finds a value wrong that LoadSettings took.
[[nodiscard]] std::string PlaceOfSetting(FileSystem& files, const std::string& path,
                                         std::string_view key);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_LOAD_SETTINGS_H_
