#include "app/assembly/stop_deadline.h"

#include <cstdlib>

#include "platform/base/mutex.h"

namespace idkiosk {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(50);  // a signal's handler wakes nobody
constexpr Duration kMoment = std::chrono::milliseconds(600);

// Waits for `time`, or until `stop` is requested: then true.
bool Wait(const std::stop_token& stop, Duration time) {
  Mutex mutex;
  ConditionVariable changed;
  MutexLock lock(mutex);
  return changed.WaitFor(lock, stop, time, [&stop] { return stop.stop_requested(); });
}

}  // namespace

StopDeadline::StopDeadline(Components& components, ExitCode code)
    : watch_([&components, code](const std::stop_token& stop) {
        while (!components.stopping()) {
          if (Wait(stop, kLook)) return;
        }
        if (Wait(stop, kMoment)) return;
        components.terminal().Say("idkiosk: stopped");
        std::_Exit(static_cast<int>(code));
      }) {}

}  // namespace idkiosk
