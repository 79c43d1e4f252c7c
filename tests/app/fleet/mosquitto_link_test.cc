#include "app/fleet/mosquitto_link.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <array>

#include "platform/base/file_descriptor.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/loopback_listener.h"

// libmosquitto over a real socket, and a broker that does as it likes behind it.
namespace idkiosk {
namespace {

// Takes every connection and every message, answers pings, and acknowledges a message only where a
// test says so.
class MuteBroker {
 public:
  [[nodiscard]] int port() const { return listener_.port(); }
  [[nodiscard]] size_t taken() const { return taken_; }

  void Step() {
    if (FileDescriptor next = listener_.AcceptIfThere(); next.valid()) {
      connection_ = std::move(next);
      unread_.clear();
    }
    if (!connection_.valid()) return;
    std::array<uint8_t, 4096> piece{};
    for (ssize_t got = 0;
         (got = recv(connection_.get(), piece.data(), piece.size(), MSG_DONTWAIT)) > 0;) {
      unread_.insert(unread_.end(), piece.begin(), piece.begin() + got);
    }
    while (TakePacket()) {
    }
  }
  void HangUp() { connection_.Reset(); }
  void AcknowledgeFromNowOn() {
    acknowledges_ = true;
    for (const auto& [high, low] : unanswered_) Answer({0x40, 2, high, low});
    unanswered_.clear();
  }

 private:
  bool TakePacket() {
    size_t size = 0;
    size_t at = 1;
    for (int shift = 0;; shift += 7) {
      if (at >= unread_.size()) return false;
      size |= static_cast<size_t>(unread_[at] & 0x7f) << shift;
      if ((unread_[at++] & 0x80) == 0) break;
    }
    if (unread_.size() < at + size) return false;
    switch (unread_[0] >> 4) {
      case 1:  // CONNECT
        unanswered_.clear();
        Answer({0x20, 3, 0, 0, 0});
        break;
      case 3: {  // PUBLISH
        const size_t id = at + 2 + static_cast<size_t>(unread_[at] << 8 | unread_[at + 1]);
        ++taken_;
        if (acknowledges_) Answer({0x40, 2, unread_[id], unread_[id + 1]});
        if (!acknowledges_) unanswered_.emplace_back(unread_[id], unread_[id + 1]);
        break;
      }
      case 12:  // PINGREQ
        Answer({0xd0, 0});
        break;
      default:
        break;
    }
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(at + size));
    return true;
  }
  void Answer(const std::vector<uint8_t>& bytes) const {
    (void)send(connection_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  const LoopbackListener listener_;
  FileDescriptor connection_;
  std::vector<uint8_t> unread_;
  std::vector<std::pair<uint8_t, uint8_t>> unanswered_;  // ids of messages
  bool acknowledges_ = false;
  size_t taken_ = 0;
};

class NoListener final : public BrokerListener {
 public:
  void Connected() override {}
  void Disconnected() override {}
  void Received(std::string_view, std::string_view) override {}
};

class MosquittoLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    auto link = MosquittoLink::Create({.settings = {.host = "127.0.0.1",
                                                    .port = static_cast<uint16_t>(broker_.port()),
                                                    .plain = true,
                                                    .tenant = "bank",
                                                    .kiosk = "k1"},
                                       .subscribe = {"idkiosk/v1/bank/k1/command"},
                                       .will_topic = "idkiosk/v1/bank/k1/state",
                                       .will = "{}"},
                                      listener_, clock_, entropy_);
    ASSERT_TRUE(link) << link.error().message;
    link_ = std::move(*link);
    ConnectAgain();
  }

  void Step() {
    broker_.Step();
    link_->Step(std::chrono::milliseconds(1));
  }
  void ConnectAgain() {
    broker_.HangUp();
    while (link_->connected()) Step();
    while (!link_->connected()) {
      clock_.Advance(std::chrono::hours(1));
      Step();
    }
  }
  // Hands messages over until no more are taken. Returns how many were, and the code of the first
  // that was not; nothing: a thousand were.
  std::pair<size_t, std::optional<ErrorCode>> PublishUntilFull(size_t bytes) {
    for (size_t count = 0;; ++count) {
      const Status taken = link_->Publish("idkiosk/v1/bank/k1/metrics", std::string(bytes, 'x'));
      if (!taken) return {count, taken.error().code};
      if (count == 1000) return {count, std::nullopt};
      Step();
    }
  }

  MuteBroker broker_;
  NoListener listener_;
  FakeClock clock_;
  FakeEntropy entropy_;
  std::unique_ptr<MosquittoLink> link_;
};

// An outbox without a bound would fill the memory of a kiosk whose broker takes everything and
// acknowledges nothing.
TEST_F(MosquittoLinkTest, WhatABrokerDoesNotAcknowledgeIsBounded) {
  EXPECT_THAT(PublishUntilFull(100),
              testing::Pair(MosquittoLink::kMostWaiting, ErrorCode::kExhausted));
  // What waits is sent again by the next connection, and no more is taken by that.
  const size_t before = broker_.taken();
  ConnectAgain();
  EXPECT_THAT(PublishUntilFull(100), testing::Pair(0U, ErrorCode::kExhausted));
  broker_.AcknowledgeFromNowOn();
  while (broker_.taken() < before + MosquittoLink::kMostWaiting) Step();
  for (int i = 0; i < 100; ++i) Step();
  EXPECT_TRUE(link_->Publish("idkiosk/v1/bank/k1/metrics", "x"));
}

TEST_F(MosquittoLinkTest, LargeMessagesThatAreNotAcknowledgedAreFewer) {
  const auto [taken, code] = PublishUntilFull(128 << 10);
  EXPECT_EQ(code, ErrorCode::kExhausted);
  EXPECT_LE(taken, MosquittoLink::kMostWaitingBytes / (128 << 10));
  EXPECT_GE(taken, 4U);
}

}  // namespace
}  // namespace idkiosk
