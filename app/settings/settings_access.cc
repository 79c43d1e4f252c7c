#include "app/settings/settings_access.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "app/settings/local_settings.h"

namespace idkiosk {

std::vector<std::string> WhatOthersMayChange(const std::string& config_path) {
  const std::filesystem::path folder = std::filesystem::path(config_path).parent_path();
  std::vector<std::string> sentences;
  for (const std::string& path : {config_path, LocalSettingsPath(config_path),
                                  folder.empty() ? std::string(".") : folder.string()}) {
    struct stat about{};
    if (stat(path.c_str(), &about) != 0 || (about.st_mode & S_IWOTH) == 0) continue;
    sentences.push_back(fmt::format(
        "{} may be changed by every user of this machine, and so where people's data is sent: "
        "'chmod o-w {}'",
        path, path));
  }
  return sentences;
}

}  // namespace idkiosk
