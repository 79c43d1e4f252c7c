#ifndef IDKIOSK_APP_WORKERS_RESULT_LOOP_H_
#define IDKIOSK_APP_WORKERS_RESULT_LOOP_H_

#include <functional>
#include <thread>

#include "app/workers/heartbeat.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Hands results over on a thread of its own, for as long as the program runs: what a receiver does
// holds nobody up.
class ResultLoop {
 public:
  // All must outlive this.
  struct Dependencies {
    // Hands over what is due. Returns when to come again. On this loop's thread.
    std::function<MonotonicTime()> step;
    // Ends the exchange under way; any thread.
    std::function<void()> give_up;
    const Clock& clock;
    Heartbeat& heartbeat;
    Duration longest_step;
  };
  explicit ResultLoop(Dependencies deps) : deps_(std::move(deps)) {}
  ~ResultLoop() { End(); }
  ResultLoop(const ResultLoop&) = delete;
  ResultLoop& operator=(const ResultLoop&) = delete;

  void Start();
  // Ends the thread. What is being handed over is cut off: it comes again at the next start.
  void End();
  // Any thread: a call has changed.
  void Wake();

 private:
  void Work(const std::stop_token& stop);

  const Dependencies deps_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_RESULT_LOOP_H_
