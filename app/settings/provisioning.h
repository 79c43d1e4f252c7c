#ifndef IDKIOSK_APP_SETTINGS_PROVISIONING_H_
#define IDKIOSK_APP_SETTINGS_PROVISIONING_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/settings/settings.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The contents of an operator's onboarding message, checked. An empty text was not given.
struct Onboarding {
  // One of those that must be in the vault before anything can be sent.
  struct Credential {
    std::string_view name;  // as in credentials.h
    std::string_view what;  // for a question: "the API key (the dashboard shows it once)"
    SecretBytes value;      // empty: the message has none, ask for it
  };

  std::string base_url;
  std::string environment;  // "sandbox" or "production"
  std::string ca_file;      // absolute
  std::string test_nin;
  std::vector<Credential> credentials;  // all of kAllCredentials, in its order
};

inline constexpr size_t kLongestOnboarding = 64 * 1024;  // bytes

// Reads a file like
//   {"base_url": "https://...", "environment": "sandbox", "login": {"email": "...", "password":
//   "..."},
//    "user_id": "...", "api_key": "...", "ca_file": "ca.pem", "test_nin": "..."}
// of which only base_url must be there; ca_file is taken from the file's own folder. Nothing of it
// is left in memory but what is returned. Errors: kInvalid (all that is wrong, a line each:
// "FILE:LINE: FIELD: what"), kForbidden (somebody else may read the file), or what reading said.
[[nodiscard]] Result<Onboarding> ReadOnboarding(FileSystem& files, const std::string& path);

// The same from a text that a person handed in, called `name` in what is wrong with it. It stands
// in no folder: ca_file must be absolute.
[[nodiscard]] Result<Onboarding> ParseOnboarding(FileSystem& files, std::string_view text,
                                                 const std::string& name);

// The credentials that the message does not hold, for a person who is asked to add them:
// "login.email (the login ...), api_key (...)"; empty if none is missing.
[[nodiscard]] std::string MissingCredentials(const Onboarding& onboarding);

// Errors: kInvalid; the message goes on from the credential's name and does not repeat it. A value
// that is no credential only has to be there.
[[nodiscard]] Status CheckCredential(std::string_view name, const SecretBytes& value);

// Returns the configuration at `config_path` as Provision would leave it; nothing is written.
// Errors: what would be wrong with it then; kForbidden (others may change its ca_file).
[[nodiscard]] Result<Settings> SettingsAfter(FileSystem& files, const std::string& config_path,
                                             const Onboarding& onboarding);

// Returns what the message changes of where a kiosk that was set up `before` sends people's data,
// in whose account, and what it trusts: names of settings and credentials; none: nothing of that,
// or the kiosk is new. `after`: what SettingsAfter says. Errors: SecureStorage's.
[[nodiscard]] Result<std::vector<std::string_view>> WhatPointsElsewhere(
    SecureStorage& storage, const Settings& before, const Settings& after,
    const Onboarding& onboarding);

// Returns the settings that belonged to the previous address and are empty `after`, since the
// message does not say them.
[[nodiscard]] std::vector<std::string_view> NoLongerSet(const Settings& before,
                                                        const Settings& after);

// Returns "ADDRESS, instead of ADDRESS; changed: WHAT", for the audit trail; passwords in addresses
// are left out.
[[nodiscard]] std::string ChangeOfService(const std::string& before, const std::string& after,
                                          std::span<const std::string_view> changed);

// Puts the credentials into the vault, each read back, and the rest into the local file of the
// configuration at `config_path`. Where the base address or the environment changes, the old
// credentials are taken out first: wherever it is cut short, none is ever sent to an address that
// it does not belong to, nor by an idkiosk that runs meanwhile (credential_store.h). May be run
// again. Of a ca_file on a stick (below staff.sticks) a copy is kept beside the configuration;
// no symbolic link on the stick is followed to it.
// Errors: kInvalid (a credential is missing or wrong), or what SettingsAfter, the vault or
// the file system said.
[[nodiscard]] Status Provision(FileSystem& files, SecureStorage& storage,
                               const std::string& config_path, const Onboarding& onboarding);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_PROVISIONING_H_
