#ifndef IDKIOSK_PLATFORM_BASE_MUTEX_H_
#define IDKIOSK_PLATFORM_BASE_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "platform/base/thread_annotations.h"

namespace idkiosk {

// A std::mutex that clang's thread-safety analysis knows: members say that they are GUARDED_BY it.
class CAPABILITY("mutex") Mutex {
 public:
  // Tells the analysis, which cannot see it, that the caller holds this. Checks nothing.
  void AssertHeld() const ASSERT_CAPABILITY(this) {}

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex for as long as it lives, but for what is between Unlock and Lock.
class SCOPED_CAPABILITY MutexLock {
 public:
  // `mutex` must outlive this.
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void Unlock() RELEASE() { lock_.unlock(); }
  void Lock() ACQUIRE() { lock_.lock(); }

 private:
  friend class ConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

// Wakes those who wait until what a mutex guards has changed. The mutex is let go meanwhile, and
// held whenever `ready` is asked: [this]() REQUIRES(mutex_) { return wanted_; }.
class ConditionVariable {
 public:
  void NotifyOne() { changed_.notify_one(); }
  void NotifyAll() { changed_.notify_all(); }

  // Returns once `ready`.
  template <typename Ready>
  void Wait(MutexLock& lock, Ready ready) {
    changed_.wait(lock.lock_, std::move(ready));
  }
  // Returns once `ready` or asked to stop; whether ready.
  template <typename Ready>
  bool Wait(MutexLock& lock, const std::stop_token& stop, Ready ready) {
    return changed_.wait(lock.lock_, stop, std::move(ready));
  }
  // Returns once `ready`, or `longest` is over; whether ready.
  template <typename Ready>
  bool WaitFor(MutexLock& lock, std::chrono::nanoseconds longest, Ready ready) {
    return changed_.wait_for(lock.lock_, longest, std::move(ready));
  }
  // Returns once `ready` or asked to stop, or `longest` is over; whether ready.
  template <typename Ready>
  bool WaitFor(MutexLock& lock, const std::stop_token& stop, std::chrono::nanoseconds longest,
               Ready ready) {
    return changed_.wait_for(lock.lock_, stop, longest, std::move(ready));
  }
  // Returns when notified, when `longest` is over, or for no reason at all.
  void WaitFor(MutexLock& lock, std::chrono::nanoseconds longest) {
    (void)changed_.wait_for(lock.lock_, longest);
  }

 private:
  std::condition_variable_any changed_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_MUTEX_H_
