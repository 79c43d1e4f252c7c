#include "platform/posix/posix_file_system.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/base/file_descriptor.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/fakes/small_disk.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class PosixFileSystemTest : public testing::Test {
 protected:
  std::string In(const std::string& name) const { return scratch_ / name; }

  void Put(const std::string& name, std::string_view text, mode_t mode = 0600) {
    std::ofstream(In(name)) << text;
    ASSERT_EQ(chmod(In(name).c_str(), mode), 0);
  }

  std::string Content(const std::string& name) {
    const auto bytes = files_.Read(In(name), 1 << 20);
    return bytes ? std::string(AsText(*bytes)) : bytes.error().message;
  }

  mode_t Mode(const std::string& name) {
    struct stat about{};
    EXPECT_EQ(stat(In(name).c_str(), &about), 0);
    return about.st_mode & 07777;
  }

  PosixFileSystem files_;
  const ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
};

TEST_F(PosixFileSystemTest, FollowsNoLinkBelowAFolderAndListsNone) {
  ASSERT_TRUE(files_.CreateFolder(In("stick/folder")));
  Put("secret", "canary");
  Put("stick/file", "a");
  Put("stick/folder/file", "b");
  fs::create_symlink("../secret", In("stick/away"));
  fs::create_symlink("file", In("stick/near"));
  fs::create_symlink("folder", In("stick/link"));
  fs::create_symlink(folder_, In("stick/up"));
  fs::create_symlink(In("stick"), In("mounted"));
  ASSERT_EQ(mkfifo(In("stick/pipe").c_str(), 0600), 0);
  for (const std::string& folder : {In("stick"), In("mounted")}) {
    EXPECT_EQ(AsText(files_.ReadBelow(folder, "folder/file", 10).value()), "b") << folder;
    for (const char* link : {"away", "near", "link/file", "up/secret"}) {
      const auto read = files_.ReadBelow(folder, link, 10);
      ASSERT_FALSE(read) << link;
      EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << link;
      EXPECT_THAT(read.error().message, HasSubstr("is a symbolic link")) << link;
    }
    EXPECT_EQ(files_.ReadBelow(folder, "pipe", 10).error().code, ErrorCode::kInvalid);
    EXPECT_THAT(files_.ListFiles(folder).value(), ElementsAre("file"));
  }
}

TEST_F(PosixFileSystemTest, ReadsWhatItWrote) {
  for (const size_t size : {0U, 1U, 4094U, 4095U, 4096U, 4097U, 100000U}) {
    const Bytes bytes(size, 'x');
    ASSERT_TRUE(files_.WriteDurably(In("file"), bytes, FileAccess::kOwnerOnly));
    EXPECT_EQ(files_.Read(In("file"), 1 << 20).value(), bytes);
  }
}

TEST_F(PosixFileSystemTest, ReadsAFileWhoseSizeTheKernelDoesNotSay) {
  const auto limits = files_.Read("/proc/self/limits", 1 << 20);
  ASSERT_TRUE(limits);
  EXPECT_THAT(std::string(AsText(*limits)), HasSubstr("Max core file size"));
}

TEST_F(PosixFileSystemTest, ReadsNoMoreThanItWasAllowed) {
  Put("file", "12345");
  EXPECT_TRUE(files_.Read(In("file"), 5));
  const auto bytes = files_.Read(In("file"), 4);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(bytes.error().message, HasSubstr("larger than 4 bytes"));
}

