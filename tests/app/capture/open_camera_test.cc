#include "app/capture/open_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/app/capture/sitting.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

// A drawn sitter in virtual time, who does what `follow` is told.
class OpenCameraTest : public testing::Test {
 protected:
  OpenCameraTest() {
    auto sitter = std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(""), clock_,
                                                    [this](MonotonicTime time) {
                                                      if (time <= clock_.Now()) return;
                                                      clock_.Advance(time - clock_.Now());
                                                    });
    open_.info = *sitter->Open({480, 270, 15});
    open_.follow = [&drawn = *sitter](std::string_view script) { drawn.Cue(script); };
    open_.camera = std::move(sitter);
    open_.analyzer = &analyzer_;
    open_.compromise = "no model";
  }

  [[nodiscard]] Result<CaptureResult> Capture() {
    return open_.Capture(clock_, entropy_, seen_, {});
  }

  FakeClock clock_;
  FakeEntropy entropy_;
  ChosenDetector detector_ = MakeDetector("auto");
  OpenCamera open_;
  FrameAnalyzer analyzer_{open_.limits, *detector_.detector, detector_.smiles.get(),
                          detector_.mesh.get()};
  CueingObserver seen_{nullptr};
};

TEST_F(OpenCameraTest, ADrawnSitterFollowsThePromptsThatTheObserverSees) {
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GE(seen_.prompts.size(), 5U);
  EXPECT_EQ(result->record.detector_compromise, "no model");
}

TEST_F(OpenCameraTest, WhoIsToldNothingDoesNotFollow) {
  open_.follow = nullptr;
  open_.limits.challenge_timeout = 2s;
  const auto result = Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_F(OpenCameraTest, TroubleOfTheCameraReachesTheObserver) {
  FollowedObserver followed(open_, seen_);
  followed.OnCameraTrouble({ErrorCode::kUnavailable, "unplugged"});
  EXPECT_THAT(seen_.troubles, testing::ElementsAre("unplugged"));
}

TEST_F(OpenCameraTest, ClosesTheCameraOnceWhoeverHasItLast) {
  struct ClosingCamera final : Camera {
    explicit ClosingCamera(int& count) : closed(count) {}
    Result<CameraInfo> Open(const CameraRequest&) override { return CameraInfo(); }
    Result<Frame> NextFrame(MonotonicTime) override { return Fail(ErrorCode::kTimeout, "none"); }
    void Close() override { ++closed; }
    int& closed;
  };
  int closed = 0;
  {
    OpenCamera first;
    first.camera = std::make_unique<ClosingCamera>(closed);
    const OpenCamera second = std::move(first);
    EXPECT_EQ(closed, 0);
  }
  EXPECT_EQ(closed, 1);
}

}  // namespace
}  // namespace idkiosk
