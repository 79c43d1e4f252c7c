#include "app/settings/provisioning.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/settings/credential_store.h"
#include "app/settings/credentials.h"
#include "app/settings/load_settings.h"
#include "app/settings/local_settings.h"
#include "app/settings/nearest_key.h"
#include "app/settings/settings_access.h"
#include "app/settings/settings_table.h"
#include "app/settings/try_out.h"
#include "platform/base/address.h"
#include "platform/base/certificate_file.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

constexpr size_t kMaxCredentialSize = 4096;

// A field that becomes a key of the configuration.
struct PlainField {
  std::string_view pointer;
  std::string_view key;
  std::string Onboarding::* member;
};

constexpr PlainField kPlainFields[] = {
    {"/base_url", "service.base_url", &Onboarding::base_url},
    {"/environment", "environment", &Onboarding::environment},
    {"/ca_file", "service.ca_file", &Onboarding::ca_file},
    {"/test_nin", "service.test_nin", &Onboarding::test_nin},
};

// "login.email" of "/login/email".
std::string Dotted(std::string_view pointer) {
  std::string name(pointer.substr(1));
  std::ranges::replace(name, '/', '.');
  return name;
}

// The end of a sentence about a mistaken name.
std::string DidYouMean(std::string_view pointer) {
  std::vector<std::string> names;
  for (const PlainField& field : kPlainFields) names.push_back(Dotted(field.pointer));
  for (const CredentialTraits& field : kAllCredentials) names.push_back(Dotted(field.pointer));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string nearest = NearestKey(Dotted(pointer), views);
  return nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean {}?", nearest);
}

// Reads the fields of one message and collects what is wrong.
class Reader {
 public:
  // `folder`: where a relative ca_file is looked up; empty: nowhere.
  Reader(std::string name, std::string folder, std::string_view text, JsonView root)
      : path_(std::move(name)), folder_(std::move(folder)), text_(text), root_(root) {}

  Result<Onboarding> Read(FileSystem& files) {
    for (const PlainField& field : kPlainFields) ReadPlain(field);
    for (const CredentialTraits& field : kAllCredentials) ReadSecret(field);
    CheckRepeated(root_, "");
    CheckRepeated(root_["login"], "/login");
    CheckNames(root_, "");
    CheckNames(root_["login"], "/login");
    const JsonView base_url = root_["base_url"];
    if (!base_url.exists() || base_url.IsNull() || base_url.AsString() == "") {
      Complain("/base_url", "must be given: the address that the operator delivered");
    }
    CheckCaFile(files);
    if (!problems_.empty()) return Fail(ErrorCode::kInvalid, "{}", problems_);
    return std::move(onboarding_);
  }

 private:
  void ReadPlain(const PlainField& field) {
    const JsonView value = root_.At(field.pointer);
    if (!value.exists() || value.IsNull()) return;
    Settings scratch;
    // The folder counts for ca_file alone, which is made absolute below.
    const auto read = ReadSetting(*FindSetting(field.key), value, "", scratch);
    if (!read) return Complain(field.pointer, read.error().message);
    onboarding_.*field.member = value.AsString().value_or("");
    if (field.member == &Onboarding::base_url) onboarding_.base_url = scratch.service.base_url;
  }

  void ReadSecret(const CredentialTraits& field) {
    Onboarding::Credential& credential =
        onboarding_.credentials.emplace_back(field.name, field.what);
    const JsonView value = root_.At(field.pointer);
    if (!value.exists() || value.IsNull()) return;
    if (!value.AsString()) return Complain(field.pointer, "must be a text in quotes");
    credential.value = SecretBytes::CopyOf(*value.AsString());
    if (auto good = CheckCredential(field.name, credential.value); !good) {
      Complain(field.pointer, good.error().message);
    }
  }

  // Who reads a field that is there twice may take either. One that nobody knows is left to
  // CheckNames, which does not repeat it.
  void CheckRepeated(JsonView object, const std::string& pointer) {
    std::map<std::string, int> seen;
    for (const JsonView child : object.children()) {
      const std::string here = pointer + "/" + std::string(child.key());
      const int before = seen[here]++;
      if (before == 0 || !IsKnown(here)) continue;
      if (!problems_.empty()) problems_ += '\n';
      problems_ += fmt::format("{}:{}: {}: is there already, in line {}: keep one of them", path_,
                               LineOf(text_, here, before), Dotted(here), LineOf(text_, here));
    }
  }