TEST_F(PosixFileSystemTest, SaysWhatIsWrongWithAPath) {
  EXPECT_EQ(files_.Read(In("absent"), 10).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(files_.Read(In("absent"), 10).error().message, HasSubstr(In("absent")));
  EXPECT_EQ(files_.Read(folder_, 10).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(files_.Read(In(std::string(300, 'x')), 10).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(files_.WriteDurably(In("absent/file"), {}, FileAccess::kOwnerOnly).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(files_.Remove(In("absent")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(files_.Rename(In("absent"), In("other")).error().code, ErrorCode::kNotFound);
}

TEST_F(PosixFileSystemTest, ReadsNothingButOrdinaryFiles) {
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  In("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const std::string& path : {In("pipe"), In("socket"), std::string("/dev/zero")}) {
    const auto read = files_.Read(path, 100);
    ASSERT_FALSE(read) << path;
    EXPECT_THAT(read.error().message, HasSubstr(path));
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << "a file that is not there is none";
  }
}

TEST_F(PosixFileSystemTest, GivesAFileTheModeThatWasAskedForWhateverTheUmask) {
  const mode_t before = umask(0);
  EXPECT_TRUE(files_.WriteDurably(In("secret"), {}, FileAccess::kOwnerOnly));
  umask(077);
  EXPECT_TRUE(files_.WriteDurably(In("public"), {}, FileAccess::kEverybody));
  EXPECT_TRUE(files_.WriteDurably(In("handed over"), {}, FileAccess::kGroup));
  umask(before);
  EXPECT_EQ(Mode("secret"), 0600u);
  EXPECT_EQ(Mode("public"), 0644u);
  EXPECT_EQ(Mode("handed over"), 0640u);
}

TEST_F(PosixFileSystemTest, AFileOfItsFoldersGroupIsReadByItAloneWhereTheFolderSaysSo) {
  const mode_t before = umask(077);
  EXPECT_TRUE(files_.WriteDurably(In("own"), {}, FileAccess::kFolderGroup));
  EXPECT_EQ(Mode("own"), 0400u);
  ASSERT_EQ(mkdir(In("shared").c_str(), 0700), 0);
  constexpr gid_t kOther = 12345;
  const bool is_root = geteuid() == 0;
  ASSERT_EQ(chown(In("shared").c_str(), geteuid(), is_root ? kOther : getegid()), 0);
  ASSERT_EQ(chmod(In("shared").c_str(), 02750), 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(files_.WriteDurably(In("shared/file"), {}, FileAccess::kFolderGroup));
    EXPECT_EQ(Mode("shared/file"), 0440u);
  }
  umask(before);
  struct stat about{};
  ASSERT_EQ(stat(In("shared/file").c_str(), &about), 0);
  EXPECT_EQ(about.st_gid, is_root ? kOther : getegid());
}

TEST_F(PosixFileSystemTest, NeverWritesIntoAFileThatLayInItsWay) {
  Put("victim", "precious", 0644);
  fs::create_symlink(In("victim"), In("file.new"));
  ASSERT_TRUE(files_.WriteDurably(In("file"), AsBytes("secret"), FileAccess::kOwnerOnly));
  EXPECT_EQ(Content("victim"), "precious");
  EXPECT_EQ(Content("file"), "secret");

  Put("file.new", "left over from a crash", 0666);
  ASSERT_TRUE(files_.WriteDurably(In("file"), AsBytes("another"), FileAccess::kOwnerOnly));
  EXPECT_EQ(Mode("file"), 0600u);
  EXPECT_FALSE(fs::exists(In("file.new")));
}

TEST_F(PosixFileSystemTest, RefusesASecretThatOthersMayUse) {
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U, 0610U, 0644U, 0777U}) {
    Put("key", "open sesame", mode);
    const auto secret = files_.ReadSecret(In("key"), 100);
    ASSERT_FALSE(secret) << mode;
    EXPECT_EQ(secret.error().code, ErrorCode::kForbidden);
    EXPECT_THAT(secret.error().message, HasSubstr("chmod 600 " + In("key")));
  }
  Put("key", "open sesame", 0600);
  fs::create_symlink(In("key"), In("link"));
  EXPECT_EQ(files_.ReadSecret(In("link"), 100).error().code, ErrorCode::kForbidden);
  EXPECT_EQ(files_.ReadSecret(folder_, 100).error().code, ErrorCode::kInvalid);
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  EXPECT_EQ(files_.ReadSecret(In("pipe"), 100).error().code, ErrorCode::kInvalid);
}

TEST_F(PosixFileSystemTest, WritesOverNothingButOrdinaryFilesAndWaitsForNoPipe) {
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", In("link"));
  for (const std::string& path : {In("pipe"), In("link"), std::string(folder_)}) {
    EXPECT_EQ(files_.Erase(path).error().code, ErrorCode::kInvalid) << path;
    EXPECT_EQ(files_.OpenFixed(path).error().code, ErrorCode::kInvalid) << path;
    EXPECT_EQ(files_.Overwrite(path, Bytes(1)).error().code, ErrorCode::kInvalid) << path;
  }
}

TEST_F(PosixFileSystemTest, RefusesASecretOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  Put("key", "open sesame");
  ASSERT_EQ(chown(In("key").c_str(), 4711, 0), 0);
  const auto secret = files_.ReadSecret(In("key"), 100);
  ASSERT_FALSE(secret);
  EXPECT_EQ(secret.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(secret.error().message, HasSubstr("belongs to user 4711"));
}

TEST_F(PosixFileSystemTest, ErasesTheBytesWhereTheyLie) {
  Put("key", std::string(5000, 'k'));
  const int open_before = open(In("key").c_str(), O_RDONLY);
  ASSERT_TRUE(files_.Erase(In("key")));
  EXPECT_FALSE(fs::exists(In("key")));
  Bytes left(6000, 0xff);
  ASSERT_EQ(read(open_before, left.data(), left.size()), 5000);
  close(open_before);
  left.resize(5000);
  EXPECT_EQ(left, Bytes(5000));
  EXPECT_EQ(files_.Erase(In("key")).error().code, ErrorCode::kNotFound);
}

TEST_F(PosixFileSystemTest, CreatesAFolderAndTheOnesAboveIt) {
  ASSERT_TRUE(files_.CreateFolder(In("a/b/c")));
  EXPECT_EQ(Mode("a/b/c"), 0700u);
  EXPECT_TRUE(files_.CreateFolder(In("a/b/c/")));
  Put("a/file", "");
  EXPECT_EQ(files_.CreateFolder(In("a/file")).error().code, ErrorCode::kInvalid);
}

TEST_F(PosixFileSystemTest, WhatIsNoFileIsNotReplacedByOne) {
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  fs::create_directory(In("folder"));
  fs::create_symlink("/dev/null", In("device"));
  for (const char* each : {"pipe", "folder", "device"}) {
    const Status refused = files_.WriteDurably(In(each), AsBytes("x"), FileAccess::kOwnerOnly);
    ASSERT_FALSE(refused) << each;
    EXPECT_THAT(refused.error().message, HasSubstr(In(each))) << each;
  }
  EXPECT_TRUE(fs::is_fifo(In("pipe")));
  EXPECT_TRUE(fs::is_character_file(In("device")));
}

TEST_F(PosixFileSystemTest, ALinkThatLeadsToItselfIsNamed) {
  fs::create_symlink(In("loop"), In("loop"));
  for (const auto& error :
       {files_.Read(In("loop"), 10).error(), files_.ReadPart(In("loop"), 0, 10).error(),
        files_.Lock(In("loop")).error()}) {
    EXPECT_EQ(error.code, ErrorCode::kInvalid);
    EXPECT_EQ(error.message, In("loop") + " is a symbolic link, which is not followed");
  }
}

TEST_F(PosixFileSystemTest, ALockFollowsNoLinkAndTakesNoPipe) {
  ASSERT_TRUE(files_.WriteDurably(In("precious"), AsBytes("mine"), FileAccess::kOwnerOnly));
  fs::create_symlink(In("precious"), In("link"));
  ASSERT_EQ(mkfifo(In("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(files_.Lock(In("link")));
  EXPECT_FALSE(files_.Lock(In("pipe")));
  EXPECT_EQ(AsText(*files_.Read(In("precious"), 100)), "mine");
}

TEST_F(PosixFileSystemTest, RemovingALocksFileLetsNobodyIn) {
  auto lock = files_.Lock(In("lock"));
  ASSERT_TRUE(lock);
  fs::rename(In("lock"), In("moved"));
  EXPECT_EQ(files_.Lock(In("lock")).error().code, ErrorCode::kUnavailable);
  fs::remove(In("lock"));
  EXPECT_EQ(files_.Lock(In("lock")).error().code, ErrorCode::kUnavailable);
  lock->reset();
  EXPECT_TRUE(files_.Lock(In("lock")));
}

TEST_F(PosixFileSystemTest, LetsGoOfALockWhenItsProcessIsKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = files_.Lock(In("lock"));
    (void)!write(ready[1], lock ? "y" : "n", 1);
    for (;;) pause();
  }
  char held = 0;
  ASSERT_EQ(read(ready[0], &held, 1), 1);
  ASSERT_EQ(held, 'y');
  EXPECT_THAT(files_.Lock(In("lock")).error().message,
              HasSubstr("process " + std::to_string(child)));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(files_.Lock(In("lock")));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(PosixFileSystemTest, KeepsTheOldFileWhenTheNewOneDoesNotFit) {
  ASSERT_TRUE(files_.WriteDurably(In("file"), AsBytes("old"), FileAccess::kOwnerOnly));
  // A limit on the size of files stops the write half-way, as a full disk does, for any user.
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = files_.WriteDurably(In("file"), Bytes(2000, 'n'), FileAccess::kOwnerOnly);
  setrlimit(RLIMIT_FSIZE, &limit);
  (void)std::signal(SIGXFSZ, before);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(Content("file"), "old");
  EXPECT_THAT(files_.List(folder_).value(), ElementsAre("file"));
}

// A process of its own, which may not do what root may.
TEST_F(PosixFileSystemTest, SaysWhereThisUserMayNotWrite) {
  constexpr uid_t kSomebody = 65534;
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || chown(folder_.c_str(), kSomebody, kSomebody) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (is_root && setuid(kSomebody) != 0) _exit(1);
    if (!files_.CheckWritable(folder_)) _exit(2);
    if (chmod(folder_.c_str(), 0500) != 0) _exit(3);
    const Status may = files_.CheckWritable(folder_);
    const bool has_space = files_.FreeSpace(folder_).has_value();
    if (chmod(folder_.c_str(), 0700) != 0) _exit(4);
    const bool is_said = !may && may.error().code == ErrorCode::kForbidden &&
                         may.error().message.contains("cannot write into " + folder_);
    _exit(is_said && has_space ? 0 : 5);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A file system of its own that holds 64 KiB, where this user may mount one.
class SmallDiskTest : public PosixFileSystemTest {
 protected:
  void SetUp() override {
    if (!disk_.mounted()) GTEST_SKIP() << "may not mount a small disk here";
  }

  const SmallDisk disk_{folder_, "64k"};
};

TEST_F(SmallDiskTest, ReportsAFullDiskAndKeepsTheOldFile) {
  ASSERT_TRUE(files_.WriteDurably(In("file"), Bytes(20000, 'o'), FileAccess::kOwnerOnly));
  const auto written = files_.WriteDurably(In("file"), Bytes(50000, 'n'), FileAccess::kOwnerOnly);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(files_.Read(In("file"), 1 << 20).value(), Bytes(20000, 'o'));
  EXPECT_THAT(files_.List(folder_).value(), ElementsAre("file"));
  EXPECT_TRUE(files_.WriteDurably(In("file"), Bytes(30000, 'n'), FileAccess::kOwnerOnly));
}

TEST_F(SmallDiskTest, LocksAndOverwritesOnAFullDisk) {
  ASSERT_TRUE(files_.WriteDurably(In("file"), Bytes(20, 'o'), FileAccess::kOwnerOnly));
  while (files_.WriteDurably(In("fill-" + std::to_string(files_.FreeSpace(folder_).value())),
                             Bytes(4096), FileAccess::kOwnerOnly)) {
  }
  ASSERT_EQ(files_.FreeSpace(folder_).value(), 0u);
  EXPECT_TRUE(files_.Lock(In("lock")));
  EXPECT_TRUE(files_.Overwrite(In("file"), Bytes(20, 'n')));
  EXPECT_EQ(Content("file"), std::string(20, 'n'));
}

TEST_F(SmallDiskTest, HasNoSpaceToWriteWhereItIsReadOnly) {
  ASSERT_EQ(mount("none", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const auto space = files_.FreeSpace(folder_);
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(space.error().message, HasSubstr("is mounted read-only"));
}

TEST_F(PosixFileSystemTest, HasNoSpaceToWriteWhereNoInodeIsFree) {
  const SmallDisk disk(folder_, "64k,nr_inodes=3");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a small disk here";
  ASSERT_TRUE(files_.WriteDurably(In("one"), {}, FileAccess::kOwnerOnly));
  EXPECT_EQ(files_.FreeSpace(folder_).value(), 65536U);
  ASSERT_TRUE(files_.WriteDurably(In("two"), {}, FileAccess::kOwnerOnly));
  const auto space = files_.FreeSpace(folder_);
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(space.error().message, HasSubstr("has no free inode"));
}

TEST_F(SmallDiskTest, MeasuresFreeSpace) {
  EXPECT_EQ(files_.FreeSpace(folder_).value(), 65536u);
  ASSERT_TRUE(files_.WriteDurably(In("file"), Bytes(4096), FileAccess::kOwnerOnly));
  EXPECT_EQ(files_.FreeSpace(folder_).value(), 61440u);
  EXPECT_EQ(files_.FreeSpace(In("absent")).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace idkiosk
