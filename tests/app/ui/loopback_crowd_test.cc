#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "app/ui/socket_diagnosis.h"
#include "tests/app/ui/ui_bench.h"
#include "tests/fakes/loopback_listener.h"

// Crowds of connections before the page's server: real sockets, and real processes of this user and
// of another.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

// So long that no test ends by it.
constexpr auto kNever = 1h;
constexpr uid_t kNobody = 65534;

// A connection from a process that does nothing but system calls after it was forked.
int ConnectTo(int port) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return client;
  }
  close(client);
  return -1;
}

// A process of its own that does `work`, killed when this goes.
class Neighbour {
 public:
  template <typename Work>
  Neighbour(uid_t user, Work work) : id_(fork()) {
    if (id_ != 0) return;
    if (user != geteuid() && setuid(user) != 0) _exit(99);
    work();
    _exit(0);
  }
  ~Neighbour() {
    if (id_ < 0) return;
    (void)kill(id_, SIGKILL);
    (void)waitpid(id_, nullptr, 0);
  }
  Neighbour(Neighbour&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

  // Waits for its end, and returns its exit code.
  int Join() {
    int status = 0;
    (void)waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_;
};

class LoopbackCrowdTest : public UiBench {
 protected:
  // The browser's connection that is kept, as its pages keep theirs.
  std::unique_ptr<RawClient> KeptConnection() {
    auto kept = std::make_unique<RawClient>(server_->port());
    EXPECT_TRUE(IsServed(*kept));
    return kept;
  }
  bool IsServed(RawClient& browser) {
    return browser.Send(Write({})) && StatusOf(browser.ReadUntil("<p>the page</p>")) == 200;
  }
  // What a process of that user gets for a request: its first byte, or nothing.
  int FirstByteFor(uid_t user, const std::string& request) {
    const int port = server_->port();
    return Neighbour(user,
                     [&] {
                       const int client = ConnectTo(port);
                       if (client < 0) _exit(0);
                       (void)send(client, request.data(), request.size(), MSG_NOSIGNAL);
                       char first = 0;
                       _exit(recv(client, &first, 1, 0) == 1 ? first : 0);
                     })
        .Join();
  }
  // So many processes of that user connect again and again, each time with `request`.
  std::vector<Neighbour> Reconnecting(int count, uid_t user, const std::string& request) {
    std::vector<Neighbour> crowd;
    for (int i = 0; i < count; ++i) {
      crowd.emplace_back(user, [port = server_->port(), &request] {
        for (;;) {
          const int client = ConnectTo(port);
          if (client < 0) continue;
          (void)send(client, request.data(), request.size(), MSG_NOSIGNAL);
          char answer[512];
          (void)recv(client, answer, sizeof answer, 0);
          close(client);
        }
      });
    }
    return crowd;
  }
  static bool IsRoot() { return geteuid() == 0; }
};

// More than there are threads, and more than as many again.
TEST_F(LoopbackCrowdTest, ABurstOfRequestsIsAnsweredWhole) {
  Serve({.request_time = kNever});
  RawClient first(server_->port());
  std::vector<std::unique_ptr<RawClient>> burst;
  desk_.Hold();
  for (int i = 0; i < 60; ++i) {
    burst.push_back(std::make_unique<RawClient>(server_->port()));
    Asked command = Command();
    command.more += kClose;
    burst.back()->Send(Write(command));
  }
  // Who never asked is sent away once others crowd the room, and that is after the burst was heard.
  std::vector<std::unique_ptr<RawClient>> crowd;
  for (int i = 0; i < 70; ++i) crowd.push_back(std::make_unique<RawClient>(server_->port()));
  EXPECT_EQ(first.ReadAll(), "");
  desk_.LetGo();
  for (const auto& each : burst) EXPECT_EQ(StatusOf(each->ReadAll()), 204);
}

TEST_F(LoopbackCrowdTest, IdleConnectionsKeepTheBrowserOutNeitherOnNewConnectionsNorOnItsOwn) {
  Serve({.request_time = kNever, .idle_time = kNever});
  const auto kept = KeptConnection();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 300; ++i) {
    idle.push_back(std::make_unique<RawClient>(server_->port()));
    if (i % 3 == 0) (void)idle.back()->Send("GET / HT");
  }
  EXPECT_EQ(StatusOf(Ask({})), 200);
  EXPECT_TRUE(IsServed(*kept)) << "the connection that showed the cookie was sent away";
  EXPECT_EQ(StatusOf(Ask(Command())), 204);
}

TEST_F(LoopbackCrowdTest, TheOldestIdleConnectionGoesFirst) {
  Serve({.request_time = kNever});
  RawClient first(server_->port());
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 64; ++i) idle.push_back(std::make_unique<RawClient>(server_->port()));
  EXPECT_THAT(first.ReadAll(), IsEmpty());
  EXPECT_TRUE(idle.back()->Send(Write({.more = kClose})));
  EXPECT_EQ(StatusOf(idle.back()->ReadAll()), 200);
}

