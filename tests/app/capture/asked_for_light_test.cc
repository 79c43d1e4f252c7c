// The screen's light as a part of a capture: when it is asked for, and what its findings lead to.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "app/capture/capture_sequence.h"
#include "tests/app/capture/observations.h"
#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

double LightOf(uint8_t value) { return std::pow(value / 255.0, 2.2); }

// Feeds good frames of a selfie to a sequence that asks for light, and goes on.
class AskedForLightTest : public testing::Test {
 protected:
  void Ask(bool must = false) {
    sequence_.emplace(settings_, entropy_, CaptureSequence::Order::kRandom, AllChallenges());
    sequence_->AskForLight(LightPace::kUsual, must);
  }
  // `answers`: the face has the tint that the screen had 100 ms before.
  CaptureSequence::Decision FeedFor(Duration time, bool answers) {
    CaptureSequence::Decision last;
    for (Duration passed{}; passed < time; passed += milliseconds(50)) {
      FrameObservation seen = GoodFrame();
      now_ += milliseconds(50);
      seen.captured_at = now_;
      seen.exposure = sequence_->WantsExposure() ? exposure_ : std::nullopt;
      seen.face->tint = tint_;
      seen.colour = colour_;
      seen.face->tint_behind = Tint{0.05, -0.05};
      for (auto* tint : {&seen.face->tint, &seen.face->tint_behind}) {
        (*tint)->red += flicker_ * noisy_(random_);
        (*tint)->blue += flicker_ * noisy_(random_);
      }
      if (answers) {
        seen.face->tint->red += 0.1 * (LightOf(before_.red) - LightOf(before_.green));
        seen.face->tint->blue += 0.1 * (LightOf(before_.blue) - LightOf(before_.green));
      }
      before_ = last_lit_;
      last = sequence_->Feed(seen);
      last_lit_ = last.lit;
      if (last.light != kWhiteScreen) colours_.insert(HexOf(last.light));
      if (last.restarted) restarts_.push_back(*last.restarted);
      if (sequence_->failure()) break;
    }
    return last;
  }

  CaptureSettings settings_;
  FakeEntropy entropy_;
  std::optional<CaptureSequence> sequence_;
  MonotonicTime now_{seconds(10)};
  std::optional<Duration> exposure_ = milliseconds(16);
  Tint tint_{0.35, -0.3};
  double colour_ = 25;  // of the whole picture
  double flicker_ = 0;
  std::mt19937 random_{1};
  std::normal_distribution<double> noisy_{0, 1};
  ScreenColour last_lit_, before_;
  std::set<std::string> colours_;
  std::vector<Restart> restarts_;
};

TEST_F(AskedForLightTest, ShowsColoursAfterTheSelfieAndThenChallenges) {
  Ask();
  EXPECT_EQ(FeedFor(milliseconds(700), true).prompt, Prompt::kSelfie);
  EXPECT_NE(FeedFor(milliseconds(100), true).light, kWhiteScreen);
  EXPECT_EQ(FeedFor(milliseconds(1300), true).prompt, Prompt::kSelfie);
  EXPECT_NE(FeedFor(milliseconds(500), true).prompt, Prompt::kSelfie);
  FeedFor(milliseconds(600), true);
  EXPECT_EQ(colours_.size(), 5U);
  EXPECT_EQ(sequence_->light().finding, LightFinding::kAnswered) << sequence_->light().correlation;
  EXPECT_TRUE(restarts_.empty());
}

TEST_F(AskedForLightTest, BeginsAnewOnceAndThenEndsWithoutAnAnswer) {
  Ask();
  FeedFor(seconds(10), false);
  EXPECT_EQ(restarts_, std::vector{Restart::kNoLight});
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kRejected);
  EXPECT_NE(sequence_->failure()->message.find("capture.light_sequence"), std::string::npos);
}

TEST_F(AskedForLightTest, AbstainsInTheSun) {
  exposure_ = std::chrono::microseconds(300);
  Ask();
  EXPECT_NE(FeedFor(seconds(1), false).prompt, Prompt::kSelfie);
  EXPECT_EQ(sequence_->light().finding, LightFinding::kTooBright);
  EXPECT_TRUE(colours_.empty());
  EXPECT_FALSE(sequence_->failure());
}

TEST_F(AskedForLightTest, AsksForOneChallengeMoreWhereItAbstains) {
  exposure_ = std::chrono::microseconds(300);
  Ask();
  Prompt asked = FeedFor(seconds(1), false).prompt;
  std::vector<Prompt> shown;
  int kept = 0;
  for (int frame = 0; frame < 400 && !sequence_->done(); ++frame) {
    FrameObservation seen = Showing(asked);
    seen.captured_at = now_ += milliseconds(50);
    const auto decision = sequence_->Feed(seen);
    if (decision.keep == CaptureSequence::Keep::kLiveness) ++kept;
    if (decision.prompt != asked) shown.push_back(asked);
    asked = decision.prompt;
  }
  ASSERT_TRUE(sequence_->done());
  EXPECT_EQ(kept, 4);
  ASSERT_EQ(shown.size(), 5U);
  EXPECT_EQ(std::set<Prompt>(shown.begin(), shown.end()).size(), 5U);
  EXPECT_EQ(sequence_->light().instead, shown[1]);
  EXPECT_TRUE(restarts_.empty());
}

