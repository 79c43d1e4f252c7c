#include "app/ui/snapshot_board.h"

#include <utility>

namespace idkiosk {

void SnapshotBoard::Put(SecretBytes json, uint64_t revision) {
  auto entry = std::make_shared<const SecretBytes>(std::move(json));
  const std::lock_guard lock(mutex_);
  newest_ = {std::move(entry), revision};
  changed_.notify_all();
}

std::optional<SnapshotBoard::Entry> SnapshotBoard::Next(uint64_t seen,
                                                        std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, longest, [&] { return newest_.revision > seen; })) {
    return std::nullopt;
  }
  return newest_;
}

}  // namespace idkiosk
