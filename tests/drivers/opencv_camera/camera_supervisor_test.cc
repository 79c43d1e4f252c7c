#include "drivers/opencv_camera/camera_supervisor.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "drivers/camera/packet_socket.h"
#include "tests/fakes/process_tree.h"

namespace idkiosk {
namespace {

// A process that supervises: its own exit code says which end it came to.
class CameraSupervisorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto [ours, theirs] = MakeSocketPair();
    control_ = std::move(ours);
    supervisor_ = fork();
    if (supervisor_ == 0) {
      control_.Reset();
      // Each process tells its number, and then hangs.
      CameraSupervisor supervisor(std::move(theirs), [](const FileDescriptor& connection) {
        const pid_t id = getpid();
        (void)SendPacket(connection.get(), PacketOf(id));
        std::array<uint8_t, 1> word{};
        FileDescriptor none;
        // One word lets it go on its own.
        if (AwaitPacket(connection.get(), word, none) == Arrival::kWhole) return;
        for (;;) pause();
      });
      _exit(supervisor.Run() == CameraSupervisor::End::kIdle ? 10 : 11);
    }
  }
  void TearDown() override {
    if (supervisor_ < 0) return;
    kill(supervisor_, SIGKILL);
    waitpid(supervisor_, nullptr, 0);
  }

  FileDescriptor Connect() {
    auto [ours, theirs] = MakeSocketPair();
    const std::array<uint8_t, 1> one_more{};
    EXPECT_TRUE(SendPacket(control_.get(), one_more, theirs.get()));
    return std::move(ours);
  }
  // The process that serves a connection; -1 where there is none.
  static pid_t ProcessOf(const FileDescriptor& connection) {
    pid_t id = -1;
    FileDescriptor none;
    return AwaitPacket(connection.get(), RoomIn(id), none) == Arrival::kWhole ? id : -1;
  }
  int EndOfSupervisor() {
    int status = 0;
    waitpid(supervisor_, &status, 0);
    supervisor_ = -1;
    return WEXITSTATUS(status);
  }

  FileDescriptor control_;
  pid_t supervisor_ = -1;
};

TEST_F(CameraSupervisorTest, KillsAProcessThatHangsWhenItsConnectionIsClosed) {
  FileDescriptor connection = Connect();
  const pid_t process = ProcessOf(connection);
  ASSERT_GT(process, 0);
  connection.Reset();
  AwaitEndOf(process);
  EXPECT_EQ(EndOfSupervisor(), 10);
}

TEST_F(CameraSupervisorTest, KillsAProcessThatIsStopped) {
  FileDescriptor connection = Connect();
  const pid_t process = ProcessOf(connection);
  ASSERT_EQ(kill(process, SIGSTOP), 0);
  connection.Reset();
  AwaitEndOf(process);
  EXPECT_EQ(EndOfSupervisor(), 10);
}

TEST_F(CameraSupervisorTest, ServesEachByAProcessOfItsOwn) {
  FileDescriptor first = Connect();
  const pid_t one = ProcessOf(first);
  FileDescriptor second = Connect();
  const pid_t two = ProcessOf(second);
  EXPECT_NE(one, two);
  first.Reset();
  AwaitEndOf(one);
  EXPECT_EQ(kill(two, 0), 0);
  FileDescriptor third = Connect();
  EXPECT_GT(ProcessOf(third), 0);
}

TEST_F(CameraSupervisorTest, TurnsAwayWhoeverIsTooMany) {
  std::vector<FileDescriptor> served;
  for (int i = 0; i < 4; ++i) {
    served.push_back(Connect());
    EXPECT_GT(ProcessOf(served.back()), 0);
  }
  EXPECT_EQ(ProcessOf(Connect()), -1);
  // Until another goes.
  served.pop_back();
  pid_t next = -1;
  FileDescriptor again;
  while (next < 0) {
    again = Connect();
    next = ProcessOf(again);
  }
  EXPECT_GT(next, 0);
}

TEST_F(CameraSupervisorTest, TellsWhoeverIsConnectedThatTheProcessHasEnded) {
  const FileDescriptor connection = Connect();
  const pid_t process = ProcessOf(connection);
  ASSERT_EQ(kill(process, SIGKILL), 0);
  EXPECT_EQ(ProcessOf(connection), -1);
  EXPECT_EQ(EndOfSupervisor(), 10);
}

TEST_F(CameraSupervisorTest, EndsWithWhoeverCouldConnectAndSoDoItsProcesses) {
  const FileDescriptor connection = Connect();
  const pid_t process = ProcessOf(connection);
  control_.Reset();
  EXPECT_EQ(EndOfSupervisor(), 11);
  EXPECT_EQ(ProcessOf(connection), -1);
  AwaitEndOf(process);
}

TEST_F(CameraSupervisorTest, TakesItsProcessesAlongWhenItIsKilled) {
  const FileDescriptor connection = Connect();
  const pid_t process = ProcessOf(connection);
  ASSERT_EQ(kill(supervisor_, SIGKILL), 0);
  AwaitEndOf(process);
}

}  // namespace
}  // namespace idkiosk
