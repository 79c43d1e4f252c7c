#include "app/api/api_peer.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/app/api/api_bench.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr gid_t kTellers = 4711;  // of no group that this machine has
constexpr gid_t kOthers = 4712;

TEST(ApiPeerTest, KnowsWhoIsAtTheOtherEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const auto peer = PeerOf(ends[0]);
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->process, getpid());
  EXPECT_EQ(peer->user, geteuid());
  EXPECT_EQ(peer->group, getegid());
  EXPECT_THAT(NameOf(*peer), HasSubstr(fmt::format("api, uid {}", geteuid())));
  close(ends[0]);
  close(ends[1]);
}

TEST(ApiPeerTest, RootTheOwnUserAndTheGroupMayAsk) {
  EXPECT_TRUE(MayAsk({.user = 0, .group = kOthers}, kTellers));
  EXPECT_TRUE(MayAsk({.user = geteuid(), .group = kOthers}, kTellers));
  EXPECT_TRUE(MayAsk({.user = kNobody, .group = kTellers}, kTellers));
  EXPECT_TRUE(MayAsk({.user = kNobody, .group = kOthers, .groups = {7, kTellers}}, kTellers));
  EXPECT_FALSE(MayAsk({.user = kNobody, .group = kOthers, .groups = {7}}, kTellers));
}

class ApiPeerServerTest : public ApiBench {
 protected:
  // The status that a process of that user gets, whose file mode lets everybody connect.
  int StatusFor(uid_t user, gid_t group, std::vector<gid_t> groups) {
    const pid_t child = fork();
    if (child == 0) {
      if (setgroups(groups.size(), groups.data()) != 0 || setgid(group) != 0 || setuid(user) != 0) {
        _exit(99);
      }
      RawClient program(socket());
      program.Send("GET /v1/metrics HTTP/1.1\r\nHost: local\r\nConnection: close\r\n\r\n");
      _exit(StatusOf(program.ReadAll()) == 200 ? 20 : 43);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  }
};

TEST_F(ApiPeerServerTest, AProgramThatIsNotOfTheGroupIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "becomes other users";
  Serve();
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(socket().c_str(), 0666), 0);
  const gid_t own = getegid();
  EXPECT_EQ(StatusFor(0, kOthers, {}), 20);
  EXPECT_EQ(StatusFor(kNobody, kOthers, {own}), 20);
  EXPECT_EQ(StatusFor(kNobody, own, {}), 20);
  EXPECT_EQ(StatusFor(kNobody, kOthers, {7}), 43);
}

}  // namespace
}  // namespace idkiosk
