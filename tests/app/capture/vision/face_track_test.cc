#include "app/capture/vision/face_track.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using Verdict = FaceTrack::Verdict;

class FaceTrackTest : public testing::Test {
 protected:
  Verdict FollowAfter(Duration passed) {
    seen_.captured_at += passed;
    return track_.Follow(seen_);
  }

  FaceTrack track_{std::chrono::seconds(1), FaceTrack::Kind::kLive};
  FrameObservation seen_ = GoodFrame();
};

TEST_F(FaceTrackTest, FollowsAHeadThatMovesAsHeadsDo) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  for (int i = 0; i < 15; ++i) {
    seen_.face->face.box.x += 12;  // one width in three quarters of a second
    seen_.face->face.box.width *= 1.01F;
    EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kFollowed) << i;
  }
}

TEST_F(FaceTrackTest, BreaksOnAJump) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  seen_.face->face.box.x += 200;
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, BreaksOnAFaceOfAnotherSize) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  seen_.face->face.box = {540, 200, 160, 210};
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, WaitsASecondForSomebodyWhoIsAway) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  const auto face = seen_.face;
  seen_.face.reset();
  EXPECT_EQ(FollowAfter(milliseconds(450)), Verdict::kAway);
  EXPECT_EQ(FollowAfter(milliseconds(450)), Verdict::kAway);
  seen_.face = face;
  EXPECT_EQ(FollowAfter(milliseconds(50)), Verdict::kFollowed);
  seen_.face.reset();
  EXPECT_EQ(FollowAfter(milliseconds(500)), Verdict::kAway);
  EXPECT_EQ(FollowAfter(milliseconds(501)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, BreaksWhenASecondFaceStays) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  seen_.other_faces = 1;
  EXPECT_EQ(FollowAfter(milliseconds(500)), Verdict::kAway);
  EXPECT_EQ(FollowAfter(milliseconds(500)), Verdict::kAway);
  EXPECT_EQ(FollowAfter(milliseconds(100)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, BreaksWhenTheStreamWasCut) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  EXPECT_EQ(FollowAfter(milliseconds(501)), Verdict::kBroken);
}

// Five frames a second show a head that comes closer in two or three of them.
TEST_F(FaceTrackTest, LetsASlowCamerasPictureChangeAsFarAsTheHeadMoved) {
  Picture picture;
  picture.Resize(160, 90);
  const auto show = [&](uint8_t colour) {
    std::fill_n(picture.row(0), 3 * 160 * 90, colour);
    seen_.appearance = Appearance(picture.view());
  };
  const auto come_closer = [&] {
    seen_.face->face.box.width *= 1.2F;
    seen_.face->face.box.height *= 1.2F;
  };
  seen_.face->face.has_landmarks = true;
  const FrameObservation before = seen_;
  for (const auto& [passed, moves, expected] :
       {std::tuple{milliseconds(200), true, Verdict::kFollowed},
        {milliseconds(200), false, Verdict::kBroken},
        {milliseconds(100), true, Verdict::kBroken}}) {
    track_.Reset();
    seen_ = before;
    show(60);
    EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
    show(115);
    if (moves) come_closer();
    EXPECT_EQ(FollowAfter(passed), expected) << passed.count() << " ms, moves: " << moves;
  }
}

TEST_F(FaceTrackTest, BreaksWhenTheSceneChangesAtOnce) {
  Picture before, after;
  before.Resize(160, 90);
  after.Resize(160, 90);
  std::fill_n(before.row(0), 3 * 160 * 90, uint8_t{100});
  std::fill_n(after.row(0), 3 * 160 * 90, uint8_t{140});
  seen_.appearance = Appearance(before.view());
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kFollowed);
  seen_.appearance = Appearance(after.view());
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, DoesNotAskTheFrameRateOfPicturesTakenBefore) {
  track_ = FaceTrack(std::chrono::seconds(1), FaceTrack::Kind::kTakenBefore);
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  seen_.face->face.box.x += 200;
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kFollowed);
  seen_.face->face.box.x += 400;
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kBroken);
}

TEST_F(FaceTrackTest, BeginsAnewAfterAReset) {
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kFollowed);
  track_.Reset();
  seen_.face->face.box.x = 10;
  EXPECT_EQ(FollowAfter(milliseconds(33)), Verdict::kFollowed);
}

TEST_F(FaceTrackTest, BeginsWithSomebodyWhoIsAlone) {
  seen_.other_faces = 1;
  EXPECT_EQ(FollowAfter(milliseconds(0)), Verdict::kAway);
  EXPECT_EQ(FollowAfter(milliseconds(5000)), Verdict::kAway);
}

}  // namespace
}  // namespace idkiosk
