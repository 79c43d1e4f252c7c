#include "app/headquarters/settings_trial.h"

#include <filesystem>
#include <utility>

#include "app/settings/local_settings.h"
#include "platform/base/json.h"
#include "platform/base/log.h"

// The file, version 1: a JSON object with the members of SettingsTrial. The two texts are base64;
// `before` is null where there was no local file.

namespace idkiosk {
namespace {

constexpr int kTrialVersion = 1;
constexpr size_t kLargest = 4 << 20;

std::string TrialPath(const std::string& config_path) {
  std::filesystem::path path(config_path);
  path.replace_filename(path.stem().string() + ".trial.json");
  return path.string();
}

std::string TextOf(JsonView value) { return std::string(value.AsString().value_or("")); }

}  // namespace

SettingsTrialFile::SettingsTrialFile(FileSystem& files, std::string config_path)
    : files_(files), local_path_(LocalSettingsPath(config_path)), path_(TrialPath(config_path)) {}

Result<std::optional<SettingsTrial>> SettingsTrialFile::Read() {
  const auto bytes = files_.Read(path_, kLargest);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!bytes) return std::unexpected(bytes.error());
  const auto document = JsonDocument::Parse(AsText(*bytes));
  const JsonView root = document ? document->root() : JsonView();
  const auto after = FromBase64(root["after"].AsString().value_or("?"));
  const auto before = FromBase64(root["before"].AsString().value_or(""));
  if (root["version"].AsInteger() != kTrialVersion || !after || !before ||
      !root["before"].exists()) {
    return Fail(ErrorCode::kCorrupt, "{} is damaged", path_);
  }
  SettingsTrial trial;
  trial.command = TextOf(root["command"]);
  trial.revision = root["revision"].AsInteger().value_or(0);
  trial.keys = TextOf(root["keys"]);
  trial.signed_by = TextOf(root["signed_by"]);
  trial.healthy_within = std::chrono::seconds(root["healthy_within"].AsInteger().value_or(0));
  if (root["before"].AsString()) trial.before = AsText(*before);
  trial.after = AsText(*after);
  for (const JsonView each : root["bad_before"].children()) {
    trial.bad_before.push_back(TextOf(each));
  }
  trial.starts = static_cast<int>(root["starts"].AsInteger().value_or(0));
  trial.over = TextOf(root["over"]);
  trial.is_left = root["is_left"].AsBool().value_or(false);
  return trial;
}

Status SettingsTrialFile::Write(const SettingsTrial& trial) {
  JsonWriter json;
  json.BeginObject()
      .Field("version", kTrialVersion)
      .Field("command", trial.command)
      .Field("revision", trial.revision)
      .Field("keys", trial.keys)
      .Field("signed_by", trial.signed_by)
      .Field("healthy_within", static_cast<int64_t>(trial.healthy_within.count()))
      .Field("starts", trial.starts)
      .Field("over", trial.over)
      .Field("is_left", trial.is_left)
      .Field("after", ToBase64(AsBytes(trial.after)))
      .Key("before");
  trial.before ? json.Value(ToBase64(AsBytes(*trial.before))) : json.Null();
  json.Key("bad_before").BeginArray();
  for (const std::string& each : trial.bad_before) json.Value(each);
  return files_.WriteDurably(path_, AsBytes(json.EndArray().EndObject().text()),
                             FileAccess::kOwnerOnly);
}

Result<std::optional<std::string>> SettingsTrialFile::LocalText() {
  const auto bytes = files_.Read(local_path_, kLargest);
  if (bytes) return std::string(AsText(*bytes));
  if (bytes.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(bytes.error());
}

Status SettingsTrialFile::Begin(const SettingsTrial& trial) {
  if (Status written = Write(trial); !written) return written;
  return files_.WriteDurably(local_path_, AsBytes(trial.after), FileAccess::kOwnerOnly);
}

Status SettingsTrialFile::NoteStart() {
  auto trial = Read();
  if (!trial && trial.error().code == ErrorCode::kCorrupt) {
    LogError("{}: the settings stay as they are", trial.error().message);
    return files_.Remove(path_);
  }
  if (!trial) return std::unexpected(trial.error());
  if (!*trial || !(*trial)->over.empty()) return {};
  const auto local = LocalText();
  if (!local) return std::unexpected(local.error());
  if (*local != (*trial)->after) {
    return TakeBack(std::move(**trial), "the power failed before they were in force");
  }
  if ((*trial)->starts >= kMostStarts) {
    return TakeBack(std::move(**trial), fmt::format("the program started {} times, and did not run "
                                                    "long enough to be found well",
                                                    kMostStarts));
  }
  ++(*trial)->starts;
  return Write(**trial);
}

Result<bool> SettingsTrialFile::TakeBack(const std::string& why) {
  auto trial = Read();
  if (!trial) return std::unexpected(trial.error());
  if (!*trial || !(*trial)->over.empty()) return false;
  if (Status done = TakeBack(std::move(**trial), why); !done) {
    return std::unexpected(done.error());
  }
  return true;
}

Status SettingsTrialFile::TakeBack(SettingsTrial trial, const std::string& why) {
  const auto local = LocalText();
  if (!local) return std::unexpected(local.error());
  trial.is_left = *local != trial.after && *local != trial.before;
  trial.over = trial.is_left ? why + "; somebody else has changed them since, and they stay" : why;
  if (!trial.is_left && *local != trial.before) {
    const Status restored = trial.before ? files_.WriteDurably(local_path_, AsBytes(*trial.before),
                                                               FileAccess::kOwnerOnly)
                                         : files_.Remove(local_path_);
    if (!restored) return restored;
  }
  LogWarning("settings of headquarters ({}) were taken back: {}", trial.keys, trial.over);
  return Write(trial);
}

Status SettingsTrialFile::Forget() { return files_.Remove(path_); }

}  // namespace idkiosk
