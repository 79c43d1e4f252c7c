#include "tools/sandbox/http/growing_pool.h"

#include <utility>

namespace idkiosk::sandbox {

bool GrowingPool::enqueue(std::function<void()> task) {
  const MutexLock lock(mutex_);
  if (stopping_) return false;
  if (tasks_.size() >= idle_) {
    if (threads_.size() >= max_threads_) return false;
    threads_.emplace_back([this] { Work(); });
    ++idle_;
  }
  tasks_.push_back(std::move(task));
  changed_.NotifyOne();
  return true;
}

void GrowingPool::shutdown() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void GrowingPool::Work() {
  MutexLock lock(mutex_);
  for (;;) {
    changed_.Wait(lock, [this]() REQUIRES(mutex_) { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    --idle_;
    lock.Unlock();
    task();
    lock.Lock();
    ++idle_;
  }
}

}  // namespace idkiosk::sandbox
