#include "app/operator/stick.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/fakes/small_disk.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

// Nothing half written stays, neither under its name nor beside it, and the sentence has the mend.
class UnwrittenStickTest : public StickTest {
 protected:
  std::string Refusal(ErrorCode code) {
    const auto written = stick_.Write("ledger.csv", std::string(5000, 'x'));
    if (written) return "it was written";
    EXPECT_EQ(written.error().code, code) << written.error().message;
    for (const std::string& path : files_.paths()) {
      EXPECT_THAT(path, Not(HasSubstr("ledger"))) << path;
    }
    return written.error().message;
  }
  // How many steps a good write takes.
  size_t Steps() {
    const size_t before = files_.steps();
    EXPECT_TRUE(stick_.Write("good.csv", "x"));
    files_.Delete("/media/STICK/good.csv");
    return files_.steps() - before;
  }
};

TEST_F(UnwrittenStickTest, AFullOneSaysToMakeRoom) {
  PlugIn();
  files_.set_capacity(8);
  EXPECT_THAT(Refusal(ErrorCode::kExhausted),
              AllOf(HasSubstr("memory stick is full"), HasSubstr("delete something")));
}

TEST_F(UnwrittenStickTest, ALockedOneSaysToMoveItsLock) {
  PlugIn();
  const size_t steps = Steps();
  for (size_t step = steps - 3; step <= steps; ++step) {
    files_.FailStep(step, ErrorCode::kForbidden);
    EXPECT_THAT(Refusal(ErrorCode::kForbidden),
                AllOf(HasSubstr("cannot be written to"), HasSubstr("write lock")));
  }
}

TEST_F(UnwrittenStickTest, OneThatIsPulledOutSaysToPlugItInAgain) {
  PlugIn();
  const size_t steps = Steps();
  for (const ErrorCode code :
       {ErrorCode::kNotFound, ErrorCode::kCorrupt, ErrorCode::kUnavailable}) {
    for (size_t step = steps - 3; step <= steps; ++step) {
      PlugIn();
      files_.CallBeforeStep(step, [this] { files_.Delete("/media/STICK/reply.csv"); });
      files_.FailStep(step, code);
      EXPECT_THAT(Refusal(ErrorCode::kUnavailable),
                  AllOf(HasSubstr("was pulled out"), HasSubstr("plug it in again")));
    }
  }
}

TEST_F(UnwrittenStickTest, ADamagedOneSaysToTakeAnother) {
  PlugIn();
  const size_t steps = Steps();
  for (size_t step = steps - 3; step <= steps; ++step) {
    files_.FailStep(step, ErrorCode::kCorrupt);
    EXPECT_THAT(Refusal(ErrorCode::kCorrupt),
                AllOf(HasSubstr("is damaged"), HasSubstr("take another one")));
  }
}

TEST_F(UnwrittenStickTest, OfTwoNeitherIsTaken) {
  PlugIn();
  files_.Put("/media/OTHER/invoice.csv", AsBytes("a\n"));
  EXPECT_THAT(Refusal(ErrorCode::kFailedPrecondition),
              AllOf(HasSubstr("2 memory sticks are there"), HasSubstr("pull out the others")));
  EXPECT_FALSE(stick_.List(".csv"));
  EXPECT_FALSE(stick_.Read("reply.csv"));
}

// A folder was taken for a stick where others wrote to the disk while its free space was compared.
TEST_F(UnwrittenStickTest, WhatAnotherOneLeftIsNoneThoughTheDiskFillsMeanwhile) {
  PlugIn();
  ASSERT_TRUE(files_.CreateFolder("/media/BEFORE"));
  const size_t steps = Steps();
  files_.set_capacity(1 << 20);
  for (size_t step = 1; step <= steps; ++step) {
    PlugIn();
    files_.CallBeforeStep(step, [&] { files_.Put(fmt::format("/var/{}", step), AsBytes("log")); });
    const auto written = stick_.Write("reply.csv", "a,b\n");
    EXPECT_TRUE(written) << step << ": " << written.error().message;
  }
}

