#include "app/capture/capture_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"
#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using Decision = CaptureSequence::Decision;
using Keep = CaptureSequence::Keep;
using Order = CaptureSequence::Order;

// A person before the sequence, thirty frames a second.
class CaptureSequenceTest : public testing::Test {
 protected:
  void Begin(Order order = Order::kRandom, std::vector<Prompt> challenges = AllChallenges()) {
    sequence_.emplace(settings_, entropy_, order, std::move(challenges));
  }

  Decision Feed(const FrameObservation& seen) {
    FrameObservation timed = seen;
    timed.captured_at = now_;
    now_ += milliseconds(33);
    const Decision decision = sequence_->Feed(timed);
    if (decision.keep == Keep::kLiveness) shown_.push_back(decision.shown);
    return decision;
  }
  Decision FeedFor(Duration time, const FrameObservation& seen) {
    const MonotonicTime end = now_ + time;
    Decision decision;
    while (now_ < end) decision = Feed(seen);
    return decision;
  }

  // Takes the selfie; the prompt for the first challenge.
  Prompt TakeSelfie() { return FeedFor(milliseconds(800), GoodFrame()).prompt; }

  // Looks straight for a moment, then shows what is asked for until that is kept.
  Decision Follow(Prompt prompt) {
    FeedFor(milliseconds(300), GoodFrame());
    return FeedFor(milliseconds(220), Showing(prompt));
  }

  CaptureSettings settings_;
  FakeEntropy entropy_;
  std::optional<CaptureSequence> sequence_;
  MonotonicTime now_{std::chrono::hours(1)};
  std::vector<Prompt> shown_;
};

TEST_F(CaptureSequenceTest, TakesASelfieAndFourDifferentChallenges) {
  Begin();
  Prompt prompt = TakeSelfie();
  for (int i = 0; i < 4; ++i) {
    ASSERT_NE(prompt, Prompt::kSelfie);
    ASSERT_NE(prompt, Prompt::kDone);
    const Prompt asked = prompt;
    prompt = Follow(prompt).prompt;
    ASSERT_EQ(shown_.size(), static_cast<size_t>(i + 1));
    EXPECT_EQ(shown_.back(), asked);
  }
  EXPECT_EQ(prompt, Prompt::kDone);
  EXPECT_TRUE(sequence_->done());
  EXPECT_FALSE(sequence_->failure());
}

TEST_F(CaptureSequenceTest, KeepsTheBestSelfieOfTheWindow) {
  Begin();
  FrameObservation turned = GoodFrame(), best = GoodFrame(), soft = GoodFrame();
  turned.face->pose.yaw = 12;
  soft.face->sharpness = 40;
  EXPECT_EQ(Feed(turned).keep, Keep::kSelfie);
  EXPECT_EQ(Feed(best).keep, Keep::kSelfie);
  EXPECT_EQ(Feed(soft).keep, Keep::kNothing);
  EXPECT_EQ(Feed(turned).keep, Keep::kNothing);
}

TEST_F(CaptureSequenceTest, TakesNoSelfieOfBadFrames) {
  Begin();
  FrameObservation dark = GoodFrame();
  dark.face->light = {.mean = 20, .high = 30};
  const Decision decision = FeedFor(seconds(5), dark);
  EXPECT_EQ(decision.prompt, Prompt::kSelfie);
  EXPECT_EQ(decision.guidance, Guidance::kMoreLight);
  EXPECT_EQ(decision.pictures, 0);
}

TEST_F(CaptureSequenceTest, StartsOverAtARecordingAndEndsAtTheThird) {
  Begin();
  TakeSelfie();
  FrameObservation again = GoodFrame();
  again.shown_before = kStretch - 1;
  EXPECT_FALSE(Feed(again).restarted);
  again.shown_before = kStretch;
  const Decision decision = Feed(again);
  EXPECT_EQ(decision.restarted, Restart::kRecording);
  EXPECT_EQ(decision.guidance, Guidance::kRecording);
  EXPECT_EQ(decision.pictures, 0);
  // A camera's buffers may do that once, and the person goes on.
  ASSERT_NE(TakeSelfie(), Prompt::kSelfie);
  again.shown_before = kStretch;
  EXPECT_TRUE(Feed(again).restarted);
  ASSERT_FALSE(sequence_->failure());
  again.shown_before = 2 * kStretch;
  Feed(again);
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kRejected);
}

