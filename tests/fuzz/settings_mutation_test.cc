#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "app/settings/load_settings.h"
#include "app/settings/provisioning.h"
#include "app/settings/url_check.h"
#include "platform/base/json.h"
#include "platform/posix/posix_file_system.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fuzz/mutator.h"

namespace idkiosk {
namespace {

using testing::StartsWith;

constexpr int kRounds = 1000;

const std::vector<std::string_view> kJsonWords = {
    "{",       "}",           "[",          "]",         ",",           ":",
    "\"",      "\\",          "\\u0000",    "//",        "/*",          "*/",
    "\n",      "null",        "true",       "1e999",     "-",           "0.5",
    "\"2 s\"", "\"\"",        "\"camera\"", "\"width\"", "\"service\"", "\"base_url\"",
    "../",     "\xef\xbb\xbf"};

// A configuration in which every key is written, from the one that is shipped.
std::string WholeConfiguration() {
  PosixFileSystem files;
  const auto shipped = files.Read("config/kiosk.jsonc", 1 << 20);
  EXPECT_TRUE(shipped);
  std::istringstream lines{std::string(AsText(*shipped))};
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const size_t key = line.find("//\"");
    if (key != std::string::npos) line.erase(key, 2);
    if (!line.contains("// ")) text += line + "\n";
  }
  return text;
}

// What holds for every configuration that is accepted.
void ExpectSound(const Settings& settings) {
  EXPECT_FALSE(settings.state_folder.empty());
  EXPECT_EQ(CheckBaseUrl(settings.service.base_url).value_or("refused"), settings.service.base_url);
  EXPECT_TRUE(!IsPlainHttp(settings.service.base_url) ||
              (IsLoopback(settings.service.base_url) && settings.service.allow_plain_http));
  EXPECT_GE(settings.camera.width, 160);
  EXPECT_GE(settings.billing.max_billed_attempts, 1);
  EXPECT_LE(settings.billing.max_billed_attempts, 10);
  EXPECT_GT(settings.queue.max_calls, 0);
  EXPECT_LE(settings.queue.backoff_first, settings.queue.backoff_last);
}

TEST(SettingsMutationTest, AcceptsWhatIsSoundAndNamesTheFileOfAllElse) {
  const std::string whole = WholeConfiguration();
  Mutator mutator(kJsonWords);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    FakeFileSystem files;
    files.Put("/profiles/sandbox.jsonc", {});
    files.Put("/kiosk.jsonc", mutator.Mutate(AsBytes(whole)));
    files.Put("/kiosk.local.jsonc", AsBytes(R"({"service": {"ca_file": ""}})"));
    const auto settings = LoadSettings(files, "/kiosk.jsonc");
    if (settings) {
      ExpectSound(*settings);
      ++accepted;
      continue;
    }
    EXPECT_EQ(settings.error().code, ErrorCode::kInvalid) << settings.error().message;
    std::istringstream lines(settings.error().message);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(line, StartsWith("/kiosk."));
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, kRounds);
}

// A mutation may cut a secret in two, so that no piece of one may be shown either.
bool ShowsAPieceOf(std::string_view secret, std::string_view text) {
  constexpr size_t kPiece = 7;
  for (size_t i = 0; i + kPiece <= secret.size(); ++i) {
    if (text.contains(secret.substr(i, kPiece))) return true;
  }
  return false;
}

TEST(SettingsMutationTest, NeverRepeatsASecretOfAnOnboardingMessage) {
  constexpr std::string_view kMessage =
      R"({"base_url": "https://host/prefix", "environment": "sandbox", "user_id": "uQ7v2RkZb1",
          "login": {"email": "mX8wZp3Lt6@example.ng", "password": "pW0rDk4TmJs9"},
          "api_key": "kJ5Nd1yHg0Vc", "ca_file": "ca.pem", "test_nin": "70123456789"})";
  constexpr std::array<std::string_view, 5> kSecretValues = {
      "uQ7v2RkZb1", "mX8wZp3Lt6", "pW0rDk4TmJs9", "kJ5Nd1yHg0Vc", "70123456789"};
  Mutator mutator(kJsonWords);
  for (int round = 0; round < kRounds; ++round) {
    FakeFileSystem files;
    files.Put("/ca.pem", AsBytes(kAuthorityInPem));
    const Bytes message = mutator.Mutate(AsBytes(kMessage));
    files.Put("/onboarding.json", message);
    const auto onboarding = ReadOnboarding(files, "/onboarding.json");
    if (onboarding) {
      EXPECT_EQ(onboarding->credentials.size(), 4u);
      EXPECT_TRUE(CheckBaseUrl(onboarding->base_url));
      continue;
    }
    EXPECT_EQ(onboarding.error().code, ErrorCode::kInvalid);
    for (const std::string_view secret : kSecretValues) {
      EXPECT_FALSE(ShowsAPieceOf(secret, onboarding.error().message))
          << onboarding.error().message << "\nof " << AsText(message);
    }
  }
}

TEST(JsonMutationTest, ReadsAgainWhatItPrints) {
  const std::string whole = WholeConfiguration();
  Mutator mutator(kJsonWords);
  for (int round = 0; round < kRounds; ++round) {
    const Bytes bytes = mutator.Mutate(AsBytes(whole));
    const std::string_view text = AsText(bytes);
    const int line = LineOf(text, "/camera/width");
    EXPECT_LE(line, std::ranges::count(text, '\n') + 1);
    const auto document = JsonDocument::ParseWithComments(text);
    if (!document) continue;
    const std::string printed = document->root().Print();
    const auto again = JsonDocument::Parse(printed);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->root().Print(), printed);
  }
}

}  // namespace
}  // namespace idkiosk
