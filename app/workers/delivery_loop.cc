#include "app/workers/delivery_loop.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kAfterTrouble = std::chrono::seconds(5);
constexpr Duration kDisk = std::chrono::seconds(20);

}  // namespace

void DeliveryLoop::End() { loop_.End(deps_.grace, deps_.give_up); }

void DeliveryLoop::Start() {
  loop_.Start([this](const std::stop_token& stop) { return StepOnce(stop); });
}

bool DeliveryLoop::Do(Task errand) {
  {
    const MutexLock lock(mutex_);
    if (errands_.size() == kMostErrands) return false;
    errands_.push_back(std::move(errand));
  }
  loop_.Wake();
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

}  // namespace idkiosk
