#include "app/consent/consent_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_secure_storage.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ConsentTextsTest : public testing::Test {
 protected:
  ConsentTextsTest() {
    (void)files_.CreateFolder("/texts");
    settings_.consent = {.version = "2026-11", .folder = "/texts"};
  }
  void Write(std::string_view language, std::string_view text) {
    files_.Put(fmt::format("/texts/{}.txt", language), Bytes(text.begin(), text.end()));
  }
  std::string WhyNot() {
    const auto loaded = ConsentTexts::Load(settings_, files_);
    return loaded ? "" : loaded.error().message;
  }

  FakeFileSystem files_;
  Settings settings_;
};

TEST_F(ConsentTextsTest, ShowsTheBanksTextInThePersonsLanguage) {
  Write("en", "We ask a service.\n");
  Write("ha", "Muna tambaya.\n");
  const auto texts = ConsentTexts::Load(settings_, files_);
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_EQ(texts->In("ha").text, "Muna tambaya.\n");
  EXPECT_EQ(texts->In("ha").consent, (Consent{"2026-11", "ha"}));
}

TEST_F(ConsentTextsTest, RecordsTheLanguageThatWasShown) {
  Write("en", "We ask a service.\n");
  const auto texts = ConsentTexts::Load(settings_, files_);
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_EQ(texts->In("yo").text, "We ask a service.\n");
  EXPECT_EQ(texts->In("yo").consent, (Consent{"2026-11", "en"}));
}

TEST_F(ConsentTextsTest, SaysWhichLanguagesItIsNotThereIn) {
  Write("en", "We ask a service.\n");
  Write("ha", "Muna tambaya.\n");
  const auto texts = ConsentTexts::Load(settings_, files_);
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_THAT(texts->Missing(), ElementsAre("yo", "ig", "pcm", "fr", "ar"));
  settings_.consent = {};
  EXPECT_THAT(ConsentTexts::Load(settings_, files_)->Missing(), IsEmpty());
}

TEST_F(ConsentTextsTest, HasAVersionOfItsOwnWithoutAFolder) {
  settings_.consent = {};
  const auto texts = ConsentTexts::Load(settings_, files_);
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_EQ(texts->In("yo").text, "");
  EXPECT_EQ(texts->In("yo").consent, (Consent{std::string(kOwnConsentVersion), "yo"}));
}

TEST_F(ConsentTextsTest, KnowsWhatPeopleCanHaveAgreedTo) {
  Write("en", "We ask a service.\n");
  Write("ha", "Muna tambaya.\n");
  (void)files_.CreateFolder("/state");
  const auto texts = ConsentTexts::Load(settings_, files_);
  ASSERT_TRUE(texts) << texts.error().message;
  FakeClock clock;
  MbedtlsCrypto crypto;
  FakeSecureStorage vault;
  ConsentLog record("/state", clock, crypto, vault, files_);
  const auto why_not = [&](const Consent& consent) {
    const Status good = texts->Check(consent, record);
    return good ? "" : good.error().message;
  };
  EXPECT_EQ(why_not({"2026-11", "ha"}), "");
  EXPECT_THAT(why_not({"2026-11", "yo"}), HasSubstr("in force is version '2026-11', in en, ha"));
  EXPECT_THAT(why_not({"2026-10", "yo"}), HasSubstr("no text of version '2026-10'"));
  ASSERT_TRUE(record.Record("KD7Q2M", {"2026-10", "en"}, ""));
  EXPECT_EQ(why_not({"2026-10", "yo"}), "") << "people agreed to it before the text changed";
  EXPECT_THAT(why_not({"2026-10", "qq"}), HasSubstr("the language 'qq'"));
}

TEST_F(ConsentTextsTest, WantsTheUsualLanguage) {
  Write("ha", "Muna tambaya.\n");
  EXPECT_THAT(WhyNot(), HasSubstr("/texts/en.txt"));
}

// It could lead to a file of secrets, and everybody is shown what it holds.
TEST_F(ConsentTextsTest, FollowsNoLink) {
  const ScratchFolder folder;
  std::ofstream(folder / "onboarding.json") << "the password";
  std::filesystem::create_directory(folder / "texts");
  std::filesystem::create_symlink("../onboarding.json", folder / "texts/en.txt");
  settings_.consent.folder = folder / "texts";
  PosixFileSystem files;
  const auto loaded = ConsentTexts::Load(settings_, files);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("consent.folder: "));
  EXPECT_THAT(loaded.error().message, HasSubstr("en.txt"));
}

TEST_F(ConsentTextsTest, WantsATextThatPeopleCanRead) {
  for (const std::string_view bad :
       {"", " \n", "\xE9t\xE9", "a\x1b[2J", "a\x7f", "a\u009b2J", "caf\uFFFD", "we \u202eksa\u202c",
        "\ufeff\u200b\u00a0\n", "\xe0\x80\x8a"}) {
    Write("en", bad);
    EXPECT_THAT(WhyNot(), HasSubstr("/texts/en.txt must hold a text")) << bad;
  }
  for (const std::string_view good :
       {"\ufeffWe ask.\r\n\tYou?\n", "\u200f\u0646\u200c\u0627", "a\u2067b\u2069"}) {
    Write("en", good);
    EXPECT_EQ(WhyNot(), "") << good;
  }
  Write("en", std::string(ConsentTexts::kLargestText + 1, 'a'));
  EXPECT_THAT(WhyNot(), HasSubstr("/texts/en.txt"));
}

}  // namespace
}  // namespace idkiosk
