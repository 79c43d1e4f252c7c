#include "platform/posix/file_confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

class FileConfinementTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!FileConfinement::IsAvailable()) GTEST_SKIP() << "this kernel has no Landlock";
    for (const char* folder : {"read", "write", "write/below", "other"}) {
      ASSERT_EQ(mkdir((scratch_ / folder).c_str(), 0700), 0);
      std::ofstream(scratch_ / folder + "/file") << "text";
    }
  }

  // In a process of its own, which may read one folder and write another.
  [[nodiscard]] bool Confined(const std::function<bool()>& works) const {
    const pid_t child = fork();
    if (child == 0) {
      (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      const std::vector<std::string> readable = {scratch_ / "read", scratch_ / "missing"};
      const std::vector<std::string> writable = {scratch_ / "write"};
      if (!FileConfinement::Enter(readable, writable)) _exit(99);
      _exit(works() ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_NE(WEXITSTATUS(status), 99) << "it is not confined";
    return WEXITSTATUS(status) == 0;
  }
  [[nodiscard]] bool Opens(const std::string& name, int flags) const {
    return Confined([&] { return open((scratch_ / name).c_str(), flags, 0600) >= 0; });
  }

  const ScratchFolder scratch_;
};

TEST_F(FileConfinementTest, ReadsAndWritesWhereItMay) {
  EXPECT_TRUE(Opens("read/file", O_RDONLY));
  EXPECT_TRUE(Opens("read", O_RDONLY | O_DIRECTORY));
  EXPECT_TRUE(Opens("write/below/file", O_RDWR | O_TRUNC));
  EXPECT_TRUE(Opens("write/new", O_WRONLY | O_CREAT));
  EXPECT_TRUE(Confined([&] {
    return rename((scratch_ / "write/file").c_str(), (scratch_ / "write/below/moved").c_str()) ==
               0 &&
           unlink((scratch_ / "write/below/moved").c_str()) == 0;
  }));
}

// As the local API's.
TEST_F(FileConfinementTest, MakesASocketWhereItMayWrite) {
  const auto makes_socket = [this](const std::string& name) {
    return Confined([path = scratch_ / name] {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      path.copy(address.sun_path, sizeof address.sun_path - 1);
      const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      return bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
             unlink(path.c_str()) == 0;
    });
  };
  EXPECT_TRUE(makes_socket("write/socket"));
  EXPECT_FALSE(makes_socket("read/socket"));
  EXPECT_FALSE(makes_socket("other/socket"));
}

TEST_F(FileConfinementTest, IsRefusedEverythingElse) {
  EXPECT_FALSE(Opens("other/file", O_RDONLY));
  EXPECT_FALSE(Opens("other", O_RDONLY | O_DIRECTORY));
  EXPECT_FALSE(Opens("read/../other/file", O_RDONLY));
  EXPECT_FALSE(Opens("read/file", O_WRONLY));
  EXPECT_FALSE(Opens("read/new", O_WRONLY | O_CREAT));
  EXPECT_FALSE(Opens("new", O_WRONLY | O_CREAT));
  EXPECT_FALSE(Confined([&] { return unlink((scratch_ / "other/file").c_str()) == 0; }));
  EXPECT_FALSE(Confined([&] {
    return rename((scratch_ / "write/file").c_str(), (scratch_ / "other/moved").c_str()) == 0;
  }));
  EXPECT_FALSE(Confined([&] {
    const std::string link = scratch_ / "write/link";
    return symlink((scratch_ / "other/file").c_str(), link.c_str()) == 0;
  }));
  EXPECT_FALSE(Confined([] { return execl("/bin/true", "true", nullptr) == 0; }));
}

TEST_F(FileConfinementTest, HoldsForWhatIsStartedLater) {
  EXPECT_FALSE(Confined([&] {
    const pid_t child = fork();
    if (child == 0) _exit(open((scratch_ / "other/file").c_str(), O_RDONLY) >= 0 ? 0 : 1);
    int status = 0;
    (void)waitpid(child, &status, 0);
    return status == 0;
  }));
}

TEST_F(FileConfinementTest, WhatIsOpenStaysOpen) {
  const int file = open((scratch_ / "other/file").c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  EXPECT_TRUE(Confined([&] { return read(file, &byte, 1) == 1; }));
  close(file);
}

}  // namespace
}  // namespace idkiosk