TEST_F(CaptureSequenceTest, WantsDetailOnlyOfFramesThatMatter) {
  Begin();
  EXPECT_EQ(sequence_->WantsDetail(EmptyFrame()), Detail::kNone);
  FrameObservation far = GoodFrame();
  far.face->area = 0.05;
  EXPECT_EQ(sequence_->WantsDetail(far), Detail::kNone);
  EXPECT_EQ(sequence_->WantsDetail(GoodFrame()), Detail::kSelfie);
  const Prompt prompt = TakeSelfie();
  FrameObservation later = GoodFrame();
  later.captured_at = now_ + milliseconds(33);
  const Detail detail = sequence_->WantsDetail(later);
  EXPECT_EQ(detail, TraitsOf(prompt).detail);
  FrameObservation shown = Showing(prompt);
  shown.captured_at = later.captured_at;
  EXPECT_EQ(sequence_->WantsDetail(shown), std::max(detail, Detail::kFace));
}

// Until somebody begins to smile, every second look is enough; then none is left out.
TEST_F(CaptureSequenceTest, LooksCloselyAtEverySecondFrameWhileItWaits) {
  Begin(Order::kRandom, {Prompt::kSmile, Prompt::kLookUp});
  const Prompt prompt = TakeSelfie();
  const auto looks = [&](int frames, const FrameObservation& shown) {
    int looked = 0;
    for (int i = 0; i < frames; ++i) {
      FrameObservation seen = shown;
      seen.captured_at = now_;
      const bool closely = sequence_->WantsDetail(seen) != Detail::kNone;
      looked += closely ? 1 : 0;
      if (!closely) {
        seen.face->sharpness.reset();
        seen.face->smile.reset();
        seen.face->pose.pitch.reset();
      }
      Feed(seen);
    }
    return looked;
  };
  EXPECT_EQ(looks(20, GoodFrame()), 10);
  EXPECT_GE(looks(7, Showing(prompt)), 6);
  EXPECT_THAT(shown_, testing::ElementsAre(prompt));
}

TEST_F(CaptureSequenceTest, LooksCloselyAtEachFrameOfASlowCamera) {
  Begin(Order::kRandom, {Prompt::kSmile, Prompt::kLookUp});
  TakeSelfie();
  for (int i = 0; i < 10; ++i) {
    FrameObservation seen = GoodFrame();
    now_ += milliseconds(66 - 33);
    seen.captured_at = now_;
    EXPECT_NE(sequence_->WantsDetail(seen), Detail::kNone);
    Feed(seen);
  }
}

// What was said of the last close look stands for the frames in between: no flicker.
TEST_F(CaptureSequenceTest, SaysTheSameOfFramesItDidNotLookAtClosely) {
  Begin(Order::kRandom, {Prompt::kSmile, Prompt::kLookUp});
  TakeSelfie();
  FrameObservation blurred = GoodFrame();
  blurred.face->sharpness = 1;
  EXPECT_EQ(Feed(blurred).guidance, Guidance::kHoldStill);
  FrameObservation between = GoodFrame();
  between.face->sharpness.reset();
  EXPECT_EQ(Feed(between).guidance, Guidance::kHoldStill);
  EXPECT_EQ(Feed(GoodFrame()).guidance, Guidance::kFollowPrompt);
  EXPECT_EQ(Feed(between).guidance, Guidance::kFollowPrompt);
  EXPECT_EQ(Feed(EmptyFrame()).guidance, Guidance::kNoFace);
}

TEST_F(CaptureSequenceTest, KeepsNoSelfieThatItDidNotLookAtClosely) {
  Begin();
  FrameObservation closed = GoodFrame();
  closed.face->parts->eyes_open = 0.1;
  FrameObservation between = GoodFrame();
  between.face->sharpness.reset();
  between.face->parts.reset();
  for (int i = 0; i < 60; ++i) {
    const auto& frame = i % 2 == 0 ? closed : between;
    const auto decision = Feed(frame);
    EXPECT_EQ(decision.guidance, Guidance::kOpenEyes) << i;
    EXPECT_EQ(decision.keep, Keep::kNothing) << i;
    EXPECT_EQ(decision.pictures, 0) << i;
  }
  EXPECT_EQ(Feed(GoodFrame()).keep, Keep::kSelfie);
  EXPECT_EQ(Feed(between).keep, Keep::kNothing);
}

TEST_F(CaptureSequenceTest, PassesNothingThatIsNotHeld) {
  Begin();
  const Prompt prompt = TakeSelfie();
  for (int i = 0; i < 20; ++i) {
    FeedFor(milliseconds(100), Showing(prompt));
    FeedFor(milliseconds(100), GoodFrame());
  }
  EXPECT_TRUE(shown_.empty());
  EXPECT_GT(Feed(Showing(prompt)).held, -0.01);
  EXPECT_GT(FeedFor(milliseconds(130), Showing(prompt)).held, 0.5);
}