// On file systems that are mounted, as the kernel tells of them.
class MountedStickTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(sticks_ / "ONE");
    std::filesystem::create_directories(sticks_ / "TWO");
  }
  std::string Refusal(std::string_view text = "a,b\n") {
    const auto written = stick_.Write("ledger.csv", text);
    for (const char* each : {"ONE", "TWO"}) {
      for (const auto& entry : std::filesystem::directory_iterator(sticks_ / each)) {
        if (!written) ADD_FAILURE() << entry.path() << " was left";
      }
    }
    return written ? "it was written" : written.error().message;
  }

  const ScratchFolder sticks_;
  PosixFileSystem files_;
  const Stick stick_{files_, sticks_.path()};
};

TEST_F(MountedStickTest, SaysWhatIsWrongWithEach) {
  const std::string one = sticks_ / "ONE";
  const SmallDisk disk(one, "64k");
  if (!disk.mounted()) GTEST_SKIP() << "this test mounts small file systems: run it as root";
  EXPECT_THAT(Refusal(std::string(100000, 'x')), HasSubstr("is full"));
  {
    const SmallDisk other(sticks_ / "TWO", "64k");
    EXPECT_THAT(Refusal(), HasSubstr("2 memory sticks are there"));
  }
  ASSERT_EQ(mount(nullptr, one.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_THAT(Refusal(), HasSubstr("cannot be written to"));
  ASSERT_EQ(mount(nullptr, one.c_str(), nullptr, MS_REMOUNT, nullptr), 0);
  EXPECT_EQ(Refusal(), "it was written");
}

// The folders that sticks are mounted on belong to the system, and the kiosk is not its user.
TEST_F(MountedStickTest, FindsAnEmptyOneWhereTheFoldersAreNotItsOwn) {
  const std::string one = sticks_ / "ONE";
  const SmallDisk disk(one, "64k");
  if (!disk.mounted()) GTEST_SKIP() << "this test mounts small file systems: run it as root";
  constexpr uid_t kSomebody = 65534;
  ASSERT_EQ(chmod(sticks_.path().c_str(), 0755), 0);
  ASSERT_EQ(chown(one.c_str(), kSomebody, kSomebody), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(kSomebody) != 0) _exit(1);
    const auto written = stick_.Write("ledger.csv", "a,b\n");
    if (!written) (void)std::fprintf(stderr, "%s\n", written.error().message.c_str());
    _exit(written ? 0 : 2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(one + "/ledger.csv"));
}

// Whoever fills a stick may know the names of what only this program may read.
TEST_F(MountedStickTest, TakesOrdinaryFilesAloneAndFollowsNoLink) {
  namespace fs = std::filesystem;
  const std::string one = sticks_ / "ONE";
  const ScratchFolder elsewhere;
  std::ofstream(elsewhere / "vault.key") << "canary";
  std::ofstream(one + "/real.csv") << "a,b\n";
  fs::create_symlink(elsewhere / "vault.key", one + "/away.csv");
  fs::create_symlink("real.csv", one + "/near.csv");
  fs::create_symlink(elsewhere / "none", one + "/nowhere.csv");
  fs::create_directory(one + "/folder.csv");
  ASSERT_EQ(mkfifo((one + "/pipe.csv").c_str(), 0600), 0);
  const auto listed = stick_.List(".csv");
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_THAT(*listed, ElementsAre("real.csv"));
  EXPECT_EQ(AsText(stick_.Read("real.csv").value()), "a,b\n");
  for (const char* name : {"away.csv", "near.csv", "nowhere.csv", "folder.csv", "pipe.csv"}) {
    const auto read = stick_.Read(name);
    ASSERT_FALSE(read) << name << ": " << AsText(*read);
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << read.error().message;
  }
}

// A folder of the system's that is a link is nobody's stick.
TEST_F(MountedStickTest, ReadsNothingOfAStickThatIsALink) {
  const ScratchFolder elsewhere;
  std::ofstream(elsewhere / "secret.csv") << "canary";
  std::filesystem::create_symlink(elsewhere.path(), sticks_ / "THREE");
  const auto read = stick_.Read("secret.csv");
  ASSERT_FALSE(read) << AsText(*read);
  EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << read.error().message;
}

TEST_F(StickTest, WhatAStickLeftBehindIsNone) {
  ASSERT_TRUE(files_.CreateFolder("/media/OTHER"));
  PlugIn();
  EXPECT_EQ(stick_.Write("ledger.csv", "one").value_or(""), "ledger.csv");
  EXPECT_EQ(AsText(files_.Content("/media/STICK/ledger.csv")), "one");
}

}  // namespace
}  // namespace idkiosk
