#include "app/ui/snapshot_board.h"

#include <utility>

namespace idkiosk {

void SnapshotBoard::Put(SecretBytes json, uint64_t revision) {
  auto entry = std::make_shared<const SecretBytes>(std::move(json));
  const MutexLock lock(mutex_);
  newest_ = {std::move(entry), revision};
  changed_.NotifyAll();
}

std::optional<SnapshotBoard::Entry> SnapshotBoard::Next(uint64_t seen,
                                                        std::chrono::milliseconds longest) {
  MutexLock lock(mutex_);
  if (!changed_.WaitFor(lock, longest,
                        [&]() REQUIRES(mutex_) { return newest_.revision > seen; })) {
    return std::nullopt;
  }
  return newest_;
}

std::shared_ptr<void> SnapshotBoard::Watch() {
  ++watchers_;
  return {this, [this](void*) { --watchers_; }};
}

}  // namespace idkiosk
