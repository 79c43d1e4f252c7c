#include "app/daemon/camera_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <utility>

#include "platform/posix/loop_task_runner.h"
#include "tests/app/assembly/components_fixture.h"
#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Sees nobody.
class FindsNobody final : public FaceDetector {
 public:
  [[nodiscard]] Status Find(const PictureView&, FaceList& faces) override {
    faces = FaceList();
    return {};
  }
  [[nodiscard]] bool finds_landmarks() const override { return false; }
  [[nodiscard]] int preferred_side() const override { return 64; }
  [[nodiscard]] std::string_view name() const override { return "none"; }
};

// Reads a slip in the second picture.
class SecondPictureScanner final : public CodeScanner {
 public:
  std::vector<SecretBytes> Read(ByteSpan, int, int) override {
    std::vector<SecretBytes> seen;
    if (++pictures_ == 2) {
      seen.push_back(SecretBytes::CopyOf(std::string_view(R"({"NIN":"70123456788"})")));
    }
    return seen;
  }

 private:
  int pictures_ = 0;
};

// Ends the control loop with the run.
class EndingListener final : public PictureTaker::Listener {
 public:
  explicit EndingListener(TaskLoop& control) : control_(control) {}
  void OnStep(const CaptureStep&) override {}
  void OnTrouble(CameraTrouble) override {}
  void OnPictures(Result<CaptureBundle> pictures) override {
    ended = std::move(pictures);
    control_.Stop();
  }
  std::optional<Result<CaptureBundle>> ended;

 private:
  TaskLoop& control_;
};

class CameraThreadTest : public testing::Test {
 protected:
  CameraThreadTest() {
    script_.on_close = [this] { ++closed_; };
  }
  // What the thread uses goes after it has ended.
  void TearDown() override { camera_.End(); }

  virtual Result<OpenCamera> Open() {
    OpenCamera open;
    open.camera = std::make_unique<FakeCamera>(script_);
    open.analyzer = &analyzer_;
    open.limits = limits_;
    return open;
  }
  [[nodiscard]] Result<CaptureBundle> Capture() {
    camera_.worker().Start(listener_, Duration::zero(), LightPace::kUsual);
    control_.Run();
    return std::move(*listener_.ended);
  }
  [[nodiscard]] bool IsThere() {
    std::optional<bool> answer;
    camera_.Look([&](bool there) {
      answer = there;
      control_.Stop();
    });
    control_.Run();
    return answer.value();
  }
  [[nodiscard]] std::string Counted() const { return metrics_.Text({}, 0, 0); }

  SystemClock clock_;
  FakeClock time_;  // of the camera's thread alone
  LoopTaskRunner control_{clock_};
  SystemEntropy entropy_;
  PreviewSlot preview_;
  Metrics metrics_;
  CaptureSettings limits_;
  FindsNobody detector_;
  FrameAnalyzer analyzer_{limits_, detector_};
  FakeCamera::Script script_;
  EndingListener listener_{control_};
  std::atomic<bool> away_ = false;
  std::atomic<int> closed_ = 0;
  std::vector<CameraPurpose> opened_;
  std::vector<bool> lamp_;
  CameraThread camera_{{.open = [this](CameraPurpose purpose) -> Result<OpenCamera> {
                          opened_.push_back(purpose);
                          if (away_) return Fail(ErrorCode::kUnavailable, "no camera");
                          return Open();
                        },
                        .light = [this](bool on) { lamp_.push_back(on); },
                        .scanner = std::make_unique<SecondPictureScanner>(),
                        .control = control_,
                        .clock = time_,
                        .entropy = entropy_,
                        .preview = preview_,
                        .metrics = metrics_,
                        .silence = std::chrono::seconds(2)}};
};

TEST_F(CameraThreadTest, ACaptureWithoutACameraIsCountedAndLightsNoLamp) {
  away_ = true;
  const auto pictures = Capture();
  ASSERT_FALSE(pictures);
  EXPECT_EQ(pictures.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(Counted(), HasSubstr("captures_failed_total{reason=\"unavailable\"} 1\n"));
  camera_.End();
  EXPECT_THAT(lamp_, IsEmpty());
  EXPECT_THAT(opened_, ElementsAre(CameraPurpose::kVerify));
}

TEST_F(CameraThreadTest, TheLampLightsTheFaceForAsLongAsItIsLookedAt) {
  std::promise<std::vector<bool>> first_frame;
  script_.on_frame = [this, &first_frame, seen = false]() mutable {
    if (!std::exchange(seen, true)) first_frame.set_value(lamp_);
  };
  camera_.worker().Start(listener_, Duration::zero(), LightPace::kUsual);
  EXPECT_THAT(first_frame.get_future().get(), ElementsAre(true));
  camera_.worker().Stop();
  camera_.End();
  EXPECT_THAT(lamp_, ElementsAre(true, false));
  EXPECT_EQ(closed_, 1);
  EXPECT_THAT(Counted(), Not(HasSubstr("captures_failed_total{"))) << "it was only stopped";
  EXPECT_FALSE(camera_.last_capture());
}

TEST_F(CameraThreadTest, ALookTellsWhetherTheCameraIsThereAndLetsItGo) {
  EXPECT_TRUE(IsThere());
  EXPECT_EQ(closed_, 1);
  EXPECT_FALSE(preview_.open());
}

TEST_F(CameraThreadTest, ALookFindsThatTheCameraIsAway) {
  away_ = true;
  EXPECT_FALSE(IsThere());
}

TEST_F(CameraThreadTest, ACameraThatStaysAwayIsLoggedOnce) {
  testing::internal::CaptureStderr();
  away_ = true;
  int looks = 0;
  std::function<void(bool)> next = [&](bool there) {
    EXPECT_EQ(there, looks > 3);
    away_ = looks < 3;
    if (looks++ == 6) return control_.Stop();
    camera_.Look([&](bool found) { next(found); });
  };
  next(false);
  control_.Run();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(log, '\n'), 1) << log;
  EXPECT_THAT(log, HasSubstr("camera: no camera"));
}

