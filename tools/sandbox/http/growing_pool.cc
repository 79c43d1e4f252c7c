#include "tools/sandbox/http/growing_pool.h"

#include <utility>

namespace idkiosk::sandbox {

bool GrowingPool::enqueue(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (tasks_.size() >= idle_) {
    if (threads_.size() >= max_threads_) return false;
    threads_.emplace_back([this] { Work(); });
    ++idle_;
  }
  tasks_.push_back(std::move(task));
  changed_.notify_one();
  return true;
}

void GrowingPool::shutdown() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void GrowingPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    --idle_;
    lock.unlock();
    task();
    lock.lock();
    ++idle_;
  }
}

}  // namespace idkiosk::sandbox
