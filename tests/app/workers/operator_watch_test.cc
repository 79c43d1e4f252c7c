#include "app/workers/threaded_operator_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "app/capture/vision/face_detector.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using Check = OperatorBackend::Check;

// Sees nobody, and costs nothing.
class NoDetector final : public FaceDetector {
 public:
  [[nodiscard]] Status Find(const PictureView&, FaceList& faces) override {
    faces = FaceList();
    return {};
  }
  [[nodiscard]] bool finds_landmarks() const override { return false; }
  [[nodiscard]] int preferred_side() const override { return 64; }
  [[nodiscard]] std::string_view name() const override { return "none"; }
};

// One grey frame after the other. Sets `open` to false once it is closed.
class GreyCamera final : public Camera {
 public:
  GreyCamera(const Clock& clock, std::atomic<bool>& open) : clock_(clock), open_(open) {}
  Result<CameraInfo> Open(const CameraRequest&) override { return CameraInfo(); }
  Result<Frame> NextFrame(MonotonicTime) override {
    Frame frame = Frame::Owning(PixelFormat::kGrey, 64, 64, 64, Bytes(size_t{64} * 64, 90));
    frame.captured_at = clock_.Now();
    return frame;
  }
  void Close() override { open_ = false; }

 private:
  const Clock& clock_;
  std::atomic<bool>& open_;
};

// The camera's side, with a thread of its own and a real loop. That thread has its own end of each
// promise and future, for it may use them when the test's body is over.
class WatchTest : public testing::Test, protected OperatorBackend::CameraListener {
 protected:
  // The sources end after the threads that they are used on.
  void TearDown() override { capture_.End(); }

  // Somebody who has the camera until the test releases it.
  struct Loan {
    std::promise<void> release;
    std::future<void> begun;
    std::future<bool> undisturbed;  // nobody asked for it meanwhile
  };
  Loan LendUntilReleased() {
    std::promise<void> begun;
    std::promise<bool> undisturbed;
    Loan loan{.release = {}, .begun = begun.get_future(), .undisturbed = undisturbed.get_future()};
    capture_.Lend([begun = std::move(begun), undisturbed = std::move(undisturbed),
                   released = loan.release.get_future()](const std::stop_token& stop) mutable {
      begun.set_value();
      released.wait();
      undisturbed.set_value(!stop.stop_requested());
    });
    return loan;
  }

  static CameraInfo Info() {
    CameraInfo info;
    info.source = "grey";
    info.width = 64;
    info.height = 48;
    info.frames_per_second = 30;
    return info;
  }
  Result<OpenCamera> Open() {
    if (away_) return Fail(ErrorCode::kNotFound, "no camera here");
    open_ = true;
    while (slow_) std::this_thread::yield();
    OpenCamera open;
    open.camera = std::make_unique<GreyCamera>(clock_, open_);
    open.analyzer = &analyzer_;
    open.info = Info();
    open.limits = limits_;
    open.compromise = "no model";
    return open;
  }

  void OnCamera(const std::string& source, const std::string& format,
                const std::string& detector) override {
    camera_text_ = fmt::format("{} {} {}", source, format, detector);
  }
  void OnMeasures(std::vector<Measure> measures) override {
    measures_ = std::move(measures);
    control_.Stop();
  }
  void OnCameraTrouble(std::string sentence) override {
    trouble_ = std::move(sentence);
    away_ = false;
  }

  OpenBench bench_;
  SystemClock clock_;
  LoopTaskRunner control_{clock_};
  Heartbeat heartbeat_{clock_};
  Settings settings_;
  PreviewSlot preview_;
  CaptureSettings limits_;
  FakeAuditLog audit_;
  NoDetector detector_;
  FrameAnalyzer analyzer_{limits_, detector_};
  std::atomic<bool> open_ = false;
  std::atomic<bool> away_ = false;
  std::atomic<bool> slow_ = false;  // opening it takes as long as this
  std::string camera_text_;
  std::vector<Measure> measures_;
  std::string trouble_;

