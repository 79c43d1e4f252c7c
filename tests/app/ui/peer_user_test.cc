#include "app/ui/peer_user.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
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
  EXPECT_EQ(PeerUser::Find(table, Loopback(0xC000), Loopback(0x1F90)), 991U);
  EXPECT_EQ(PeerUser::Find(table, Loopback(0xC001), Loopback(0x1F90)), std::nullopt);
  EXPECT_EQ(PeerUser::Find("", Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
}

TEST(PeerUserTest, FindsASocketForBothKindsOfAddresses) {
  const std::string table =
      "   0: 0000000000000000FFFF00000100007F:C000 0000000000000000FFFF00000100007F:1F90 01 "
      "00000000:00000000 00:00000000 00000000  1000        0 7001 1 0\n";
  EXPECT_EQ(PeerUser::Find(table, Loopback(0xC000), Loopback(0x1F90)), 1000U);
}

// The kernel calls it root's, and gives it no inode.
TEST(PeerUserTest, TakesAClosedSocketForNobodys) {
  const std::string line =
      "   0: 0100007F:C000 0100007F:1F90 05 00000000:00000000 03:00000A5C 00000000     0        0 "
      "0 3 0\n";
  EXPECT_EQ(PeerUser::Find(line, Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
  EXPECT_EQ(PeerUser::Find(line.substr(0, 60), Loopback(0xC000), Loopback(0x1F90)), std::nullopt);
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
