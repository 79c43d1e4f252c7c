#include "app/fleet/journal_feed.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class JournalFeedTest : public testing::Test {
 protected:
  MonotonicTime now_{std::chrono::hours(1)};
  JournalFeed feed_{7};
};

TEST_F(JournalFeedTest, SendsOnePartAtATimeBehindWhatIsAcknowledged) {
  EXPECT_EQ(feed_.Due(now_), 7);
  feed_.Sent(107, now_);
  EXPECT_EQ(feed_.Due(now_), std::nullopt);
  EXPECT_TRUE(feed_.Acknowledge(107, now_));
  EXPECT_EQ(feed_.Due(now_), 107);
}

TEST_F(JournalFeedTest, LooksForNewRecordsEveryTwoSeconds) {
  feed_.FoundNone(now_);
  EXPECT_EQ(feed_.Due(now_ + JournalFeed::kLook - milliseconds(1)), std::nullopt);
  EXPECT_EQ(feed_.Due(now_ + JournalFeed::kLook), 7);
}

TEST_F(JournalFeedTest, SendsAgainWhatNobodyAnswersMoreAndMoreRarely) {
  Duration waited{};
  feed_.Sent(9, now_);
  for (int i = 0; i < 10; ++i) {
    Duration wait = seconds(1);
    while (!feed_.Due(now_ + wait)) wait += seconds(1);
    EXPECT_EQ(feed_.Due(now_ + wait), 7);
    EXPECT_GE(wait, waited);
    waited = wait;
    now_ += wait;
    feed_.Sent(9, now_);
  }
  EXPECT_EQ(waited, JournalFeed::kLongestWait);
}

TEST_F(JournalFeedTest, GoesBackWhereHeadquartersHaveLostSomeButNotAllTheTime) {
  feed_.Sent(9, now_);
  EXPECT_TRUE(feed_.Acknowledge(3, now_));
  EXPECT_EQ(feed_.Due(now_), 3);
  EXPECT_TRUE(feed_.Acknowledge(9, now_));
  EXPECT_FALSE(feed_.Acknowledge(3, now_ + seconds(1)));
  EXPECT_EQ(feed_.acknowledged(), 9);
  EXPECT_TRUE(feed_.Acknowledge(3, now_ + JournalFeed::kBetweenRewinds));
  EXPECT_EQ(feed_.acknowledged(), 3);
}

TEST_F(JournalFeedTest, TakesAnAcknowledgementThatWasSeenBeforeForNoNews) {
  feed_.Sent(9, now_);
  EXPECT_FALSE(feed_.Acknowledge(7, now_));
  EXPECT_EQ(feed_.Due(now_ + seconds(1)), std::nullopt);
}

TEST_F(JournalFeedTest, SendsAgainAtOnceWhereTheConnectionWasLost) {
  feed_.Sent(9, now_);
  feed_.Disconnected();
  EXPECT_EQ(feed_.Due(now_), 7);
}

}  // namespace
}  // namespace idkiosk
