#include "app/workers/preview_slot.h"

#include <utility>

namespace idkiosk {

std::optional<PreviewSlot::Picture> PreviewSlot::Watch::Next(uint64_t seen,
                                                             std::chrono::milliseconds longest) {
  MutexLock lock(slot_.mutex_);
  const auto is_newer = [&]() REQUIRES(slot_.mutex_) {
    return slot_.newest_.jpeg && slot_.newest_.number > seen;
  };
  slot_.changed_.WaitFor(lock, longest,
                         [&]() REQUIRES(slot_.mutex_) { return is_newer() || !slot_.open_; });
  if (!is_newer()) return std::nullopt;
  return slot_.newest_;
}

void PreviewSlot::Open() {
  const MutexLock lock(mutex_);
  newest_.jpeg.reset();
  open_ = true;
}

void PreviewSlot::Close() {
  const MutexLock lock(mutex_);
  newest_.jpeg.reset();
  open_ = false;
  changed_.NotifyAll();
}

void PreviewSlot::Put(SecretBytes jpeg) {
  auto picture = std::make_shared<const SecretBytes>(std::move(jpeg));
  const MutexLock lock(mutex_);
  if (!open_) return;
  newest_ = {std::move(picture), newest_.number + 1};
  changed_.NotifyAll();
}

bool PreviewSlot::watched() const {
  const MutexLock lock(mutex_);
  return watchers_ > 0;
}

bool PreviewSlot::open() const {
  const MutexLock lock(mutex_);
  return open_;
}

void PreviewSlot::Count(int watchers) {
  const MutexLock lock(mutex_);
  watchers_ += watchers;
}

}  // namespace idkiosk