// A cascade sees the same smile as 0.4 in one frame and as 0.7 in the next.
TEST_F(CaptureSequenceTest, HoldsThroughTremblingAndKeepsWhatShowsItInFull) {
  Begin(Order::kRandom, {Prompt::kSmile, Prompt::kLookUp});
  Prompt prompt = TakeSelfie();
  if (prompt != Prompt::kSmile) prompt = Follow(prompt).prompt;
  ASSERT_EQ(prompt, Prompt::kSmile);
  shown_.clear();
  FrameObservation weak = Showing(Prompt::kSmile), strong = weak;
  weak.face->smile = 0.4;
  FeedFor(milliseconds(400), weak);
  EXPECT_TRUE(shown_.empty()) << "never shown in full";
  Feed(strong);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Feed(weak).guidance, Guidance::kNone) << "no flicker";
    EXPECT_TRUE(shown_.empty());
  }
  EXPECT_EQ(Feed(strong).keep, Keep::kLiveness);
}

TEST_F(CaptureSequenceTest, PassesNoOtherChallengeThanTheOneAskedFor) {
  Begin();
  const Prompt prompt = TakeSelfie();
  for (Prompt other : AllChallenges()) {
    if (other != prompt) FeedFor(milliseconds(400), Showing(other));
  }
  EXPECT_TRUE(shown_.empty());
}

TEST_F(CaptureSequenceTest, KeepsPicturesApart) {
  settings_.hold = Duration::zero();
  Begin(Order::kAsShown);
  FeedFor(milliseconds(700), GoodFrame());
  // Everything at once, in every frame.
  FrameObservation seen = Showing(Prompt::kSmile);
  seen.face->area *= 1.8;
  seen.face->pose.yaw = 35;
  std::vector<MonotonicTime> kept;
  for (int i = 0; i < 60 && kept.size() < 3; ++i) {
    const MonotonicTime time = now_;
    if (Feed(seen).keep == Keep::kLiveness) kept.push_back(time);
  }
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_GE(kept[1] - kept[0], milliseconds(250));
  EXPECT_GE(kept[2] - kept[1], milliseconds(250));
}

TEST_F(CaptureSequenceTest, StartsOverWhenTheFaceWasAwayForTooLong) {
  Begin();
  Follow(TakeSelfie());
  EXPECT_EQ(FeedFor(milliseconds(500), EmptyFrame()).pictures, 2);
  FeedFor(milliseconds(300), GoodFrame());
  std::optional<Restart> restarted;
  for (int i = 0; i < 40 && !restarted; ++i) restarted = Feed(EmptyFrame()).restarted;
  EXPECT_EQ(restarted, Restart::kLost);
  EXPECT_EQ(Feed(GoodFrame()).prompt, Prompt::kSelfie);
}

TEST_F(CaptureSequenceTest, StartsOverAtOnceWhenTheFaceJumps) {
  Begin();
  TakeSelfie();
  FrameObservation elsewhere = GoodFrame();
  elsewhere.face->face.box.x = 50;
  EXPECT_EQ(Feed(elsewhere).restarted, Restart::kLost);
  EXPECT_EQ(Feed(elsewhere).prompt, Prompt::kSelfie);
}

TEST_F(CaptureSequenceTest, DrawsNewChallengesWhenItStartsOver) {
  std::set<std::vector<Prompt>> orders;
  for (int round = 0; round < 12; ++round) {
    if (round % 3 == 0) Begin();
    shown_.clear();
    Prompt prompt = TakeSelfie();
    for (int i = 0; i < 3; ++i) prompt = Follow(prompt).prompt;
    orders.insert(shown_);
    FeedFor(milliseconds(1200), EmptyFrame());
  }
  EXPECT_GT(orders.size(), 6U);
}

TEST_F(CaptureSequenceTest, EndsAtTheFourthFaceThatIsLost) {
  Begin();
  for (int round = 0; round < 4; ++round) {
    EXPECT_FALSE(sequence_->failure()) << round;
    Follow(TakeSelfie());
    FeedFor(milliseconds(1200), EmptyFrame());
  }
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kTimeout);
  EXPECT_THAT(sequence_->failure()->message, HasSubstr("began anew too often"));
}

TEST_F(CaptureSequenceTest, CountsNobodyWhoPassesBy) {
  Begin();
  for (int round = 0; round < 8; ++round) {
    FeedFor(milliseconds(200), GoodFrame());
    FeedFor(milliseconds(1200), EmptyFrame());
  }
  EXPECT_FALSE(sequence_->failure());
}

