#include "app/settings/local_settings.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <type_traits>

#include "app/settings/load_settings.h"
#include "app/settings/settings_table.h"
#include "app/settings/try_out.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

// A key with its value as JSON text.
struct Entry {
  std::string key;
  std::string json;
};

std::string JsonText(const SettingChange& change) {
  JsonWriter json;
  std::visit(
      [&json](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const std::monostate&>) {
          json.Null();
        } else if constexpr (std::is_same_v<decltype(value), const std::vector<std::string>&>) {
          json.BeginArray();
          for (const std::string& each : value) json.Value(each);
          json.EndArray();
        } else {
          json.Value(value);
        }
      },
      change.value);
  return json.Take();
}

Status Check(const SettingChange& change, const std::string& path) {
  const Setting* setting = FindSetting(change.key);
  if (setting == nullptr) {
    return Fail(ErrorCode::kInvalid, "there is no key '{}'", change.key);
  }
  if (std::holds_alternative<std::monostate>(change.value)) return {};
  const auto value = JsonDocument::Parse(JsonText(change));
  if (!value) return Fail(ErrorCode::kInvalid, "{}: {}", change.key, value.error().message);
  Settings scratch;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (auto read = ReadSetting(*setting, value->root(), folder, scratch); !read) {
    return Fail(ErrorCode::kInvalid, "{}: {}", change.key, read.error().message);
  }
  return {};
}

// The keys that the local file has, sections opened; none if it is not there.
Result<std::vector<Entry>> ReadEntries(FileSystem& files, const std::string& path) {
  const auto text = files.Read(path, kLargestSettings);
  if (!text && text.error().code == ErrorCode::kNotFound) return std::vector<Entry>();
  if (!text) return std::unexpected(text.error());
  const auto document = JsonDocument::ParseWithComments(AsText(*text));
  if (!document) return std::unexpected(document.error().Within(path));
  if (!document->root().IsObject()) {
    return Fail(ErrorCode::kInvalid, "{}: must be one object, {{ ... }}", path);
  }
  std::vector<Entry> entries;
  for (const JsonView child : document->root().children()) {
    const std::string key(child.key());
    if (!child.IsObject()) {
      entries.push_back({key, child.Print()});
      continue;
    }
    for (const JsonView grandchild : child.children()) {
      entries.push_back({key + "." + std::string(grandchild.key()), grandchild.Print()});
    }
  }
  return entries;
}

void Apply(const SettingChange& change, std::vector<Entry>& entries) {
  const auto same = std::ranges::find(entries, change.key, &Entry::key);
  if (std::holds_alternative<std::monostate>(change.value)) {
    if (same != entries.end()) entries.erase(same);
  } else if (same != entries.end()) {
    same->json = JsonText(change);
  } else {
    entries.push_back({change.key, JsonText(change)});
  }
}

// Keys outside a section first, then section by section; within one, the order stays.
std::string Print(const std::vector<Entry>& entries) {
  std::map<std::string, std::vector<Entry>> sections;
  for (const Entry& each : entries) {
    const size_t dot = each.key.find('.');
    const bool inside = dot != std::string::npos;
    sections[inside ? each.key.substr(0, dot) : ""].push_back(
        {inside ? each.key.substr(dot + 1) : each.key, each.json});
  }
  JsonWriter json(2);
  json.BeginObject();
  for (const auto& [section, members] : sections) {
    if (!section.empty()) json.Key(section).BeginObject();
    for (const Entry& each : members) json.Key(each.key).Raw(each.json);
    if (!section.empty()) json.EndObject();
  }
  json.EndObject();
  return "// What this machine decides for itself, laid over the configuration beside it key by "
         "key.\n"
         "// Written by idkiosk: comments in here are lost when it writes again.\n" +
         json.Take() + "\n";
}

}  // namespace

std::string LocalSettingsPath(const std::string& path) {
  const std::filesystem::path whole(path);
  std::filesystem::path local = whole;
  local.replace_filename(whole.stem().string() + ".local" + whole.extension().string());
  return local.string();
}

Result<std::string> LocalSettingsWith(FileSystem& files, const std::string& path,
                                      const std::vector<SettingChange>& changes) {
  for (const SettingChange& change : changes) {
    if (auto good = Check(change, path); !good) return std::unexpected(good.error());
  }
  auto entries = ReadEntries(files, LocalSettingsPath(path));
  if (!entries) return std::unexpected(entries.error());
  for (const SettingChange& change : changes) Apply(change, *entries);
  return Print(*entries);
}

Result<Settings> SettingsIfLocal(FileSystem& files, const std::string& path,
                                 std::string_view local_text) {
  TryOut disk(files);
  if (Status laid =
          disk.WriteDurably(LocalSettingsPath(path), AsBytes(local_text), FileAccess::kOwnerOnly);
      !laid) {
    return std::unexpected(laid.error());
  }
  return LoadSettings(disk, path);
}

Status SaveLocalSettings(FileSystem& files, const std::string& path,
                         const std::vector<SettingChange>& changes) {
  const auto text = LocalSettingsWith(files, path, changes);
  if (!text) return std::unexpected(text.error());
  return files.WriteDurably(LocalSettingsPath(path), AsBytes(*text), FileAccess::kOwnerOnly);
}

}  // namespace idkiosk
