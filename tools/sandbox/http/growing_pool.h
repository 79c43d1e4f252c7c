#ifndef IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_
#define IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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

  const size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_HTTP_GROWING_POOL_H_
