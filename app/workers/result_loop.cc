#include "app/workers/result_loop.h"

#include <algorithm>

namespace idkiosk {
namespace {

// The clock of a deadline counts suspend, that of a condition variable does not: look again.
constexpr Duration kLongestNap = std::chrono::seconds(1);
constexpr Duration kDisk = std::chrono::seconds(20);
// An exchange that begins while the loop ends does not hear of the first give_up.
constexpr std::chrono::milliseconds kGiveUpAgain{50};

}  // namespace

void ResultLoop::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

void ResultLoop::End() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  {
    MutexLock lock(mutex_);
    do {
      deps_.give_up();
    } while (!changed_.WaitFor(lock, kGiveUpAgain, [this]() REQUIRES(mutex_) { return ended_; }));
  }
  thread_.join();
}

void ResultLoop::Wake() {
  const MutexLock lock(mutex_);
  woken_ = true;
  changed_.NotifyAll();
}

void ResultLoop::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    deps_.heartbeat.Beat(deps_.longest_step + kDisk);
    const MonotonicTime next = deps_.step();
    MutexLock lock(mutex_);
    while (!woken_ && !stop.stop_requested()) {
      const Duration left = next - deps_.clock.Now();
      if (left <= Duration()) break;
      deps_.heartbeat.Beat(kDisk);
      changed_.WaitFor(lock, stop, std::min(left, kLongestNap),
                       [this]() REQUIRES(mutex_) { return woken_; });
    }
    woken_ = false;
  }
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.NotifyAll();
}

}  // namespace idkiosk
