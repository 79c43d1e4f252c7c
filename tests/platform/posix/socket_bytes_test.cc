#include "platform/posix/socket_bytes.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "platform/base/file_descriptor.h"

namespace idkiosk {
namespace {

constexpr auto kLongest = std::chrono::minutes(1);

// Two ends of a connection.
struct Connection {
  Connection() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
  }
  void Send(const std::string& bytes) const {
    EXPECT_EQ(send(theirs.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  FileDescriptor ours;
  FileDescriptor theirs;
};

// A TLS record of this type.
std::string Record(char type, size_t size) {
  std::string record = {type, 3, 3, static_cast<char>(size / 256), static_cast<char>(size % 256)};
  return record + std::string(size, 'x');
}

constexpr char kAlert = 21;
constexpr char kData = 23;
constexpr std::atomic<bool> kNotCancelled = false;

TEST(MoreComesBehindTest, TellsDataFromTheEndOfAConnection) {
  const struct {
    std::string bytes;
    bool is_tls;
    bool is_more;
  } cases[] = {
      {"", false, false},
      {"", true, false},
      {"H", false, true},
      {Record(kData, 300), true, true},
      {Record(kData, 300).substr(0, 3), true, true},
      {Record(kAlert, 2), true, false},
      {Record(kAlert, 26), true, false},
      {Record(kData, 19), true, false},
      {Record(kData, 19) + Record(kData, 30), true, true},
      {Record(kData, 5000), true, true},
  };
  for (const auto& each : cases) {
    const Connection connection;
    connection.Send(each.bytes);
    EXPECT_EQ(MoreComesBehind(connection.ours.get(), each.is_tls, Duration(), kNotCancelled),
              each.is_more)
        << each.bytes.size();
    std::string left(each.bytes.size() + 1, 0);
    const ssize_t count = recv(connection.ours.get(), left.data(), left.size(), MSG_DONTWAIT);
    EXPECT_EQ(std::max<ssize_t>(count, 0), static_cast<ssize_t>(each.bytes.size())) << "taken";
  }
}

TEST(MoreComesBehindTest, WaitsForTheEndOfTheConnectionAtMost) {
  Connection connection;
  connection.theirs.Reset();
  EXPECT_FALSE(MoreComesBehind(connection.ours.get(), true, kLongest, kNotCancelled));
}

TEST(MoreComesBehindTest, WaitsForWhatHasNotComeYet) {
  const Connection connection;
  const std::jthread later([&] { connection.Send(Record(kData, 300)); });
  EXPECT_TRUE(MoreComesBehind(connection.ours.get(), true, kLongest, kNotCancelled));
}

TEST(MoreComesBehindTest, WaitsForNothingOnceItIsCancelled) {
  const Connection connection;
  constexpr std::atomic<bool> kCancelled = true;
  EXPECT_FALSE(MoreComesBehind(connection.ours.get(), true, kLongest, kCancelled));
}

}  // namespace
}  // namespace idkiosk