TEST_F(CaptureSequenceTest, AsksNobodyAgainForWhatTheyCouldNotShow) {
  for (int round = 0; round < 10; ++round) {
    Begin();
    const Prompt missed = TakeSelfie();
    while (!FeedFor(milliseconds(30), GoodFrame()).restarted) {
    }
    shown_.clear();
    Prompt prompt = TakeSelfie();
    while (prompt != Prompt::kDone) {
      ASSERT_NE(prompt, missed);
      prompt = Follow(prompt).prompt;
    }
    EXPECT_EQ(shown_.size(), 4U);
  }
}

TEST_F(CaptureSequenceTest, TellsSomebodyElseToGo) {
  Begin();
  const Prompt prompt = TakeSelfie();
  FrameObservation two = Showing(prompt);
  two.other_faces = 1;
  const Decision decision = FeedFor(milliseconds(400), two);
  EXPECT_EQ(decision.guidance, Guidance::kOnePersonOnly);
  EXPECT_TRUE(shown_.empty());
}

TEST_F(CaptureSequenceTest, TriesOtherChallengesTwiceAndThenEnds) {
  Begin();
  TakeSelfie();
  FeedFor(milliseconds(5500), GoodFrame());
  EXPECT_FALSE(sequence_->failure());
  std::optional<Restart> restarted;
  for (int i = 0; i < 20 && !restarted; ++i) restarted = Feed(GoodFrame()).restarted;
  EXPECT_EQ(restarted, Restart::kNotShown);
  FeedFor(seconds(11), GoodFrame());
  EXPECT_FALSE(sequence_->failure());
  FeedFor(seconds(4), GoodFrame());
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kTimeout);
  EXPECT_THAT(sequence_->failure()->message, HasSubstr("was not shown within 6"));
}

TEST_F(CaptureSequenceTest, EndsWhenTheWholeTimeIsOver) {
  Begin();
  FeedFor(seconds(121), EmptyFrame());
  ASSERT_TRUE(sequence_->failure());
  EXPECT_THAT(sequence_->failure()->message,
              HasSubstr("so far: no good selfie: of the newest frame, no face is in it"));
}

TEST_F(CaptureSequenceTest, BlamesNobodyWhereTooFewFramesCame) {
  Begin();
  for (int i = 0; i < 60; ++i) {
    Feed(EmptyFrame());
    now_ += seconds(2);
  }
  Feed(EmptyFrame());
  ASSERT_TRUE(sequence_->failure());
  EXPECT_THAT(
      sequence_->failure()->message,
      HasSubstr("only 61 frames came within 2 min: the camera is too slow, or this machine"));
}

TEST_F(CaptureSequenceTest, TakesWhatRecordedPicturesShowInTheirOwnOrder) {
  Begin(Order::kAsShown);
  TakeSelfie();
  const std::vector<Prompt> order = {Prompt::kComeCloser, Prompt::kTurnRight, Prompt::kSmile,
                                     Prompt::kTurnLeft};
  for (Prompt challenge : order) Follow(challenge);
  EXPECT_EQ(shown_, order);
  EXPECT_TRUE(sequence_->done());
}

// Also where there are more challenges than pictures.
TEST_F(CaptureSequenceTest, TakesEachChallengeFromRecordedPictures) {
  for (Prompt challenge : AllChallenges()) {
    Begin(Order::kAsShown);
    TakeSelfie();
    shown_.clear();
    Follow(challenge);
    EXPECT_THAT(shown_, testing::ElementsAre(challenge)) << Name(challenge);
  }
}

TEST_F(CaptureSequenceTest, CountsNoChallengeTwiceInRecordedPictures) {
  Begin(Order::kAsShown);
  TakeSelfie();
  for (int i = 0; i < 5; ++i) Follow(Prompt::kTurnLeft);
  EXPECT_EQ(shown_, std::vector{Prompt::kTurnLeft});
  EXPECT_EQ(sequence_->Progress(), "the selfie and 1 of 4 challenges (turn_left)");
}

TEST_F(CaptureSequenceTest, MakesDoWithTheFewChallengesThatADetectorCanTell) {
  Begin(Order::kAsShown, {Prompt::kTurnLeft, Prompt::kTurnRight});
  TakeSelfie();
  for (Prompt challenge : {Prompt::kTurnLeft, Prompt::kTurnRight, Prompt::kTurnLeft}) {
    Follow(challenge);
  }
  EXPECT_EQ(shown_.size(), 3U);
  Follow(Prompt::kTurnLeft);
  EXPECT_EQ(shown_.size(), 3U) << "never the same twice in a row";
  Follow(Prompt::kTurnRight);
  EXPECT_TRUE(sequence_->done());
}

}  // namespace
}  // namespace idkiosk
