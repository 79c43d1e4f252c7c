#ifndef IDKIOSK_TOOLS_BENCHMARKS_BENCH_QUEUE_H_
#define IDKIOSK_TOOLS_BENCHMARKS_BENCH_QUEUE_H_

#include <memory>
#include <string>

#include "app/queue/durable_queue.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"

namespace idkiosk {

// A queue with a vault on this machine's own disk, beside the program; gone when it goes.
class BenchQueue {
 public:
  // `name` tells queues of one run apart. With `waiting` calls in it already, which only look like
  // calls: they are never sent.
  explicit BenchQueue(const std::string& name, int waiting = 0);
  ~BenchQueue();
  BenchQueue(const BenchQueue&) = delete;
  BenchQueue& operator=(const BenchQueue&) = delete;

  [[nodiscard]] DurableQueue& queue() { return *queue_; }
  [[nodiscard]] FileVault& vault() { return vault_; }
  [[nodiscard]] const ServiceProfile& profile() const { return profile_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

  // A facial verification of five pictures of 20 kB, which are pictures by their marks alone.
  [[nodiscard]] VerificationCall MakeCall();

  static constexpr size_t kPictureSize = 20'000;  // bytes; five are a bundle of the largest size

 private:
  void Open();
  void Fill(int waiting);

  const std::string folder_;
  SystemClock clock_;
  SystemEntropy entropy_;
  PosixFileSystem files_;
  const MbedtlsCrypto crypto_;
  FileVault vault_;
  ServiceProfile profile_;
  std::unique_ptr<DurableQueue> queue_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_BENCH_QUEUE_H_
