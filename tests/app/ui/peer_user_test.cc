#include "app/ui/peer_user.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace idkiosk {
namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

std::optional<uid_t> Find(std::string_view table, const sockaddr_in& local,
                          const sockaddr_in& remote) {
  const PeerUser::Ends ends{local, remote};
  return PeerUser::Find(table, {&ends, 1}).front();
}

constexpr std::string_view kHead =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n";

TEST(PeerUserTest, FindsTheUserOfTheOtherEndAndNoOther) {
  const std::string table =
      std::string(kHead) +
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000   990        0 "
      "7001 1 0\n"
      "   1: 0100007F:1F90 0100007F:C000 01 00000000:00000000 00:00000000 00000000   990        0 "
      "7002 1 0\n"
      "   2: 0100007F:C000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000   991        0 "
      "7003 1 0\n";
  EXPECT_EQ(Find(table, Loopback(0xC000), Loopback(0x1F90)), 991U);
  EXPECT_EQ(Find(table, Loopback(0xC001), Loopback(0x1F90)), std::nullopt);
  EXPECT_EQ(Find("", Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
}

TEST(PeerUserTest, FindsASocketForBothKindsOfAddresses) {
  const std::string table =
      "   0: 0000000000000000FFFF00000100007F:C000 0000000000000000FFFF00000100007F:1F90 01 "
      "00000000:00000000 00:00000000 00000000  1000        0 7001 1 0\n";
  EXPECT_EQ(Find(table, Loopback(0xC000), Loopback(0x1F90)), 1000U);
}

TEST(PeerUserTest, FindsAListenerAtEveryAddressOfBothKinds) {
  const std::string table =
      "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A "
      "00000000:00000000 00:00000000 00000000  1000        0 7001 1 0\n";
  sockaddr_in everywhere{};
  everywhere.sin_port = htons(0x1F90);
  EXPECT_EQ(Find(table, everywhere, sockaddr_in{}), 1000U);
}

TEST(PeerUserTest, FindsManyInOneReading) {
  const std::string table =
      "   0: 0100007F:C000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000   991        0 "
      "7003 1 0\n"
      "   1: 0100007F:C002 0100007F:1F90 01 00000000:00000000 00:00000000 00000000   992        0 "
      "7004 1 0\n";
  const std::array<PeerUser::Ends, 3> asked = {{{Loopback(0xC002), Loopback(0x1F90)},
                                                {Loopback(0xC001), Loopback(0x1F90)},
                                                {Loopback(0xC000), Loopback(0x1F90)}}};
  const std::vector<std::optional<uid_t>> expected = {992, std::nullopt, 991};
  EXPECT_EQ(PeerUser::Find(table, asked), expected);
}

// A connection of this process to itself; `made` by the test, or closed.
struct Connection {
  Connection() : listener(socket(AF_INET, SOCK_STREAM, 0)), made(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener, at, size), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    EXPECT_EQ(getsockname(listener, at, &size), 0);
    EXPECT_EQ(connect(made, at, size), 0);
    accepted = accept(listener, nullptr, nullptr);
  }
  ~Connection() {
    for (const int each : {listener, made, accepted}) close(each);
  }
  int listener;
  int made;
  int accepted;
};

TEST(PeerUserTest, KnowsWhoConnectedAndWhoHasGone) {
  PeerUser users;
  Connection here;
  Connection gone;
  close(std::exchange(gone.made, -1));
  const std::array sockets = {here.accepted, gone.accepted};
  const std::vector<std::optional<uid_t>> expected = {geteuid(), std::nullopt};
  EXPECT_EQ(users.Of(sockets), expected);
}

// The kernel calls it root's, and gives it no inode.
TEST(PeerUserTest, TakesAClosedSocketForNobodys) {
  const std::string line =
      "   0: 0100007F:C000 0100007F:1F90 05 00000000:00000000 03:00000A5C 00000000     0        0 "
      "0 3 0\n";
  EXPECT_EQ(Find(line, Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
  EXPECT_EQ(Find(line.substr(0, 60), Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
}

TEST(PeerUserTest, KnowsTheBrowsersUserByName) {
  EXPECT_EQ(BrowserUser("root").value(), 0U);
  EXPECT_EQ(BrowserUser("").value(), std::nullopt);
  const auto unknown = BrowserUser("there-is-no-such-user");
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_NE(unknown.error().message.find("ui.browser_user"), std::string::npos);
}

}  // namespace
}  // namespace idkiosk
