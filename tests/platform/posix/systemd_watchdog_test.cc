#include "platform/posix/systemd_watchdog.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

class SystemdWatchdogTest : public testing::Test {
 protected:
  SystemdWatchdogTest() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    // An abstract name, so that nothing stays on the disk.
    name_ = "@idkiosk-watchdog-test-" + std::to_string(getpid());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name_.copy(address.sun_path, name_.size());
    address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  ~SystemdWatchdogTest() override {
    close(socket_);
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
  }

  std::string Received() const {
    char buffer[64];
    const ssize_t size = recv(socket_, buffer, sizeof buffer, 0);
    return size < 0 ? "nothing" : std::string(buffer, static_cast<size_t>(size));
  }

  int socket_;
  std::string name_;
};

TEST_F(SystemdWatchdogTest, TellsSystemdWhatIsGoingOn) {
  setenv("NOTIFY_SOCKET", name_.c_str(), 1);
  SystemdWatchdog watchdog;
  watchdog.SayReady();
  EXPECT_EQ(Received(), "READY=1");
  watchdog.Feed();
  EXPECT_EQ(Received(), "WATCHDOG=1");
  watchdog.SayStopping();
  EXPECT_EQ(Received(), "STOPPING=1");
}

TEST_F(SystemdWatchdogTest, KnowsHowLongItMayGoUnfed) {
  EXPECT_EQ(SystemdWatchdog().patience(), std::nullopt);
  setenv("WATCHDOG_USEC", "30000000", 1);
  EXPECT_EQ(SystemdWatchdog().patience(), 30s);
  setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(SystemdWatchdog().patience(), std::nullopt);
  setenv("WATCHDOG_PID", std::to_string(getpid()).c_str(), 1);
  EXPECT_EQ(SystemdWatchdog().patience(), 30s);
  setenv("WATCHDOG_USEC", "soon", 1);
  EXPECT_EQ(SystemdWatchdog().patience(), std::nullopt);
}

TEST_F(SystemdWatchdogTest, SaysNothingWhereNobodyListens) {
  SystemdWatchdog().Feed();
  EXPECT_EQ(Received(), "nothing");
  setenv("NOTIFY_SOCKET", "/there/is/nothing", 1);
  SystemdWatchdog().Feed();
  setenv("NOTIFY_SOCKET", std::string(500, 'x').c_str(), 1);
  SystemdWatchdog().Feed();
  EXPECT_EQ(Received(), "nothing");
}

}  // namespace
}  // namespace idkiosk
