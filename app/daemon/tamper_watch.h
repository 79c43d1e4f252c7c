#ifndef IDKIOSK_APP_DAEMON_TAMPER_WATCH_H_
#define IDKIOSK_APP_DAEMON_TAMPER_WATCH_H_

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

#include "platform/api/tamper_switch.h"

namespace idkiosk {

// Watches the case on a thread of its own, and erases the keys on that thread as soon as it is
// opened: nothing else stands before them. Tries again until they are gone.
class TamperWatch {
 public:
  // On the watch's thread.
  struct Dependencies {
    std::unique_ptr<TamperSwitch> tamper;
    // Errors: kFailedPrecondition (there is nothing to erase), or why it could not be done.
    std::function<Status()> erase_keys;
    // The keys are gone; asked once, and nothing is watched any more.
    std::function<void()> erased;
  };
  explicit TamperWatch(Dependencies deps) : deps_(std::move(deps)) {}

  // Errors: TamperSwitch::Open's; then nothing is watched.
  [[nodiscard]] Status Start();

 private:
  void Run(const std::stop_token& stop);
  // Returns whether the keys are gone.
  [[nodiscard]] bool EraseKeys();

  Dependencies deps_;
  bool is_told_ = false;  // that there is nothing to erase
  std::jthread thread_;   // last: it uses the others
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_TAMPER_WATCH_H_