  static bool IsKnown(const std::string& here) {
    const auto is_here = [&](const auto& field) {
      return field.pointer == here || field.pointer.starts_with(here + "/");
    };
    return std::ranges::any_of(kPlainFields, is_here) ||
           std::ranges::any_of(kAllCredentials, is_here);
  }

  // A name that nobody knows was mistyped, or is a secret that lost its name to a missing quotation
  // mark: it is never repeated.
  void CheckNames(JsonView object, const std::string& pointer) {
    for (const JsonView child : object.children()) {
      const std::string here = pointer + "/" + std::string(child.key());
      if (!IsKnown(here)) {
        ComplainAt(here, "there is no field of that name; " + DidYouMean(here));
      }
    }
    if (object.exists() && !object.IsObject()) Complain(pointer, "must be an object, { ... }");
  }

  void CheckCaFile(FileSystem& files) {
    std::string& ca_file = onboarding_.ca_file;
    if (ca_file.empty()) return;
    if (folder_.empty() && !ca_file.starts_with('/')) {
      return Complain("/ca_file",
                      "must be the full path of a file on this kiosk, beginning with /");
    }
    ca_file = (std::filesystem::path(folder_) / ca_file).lexically_normal().string();
    const auto there = files.Exists(ca_file);
    if (there && *there) return CheckCertificates(files);
    Complain("/ca_file", folder_.empty() ? "names a file that is not on this kiosk"
                                         : "names a file that is not there; a relative name is "
                                           "looked up beside this one");
  }

  void CheckCertificates(FileSystem& files) {
    const auto bytes = files.Read(onboarding_.ca_file, kLargestCertificateFile);
    if (!bytes) {
      return Complain("/ca_file", "names what cannot be read as a file of at most 8 MiB");
    }
    const std::string_view trouble = TroubleWithCertificates(*bytes);
    if (trouble.empty()) return;
    Complain("/ca_file", fmt::format("names a file that holds no certificate: {}; {}", trouble,
                                     kHowToNameAnAuthority));
  }

  void Complain(std::string_view pointer, std::string_view what) {
    ComplainAt(pointer, fmt::format("{}: {}", Dotted(pointer), what));
  }

  // Says no more of the field than its line.
  void ComplainAt(std::string_view pointer, std::string_view what) {
    const int line = LineOf(text_, pointer);
    if (!problems_.empty()) problems_ += '\n';
    problems_ += line == 0 ? fmt::format("{}: {}", path_, what)
                           : fmt::format("{}:{}: {}", path_, line, what);
  }

  const std::string path_;
  const std::string folder_;
  const std::string_view text_;
  const JsonView root_;
  Onboarding onboarding_;
  std::string problems_;
};

Result<Onboarding> Parse(FileSystem& files, std::string_view text, const std::string& name,
                         const std::string& folder) {
  const auto document = JsonDocument::ParseWithComments(text);
  if (!document) return std::unexpected(document.error().Within(name));
  if (!document->root().IsObject()) {
    return Fail(ErrorCode::kInvalid, "{}: must be one object, {{ ... }}", name);
  }
  return Reader(name, folder, text, document->root()).Read(files);
}

Status CheckAll(const Onboarding& onboarding) {
  for (const Onboarding::Credential& each : onboarding.credentials) {
    if (auto good = CheckCredential(each.name, each.value); !good) {
      return std::unexpected(good.error().Within(each.name));
    }
  }
  return {};
}

// Whether the message is about another address than the one in force.
bool Moves(FileSystem& files, const std::string& config_path, const Onboarding& onboarding) {
  const auto before = LoadSettings(files, config_path);
  if (!before || before->service.base_url != onboarding.base_url) return true;
  return !onboarding.environment.empty() && onboarding.environment != Name(before->environment);
}

Status RemoveCredentials(SecureStorage& storage) {
  for (const CredentialTraits& field : kAllCredentials) {
    const auto removed = storage.Remove(field.name);
    if (!removed && removed.error().code != ErrorCode::kNotFound) return removed;
  }
  return {};
}

