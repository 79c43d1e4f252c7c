#include "app/capture/vision/repeat_watch.h"

#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

// Frames by their digests, thirty a second.
class RepeatWatchTest : public testing::Test {
 protected:
  int Follow(uint64_t digest, FrameObservation seen = GoodFrame()) {
    seen.captured_at = now_;
    now_ += std::chrono::milliseconds(33);
    return watch_.Follow(digest, seen);
  }

  RepeatWatch watch_;
  MonotonicTime now_{std::chrono::hours(1)};
};

TEST_F(RepeatWatchTest, CountsTheFramesThatComeAgain) {
  for (uint64_t frame = 1; frame <= 300; ++frame) ASSERT_EQ(Follow(frame), 0);
  for (int again = 1; again <= 300; ++again) ASSERT_EQ(Follow(static_cast<uint64_t>(again)), again);
  EXPECT_EQ(Follow(301), 0);
}

TEST_F(RepeatWatchTest, CountsTheFramesOfALoopThatIsShuffled) {
  for (uint64_t frame = 1; frame <= 4; ++frame) ASSERT_EQ(Follow(frame), 0);
  EXPECT_EQ(Follow(3), 1);
  EXPECT_EQ(Follow(1), 2);
  EXPECT_EQ(Follow(4), 3);
}

TEST_F(RepeatWatchTest, CountsNoFrameThatACameraGivesAgainAtOnce) {
  for (uint64_t frame = 1; frame <= 100; ++frame) {
    for (int stutter = 0; stutter < 5; ++stutter) ASSERT_EQ(Follow(frame), 0);
  }
}

TEST_F(RepeatWatchTest, ForgetsAnOldBufferThatCameOnce) {
  for (uint64_t frame = 1; frame <= 50; ++frame) ASSERT_EQ(Follow(frame), 0);
  EXPECT_EQ(Follow(48), 1);
  EXPECT_EQ(Follow(51), 0);
}

TEST_F(RepeatWatchTest, CountsNothingWhereNobodyIsSeen) {
  for (int round = 0; round < 3; ++round) {
    for (uint64_t frame = 1; frame <= 30; ++frame) ASSERT_EQ(Follow(frame, EmptyFrame()), 0);
  }
}

TEST_F(RepeatWatchTest, RemembersNoMoreThanItSays) {
  for (uint64_t frame = 1; frame <= RepeatWatch::kFrames + 1; ++frame) ASSERT_EQ(Follow(frame), 0);
  EXPECT_EQ(Follow(1), 0);  // and now 2 has gone, too
  EXPECT_EQ(Follow(3), 1);
}

}  // namespace
}  // namespace idkiosk
