#include "app/http/waiting_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/mutex.h"
#include "tests/app/http/socket_pair.h"

namespace idkiosk {
namespace {

using Rank = HttpConnection::Rank;

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\n\r\n";

// Who was served. Any thread.
class Counter {
 public:
  void Serve(std::shared_ptr<HttpConnection> connection) {
    const MutexLock lock(mutex_);
    served_.push_back(std::move(connection));
    changed_.NotifyAll();
  }
  // Waits until so many were.
  void Await(size_t count) {
    MutexLock lock(mutex_);
    changed_.Wait(lock, [&]() REQUIRES(mutex_) { return served_.size() >= count; });
  }
  [[nodiscard]] bool HasServed(const HttpConnection* connection) {
    const MutexLock lock(mutex_);
    return std::ranges::any_of(served_, [&](const auto& each) { return each.get() == connection; });
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<std::shared_ptr<HttpConnection>> served_ GUARDED_BY(mutex_);
};

class WaitingRoomTest : public testing::Test {
 protected:
  void Open(const WaitingRoom::Limits& limits) {
    room_.emplace(limits, [this](auto connection) { counter_.Serve(std::move(connection)); });
  }

  Counter counter_;
  std::optional<WaitingRoom> room_;
};

TEST_F(WaitingRoomTest, ServesWhoAsksAndLetsTheOthersWait) {
  Open({.request_time = kNever, .idle_time = kNever});
  SocketPair silent;
  SocketPair asks;
  const HttpConnection* const first = silent.connection.get();
  const HttpConnection* const second = asks.connection.get();
  room_->Take(std::move(silent.connection));
  room_->Take(std::move(asks.connection));
  asks.Send(kRequest);
  counter_.Await(1);
  EXPECT_TRUE(counter_.HasServed(second));
  EXPECT_FALSE(counter_.HasServed(first));
  silent.Send(kRequest);
  counter_.Await(2);
}

TEST_F(WaitingRoomTest, SendsTheOldestOfTheLeastRankAwayWhenItIsFull) {
  Open({.places = 2, .request_time = kNever, .idle_time = kNever});
  SocketPair own(Rank::kOwnUser);
  SocketPair stranger(Rank::kStranger);
  SocketPair newer(Rank::kStranger);
  for (SocketPair* each : {&own, &stranger, &newer}) room_->Take(std::move(each->connection));
  EXPECT_EQ(stranger.ReadAll(), "");
  own.Send(kRequest);
  newer.Send(kRequest);
  counter_.Await(2);
}

TEST_F(WaitingRoomTest, ServesARequestThatHasComeBeforeItSendsAnybodyAway) {
  Open({.places = 0, .request_time = kNever, .idle_time = kNever});
  SocketPair asks(Rank::kStranger);
  SocketPair silent(Rank::kKnown);
  asks.Send(kRequest);
  room_->Take(std::move(asks.connection));
  room_->Take(std::move(silent.connection));
  counter_.Await(1);
  EXPECT_EQ(silent.ReadAll(), "");
}

TEST_F(WaitingRoomTest, SendsWhoSendsNoWholeHeadInTimeAway) {
  Open({.request_time = std::chrono::milliseconds(1), .idle_time = kNever});
  SocketPair slow;
  slow.Send("GET / HT");
  SocketPair known(Rank::kKnown);
  room_->Take(std::move(known.connection));
  room_->Take(std::move(slow.connection));
  EXPECT_EQ(slow.ReadAll(), "");
  known.Send(kRequest);
  counter_.Await(1);
}

TEST_F(WaitingRoomTest, SendsEverybodyAwayWhenItCloses) {
  Open({.request_time = kNever, .idle_time = kNever});
  SocketPair one(Rank::kKnown);
  SocketPair other;
  room_->Take(std::move(one.connection));
  room_->Take(std::move(other.connection));
  room_.reset();
  EXPECT_EQ(one.ReadAll(), "");
  EXPECT_EQ(other.ReadAll(), "");
}

}  // namespace
}  // namespace idkiosk