// Where the authority of the message lies from then on. A stick goes, and whoever plugs in the next
// one would say whom this kiosk trusts: of a file on one a copy is kept beside the configuration,
// under a name that no other certificates have had.
Result<std::string> KeepAuthority(FileSystem& files, const std::string& config_path,
                                  const std::string& ca_file) {
  const auto before = LoadSettingsBeforeProvisioning(files, config_path);
  const std::string sticks = before ? before->staff.sticks : std::string();
  const bool is_on_stick = !sticks.empty() && ca_file.starts_with(sticks + "/");
  if (!is_on_stick) return ca_file;
  // A link of its filler's would make a copy of what only this program may read.
  const auto bytes =
      files.ReadBelow(sticks, ca_file.substr(sticks.size() + 1), kLargestCertificateFile);
  if (!bytes) return std::unexpected(bytes.error().Within("ca_file"));
  if (const auto trouble = TroubleWithCertificates(*bytes); !trouble.empty()) {
    return Fail(ErrorCode::kInvalid, "ca_file: {} holds no certificate: {}", ca_file, trouble);
  }
  const auto folder = std::filesystem::path(config_path).parent_path();
  for (int number = 1;; ++number) {
    const std::string kept = (folder / fmt::format("service-ca-{}.pem", number)).string();
    const auto there = files.Exists(kept);
    if (!there) return std::unexpected(there.error());
    const auto old = *there ? files.Read(kept, kLargestCertificateFile) : Result<Bytes>(*bytes);
    if (!old || *old != *bytes) continue;
    if (*there) return kept;
    Status written = files.WriteDurably(kept, *bytes, FileAccess::kEverybody);
    return written ? Result<std::string>(kept) : std::unexpected(written.error());
  }
}

// What the message does not say stays, unless it is about another address (`moves`): a certificate
// file or a test number of the old one would be wrong there.
std::vector<SettingChange> Changes(const Onboarding& onboarding, const std::string& ca_file,
                                   bool moves) {
  std::vector<SettingChange> changes;
  for (const PlainField& field : kPlainFields) {
    const bool is_ca_file = field.member == &Onboarding::ca_file;
    const std::string& value = is_ca_file ? ca_file : onboarding.*field.member;
    if (!value.empty()) {
      changes.push_back({std::string(field.key), value});
    } else if (moves) {
      changes.push_back({std::string(field.key), std::monostate()});
    }
  }
  return changes;
}

Status PutAndReadBack(SecureStorage& storage, const Onboarding::Credential& credential) {
  if (auto put = storage.Put(credential.name, credential.value); !put) return put;
  const auto read_back = storage.Get(credential.name);
  if (!read_back) return std::unexpected(read_back.error());
  if (!read_back->Equals(credential.value.view())) {
    return Fail(ErrorCode::kCorrupt, "the vault does not give back the {} that was put into it",
                credential.name);
  }
  return {};
}

}  // namespace

Result<Onboarding> ReadOnboarding(FileSystem& files, const std::string& path) {
  const auto message = files.ReadSecret(path, kLongestOnboarding);
  if (!message) return std::unexpected(message.error());
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return Parse(files, message->text(), path, error ? "." : absolute.parent_path().string());
}

Result<Onboarding> ParseOnboarding(FileSystem& files, std::string_view text,
                                   const std::string& name) {
  return Parse(files, text, name, "");
}

std::string MissingCredentials(const Onboarding& onboarding) {
  std::string missing;
  for (const CredentialTraits& field : kAllCredentials) {
    const auto credential =
        std::ranges::find(onboarding.credentials, field.name, &Onboarding::Credential::name);
    if (credential != onboarding.credentials.end() && !credential->value.empty()) continue;
    missing +=
        fmt::format("{}{} ({})", missing.empty() ? "" : ", ", Dotted(field.pointer), field.what);
  }
  return missing;
}

Status CheckCredential(std::string_view name, const SecretBytes& value) {
  if (value.empty()) return Fail(ErrorCode::kInvalid, "must not be empty");
  if (value.size() > kMaxCredentialSize) {
    return Fail(ErrorCode::kInvalid, "must not be longer than {} bytes", kMaxCredentialSize);
  }
  const CredentialTraits* const credential = FindCredential(name);
  if (credential == nullptr) return {};
  const std::string_view text = value.text();
  if (text.starts_with(' ') || text.ends_with(' ')) {
    return Fail(ErrorCode::kInvalid, "begins or ends with a space: copy it again without it");
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      return Fail(ErrorCode::kInvalid, "holds a line break or another control character");
    }
    // A line break in a header would begin another one.
    if (!credential->header.empty() && (byte == ' ' || byte > 0x7e)) {
      return Fail(ErrorCode::kInvalid, "holds a space or a letter that such a value never has");
    }
  }
  return {};
}