TEST_F(AskedForLightTest, AsksForNoChallengeMoreWhereTheLightIsAnswered) {
  Ask();
  Prompt asked = FeedFor(seconds(3), true).prompt;
  int changes = 0;
  for (int frame = 0; frame < 400 && !sequence_->done(); ++frame) {
    FrameObservation seen = Showing(asked);
    seen.captured_at = now_ += milliseconds(50);
    const Prompt next = sequence_->Feed(seen).prompt;
    if (next != asked) ++changes;
    asked = next;
  }
  EXPECT_TRUE(sequence_->done());
  EXPECT_EQ(changes, 4);
  EXPECT_FALSE(sequence_->light().instead);
}

// A film flickers as well as a lamp does.
TEST_F(AskedForLightTest, TakesWhatFlickersForNoAnswer) {
  flicker_ = 0.1;
  Ask();
  FeedFor(seconds(10), true);
  EXPECT_EQ(restarts_, std::vector{Restart::kNoLight});
  EXPECT_EQ(sequence_->light().finding, LightFinding::kTooNoisy);
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kRejected);
  EXPECT_NE(sequence_->failure()->message.find("flickers"), std::string::npos);
}

TEST_F(AskedForLightTest, NeverAsksAgainForWhatWasNotShown) {
  exposure_ = std::chrono::microseconds(300);
  for (int run = 0; run < 60; ++run) {
    const Prompt cannot = AllChallenges()[static_cast<size_t>(run) % AllChallenges().size()];
    Ask();
    bool missed = false;
    Prompt asked = FeedFor(seconds(1), false).prompt;
    for (int frame = 0; frame < 1200 && !sequence_->done() && !sequence_->failure(); ++frame) {
      FrameObservation seen = asked == cannot ? GoodFrame() : Showing(asked);
      seen.captured_at = now_ += milliseconds(50);
      seen.exposure = sequence_->WantsExposure() ? exposure_ : std::nullopt;
      seen.colour = colour_;
      const auto decision = sequence_->Feed(seen);
      missed |= decision.restarted == Restart::kNotShown;
      asked = decision.prompt;
      EXPECT_FALSE(missed && asked == cannot) << Name(cannot) << ", run " << run;
    }
    EXPECT_TRUE(sequence_->done()) << Name(cannot) << ", run " << run;
  }
}

TEST_F(AskedForLightTest, AbstainsWhereTheCameraSeesNoColours) {
  tint_ = {0, 0};
  colour_ = 0;
  Ask();
  FeedFor(seconds(1), false);
  EXPECT_EQ(sequence_->light().finding, LightFinding::kNoColours);
}

TEST_F(AskedForLightTest, ExpectsAnAnswerOfAGreyFaceBeforeACameraWithColours) {
  tint_ = {0, 0};
  Ask();
  FeedFor(seconds(10), false);
  EXPECT_GE(colours_.size(), 5U);
  EXPECT_EQ(restarts_, std::vector{Restart::kNoLight});
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kRejected);
}

TEST_F(AskedForLightTest, ExpectsAnAnswerOnceTheCameraHasShownColours) {
  tint_ = {0, 0};
  colour_ = 25;
  Ask();
  FeedFor(milliseconds(250), false);
  colour_ = 0;
  FeedFor(seconds(10), false);
  EXPECT_TRUE(sequence_->failure());
}

TEST_F(AskedForLightTest, TakesAGreyCameraForOneWhateverAFrameShowed) {
  tint_ = {0, 0};
  colour_ = 25;
  Ask();
  FeedFor(milliseconds(200), false);
  colour_ = 0;
  FeedFor(seconds(1), false);
  EXPECT_EQ(sequence_->light().finding, LightFinding::kNoColours);
  EXPECT_FALSE(sequence_->saw_colours());
}

TEST_F(AskedForLightTest, ExpectsAnAnswerOfACameraThatHadShownColoursBefore) {
  tint_ = {0, 0};
  colour_ = 0;
  Ask();
  sequence_->NoteColours();
  FeedFor(seconds(10), false);
  EXPECT_TRUE(sequence_->failure());
}

TEST_F(AskedForLightTest, EndsInTheSunWhereItMustBeAnswered) {
  exposure_ = std::chrono::microseconds(300);
  Ask(true);
  FeedFor(seconds(1), false);
  ASSERT_TRUE(sequence_->failure());
  EXPECT_EQ(sequence_->failure()->code, ErrorCode::kRejected);
}

TEST_F(AskedForLightTest, KeepsNoChallengeBeforeTheAnswerIsJudged) {
  Ask();
  FeedFor(milliseconds(2450), true);  // the colours have just ended
  FrameObservation seen = GoodFrame();
  for (int i = 0; i < 6; ++i) {
    now_ += milliseconds(30);
    seen = Showing(Prompt::kTurnLeft);
    seen.captured_at = now_;
    EXPECT_NE(sequence_->Feed(seen).keep, CaptureSequence::Keep::kLiveness);
  }
}

}  // namespace
}  // namespace idkiosk