  CaptureWorker capture_{[this](CaptureObserver&, const std::stop_token&) -> Result<CaptureResult> {
                           EXPECT_FALSE(open_) << "two have the camera";
                           return Fail(ErrorCode::kTimeout, "not here");
                         },
                         control_, clock_, preview_, heartbeat_};
  DeliveryLoop delivery_{{.worker = *bench_.worker,
                          .clock = clock_,
                          .heartbeat = heartbeat_,
                          .longest_exchange = 60s,
                          .report = {},
                          .chore = {},
                          .give_up = {}}};
  MbedtlsCrypto crypto_;
  StaffDirectory staff_{{bench_.storage, clock_, control_, control_}};
  PageUser user_;
  PinLock lock_{{bench_.storage, bench_.files, crypto_, clock_, audit_, control_, control_},
                Staff::kOperator,
                "/state"};
  ThreadedQueueClient queue_{
      {*bench_.queue, bench_.profile, clock_, audit_, control_, control_, user_, [] {}}};
  const ThreadedOperatorBackend::Service service_{
      queue_, bench_.client, delivery_, capture_, preview_, heartbeat_, [this] { return Open(); }};
  ThreadedOperatorBackend sources_{{.files = bench_.files,
                                    .clock = clock_,
                                    .crypto = crypto_,
                                    .storage = bench_.storage,
                                    .audit = audit_,
                                    .staff = staff_,
                                    .user = user_,
                                    .operator_lock = lock_,
                                    .storage_runner = control_,
                                    .control = control_,
                                    .settings = settings_,
                                    .config_path = "/x",
                                    .facts = {},
                                    .start_anew = {},
                                    .erase_keys = {},
                                    .start_erased = {},
                                    .try_out = {},
                                    .service = &service_,
                                    .open_again = 1ms}};
};

TEST_F(WatchTest, ShowsWhatTheCameraSeesUntilItIsLetGo) {
  PreviewSlot::Watch watch(preview_);
  sources_.WatchCamera(*this);
  control_.Run();
  EXPECT_THAT(camera_text_, testing::StartsWith("grey MJPEG 64x48, 30 a second none"));
  EXPECT_THAT(measures_, Contains(Field(&Measure::name, "Faces")));
  while (!watch.Next(0, 1000ms)) std::this_thread::yield();
  EXPECT_TRUE(open_);
  sources_.LetCameraGo();
  EXPECT_FALSE(preview_.open());
  // The next one on the camera's thread finds it closed.
  std::promise<bool> looked;
  std::future<bool> closed = looked.get_future();
  capture_.Lend([this, looked = std::move(looked)](const std::stop_token&) mutable {
    looked.set_value(!open_);
  });
  EXPECT_TRUE(closed.get());
}

TEST_F(WatchTest, CameraThatIsNotThereIsSaidAndLookedForAgain) {
  away_ = true;
  sources_.WatchCamera(*this);
  control_.Run();
  EXPECT_EQ(trouble_, "no camera here");
  EXPECT_THAT(measures_, Not(testing::IsEmpty()));
  sources_.LetCameraGo();
}

TEST_F(WatchTest, CheckOfTheCameraLetsItGo) {
  Findings findings;
  sources_.Look(Check::kCamera, [&](Findings found) {
    findings = std::move(found);
    control_.Stop();
  });
  control_.Run();
  EXPECT_THAT(findings, Contains(Field(&Finding::part, KioskPart::kCamera)));
  EXPECT_THAT(findings, Contains(Field(&Finding::text, HasSubstr("no model"))));
  EXPECT_FALSE(open_);
  EXPECT_FALSE(preview_.open());
}

TEST_F(WatchTest, CheckThatNeverGotTheCameraIsAnsweredAllTheSame) {
  Loan loan = LendUntilReleased();
  loan.begun.wait();
  Findings found;
  sources_.Look(Check::kCamera, [&](Findings findings) {
    found = std::move(findings);
    control_.Stop();
  });
  sources_.WatchCamera(*this);
  loan.release.set_value();
  control_.Run();
  sources_.LetCameraGo();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found.front().text, HasSubstr("in use for something else"));
}

TEST_F(WatchTest, CheckThatWasOvertakenLeavesTheCameraToWhoeverHasItNow) {
  slow_ = true;
  sources_.Look(Check::kCamera, [this](const Findings&) { control_.Stop(); });
  while (!open_) std::this_thread::yield();
  Loan loan = LendUntilReleased();
  slow_ = false;
  control_.Run();
  loan.release.set_value();
  EXPECT_TRUE(loan.undisturbed.get());
}

}  // namespace
}  // namespace idkiosk
