#include "app/workers/delivery_loop.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

constexpr Duration kAfterTrouble = std::chrono::seconds(5);
// The clock of a deadline counts suspend, that of a condition variable does not: look again.
constexpr Duration kLongestNap = std::chrono::seconds(1);
constexpr Duration kDisk = std::chrono::seconds(20);

}  // namespace

void DeliveryLoop::End() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  {
    MutexLock lock(mutex_);
    if (!changed_.WaitFor(lock, deps_.grace, [this]() REQUIRES(mutex_) { return ended_; })) {
      deps_.give_up();
    }
  }
  thread_.join();
}

void DeliveryLoop::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

void DeliveryLoop::Wake() {
  const MutexLock lock(mutex_);
  woken_ = true;
  changed_.NotifyAll();
}

bool DeliveryLoop::Do(Task errand) {
  const MutexLock lock(mutex_);
  if (errands_.size() == kMostErrands) return false;
  errands_.push_back(std::move(errand));
  woken_ = true;
  changed_.NotifyAll();
  return true;
}

void DeliveryLoop::Halt() {
  delivery_thread_.Check();
  halted_ = true;
}

Task DeliveryLoop::TakeErrand() {
  const MutexLock lock(mutex_);
  if (errands_.empty()) return nullptr;
  Task errand = std::move(errands_.front());
  errands_.pop_front();
  return errand;
}

bool DeliveryLoop::errand_waits() {
  const MutexLock lock(mutex_);
  return !errands_.empty();
}

MonotonicTime DeliveryLoop::StepOnce(const std::stop_token& stop) {
  delivery_thread_.Check();
  // A login may go before the call itself.
  const auto beat = [this] { deps_.heartbeat.Beat(2 * deps_.longest_exchange + kDisk); };
  beat();
  if (halted_) return deps_.clock.Now() + kAfterTrouble;
  if (Task errand = TakeErrand()) {
    errand();
    return deps_.clock.Now();
  }
  const auto step =
      deps_.worker.DeliverRun({.go_on = [&] { return !stop.stop_requested() && !errand_waits(); },
                               .report =
                                   [&](const DeliveryWorker::Step& each) {
                                     deps_.report(each);
                                     beat();
                                   }});
  const MonotonicTime now = deps_.clock.Now();
  if (!step) {
    LogError("delivery: {}", step.error().message);
    return now + kAfterTrouble;
  }
  if (step->reference) return now;
  if (now >= chore_due_) {
    chore_due_ = deps_.chore();
    return now;
  }
  return std::min(step->next, chore_due_);
}

void DeliveryLoop::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const MonotonicTime next = StepOnce(stop);
    WipeUnusedStack();
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
