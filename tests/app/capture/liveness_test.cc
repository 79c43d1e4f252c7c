// What somebody may try instead of sitting there, each as a script for the drawn sitter. These
// deter; none certifies that a person is alive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "drivers/camera/supervised_camera.h"
#include "tests/app/capture/sitting.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;

// A sitting behind a supervised camera, as the program has it.
class LivenessTest : public testing::Test {
 protected:
  Result<CaptureResult> Capture(std::string_view script) {
    sitting_.emplace("people=0");
    auto sitter = std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(script),
                                                    sitting_->studio.clock(), Wait());
    observer_.emplace(sitter.get());
    sitting_->settings.challenge_timeout = patience_;
    SupervisedCamera camera(std::move(sitter), {}, sitting_->studio.clock(), Wait());
    const auto info = camera.Open({480, 270, 15});
    return sitting_->runner.Run(camera, *info, *observer_, {});
  }

  WaitUntil Wait() {
    return [this](MonotonicTime time) {
      FakeClock& clock = sitting_->studio.clock();
      if (time > clock.Now()) clock.Advance(time - clock.Now());
    };
  }

  Duration patience_ = seconds(4);  // with each challenge
  std::optional<Sitting> sitting_;
  std::optional<CueingObserver> observer_;
};

TEST_F(LivenessTest, RefusesAStillPhotograph) {
  patience_ = seconds(2);
  const auto result = Capture("photo=yes,follow=no");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_F(LivenessTest, RefusesAPhotographThatIsTurnedAndMovedAsIsAsked) {
  // A person would do each within this time.
  patience_ = seconds(2);
  const auto result = Capture("photo=yes,distance=0.9");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_F(LivenessTest, PassesNoChallengeOnAFrozenStream) {
  const auto result = Capture("freeze=0.9");
  ASSERT_FALSE(result);
  EXPECT_THAT(observer_->troubles, Contains(HasSubstr("frozen")));
}

TEST_F(LivenessTest, StartsOverWhenSomebodyElseSitsThere) {
  const auto result = Capture("swap=1.2");
  ASSERT_TRUE(result) << result.error().message;
  // The cascades may lose a face on the way, and begin anew for that, too.
  EXPECT_GE(result->record.restarts, 1);
  if (HasYunet()) {
    EXPECT_EQ(result->record.restarts, 1);
  }
  // All five pictures are of the second person: none is from before.
  for (const PictureRecord& picture : result->record.pictures) {
    EXPECT_GT(picture.after, milliseconds(1150));
  }
}

TEST_F(LivenessTest, StartsOverForPeopleOfDarkSkinTooAndInDimLight) {
  for (const char* script : {"tone=8,swap=1.2", "tone=6,light=dim,swap=1.2"}) {
    const auto result = Capture(script);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->record.restarts, 1) << script;
  }
}

TEST_F(LivenessTest, StartsOverWhenTheStreamWasCut) {
  const auto result = Capture("silent=1.2+0.7");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->record.restarts, 1);
}

TEST_F(LivenessTest, StartsOverWhenASecondPersonStays) {
  const auto result = Capture("crowd=1.2+1.5");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GE(result->record.restarts, 1);
}

TEST_F(LivenessTest, CompletesBeforeASlowCamera) {
  if (!HasYunet()) GTEST_SKIP() << "the cascades lose a head that turns, and their boxes jump";
  for (const int rate : Sweep({5, 7, 10, 15})) {
    for (const char* who : Sweep({"tone=3", "tone=8", "tone=7,light=bright,seed=3"})) {
      const auto result = Capture(fmt::format("fps={},{}", rate, who));
      ASSERT_TRUE(result) << rate << " " << who << ": " << result.error().message;
      EXPECT_EQ(result->record.restarts, 0) << rate << " " << who;
    }
  }
}

TEST_F(LivenessTest, StartsOverWhenSomebodyElseSitsBeforeASlowCamera) {
  for (const char* script : Sweep({"fps=7,swap=1.2", "fps=5,swap=1.2", "fps=5,tone=8,swap=1.2"})) {
    const auto result = Capture(script);
    // The cascades may see too little: no picture of anybody is kept then.
    if (!result && !HasYunet()) continue;
    ASSERT_TRUE(result) << script << ": " << result.error().message;
    EXPECT_GE(result->record.restarts, 1) << script;
    for (const PictureRecord& picture : result->record.pictures) {
      EXPECT_GT(picture.after, milliseconds(1150)) << script;
    }
  }
}

TEST_F(LivenessTest, NeverStartsOverForAnybodyWhoJustFollows) {
  for (const char* script :
       Sweep({"seed=1,tone=1", "seed=2,tone=4", "seed=3,tone=8", "reaction=900"})) {
    const auto result = Capture(script);
    ASSERT_TRUE(result) << script << ": " << result.error().message;
    EXPECT_EQ(result->record.restarts, 0) << script;
  }
}

