#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "app/settings/load_settings.h"
#include "app/settings/settings_table.h"
#include "platform/posix/posix_file_system.h"

// Settings, the table of its keys and config/kiosk.jsonc, held together. Runs in the repository.
namespace idkiosk {
namespace {

// Stands for any member, so that the compiler can be asked how many there are.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT: that it converts by itself is the point
};

template <typename T, size_t... kIndexes>
constexpr bool HasMembers(std::index_sequence<kIndexes...>) {
  return requires { T{((void)kIndexes, Anything())...}; };
}

template <typename T, size_t kCount = 0>
constexpr size_t CountMembers() {
  if constexpr (HasMembers<T>(std::make_index_sequence<kCount + 1>())) {
    return CountMembers<T, kCount + 1>();
  } else {
    return kCount;
  }
}

size_t KeysIn(std::string_view section) {
  return static_cast<size_t>(std::ranges::count_if(AllSettings(), [&](const Setting& each) {
    const size_t dot = std::min(each.key.find('.'), each.key.size());
    return section == (dot == each.key.size() ? "" : each.key.substr(0, dot));
  }));
}

TEST(ShippedSettingsTest, TheTableHasEveryMember) {
  constexpr size_t kOfOnePerson = 1;  // capture.left_out
  const std::pair<std::string_view, size_t> sections[] = {
      {"service", CountMembers<ServiceSettings>()},
      {"camera", CountMembers<CameraSettings>()},
      {"capture", CountMembers<CaptureSettings>() - kOfOnePerson},
      {"billing", CountMembers<BillingSettings>()},
      {"queue", CountMembers<QueueSettings>()},
      {"ui", CountMembers<UiSettings>()},
      {"staff", CountMembers<StaffSettings>()},
      {"brand", CountMembers<BrandSettings>()},
      {"light", CountMembers<LightSettings>()},
      {"printer", CountMembers<PrinterSettings>()},
      {"api", CountMembers<ApiSettings>()},
      {"results", CountMembers<ResultsSettings>()},
      {"tpm", CountMembers<TpmSettings>()},
      {"log", CountMembers<LogSettings>()},
      {"consent", CountMembers<ConsentSettings>()},
      {"tamper", CountMembers<TamperSettings>()},
      {"headquarters", CountMembers<HeadquartersSettings>()},
  };
  for (const auto& [section, members] : sections) EXPECT_EQ(KeysIn(section), members) << section;
  EXPECT_EQ(KeysIn("") + std::size(sections), CountMembers<Settings>());
}

std::string Shipped() {
  PosixFileSystem files;
  const auto text = files.Read("config/kiosk.jsonc", 1 << 20);
  EXPECT_TRUE(text) << text.error().message;
  return text ? std::string(AsText(*text)) : std::string();
}

// With every key that is commented out (//"key": ..., without a space) written.
std::string AllWritten() {
  return std::regex_replace(Shipped(), std::regex("^( *)//\"", std::regex::multiline), "$1\"");
}

// These stand for what a deployment decides; the file shows an example.
bool HasNoDefault(std::string_view key) {
  return key == "state_folder" || key == "service.base_url" || key == "service.profile";
}

TEST(ShippedSettingsTest, TheFileShowsEveryDefault) {
  const auto document = JsonDocument::ParseWithComments(AllWritten());
  ASSERT_TRUE(document) << document.error().message;
  for (const Setting& each : AllSettings()) {
    std::string pointer = "/" + std::string(each.key);
    std::ranges::replace(pointer, '.', '/');
    const JsonView value = document->root().At(pointer);
    ASSERT_TRUE(value.exists()) << each.key << " is not in config/kiosk.jsonc";
    EXPECT_EQ(LineOf(AllWritten(), pointer, 1), 0) << each.key << " is there twice";
    if (HasNoDefault(each.key)) continue;
    Settings defaults;
    Settings shown;
    std::visit([&](auto member) { member(shown) = {}; }, each.member);
    const auto read = ReadSetting(each, value, "", shown);
    ASSERT_TRUE(read) << each.key << ": " << read.error().message;
    std::visit(
        [&](auto member) {
          EXPECT_EQ(member(shown), member(defaults)) << "default of " << each.key;
        },
        each.member);
  }
}

TEST(ShippedSettingsTest, TheFileHasTheKeysInTheTablesOrder) {
  const std::string text = AllWritten();
  int line = 0;
  for (const Setting& each : AllSettings()) {
    std::string pointer = "/" + std::string(each.key);
    std::ranges::replace(pointer, '.', '/');
    EXPECT_GT(LineOf(text, pointer), line) << each.key;
    line = LineOf(text, pointer);
  }
}

TEST(ShippedSettingsTest, EveryKeyHasWordsAboveIt) {
  std::istringstream lines(Shipped());
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    if (!std::regex_search(line, std::regex("^ *(//)?\"[a-z_]+\":"))) continue;
    EXPECT_TRUE(std::regex_search(before, std::regex("^ *// [^ ]"))) << line;
  }
}

// In the words above the key, or as its value.
TEST(ShippedSettingsTest, TheFileNamesEachChoice) {
  const std::string text = AllWritten();
  std::istringstream lines(text);
  std::string about;
  std::map<std::string, std::string> told;  // by the name of a key in its section
  for (std::string line; std::getline(lines, line);) {
    about += line + '\n';
    std::smatch key;
    if (std::regex_search(line, key, std::regex("^ *\"([a-z_]+)\":"))) {
      told[key[1]] += std::exchange(about, "");
    }
  }
  for (const Setting& each : AllSettings()) {
    const auto* choices = std::get_if<Choices>(&each.rule);
    // A language more is a catalogue, and no line of the file.
    if (choices == nullptr || each.key == "ui.language") continue;
    const std::string about_it = told[std::string(each.key.substr(each.key.find('.') + 1))];
    for (const std::string_view choice : *choices) {
      EXPECT_THAT(about_it, testing::HasSubstr(fmt::format("\"{}\"", choice))) << each.key;
    }
  }
}

TEST(ShippedSettingsTest, TheFileLacksTheBaseAddressAlone) {
  PosixFileSystem files;
  const auto settings = LoadSettings(files, "config/kiosk.jsonc");
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().message,
              testing::StartsWith("config/kiosk.jsonc: service.base_url: must be given"));
  EXPECT_THAT(settings.error().message, testing::Not(testing::HasSubstr("\n")));
}

}  // namespace
}  // namespace idkiosk
