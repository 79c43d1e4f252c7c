#ifndef IDKIOSK_APP_WORKERS_CAPTURE_WORKER_H_
#define IDKIOSK_APP_WORKERS_CAPTURE_WORKER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/capture/capture_runner.h"
#include "app/session/visit/picture_taker.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_slot.h"
#include "platform/api/task_runner.h"
#include "platform/base/mutex.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Takes pictures on a thread of its own. What it sees goes to the control thread as one task at a
// time: the newest, however slow that thread is.
class CaptureWorker final : public PictureTaker {
 public:
  // Opens the camera, runs one capture and closes it; on the worker's thread.
  using Capture = std::function<Result<CaptureResult>(CaptureObserver&, const std::stop_token&)>;

  // All must outlive this, and `control` runs none of its tasks after that.
  CaptureWorker(Capture capture, TaskRunner& control, const Clock& clock, PreviewSlot& preview,
                Heartbeat& heartbeat);
  ~CaptureWorker() override { End(); }

  // Stops the run under way, waits for its end, and begins no other. Called by an owner of anything
  // that a run uses and that goes before this worker does.
  void End();

  void Start(Listener& listener, Duration asks_after, LightPace pace) override;
  void LeaveOut(uint32_t challenges) override { left_out_ = challenges; }
  void Stop() override;

  // What the run that begins now leaves out. Any thread.
  [[nodiscard]] uint32_t left_out() const { return left_out_; }

  // Somebody else has the camera: runs on the worker's thread once the run under way has ended,
  // until it returns or is asked to stop (by Stop, or by the next run). It beats the heartbeat.
  // What it puts into the preview is shown.
  using Borrower = std::move_only_function<void(const std::stop_token&)>;
  void Lend(Borrower borrower);

 private:
  class Run;
  struct News {
    std::optional<CaptureStep> step;
    std::optional<CameraTrouble> trouble;
  };

  void Begin(Borrower borrower, MonotonicTime asks_at = {}, LightPace pace = {});
  void Work(const std::stop_token& stop);
  [[nodiscard]] bool IsNewest(uint64_t run);
  // On the worker's thread; the news of one run reach its own listener or nobody.
  void Tell(uint64_t run, const News& news);
  void End(uint64_t run, Result<CaptureResult> result);
  void Deliver(uint64_t run);
  void OnEnded(uint64_t run, Result<CaptureResult> result);

  const ThreadChecker control_thread_;
  const Capture capture_;
  TaskRunner& control_;
  const Clock& clock_;
  PreviewSlot& preview_;
  Heartbeat& heartbeat_;

  Listener* listener_ GUARDED_BY(control_thread_) = nullptr;

  std::atomic<uint32_t> left_out_ = 0;

  Mutex mutex_;
  ConditionVariable changed_;
  uint64_t run_ GUARDED_BY(mutex_) = 0;          // the newest that was asked for
  bool wanted_ GUARDED_BY(mutex_) = false;       // and has not begun
  Borrower borrower_ GUARDED_BY(mutex_);         // of it; empty: a capture
  MonotonicTime asks_at_ GUARDED_BY(mutex_){};   // of it: what comes before is only shown
  LightPace pace_ GUARDED_BY(mutex_){};          // of its colours
  std::stop_source stop_ GUARDED_BY(mutex_);     // of it
  std::optional<News> news_ GUARDED_BY(mutex_);  // not delivered yet; its task is posted
  std::jthread thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_CAPTURE_WORKER_H_
