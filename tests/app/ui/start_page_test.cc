#include "app/ui/start_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "platform/posix/posix_file_system.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class StartPageTest : public testing::Test {
 protected:
  StartPageTest() { fs::create_directory(state()); }

  void Put(const std::string& path, std::string_view text) {
    ASSERT_TRUE(files_.WriteDurably(path, AsBytes(text), FileAccess::kOwnerOnly));
  }
  std::string Complaint() {
    const Status checked = CheckStartPagePlace(files_, page());
    return checked ? "" : checked.error().message;
  }
  [[nodiscard]] std::string page() const { return folder_ / "start.html"; }
  [[nodiscard]] std::string state() const { return folder_ / "state"; }

  const ScratchFolder folder_;
  PosixFileSystem files_;
};

TEST_F(StartPageTest, ReplacesNothingButAStartPage) {
  EXPECT_THAT(Complaint(), IsEmpty());
  Put(page(), StartPageText(4711, "token"));
  EXPECT_THAT(Complaint(), IsEmpty());
  Put(page(), WaitingPageText());
  EXPECT_THAT(Complaint(), IsEmpty());
  for (const std::string other :
       {"", "the vault's key", "<!doctype html>\n<html lang=\"en\">\n<p>the bank's own page"}) {
    Put(page(), other);
    EXPECT_THAT(Complaint(), HasSubstr("is no start page of this program")) << other;
  }
  Put(page(), StartPageText(4711, std::string(5000, 'x')));
  EXPECT_THAT(Complaint(), HasSubstr("is no start page of this program"));
}

TEST_F(StartPageTest, FollowsNoLink) {
  Put(folder_ / "other.html", StartPageText(4711, "token"));
  fs::create_symlink(folder_ / "other.html", page());
  EXPECT_THAT(Complaint(), HasSubstr("is a symbolic link"));
}

TEST_F(StartPageTest, RemovesWhatAWriteLeftBesideItAndNothingElse) {
  const std::string beside = page() + ".new";
  const std::string text = StartPageText(4711, "token");
  for (const size_t size : {size_t{0}, size_t{20}, size_t{100}, text.size()}) {
    Put(beside, text.substr(0, size));
    EXPECT_THAT(Complaint(), IsEmpty()) << size;
    EXPECT_FALSE(fs::exists(beside)) << size;
  }
  Put(beside, "somebody's draft");
  EXPECT_THAT(Complaint(), HasSubstr("start.html.new is there"));
  EXPECT_TRUE(fs::exists(beside));
}

TEST_F(StartPageTest, StaysOutOfTheStateFolder) {
  fs::create_directory_symlink(state(), folder_ / "link");
  EXPECT_TRUE(KeepOutOfStateFolder(page(), state()));
  EXPECT_TRUE(KeepOutOfStateFolder(state() + "/start.html", state()));
  EXPECT_TRUE(KeepOutOfStateFolder(state() + "-of-another/vault.key", state()));
  for (const std::string each : {"state/vault.key", "state/vault/start.html", "link/queue.db",
                                 "state/../state/audit/000001.log"}) {
    const Status apart = KeepOutOfStateFolder(folder_ / each, state());
    ASSERT_FALSE(apart) << each;
    EXPECT_THAT(apart.error().message, HasSubstr("lies in the state folder"));
  }
}

TEST_F(StartPageTest, SaysWhyTheBrowsersUserCannotReadIt) {
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  fs::create_directory(folder_ / "start");
  const std::string page = folder_ / "start" + "/start.html";
  Put(page, StartPageText(4711, "token"));
  ASSERT_EQ(chmod((folder_ / "start").c_str(), 0700), 0);
  EXPECT_THAT(WhyUnreadable(page, "nobody"),
              HasSubstr(fmt::format("the folder {} is closed to it", folder_ / "start")));
  ASSERT_EQ(chmod((folder_ / "start").c_str(), 0755), 0);
  EXPECT_THAT(WhyUnreadable(page, "nobody"), HasSubstr("cannot read " + page));
  ASSERT_EQ(chmod(page.c_str(), 0444), 0);
  EXPECT_THAT(WhyUnreadable(page, "nobody"), IsEmpty());
  EXPECT_THAT(WhyUnreadable(page, ""), IsEmpty());
}

}  // namespace
}  // namespace idkiosk