TEST_F(LivenessTest, TakesAsLongForDarkSkinAsForLight) {
  if (!HasYunet()) GTEST_SKIP() << "the cascades see the two darkest tones less surely";
  const auto time_of = [&](int tone) {
    Duration time{};
    for (int seed : Sweep(1, 4)) {
      const auto result = Capture(fmt::format("tone={},seed={}", tone, seed));
      if (!result) {
        ADD_FAILURE() << tone << ": " << result.error().message;
        return Duration();
      }
      time += result->record.to_bundle;
    }
    return time;
  };
  const Duration light = time_of(1);
  for (int tone : Sweep({4, 6, 8})) {
    EXPECT_LT(time_of(tone), light * 5 / 4) << tone;
  }
}

// A film of somebody who shows everything that can be asked for, played before a live camera again
// and again.
class FilmCamera final : public Camera {
 public:
  // Takes the film.
  explicit FilmCamera(FakeClock& clock) : clock_(clock) {
    Studio studio("");
    for (const PromptTraits& challenge : kChallenges) {
      for (int frame = 0; frame < 30; ++frame) {
        EXPECT_TRUE(studio.camera().Cue(frame < 18 ? challenge.drawn : ""));
        film_.push_back(studio.Shoot());
      }
    }
  }
  Result<CameraInfo> Open(const CameraRequest&) override {
    return CameraInfo{"film", "opencv:http://somewhere", PixelFormat::kJpeg, 480, 270, 15, true};
  }
  void Close() override {}
  Result<Frame> NextFrame(MonotonicTime) override {
    clock_.Advance(milliseconds(66));
    Frame frame = film_[played_ % film_.size()];
    if (change) frame = change(frame, played_);
    frame.captured_at = clock_.Now();
    frame.sequence = ++played_;
    return frame;
  }

  std::function<Frame(const Frame& frame, size_t played)> change;

 private:
  FakeClock& clock_;
  std::vector<Frame> film_;
  size_t played_ = 0;
};

TEST_F(LivenessTest, StopsBeforeAFilmThatIsPlayedAgainAndAgain) {
  Sitting sitting("people=0");
  FilmCamera film(sitting.studio.clock());
  CueingObserver observer(nullptr);
  const auto result = sitting.runner.Run(film, *film.Open({}), observer, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
  EXPECT_THAT(result.error().message, HasSubstr("recording"));
  EXPECT_THAT(observer.guidance, Contains(Guidance::kRecording));
}

// Faults at every stage: in the selfie, in each challenge.
const std::vector<double> kStages = {0.2, 1.0, 2.0, 3.0, 3.6};

class FaultAtEveryStageTest : public LivenessTest, public testing::WithParamInterface<double> {
 protected:
  void SetUp() override {
    LivenessTest::SetUp();
    const std::vector<double> swept = Sweep(kStages);
    if (std::ranges::find(swept, GetParam()) == swept.end()) {
      GTEST_SKIP() << "the whole sweep has it";
    }
  }
};

TEST_P(FaultAtEveryStageTest, ComesBackAfterTheCameraWasUnplugged) {
  const auto result = Capture(fmt::format("unplug={}+2", GetParam()));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(observer_->troubles, Contains(HasSubstr("unplugged")));
  // Two seconds away, at most three to come back, and a sequence that may have to be tried twice.
  EXPECT_LT(result->record.to_bundle,
            std::chrono::duration<double>(GetParam()) + seconds(2 + 3 + 12));
}

TEST_P(FaultAtEveryStageTest, ComesBackAfterABlackPicture) {
  const auto result = Capture(fmt::format("black={}+2", GetParam()));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(observer_->troubles, Contains(HasSubstr("black")));
}

INSTANTIATE_TEST_SUITE_P(Seconds, FaultAtEveryStageTest, testing::ValuesIn(kStages),
                         [](const auto& parameter) {
                           return fmt::format("After{:.0f}ms", 1000 * parameter.param);
                         });

TEST_F(LivenessTest, EndsWithTheFirstErrorWhenTheCameraStaysAway) {
  const auto result = Capture("unplug=1");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(result.error().message, HasSubstr("was unplugged"));
  EXPECT_GT(observer_->troubles.size(), 3U);
}

TEST_F(LivenessTest, LooksOnlyNowAndThenWhileNobodyIsThere) {
  sitting_.emplace("people=0");
  sitting_->settings.timeout = seconds(20);
  ASSERT_FALSE(sitting_->Capture());
  // 45 frames until it is idle, then five a second.
  EXPECT_NEAR(sitting_->observer.looks, 45 + 17 * 5, 12);
}

}  // namespace
}  // namespace idkiosk
