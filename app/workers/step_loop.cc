#include "app/workers/step_loop.h"

#include <algorithm>
#include <utility>

#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

// The clock of a deadline counts suspend, that of a condition variable does not: look again.
constexpr Duration kLongestNap = std::chrono::seconds(1);
constexpr Duration kNapMayLast = std::chrono::seconds(20);
// An exchange that begins while the loop ends does not hear of the first give_up.
constexpr std::chrono::milliseconds kGiveUpAgain{50};

}  // namespace

void StepLoop::Start(Step step) {
  thread_ = std::jthread(
      [this, step = std::move(step)](const std::stop_token& stop) { Work(stop, step); });
}

void StepLoop::End(std::chrono::milliseconds patience, const std::function<void()>& give_up) {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  {
    MutexLock lock(mutex_);
    const auto ended = [this]() REQUIRES(mutex_) { return ended_; };
    if (!changed_.WaitFor(lock, patience, ended)) {
      do {
        give_up();
      } while (!changed_.WaitFor(lock, kGiveUpAgain, ended));
    }
  }
  thread_.join();
}

void StepLoop::Wake() {
  const MutexLock lock(mutex_);
  woken_ = true;
  changed_.NotifyAll();
}

void StepLoop::Work(const std::stop_token& stop, const Step& step) {
  while (!stop.stop_requested()) {
    const MonotonicTime next = step(stop);
    WipeUnusedStack();
    Nap(stop, next);
  }
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.NotifyAll();
}

void StepLoop::Nap(const std::stop_token& stop, MonotonicTime next) {
  MutexLock lock(mutex_);
  while (!woken_ && !stop.stop_requested()) {
    const Duration left = next - clock_.Now();
    if (left <= Duration()) break;
    heartbeat_.Beat(kNapMayLast);
    changed_.WaitFor(lock, stop, std::min(left, kLongestNap),
                     [this]() REQUIRES(mutex_) { return woken_; });
  }
  woken_ = false;
}

}  // namespace idkiosk
