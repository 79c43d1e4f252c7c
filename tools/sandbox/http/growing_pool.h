#ifndef IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_
#define IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_

#include <httplib.h>

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "platform/base/mutex.h"

namespace idkiosk::sandbox {

// Threads made as connections come, kept for the next ones. A fixed pool would let a few idle
// keep-alive connections shut everybody else out.
class GrowingPool final : public httplib::TaskQueue {
 public:
  explicit GrowingPool(size_t max_threads) : max_threads_(max_threads) {}
  ~GrowingPool() override { shutdown(); }

  // False when every thread is busy and no more may be made.
  bool enqueue(std::function<void()> task) override;
  // Runs what is queued and joins every thread.
  void shutdown() override;

 private:
  void Work();

  const size_t max_threads_ GUARDED_BY(mutex_);
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::function<void()>> tasks_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
  size_t idle_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_
