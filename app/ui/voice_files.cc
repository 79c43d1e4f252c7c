#include "app/ui/voice_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/settings/languages.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestRecording = 2 << 20;  // bytes: a minute of a good recording

bool IsOneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool IsWav(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.substr(8, 4) == "WAVE";
}

}  // namespace

std::string VoiceFolderTrouble(FileSystem& files, const std::string& folder) {
  if (folder.empty()) return {};
  const auto names = files.List(folder);
  if (!names) {
    const bool absent = names.error().code == ErrorCode::kNotFound;
    return fmt::format(
        "ui.voice_folder: {}, so nothing recorded is spoken: correct the path, copy the recordings "
        "there, or leave the key out; then start the kiosk again",
        absent ? folder + " is not there" : names.error().message);
  }
  const bool any = std::ranges::any_of(
      *names, [](std::string_view name) { return IsOneOf(PageLanguages(), name); });
  if (any) return {};
  return fmt::format(
      "ui.voice_folder: {} holds none of the folders {}, so nothing recorded is spoken: a sentence "
      "lies in LANGUAGE/KEY.wav, as 'tools/voice --missing' lists them",
      folder, fmt::join(PageLanguages(), ", "));
}

Result<Bytes> VoiceFiles::Find(std::string_view language, std::string_view key) const {
  if (IsOneOf(PageLanguages(), language) && IsOneOf(SpokenKeys(), key)) {
    for (const std::string& folder : folders_) {
      auto bytes =
          files_.Read(fmt::format("{}/{}/{}.wav", folder, language, key), kLargestRecording);
      if (bytes && IsWav(AsText(*bytes))) return bytes;
    }
  }
  return Fail(ErrorCode::kNotFound, "this sentence has no sound");
}

std::vector<std::string_view> VoiceFiles::Missing(std::string_view language) const {
  std::set<std::string, std::less<>> there;
  for (const std::string& folder : folders_) {
    const auto names = files_.List(fmt::format("{}/{}", folder, language));
    if (names) there.insert(names->begin(), names->end());
  }
  std::vector<std::string_view> missing;
  for (const std::string_view key : SpokenKeys()) {
    if (!there.contains(fmt::format("{}.wav", key))) missing.push_back(key);
  }
  return missing;
}

std::vector<std::string> VoiceFiles::Languages() const {
  std::vector<std::string> spoken;
  for (const std::string_view language : PageLanguages()) {
    if (Missing(language).size() < SpokenKeys().size()) spoken.emplace_back(language);
  }
  return spoken;
}

}  // namespace idkiosk
