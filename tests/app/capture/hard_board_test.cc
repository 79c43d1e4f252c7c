// Captures on a board that has a hard time: a processor that is throttled, a lid that is closed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/sitting.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// A camera on such a board: time passes before a frame is asked for.
class HardBoardCamera final : public Camera {
 public:
  // `before` tells how much of it, of the number of the frame that is asked for, from 0 on.
  HardBoardCamera(Studio& studio, std::function<Duration(int number)> before)
      : studio_(studio), before_(std::move(before)) {}

  Result<CameraInfo> Open(const CameraRequest& request) override {
    return studio_.camera().Open(request);
  }
  void Close() override { studio_.camera().Close(); }
  Result<Frame> NextFrame(MonotonicTime deadline) override {
    const Duration passed = before_(asked_++);
    studio_.clock().Advance(passed);
    auto frame = studio_.camera().NextFrame(deadline + passed);
    if (!frame) return frame;
    oldest_ = std::max(oldest_, studio_.clock().Now() - frame->captured_at);
    if (newest_ > 0) missed_ += frame->sequence - newest_ - 1;
    newest_ = frame->sequence;
    return frame;
  }

  [[nodiscard]] int asked() const { return asked_; }
  // The age of the oldest frame that was looked at, and how many were not.
  [[nodiscard]] Duration oldest() const { return oldest_; }
  [[nodiscard]] uint64_t missed() const { return missed_; }

 private:
  Studio& studio_;
  const std::function<Duration(int)> before_;
  int asked_ = 0;
  Duration oldest_{};
  uint64_t newest_ = 0;
  uint64_t missed_ = 0;
};

// A look takes a good board 60 ms.
TEST(HardBoardTest, AProcessorAtAQuarterMissesFramesAndLooksAtNoOldOne) {
  constexpr Duration kLook = milliseconds(4 * 60);
  Sitting sitting("", "auto", 30);
  HardBoardCamera camera(sitting.studio, [&](int) { return kLook; });
  const auto result = sitting.runner.Run(camera, sitting.studio.info(), sitting.observer, {});
  EXPECT_EQ(camera.oldest(), Duration());
  // Without landmarks a head that turned this far since the last look may be somebody else's.
  const bool has_landmarks = sitting.detector.compromise.empty();
  if (!result && !has_landmarks) {
    EXPECT_THAT(result.error().message, testing::HasSubstr("the face was lost"));
    return;
  }
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->record.restarts == 0 || !has_landmarks);
  // Seven periods of 33 ms pass during a look: each eighth frame is looked at.
  EXPECT_GE(camera.missed(), static_cast<uint64_t>(6 * (result->record.frames - 1)));
  EXPECT_LT(result->record.to_bundle, seconds(60));
}

TEST(HardBoardTest, ABoardThatStallsNowAndThenTakesThePicturesAllTheSame) {
  Sitting sitting("", "auto", 30);
  HardBoardCamera camera(sitting.studio, [&](int number) {
    return number % 20 == 19 ? milliseconds(400) : milliseconds(60);
  });
  const auto result = sitting.runner.Run(camera, sitting.studio.info(), sitting.observer, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(camera.oldest(), Duration());
}

// The clock counts while the board sleeps.
class SuspendTest : public testing::Test {
 protected:
  // Asleep for `length` once, in the middle of the challenges.
  Result<CaptureResult> CaptureAndSleep(Sitting& sitting, Duration length) {
    HardBoardCamera camera(sitting.studio, [&](int) {
      if (asleep_ || sitting.observer.prompts.size() < 3) return Duration();
      asleep_ = true;
      slept_until_ = sitting.studio.clock().Now() + length;
      return length;
    });
    return sitting.runner.Run(camera, sitting.studio.info(), sitting.observer, {});
  }

  bool asleep_ = false;
  MonotonicTime slept_until_{};
};

TEST_F(SuspendTest, AfterALongSleepNobodyIsTakenForWhoSatThereBefore) {
  Sitting sitting("");
  const auto result = CaptureAndSleep(sitting, minutes(10));
  ASSERT_TRUE(asleep_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_F(SuspendTest, AfterAShortSleepAllPicturesAreTakenAnew) {
  Sitting sitting("");
  const auto result = CaptureAndSleep(sitting, seconds(5));
  ASSERT_TRUE(asleep_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->record.restarts, 1);
  for (const PictureRecord& each : result->record.pictures) {
    EXPECT_GE(each.seen.captured_at, slept_until_) << each.name;
  }
}

}  // namespace
}  // namespace idkiosk
