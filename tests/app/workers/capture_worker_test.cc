#include "app/workers/capture_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

#include "platform/base/mutex.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

Frame JpegFrame(size_t size) {
  return Frame::Owning(PixelFormat::kJpeg, 640, 360, 0, Bytes(size, 0xd8));
}

// Notes what it hears, and ends the loop with the run.
class NotingListener final : public PictureTaker::Listener {
 public:
  explicit NotingListener(TaskLoop& loop) : loop_(loop) {}

  void OnStep(const CaptureStep& step) override { steps.push_back(step); }
  void OnTrouble(CameraTrouble trouble) override { troubles.push_back(trouble); }
  void OnPictures(Result<CaptureBundle> pictures) override {
    result = std::move(pictures);
    loop_.Stop();
  }

  std::vector<CaptureStep> steps;
  std::vector<CameraTrouble> troubles;
  std::optional<Result<CaptureBundle>> result;

 private:
  TaskLoop& loop_;
};

class CaptureWorkerTest : public testing::Test {
 protected:
  // One frame that shows somebody, with so many pictures kept.
  static void Progress(CaptureObserver& observer, int pictures,
                       std::optional<Restart> restarted = {}, const Frame& frame = JpegFrame(10)) {
    FrameObservation seen;
    seen.face.emplace();
    observer.OnProgress({.frame = frame,
                         .seen = seen,
                         .prompt = Prompt::kSelfie,
                         .guidance = Guidance::kNone,
                         .pictures = pictures,
                         .restarted = restarted});
  }
  // On the worker's thread, which has its own end of whatever it tells the test by.
  static void WaitFor(const std::stop_token& stop) {
    Mutex mutex;
    MutexLock lock(mutex);
    (void)ConditionVariable().Wait(lock, stop, [] { return false; });
  }
  static Result<CaptureResult> Pictures() {
    CaptureResult result;
    result.bundle.selfie.jpeg = SecretBytes(600);
    return result;
  }

  SystemClock clock_;
  LoopTaskRunner control_{clock_};
  PreviewSlot preview_;
  Heartbeat heartbeat_{clock_};
  NotingListener listener_{control_};
};

TEST_F(CaptureWorkerTest, BringsThePicturesToTheControlThread) {
  CaptureWorker worker(
      [](CaptureObserver& observer, const std::stop_token&) {
        Progress(observer, 3);
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
  ASSERT_TRUE(listener_.result);
  ASSERT_TRUE(*listener_.result);
  EXPECT_EQ((*listener_.result)->selfie.jpeg.size(), 600U);
  ASSERT_THAT(listener_.steps, SizeIs(1));
  EXPECT_EQ(listener_.steps[0].pictures, 3);
  EXPECT_TRUE(listener_.steps[0].face_seen);
  EXPECT_FALSE(preview_.open());
}

TEST_F(CaptureWorkerTest, AsksForNothingBeforeItsTime) {
  std::optional<bool> shows_only;
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token&) {
        shows_only = observer.ShowsOnly(Frame());
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, std::chrono::hours(1), LightPace::kUsual);
  control_.Run();
  EXPECT_EQ(shows_only, true);
}

TEST_F(CaptureWorkerTest, ASlowControlThreadHearsTheNewestAlone) {
  std::stop_source all_seen;
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token& stop) -> Result<CaptureResult> {
        Progress(observer, 0, Restart::kNotShown);
        for (int i = 0; i < 1000; ++i) Progress(observer, i % 5);
        all_seen.request_stop();
        while (!stop.stop_requested()) std::this_thread::yield();
        return Fail(ErrorCode::kCancelled, "stopped");
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  while (!all_seen.stop_requested()) std::this_thread::yield();
  control_.Post([this] { control_.Stop(); });
  control_.Run();
  ASSERT_THAT(listener_.steps, SizeIs(1));
  EXPECT_EQ(listener_.steps[0].pictures, 4);
  EXPECT_EQ(listener_.steps[0].restarted, Restart::kNotShown);
}

TEST_F(CaptureWorkerTest, AStoppedRunIsHeardOfNoMore) {
  int runs = 0;
  std::stop_source first_runs;
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token& stop) -> Result<CaptureResult> {
        if (++runs == 2) return Pictures();
        Progress(observer, 1);
        first_runs.request_stop();
        while (!stop.stop_requested()) std::this_thread::yield();
        Progress(observer, 2);
        return Fail(ErrorCode::kCancelled, "stopped");
      },
      control_, clock_, preview_, heartbeat_);
  NotingListener first(control_);
  worker.Start(first, Duration::zero(), LightPace::kUsual);
  while (!first_runs.stop_requested()) std::this_thread::yield();
  worker.Stop();
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
  EXPECT_TRUE(*listener_.result);
  EXPECT_THAT(first.steps, SizeIs(0));
  EXPECT_FALSE(first.result.has_value());
}

