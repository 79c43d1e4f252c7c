#ifndef IDKIOSK_APP_UI_SNAPSHOT_BOARD_H_
#define IDKIOSK_APP_UI_SNAPSHOT_BOARD_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The newest snapshot, for every page that looks. Any thread; no reader delays another.
class SnapshotBoard {
 public:
  struct Entry {
    std::shared_ptr<const SecretBytes> json;
    uint64_t revision = 0;
  };

  void Put(SecretBytes json, uint64_t revision);

  // The newest after revision `seen` (0: whatever there is), waiting for it until `longest` at
  // most.
  [[nodiscard]] std::optional<Entry> Next(uint64_t seen, std::chrono::milliseconds longest);

  // Says that a page looks, until the pointer goes. Requires this to outlive it.
  [[nodiscard]] std::shared_ptr<void> Watch();
  // Returns whether any does. A page that was closed counts until its server misses it.
  [[nodiscard]] bool is_watched() const { return watchers_ > 0; }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  Entry newest_ GUARDED_BY(mutex_);
  std::atomic<int> watchers_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_SNAPSHOT_BOARD_H_