TEST_F(CameraThreadTest, ALookThatWasOvertakenLeavesTheCameraToWhoeverHasItNow) {
  std::promise<void> release;
  std::promise<bool> undisturbed;
  std::optional<bool> answer;
  camera_.Look([&](bool there) {
    answer = there;
    control_.Stop();
  });
  // Begins after the look's answer is on its way.
  std::promise<void> begun;
  while (closed_ == 0) std::this_thread::yield();
  camera_.worker().Lend([&, released = release.get_future()](const std::stop_token& stop) mutable {
    begun.set_value();
    released.wait();
    undisturbed.set_value(!stop.stop_requested());
  });
  begun.get_future().wait();
  control_.Run();
  EXPECT_EQ(answer, true);
  release.set_value();
  EXPECT_TRUE(undisturbed.get_future().get());
}

TEST_F(CameraThreadTest, ReadsASlipAndClosesTheCameraBeforeItTells) {
  std::string nin;
  camera_.slips().Start([&](Result<SecretBytes> read) {
    nin = read ? read->text() : read.error().message;
    EXPECT_EQ(closed_, 1);
    control_.Stop();
  });
  control_.Run();
  EXPECT_EQ(nin, "70123456788");
}

TEST_F(CameraThreadTest, ASlipCannotBeReadWithoutACamera) {
  away_ = true;
  std::optional<Result<SecretBytes>> nin;
  camera_.slips().Start([&](Result<SecretBytes> read) {
    nin = std::move(read);
    control_.Stop();
  });
  control_.Run();
  EXPECT_EQ(nin->error().code, ErrorCode::kUnavailable);
}

TEST_F(CameraThreadTest, EndsAfterTheLoanUnderWayAndLendsToNobodyAfterIt) {
  std::promise<void> begun;
  bool ended = false;
  camera_.worker().Lend([&](const std::stop_token& stop) {
    begun.set_value();
    while (!stop.stop_requested()) std::this_thread::yield();
    ended = true;
  });
  begun.get_future().wait();
  camera_.End();
  EXPECT_TRUE(ended);
  bool lent = false;
  camera_.worker().Lend([&lent](const std::stop_token&) { lent = true; });
  camera_.End();
  EXPECT_FALSE(lent);
}

// Somebody drawn sits there, by the script `drawn_`, whom the better detector of this machine looks
// at.
class DrawnSitterTest : public CameraThreadTest {
 protected:
  Result<OpenCamera> Open() override {
    auto sitter = std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(drawn_), time_,
                                                    [this](MonotonicTime time) {
                                                      if (time <= time_.Now()) return;
                                                      time_.Advance(time - time_.Now());
                                                    });
    OpenCamera open;
    open.info = *sitter->Open({480, 270, 15});
    open.follow = [&drawn = *sitter](std::string_view script) { (void)drawn.Cue(script); };
    open.camera = std::move(sitter);
    open.analyzer = &sees_;
    open.limits = limits_;
    return open;
  }

  std::string drawn_;
  ChosenDetector better_ = MakeDetector("auto");
  FrameAnalyzer sees_{limits_, *better_.detector, better_.smiles.get()};
};

TEST_F(DrawnSitterTest, ACaptureIsCountedAndNotedForTheSupportBundle) {
  const auto pictures = Capture();
  ASSERT_TRUE(pictures) << pictures.error().message;
  camera_.End();
  ASSERT_TRUE(camera_.last_capture());
  EXPECT_GT(camera_.last_capture()->frames, 0);
  EXPECT_THAT(Counted(), HasSubstr("idkiosk_capture_seconds_count 1\n"));
  EXPECT_THAT(Counted(), HasSubstr("idkiosk_light_checks_total{finding=\"answered\"} 1\n"));
  EXPECT_THAT(lamp_, ElementsAre(true, false));
}

TEST_F(DrawnSitterTest, ACaptureThatFailsForWantOfAnAnswerToTheLightIsCountedToo) {
  drawn_ = "shine=0";
  ASSERT_FALSE(Capture());
  camera_.End();
  EXPECT_THAT(Counted(), HasSubstr("idkiosk_light_checks_total{finding=\"unanswered\"} 1\n"));
}

}  // namespace
}  // namespace idkiosk
