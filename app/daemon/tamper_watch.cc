#include "app/daemon/tamper_watch.h"

#include <utility>

#include "platform/base/log.h"
#include "platform/base/mutex.h"

namespace idkiosk {
namespace {

constexpr Duration kPatience = std::chrono::milliseconds(250);  // to notice that it shall end
constexpr Duration kTryAgain = std::chrono::milliseconds(20);
constexpr Duration kOpenAgain = std::chrono::seconds(1);

// Until it shall end, or for so long.
void Pause(const std::stop_token& stop, Duration pause) {
  Mutex mutex;
  MutexLock lock(mutex);
  (void)ConditionVariable().WaitFor(lock, stop, pause, [] { return false; });
}

}  // namespace

Status TamperWatch::Start() {
  if (Status opened = deps_.tamper->Open(); !opened) return opened;
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  return {};
}

void TamperWatch::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto is_open = deps_.tamper->Wait(kPatience);
    if (is_open && !*is_open) continue;
    if (is_open) {
      if (EraseKeys()) return deps_.erased();
      Pause(stop, kTryAgain);
      continue;
    }
    LogError("the case is not watched: {}", is_open.error().message);
    while (!stop.stop_requested() && !deps_.tamper->Open()) Pause(stop, kOpenAgain);
  }
}

bool TamperWatch::EraseKeys() {
  const Status erased = deps_.erase_keys();
  if (erased) {
    LogError("somebody opened the case: the keys are erased");
    return true;
  }
  const bool is_nothing = erased.error().code == ErrorCode::kFailedPrecondition;
  if (!is_nothing) {
    LogError("the case is open, and the keys are still there: {}", erased.error().message);
  } else if (!std::exchange(is_told_, true)) {
    LogWarning("the case is open: a vault that is made now is erased at once");
  }
  return false;
}

}  // namespace idkiosk
