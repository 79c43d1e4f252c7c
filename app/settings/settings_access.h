#ifndef IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_
#define IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_

#include <string>
#include <vector>

#include "app/settings/settings.h"

namespace idkiosk {

// Returns a sentence, with the mend, for each place that every user of this machine may change, or
// that belongs to somebody beside root, this user and the kiosk's (the state folder's owner): the
// configuration's two files, the profile, the certificates, the face model and the logo that it
// names, their folders, the bank's consent texts, and the state folder, which others may not read
// either, nor put another one in its place. Who changes one of them can send everything to a
// service of their own, have people agree to something else, or pass for the bank. Root's group,
// this user's own and the state folder's are trusted; with results.spool any group.
[[nodiscard]] std::vector<std::string> WhatOthersMayChange(const std::string& config_path,
                                                           const Settings& settings);

// The same of a file that says whom this kiosk trusts, such as service.ca_file, and of its folder;
// `state_folder` says whose the kiosk is.
[[nodiscard]] std::vector<std::string> WhoElseMayChange(const std::string& file,
                                                        const std::string& state_folder);

// Returns whether others than root and this user could have put the folder there: they own one
// above it, or may write it. In everybody's folder, such as /tmp, what those two made stays theirs.
// True too where it cannot be looked at.
[[nodiscard]] bool OthersMayPut(const std::string& folder);

// Returns why no vault may be made in a state folder that is there already, with the mend: somebody
// else could put another one into it. Empty: nothing is wrong, or there is no such folder. Root may
// make one in anybody's.
[[nodiscard]] std::string WhyNoVaultIn(const std::string& state_folder);

// Whether `place` is `folder` or lies in it, whatever links lead there. Either may be missing.
[[nodiscard]] bool IsWithin(const std::string& place, const std::string& folder);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SETTINGS_ACCESS_H_
