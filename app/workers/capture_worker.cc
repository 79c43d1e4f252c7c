#include "app/workers/capture_worker.h"

#include <utility>

#include "app/workers/preview_feed.h"
#include "platform/base/log.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

// Opening a camera that hangs, and a capture between two frames.
constexpr Duration kOpening = std::chrono::seconds(25);
// A camera that tells trouble while frames come shows nothing on them.
constexpr Duration kJustNow = std::chrono::milliseconds(500);

}  // namespace

// What one capture sees.
class CaptureWorker::Run final : public CaptureObserver {
 public:
  Run(CaptureWorker& worker, uint64_t number, MonotonicTime asks_at, LightPace pace)
      : worker_(worker),
        number_(number),
        asks_at_(asks_at),
        pace_(pace),
        preview_(worker.preview_, worker.clock_) {}

  bool ShowsOnly(const Frame& frame) override {
    if (worker_.clock_.Now() >= asks_at_) return false;
    worker_.heartbeat_.Beat(kCameraBeat);
    if (worker_.IsNewest(number_)) preview_.Show(frame);
    return true;
  }

  std::optional<LightPace> ShowsLight() override { return pace_; }

  void OnProgress(const CaptureProgress& progress) override {
    worker_.heartbeat_.Beat(kCameraBeat);
    if (!worker_.IsNewest(number_)) return;
    frame_at_ = worker_.clock_.Now();
    preview_.Show(progress.frame);
    const CaptureStep step{.prompt = progress.prompt,
                           .guidance = progress.guidance,
                           .pictures = progress.pictures,
                           .held = progress.held,
                           .restarted = progress.restarted,
                           .face_seen = progress.seen.face.has_value(),
                           .light = progress.light,
                           .fade = progress.fade};
    worker_.Tell(number_, {step, std::nullopt});
  }

  void OnCameraTrouble(const Error& error) override {
    worker_.heartbeat_.Beat(kCameraBeat);
    LogWarning("camera: {}", error.message);
    worker_.Tell(number_, {std::nullopt, KindOf(error)});
  }

 private:
  [[nodiscard]] CameraTrouble KindOf(const Error& error) const {
    if (error.code == ErrorCode::kTimeout) return CameraTrouble::kFrozen;
    return worker_.clock_.Now() - frame_at_ < kJustNow ? CameraTrouble::kBlack
                                                       : CameraTrouble::kAway;
  }

  CaptureWorker& worker_;
  const uint64_t number_;
  const MonotonicTime asks_at_;
  const LightPace pace_;
  PreviewFeed preview_;
  MonotonicTime frame_at_{};
};

CaptureWorker::CaptureWorker(Capture capture, TaskRunner& control, const Clock& clock,
                             PreviewSlot& preview, Heartbeat& heartbeat)
    : capture_(std::move(capture)),
      control_(control),
      clock_(clock),
      preview_(preview),
      heartbeat_(heartbeat),
      thread_([this](const std::stop_token& stop) { Work(stop); }) {}

void CaptureWorker::End() {
  Stop();
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void CaptureWorker::Start(Listener& listener, Duration asks_after, LightPace pace) {
  control_thread_.Check();
  Stop();
  listener_ = &listener;
  Begin(nullptr, clock_.Now() + asks_after, pace);
}

void CaptureWorker::Lend(Borrower borrower) {
  control_thread_.Check();
  Stop();
  Begin(std::move(borrower));
}

void CaptureWorker::Begin(Borrower borrower, MonotonicTime asks_at, LightPace pace) {
  preview_.Open();
  const MutexLock lock(mutex_);
  ++run_;
  wanted_ = true;
  borrower_ = std::move(borrower);
  asks_at_ = asks_at;
  pace_ = pace;
  stop_ = std::stop_source();
  news_.reset();
  changed_.NotifyAll();
}

void CaptureWorker::Stop() {
  control_thread_.Check();
  listener_ = nullptr;
  preview_.Close();
  const MutexLock lock(mutex_);
  wanted_ = false;
  borrower_ = nullptr;
  stop_.request_stop();
}

void CaptureWorker::Work(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  while (changed_.Wait(lock, stop, [this]() REQUIRES(mutex_) { return wanted_; })) {
    wanted_ = false;
    const uint64_t run = run_;
    const std::stop_token run_stop = stop_.get_token();
    const MonotonicTime asks_at = asks_at_;
    const LightPace pace = pace_;
    Borrower borrower = std::exchange(borrower_, nullptr);
    lock.Unlock();
    heartbeat_.Beat(kOpening);
    if (borrower) {
      borrower(run_stop);
    } else {
      Run observer(*this, run, asks_at, pace);
      End(run, capture_(observer, run_stop));
    }
    WipeUnusedStack();
    heartbeat_.Rest();
    lock.Lock();
  }
}

bool CaptureWorker::IsNewest(uint64_t run) {
  const MutexLock lock(mutex_);
  return run == run_ && !stop_.stop_requested();
}

void CaptureWorker::Tell(uint64_t run, const News& news) {
  const MutexLock lock(mutex_);
  if (run != run_) return;
  const bool posted = news_.has_value();
  // What was not delivered yet is old; but that the person must begin anew is not.
  const auto restarted = posted && news_->step ? news_->step->restarted : std::nullopt;
  news_ = news;
  if (news_->step && !news_->step->restarted) news_->step->restarted = restarted;
  if (!posted) control_.Post([this, run] { Deliver(run); });
}

void CaptureWorker::Deliver(uint64_t run) {
  control_thread_.Check();
  std::optional<News> news;
  {
    const MutexLock lock(mutex_);
    if (run != run_) return;
    news = std::exchange(news_, std::nullopt);
  }
  if (listener_ == nullptr || !news) return;
  if (news->step) listener_->OnStep(*news->step);
  if (news->trouble) listener_->OnTrouble(*news->trouble);
}

void CaptureWorker::End(uint64_t run, Result<CaptureResult> result) {
  if (result) {
    LogInfo("five pictures of {} bytes after {}, {} frames; the screen's light: {}",
            result->bundle.total_bytes(), FormatDuration(result->record.to_bundle),
            result->record.frames, Name(result->record.light.finding));
  }
  control_.Post(
      [this, run, ended = std::move(result)]() mutable { OnEnded(run, std::move(ended)); });
}

void CaptureWorker::OnEnded(uint64_t run, Result<CaptureResult> result) {
  control_thread_.Check();
  if (!IsNewest(run) || listener_ == nullptr) return;
  Listener& listener = *std::exchange(listener_, nullptr);
  preview_.Close();
  if (!result) return listener.OnPictures(std::unexpected(result.error()));
  listener.OnPictures(std::move(result->bundle));
}

}  // namespace idkiosk
