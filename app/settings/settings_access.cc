#include "app/settings/settings_access.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "app/settings/local_settings.h"

namespace idkiosk {
namespace {

using std::filesystem::path;

std::string FolderOf(const std::string& file) {
  const path folder = path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

bool EverybodyMayChange(const std::string& place) {
  struct stat about{};
  return stat(place.c_str(), &about) == 0 && (about.st_mode & S_IWOTH) != 0;
}

}  // namespace

std::vector<std::string> WhatOthersMayChange(const std::string& config_path,
                                             const Settings& settings) {
  std::vector<std::string> places = {config_path, LocalSettingsPath(config_path),
                                     FolderOf(config_path)};
  for (const std::string& file :
       {settings.service.profile, settings.service.ca_file, settings.results.webhook_ca}) {
    if (file.empty()) continue;
    places.push_back(file);
    places.push_back(FolderOf(file));
  }
  places.push_back(settings.state_folder);
  std::vector<std::string> sentences;
  for (auto each = places.begin(); each != places.end(); ++each) {
    if (std::find(places.begin(), each, *each) != each || !EverybodyMayChange(*each)) continue;
    sentences.push_back(fmt::format(
        "{} may be changed by every user of this machine, and so where people's data goes and what "
        "waits: 'chmod o-w {}'",
        *each, *each));
  }
  return sentences;
}

bool IsWithin(const std::string& place, const std::string& folder) {
  std::error_code ignored;
  const path inner = std::filesystem::weakly_canonical(place, ignored);
  const path outer = std::filesystem::weakly_canonical(folder, ignored);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace idkiosk
