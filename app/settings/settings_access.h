#ifndef IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_
#define IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_

#include <string>
#include <vector>

namespace idkiosk {

// Returns a sentence, with the mend, for each of the configuration's two files and their folder
// that every user of this machine may change: who does can send everything to a service of their
// own.
[[nodiscard]] std::vector<std::string> WhatOthersMayChange(const std::string& config_path);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_