Result<Settings> SettingsAfter(FileSystem& files, const std::string& config_path,
                               const Onboarding& onboarding) {
  TryOut disk(files);
  const auto ca_file = KeepAuthority(disk, config_path, onboarding.ca_file);
  if (!ca_file) return std::unexpected(ca_file.error());
  const auto changes = Changes(onboarding, *ca_file, Moves(files, config_path, onboarding));
  if (auto saved = SaveLocalSettings(disk, config_path, changes); !saved) {
    return std::unexpected(saved.error());
  }
  auto after = LoadSettings(disk, config_path);
  if (!after) return std::unexpected(after.error().Within("with what the message says"));
  // Whoever may write it says whom this kiosk trusts.
  const std::string& authority = after->service.ca_file;
  const auto troubles = authority.empty() ? std::vector<std::string>()
                                          : WhoElseMayChange(authority, after->state_folder);
  if (!troubles.empty()) {
    return Fail(ErrorCode::kForbidden, "ca_file: {}", fmt::join(troubles, "; "));
  }
  return after;
}

Result<std::vector<std::string_view>> WhatPointsElsewhere(SecureStorage& storage,
                                                          const Settings& before,
                                                          const Settings& after,
                                                          const Onboarding& onboarding) {
  std::vector<std::string_view> what;
  const ServiceSettings& was = before.service;
  const ServiceSettings& is = after.service;
  if (!was.base_url.empty()) {
    if (was.base_url != is.base_url) what.emplace_back("address");
    if (before.environment != after.environment) what.emplace_back("environment");
    if (was.ca_file != is.ca_file) what.emplace_back("ca_file");
    if (was.test_nin != is.test_nin) what.emplace_back("test_nin");
  }
  // Settings may have been put away; the vault remembers whose credentials it holds.
  std::vector<std::string_view> asked = {kAddressOfCredentials};
  asked.insert(asked.end(), kAccountSecrets.begin(), kAccountSecrets.end());
  const auto stored = storage.GetTogether(asked);
  if (!stored) {
    const bool is_new = stored.error().code == ErrorCode::kFailedPrecondition;
    if (is_new) return std::vector<std::string_view>();
    return std::unexpected(stored.error());
  }
  const auto address = ParseAddressOfCredentials(stored->front());
  const bool is_elsewhere = address && *address != AddressOf(after.environment, is.base_url);
  if (is_elsewhere && what.empty()) what.emplace_back("address");
  for (size_t i = 0; i < kAccountSecrets.size(); ++i) {
    const std::string_view name = kAccountSecrets[i];
    const auto& old = (*stored)[i + 1];
    const auto now = std::ranges::find(onboarding.credentials, name, &Onboarding::Credential::name);
    const bool is_given = now != onboarding.credentials.end();
    if (old && is_given && !old->Equals(now->value.view())) what.push_back(name);
  }
  return what;
}

std::vector<std::string_view> NoLongerSet(const Settings& before, const Settings& after) {
  std::vector<std::string_view> gone;
  const auto look = [&](std::string_view key, std::string ServiceSettings::* member) {
    const bool was_set = !(before.service.*member).empty();
    if (was_set && (after.service.*member).empty()) gone.push_back(key);
  };
  look("service.ca_file", &ServiceSettings::ca_file);
  look("service.test_nin", &ServiceSettings::test_nin);
  return gone;
}

std::string ChangeOfService(const std::string& before, const std::string& after,
                            std::span<const std::string_view> changed) {
  const std::string now = WithoutCredentials(after);
  if (before.empty()) return now;
  return changed.empty() ? fmt::format("{}, as before", now)
                         : fmt::format("{}, instead of {}; changed: {}", now,
                                       WithoutCredentials(before), fmt::join(changed, ", "));
}

Status Provision(FileSystem& files, SecureStorage& storage, const std::string& config_path,
                 const Onboarding& onboarding) {
  if (auto good = CheckAll(onboarding); !good) return good;
  const auto after = SettingsAfter(files, config_path, onboarding);
  if (!after) return std::unexpected(after.error());
  const bool moves = Moves(files, config_path, onboarding);
  const auto ca_file = KeepAuthority(files, config_path, onboarding.ca_file);
  if (!ca_file) return std::unexpected(ca_file.error());
  if (moves) {
    if (auto removed = RemoveCredentials(storage); !removed) return removed;
  }
  if (auto saved = SaveLocalSettings(files, config_path, Changes(onboarding, *ca_file, moves));
      !saved) {
    return saved;
  }
  const auto address = AddressOf(after->environment, after->service.base_url);
  if (const auto taken = TakeCredentialsOf(storage, address); !taken) {
    return std::unexpected(taken.error());
  }
  for (const Onboarding::Credential& each : onboarding.credentials) {
    if (auto put = PutAndReadBack(storage, each); !put) return put;
  }
  return {};
}

}  // namespace idkiosk
