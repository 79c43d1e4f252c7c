#ifndef IDKIOSK_PLATFORM_BASE_THREAD_CHECKER_H_
#define IDKIOSK_PLATFORM_BASE_THREAD_CHECKER_H_

#include <atomic>
#include <source_location>
#include <thread>

#include "platform/base/thread_annotations.h"

namespace idkiosk {

// Holds an object to one thread, in every build: a check costs about a nanosecond. Clang's analysis
// takes it for a lock: a member that is GUARDED_BY it is used only in functions that check.
class CAPABILITY("thread") ThreadChecker {
 public:
  // Belongs to the thread that makes it.
  ThreadChecker() = default;
  // Belongs to the first thread that checks.
  [[nodiscard]] static ThreadChecker Detached() { return ThreadChecker(std::thread::id()); }
  ThreadChecker(const ThreadChecker&) = delete;
  ThreadChecker& operator=(const ThreadChecker&) = delete;

  // On any other thread, ends the program with a line of the log that names the caller.
  void Check(const std::source_location& caller = std::source_location::current()) const
      ASSERT_CAPABILITY(this) {
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id bound = thread_.load(std::memory_order_relaxed);
    if (bound == here) return;
    const bool detached = bound == std::thread::id();
    if (detached && thread_.compare_exchange_strong(bound, here, std::memory_order_relaxed)) return;
    EndProgram(caller);
  }

 private:
  explicit ThreadChecker(std::thread::id thread) : thread_(thread) {}
  [[noreturn]] static void EndProgram(const std::source_location& caller);

  mutable std::atomic<std::thread::id> thread_{std::this_thread::get_id()};
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_THREAD_CHECKER_H_
