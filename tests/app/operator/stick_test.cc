#include "app/operator/stick.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class StickTest : public testing::Test {
 protected:
  void PlugIn() { files_.Put("/media/STICK/reply.csv", AsBytes("a,b\n")); }

  FakeFileSystem files_;
  Stick stick_{files_, "/media"};
};

TEST_F(StickTest, WithoutOneSaysToPlugOneIn) {
  ASSERT_TRUE(files_.CreateFolder("/media"));
  const auto files = stick_.List(".csv");
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(files.error().message, HasSubstr("plug one in"));
  EXPECT_FALSE(stick_.Write("a.csv", "a"));
}

TEST_F(StickTest, KioskThatTakesNoneSaysWhichSettingIsMissing) {
  PlugIn();
  const auto files = Stick(files_, "").List(".csv");
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("staff.sticks"));
}

TEST_F(StickTest, ListsWhatEndsLikeThisAndHidesTheRest) {
  PlugIn();
  files_.Put("/media/STICK/INVOICE.CSV", AsBytes("a"));
  files_.Put("/media/STICK/.hidden.csv", AsBytes("a"));
  files_.Put("/media/STICK/photo.jpg", AsBytes("a"));
  const auto files = stick_.List(".csv");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, ElementsAre("INVOICE.CSV", "reply.csv"));
}

TEST_F(StickTest, ReadsNothingElsewhere) {
  PlugIn();
  files_.Put("/etc/shadow.csv", AsBytes("secret"));
  EXPECT_EQ(AsText(*stick_.Read("reply.csv")), "a,b\n");
  for (const char* name : {"../../etc/shadow.csv", "/etc/shadow.csv", "..", ".", ""}) {
    const auto read = stick_.Read(name);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << name;
  }
}

TEST_F(StickTest, OverwritesNothing) {
  PlugIn();
  EXPECT_EQ(stick_.Write("ledger.csv", "one").value_or(""), "ledger.csv");
  EXPECT_EQ(stick_.Write("ledger.csv", "two").value_or(""), "ledger-2.csv");
  EXPECT_EQ(AsText(*stick_.Read("ledger.csv")), "one");
  EXPECT_EQ(AsText(*stick_.Read("ledger-2.csv")), "two");
}

TEST_F(StickTest, AFullStickIsNamed) {
  PlugIn();
  files_.set_capacity(8);
  const auto written = stick_.Write("ledger.csv", std::string(5000, 'x'));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(written.error().message, HasSubstr("memory stick"));
}

}  // namespace
}  // namespace idkiosk