TEST_F(CaptureWorkerTest, TellsABlackPictureFromACameraThatIsAway) {
  for (const bool frames : {false, true}) {
    LoopTaskRunner control(clock_);
    NotingListener listener(control);
    CaptureWorker worker(
        [&](CaptureObserver& observer, const std::stop_token&) -> Result<CaptureResult> {
          if (frames) Progress(observer, 0);
          observer.OnCameraTrouble({ErrorCode::kUnavailable, "trouble"});
          return Fail(ErrorCode::kUnavailable, "gone");
        },
        control, clock_, preview_, heartbeat_);
    worker.Start(listener, Duration::zero(), LightPace::kUsual);
    control.Run();
    EXPECT_EQ(listener.troubles.back(), frames ? CameraTrouble::kBlack : CameraTrouble::kAway);
    EXPECT_EQ(listener.result->error().code, ErrorCode::kUnavailable);
  }
}

TEST_F(CaptureWorkerTest, AReaderWhoStandsStillHoldsOnePictureAndSlowsNobody) {
  PreviewSlot::Watch watch(preview_);
  std::vector<std::weak_ptr<const SecretBytes>> held;
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token&) {
        for (size_t i = 1; i <= 500; ++i) Progress(observer, 0, std::nullopt, JpegFrame(i));
        if (const auto newest = watch.Next(0, 0ms)) {
          EXPECT_EQ(newest->number, 500U);
          EXPECT_EQ(newest->jpeg->size(), 500U);
          EXPECT_EQ(newest->jpeg.use_count(), 2);
          held.push_back(newest->jpeg);
        }
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_TRUE(held[0].expired()) << "a face outlived the camera screen";
  EXPECT_EQ(watch.Next(0, 0ms), std::nullopt);
}

TEST_F(CaptureWorkerTest, CopiesNothingForAPageThatDoesNotWatch) {
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token&) {
        Progress(observer, 0);
        EXPECT_EQ(PreviewSlot::Watch(preview_).Next(0, 0ms), std::nullopt);
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
}

TEST_F(CaptureWorkerTest, ShowsACameraWithoutJpegAsJpegToo) {
  PreviewSlot::Watch watch(preview_);
  CaptureWorker worker(
      [&](CaptureObserver& observer, const std::stop_token&) {
        const Frame grey = Frame::Owning(PixelFormat::kGrey, 64, 48, 64, Bytes(size_t{64} * 48));
        Progress(observer, 0, std::nullopt, grey);
        const auto picture = watch.Next(0, 0ms);
        EXPECT_EQ(picture ? ToHex(picture->jpeg->view().first(3)) : "nothing", "ffd8ff");
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
}

TEST_F(CaptureWorkerTest, LendsTheCameraUntilTheNextCaptureWantsIt) {
  std::atomic<bool> lent = false;
  CaptureWorker worker(
      [&](CaptureObserver&, const std::stop_token&) {
        EXPECT_FALSE(lent);  // one has it at a time
        return Pictures();
      },
      control_, clock_, preview_, heartbeat_);
  std::promise<void> taken;
  std::future<void> begun = taken.get_future();
  worker.Lend([&lent, taken = std::move(taken)](const std::stop_token& stop) mutable {
    lent = true;
    taken.set_value();
    WaitFor(stop);
    lent = false;
  });
  begun.get();
  EXPECT_TRUE(preview_.open());
  worker.Start(listener_, Duration::zero(), LightPace::kUsual);
  control_.Run();
  EXPECT_TRUE(listener_.result && *listener_.result);
}

TEST_F(CaptureWorkerTest, WhoeverBorrowsTheCameraLosesItAtStop) {
  CaptureWorker worker([&](CaptureObserver&, const std::stop_token&) { return Pictures(); },
                       control_, clock_, preview_, heartbeat_);
  std::promise<void> taken;
  std::promise<void> given_back;
  std::future<void> begun = taken.get_future();
  std::future<void> ended = given_back.get_future();
  worker.Lend([taken = std::move(taken),
               given_back = std::move(given_back)](const std::stop_token& stop) mutable {
    taken.set_value();
    WaitFor(stop);
    given_back.set_value();
  });
  begun.get();
  worker.Stop();
  ended.get();
  EXPECT_FALSE(preview_.open());
}

TEST_F(CaptureWorkerTest, NothingUsesTheCameraOnceItHasEnded) {
  std::atomic<int> users = 0;
  std::atomic<bool> begun = false;
  CaptureWorker worker([&](CaptureObserver&, const std::stop_token&) { return Pictures(); },
                       control_, clock_, preview_, heartbeat_);
  worker.Lend([&](const std::stop_token& stop) {
    ++users;
    begun = true;
    WaitFor(stop);
    --users;
  });
  while (!begun) std::this_thread::yield();
  worker.End();
  EXPECT_EQ(users, 0);
  worker.Lend([&](const std::stop_token&) { ++users; });
  worker.End();
  EXPECT_EQ(users, 0);
}

}  // namespace
}  // namespace idkiosk
