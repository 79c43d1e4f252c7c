#include "app/ui/voice_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kRecorded = "RIFF....WAVE recorded";
constexpr std::string_view kMade = "RIFF....WAVE made";

class VoiceFilesTest : public testing::Test {
 protected:
  void Put(const std::string& path, std::string_view bytes) {
    EXPECT_TRUE(files_.CreateFolder(path.substr(0, path.rfind('/'))));
    files_.Put(path, AsBytes(bytes));
  }
  std::string Find(std::string_view language, std::string_view key) const {
    const auto found = voice_.Find(language, key);
    return found ? std::string(AsText(*found)) : "";
  }

  FakeFileSystem files_;
  const VoiceFiles voice_{files_, {"/bank", "/made"}};
};

TEST_F(VoiceFilesTest, SaysWhatIsWrongWithTheFolderOfRecordings) {
  EXPECT_EQ(VoiceFolderTrouble(files_, ""), "");
  EXPECT_THAT(
      VoiceFolderTrouble(files_, "/bank"),
      AllOf(HasSubstr("ui.voice_folder: /bank is not there"), HasSubstr("correct the path")));
  Put("/bank/hausa/idle.title.wav", kRecorded);
  EXPECT_THAT(VoiceFolderTrouble(files_, "/bank"), HasSubstr("holds none of the folders en, ha"));
  Put("/bank/ha/idle.title.wav", kRecorded);
  EXPECT_EQ(VoiceFolderTrouble(files_, "/bank"), "");
}

TEST_F(VoiceFilesTest, ARecordingGoesBeforeWhatWasMade) {
  Put("/made/en/idle.title.wav", kMade);
  Put("/made/en/idle.text.wav", kMade);
  Put("/bank/en/idle.title.wav", kRecorded);
  EXPECT_EQ(Find("en", "idle.title"), kRecorded);
  EXPECT_EQ(Find("en", "idle.text"), kMade);
  EXPECT_EQ(Find("en", "welcome.title"), "");
}

TEST_F(VoiceFilesTest, ALanguageIsSpokenFromItsFirstSentenceOn) {
  EXPECT_THAT(voice_.Languages(), IsEmpty());
  Put("/made/fr/idle.title.wav", kMade);
  Put("/bank/ha/idle.title.wav", kRecorded);
  Put("/bank/ha/notes.txt", "by Amina");
  Put("/bank/yo/notes.txt", "later");
  EXPECT_THAT(voice_.Languages(), ElementsAre("ha", "fr"));
  EXPECT_THAT(voice_.Missing("ha"), SizeIs(SpokenKeys().size() - 1));
  EXPECT_THAT(voice_.Missing("yo"), SizeIs(SpokenKeys().size()));
}

TEST_F(VoiceFilesTest, NothingElseOnTheDiskIsASentence) {
  Put("/bank/en/secret.wav", kRecorded);
  Put("/secret.wav", kRecorded);
  Put("/bank/en/.wav", kRecorded);
  for (const std::string_view key : {"secret", "../../secret", "", ".", "idle.title/../secret"}) {
    EXPECT_EQ(Find("en", key), "") << key;
  }
  Put("/idle.title.wav", kRecorded);
  for (const std::string_view language : {"..", ".", "", "EN", "de", "/bank/en"}) {
    EXPECT_EQ(Find(language, "idle.title"), "") << language;
  }
}

TEST_F(VoiceFilesTest, ARecordingThatIsNoWavGivesWayToWhatWasMade) {
  Put("/made/en/idle.title.wav", kMade);
  Put("/bank/en/idle.title.wav", "ID3 an MP3");
  EXPECT_EQ(Find("en", "idle.title"), kMade);
  Put("/bank/en/idle.title.wav", std::string(kRecorded) + std::string(3 << 20, 'x'));
  EXPECT_EQ(Find("en", "idle.title"), kMade);
}

}  // namespace
}  // namespace idkiosk
