#include "app/settings/settings_access.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/settings/languages.h"
#include "app/settings/local_settings.h"
#include "platform/base/text/file_path.h"

namespace idkiosk {
namespace {

using std::filesystem::path;

// Whether somebody owns it who is neither root, nor this user, nor the kiosk's, whose the state
// folder is: root may be asking.
bool IsOfSomebodyElse(uid_t owner, const std::string& state_folder) {
  struct stat state{};
  const bool is_of_kiosk = stat(state_folder.c_str(), &state) == 0 && owner == state.st_uid;
  return owner != 0 && owner != geteuid() && !is_of_kiosk;
}

bool IsOwnGroup(gid_t group) { return group == 0 || group == getegid(); }

// Neither root's, nor this user's own, nor the kiosk's.
bool IsOfOtherGroup(gid_t group, const std::string& state_folder) {
  struct stat state{};
  const bool is_of_kiosk = stat(state_folder.c_str(), &state) == 0 && group == state.st_gid;
  return !IsOwnGroup(group) && !is_of_kiosk;
}

// What it allows at most stands in the group's bits then.
bool HasAccessList(const std::string& place) {
  return getxattr(place.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

enum class Groups { kOwn, kAny };

// What is wrong with a place, and its mend; empty: nothing.
std::string Trouble(const std::string& place, const std::string& state_folder,
                    Groups trusted = Groups::kOwn) {
  struct stat about{};
  if (stat(place.c_str(), &about) != 0) return "";
  if (IsOfSomebodyElse(about.st_uid, state_folder)) {
    return fmt::format(
        "{0} decides what becomes of people's data, and belongs to user {1}: 'chown root {0}'",
        place, about.st_uid);
  }
  // Everybody's folder, such as /tmp, is to stay what it is.
  const bool is_shared = S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0;
  if ((about.st_mode & S_IWOTH) != 0 && is_shared && place != state_folder) {
    return fmt::format(
        "in {} every user of this machine may put files, and what lies there decides what becomes "
        "of people's data: move what is named there into a folder that its owner alone may change",
        place);
  }
  if ((about.st_mode & S_IWOTH) != 0) {
    return fmt::format(
        "{0} decides what becomes of people's data, and every user of this machine may change it: "
        "'chmod o-w {0}'",
        place);
  }
  const bool is_groups = trusted == Groups::kOwn && (about.st_mode & S_IWGRP) != 0;
  if (is_groups && HasAccessList(place)) {
    return fmt::format(
        "{0} decides what becomes of people's data, and whoever its access list names may change "
        "it ('getfacl {0}'): 'setfacl -b {0}'",
        place);
  }
  if (is_groups && IsOfOtherGroup(about.st_gid, state_folder)) {
    return fmt::format(
        "{0} decides what becomes of people's data, and group {1} may change it: 'chmod g-w {0}'",
        place, about.st_gid);
  }
  if (place == state_folder && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fmt::format("{0} may be read by others than its user: 'chmod 0700 {0}'", place);
  }
  return "";
}

std::vector<std::string> TroublesOf(const std::vector<std::string>& places,
                                    const std::string& state_folder) {
  std::vector<std::string> sentences;
  for (auto each = places.begin(); each != places.end(); ++each) {
    if (std::find(places.begin(), each, *each) != each) continue;
    std::string trouble = Trouble(*each, state_folder);
    if (!trouble.empty()) sentences.push_back(std::move(trouble));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> WhatOthersMayChange(const std::string& config_path,
                                             const Settings& settings) {
  std::vector<std::string> places = {config_path, LocalSettingsPath(config_path),
                                     FolderOf(config_path)};
  for (const std::string& file :
       {settings.service.profile, settings.service.ca_file, settings.results.webhook_ca,
        settings.capture.model, settings.brand.logo}) {
    if (file.empty()) continue;
    places.push_back(file);
    places.push_back(FolderOf(file));
  }
  if (const std::string& texts = settings.consent.folder; !texts.empty()) {
    places.push_back(texts);
    for (const std::string_view language : PageLanguages()) {
      places.push_back(fmt::format("{}/{}.txt", texts, language));
    }
  }
  if (!settings.api.socket.empty()) places.push_back(FolderOf(settings.api.socket));
  places.push_back(settings.state_folder);
  auto sentences = TroublesOf(places, settings.state_folder);
  std::error_code ignored;
  if (std::filesystem::exists(settings.state_folder, ignored) &&
      OthersMayPut(settings.state_folder)) {
    sentences.push_back(
        fmt::format("{} lies below a folder that others own or may write, who could put another "
                    "one there: let root own each folder above it, for nobody else to write",
                    settings.state_folder));
  }
  // A group of the bank's takes the results out of it.
  if (const std::string& spool = settings.results.spool; !spool.empty()) {
    std::string trouble = Trouble(spool, settings.state_folder, Groups::kAny);
    if (!trouble.empty()) sentences.push_back(fmt::format("results.spool: {}", trouble));
  }
  return sentences;
}

std::vector<std::string> WhoElseMayChange(const std::string& file,
                                          const std::string& state_folder) {
  return TroublesOf({file, FolderOf(file)}, state_folder);
}

bool OthersMayPut(const std::string& folder) {
  std::error_code failed;
  path at = std::filesystem::canonical(folder, failed);
  const auto is_own = [](uid_t user) { return user == 0 || user == geteuid(); };
  struct stat below{};
  if (failed || stat(at.c_str(), &below) != 0) return true;
  while (at.has_relative_path()) {
    at = at.parent_path();
    struct stat above{};
    if (stat(at.c_str(), &above) != 0 || !is_own(above.st_uid)) return true;
    const bool is_shared =
        (above.st_mode & S_IWOTH) != 0 ||
        ((above.st_mode & S_IWGRP) != 0 && (HasAccessList(at) || !IsOwnGroup(above.st_gid)));
    const bool stays = (above.st_mode & S_ISVTX) != 0 && is_own(below.st_uid);
    if (is_shared && !stays) return true;
    below = above;
  }
  return false;
}

std::string WhyNoVaultIn(const std::string& state_folder) {
  struct stat about{};
  if (stat(state_folder.c_str(), &about) != 0) return "";
  const uid_t user = geteuid();
  if (user != 0 && about.st_uid != 0 && about.st_uid != user) {
    return fmt::format(
        "{0} belongs to user {1}, who could put another vault into it: as root, 'chown {2} {0}', "
        "or name another state_folder",
        state_folder, about.st_uid, user);
  }
  if ((about.st_mode & S_IWOTH) != 0) {
    return fmt::format(
        "every user of this machine could put another vault into {0}: 'chmod 0700 {0}'",
        state_folder);
  }
  return "";
}

bool IsWithin(const std::string& place, const std::string& folder) {
  std::error_code ignored;
  const path inner = std::filesystem::weakly_canonical(place, ignored);
  const path outer = std::filesystem::weakly_canonical(folder, ignored);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace idkiosk