TEST_F(LoopbackCrowdTest, ReconnectingProcessesOfTheSameUserDoNotKeepTheBrowserOut) {
  Serve({.request_time = kNever});
  const auto kept = KeptConnection();
  const std::string request = Write({.cookie = ""});
  const auto crowd = Reconnecting(40, geteuid(), request);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(StatusOf(Ask({})), 200) << i;
    ASSERT_TRUE(IsServed(*kept)) << i;
  }
}

TEST_F(LoopbackCrowdTest, AnotherUserIsNotHeardEvenWithTheCookie) {
  if (!IsRoot()) GTEST_SKIP() << "another user's process needs root: run this test as root";
  Serve();
  const std::string request = Write({});
  EXPECT_EQ(FirstByteFor(geteuid(), request), 'H');
  EXPECT_EQ(FirstByteFor(kNobody, request), 0);
}

TEST_F(LoopbackCrowdTest, TheBrowsersUserIsHeard) {
  if (!IsRoot()) GTEST_SKIP() << "another user's process needs root: run this test as root";
  Serve({.browser_user = kNobody});
  EXPECT_EQ(FirstByteFor(kNobody, Write({})), 'H');
  EXPECT_EQ(FirstByteFor(kNobody - 1, Write({})), 0);
}

TEST_F(LoopbackCrowdTest, AnotherUserReadsNumbersWhereTheyAreForEverybodyAndNothingElse) {
  if (!IsRoot()) GTEST_SKIP() << "another user's process needs root: run this test as root";
  Serve({.metrics = true});
  const int port = server_->port();
  for (const auto& [path, status] : {std::pair("/metrics", '2'), {"/", '4'}, {"/events", '4'}}) {
    const std::string request = Write({.path = path, .more = kClose});
    const int found = Neighbour(kNobody, [&] {
                        const int client = ConnectTo(port);
                        (void)send(client, request.data(), request.size(), MSG_NOSIGNAL);
                        char answer[10]{};
                        (void)recv(client, answer, sizeof answer, MSG_WAITALL);
                        _exit(answer[9]);
                      }).Join();
    EXPECT_EQ(found, status) << path;
  }
}

TEST_F(LoopbackCrowdTest, AnotherUsersCrowdDoesNotKeepTheBrowserOut) {
  if (!IsRoot()) GTEST_SKIP() << "another user's process needs root: run this test as root";
  for (const bool metrics : {false, true}) {
    Serve({.metrics = metrics, .request_time = kNever, .idle_time = kNever});
    const auto kept = KeptConnection();
    const std::string request = Write({});
    const auto crowd = Reconnecting(40, kNobody, request);
    const Neighbour idle(kNobody, [port = server_->port()] {
      for (int i = 0; i < 300; ++i) (void)ConnectTo(port);
      pause();
    });
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(StatusOf(Ask({})), 200) << i;
      ASSERT_TRUE(IsServed(*kept)) << i;
    }
    server_.reset();
  }
}

// Returns the bytes that this process has read from files so far.
uint64_t BytesRead() {
  std::ifstream io("/proc/self/io");
  std::string name;
  uint64_t bytes = 0;
  io >> name >> bytes;
  return bytes;
}

// Reading the kernel's table costs more the more sockets there are: one who holds many, and
// connects again and again, would stall the page.
TEST_F(LoopbackCrowdTest, AFloodOfAnotherUserMakesNobodyReadTheTableOfSockets) {
  if (!IsRoot()) GTEST_SKIP() << "another user's process needs root: run this test as root";
  if (!SocketDiagnosis().UserOf({}, {})) GTEST_SKIP() << "this kernel tells nothing of one socket";
  constexpr int kHeld = 300;
  constexpr int kFlood = 500;
  constexpr uint64_t kLine = 150;  // bytes of the table
  Serve();
  const auto kept = KeptConnection();
  LoopbackListener held;
  std::vector<FileDescriptor> sockets;
  for (int i = 0; i < kHeld / 2; ++i) {
    sockets.emplace_back(ConnectTo(held.port()));
    sockets.push_back(held.Accept());
  }
  const uint64_t before = BytesRead();
  Neighbour flood(kNobody, [port = server_->port()] {
    for (int i = 0; i < kFlood; ++i) {
      const int client = ConnectTo(port);
      char answer = 0;
      if (client >= 0 && recv(client, &answer, 1, 0) > 0) _exit(1);
      close(client);
    }
  });
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(StatusOf(Ask({})), 200) << i;
    ASSERT_TRUE(IsServed(*kept)) << i;
  }
  EXPECT_EQ(flood.Join(), 0) << "a connection of another user was answered";
  EXPECT_LT(BytesRead() - before, kLine * kHeld * kFlood / 10);
}

}  // namespace
}  // namespace idkiosk
