#include "app/workers/preview_slot.h"

#include <utility>

namespace idkiosk {

std::optional<PreviewSlot::Picture> PreviewSlot::Watch::Next(uint64_t seen,
                                                             std::chrono::milliseconds longest) {
  std::unique_lock lock(slot_.mutex_);
  const auto is_newer = [&] { return slot_.newest_.jpeg && slot_.newest_.number > seen; };
  slot_.changed_.wait_for(lock, longest, [&] { return is_newer() || !slot_.open_; });
  if (!is_newer()) return std::nullopt;
  return slot_.newest_;
}

void PreviewSlot::Open() {
  const std::lock_guard lock(mutex_);
  newest_.jpeg.reset();
  open_ = true;
}

void PreviewSlot::Close() {
  const std::lock_guard lock(mutex_);
  newest_.jpeg.reset();
  open_ = false;
  changed_.notify_all();
}

void PreviewSlot::Put(SecretBytes jpeg) {
  auto picture = std::make_shared<const SecretBytes>(std::move(jpeg));
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  newest_ = {std::move(picture), newest_.number + 1};
  changed_.notify_all();
}

bool PreviewSlot::watched() const {
  const std::lock_guard lock(mutex_);
  return watchers_ > 0;
}

bool PreviewSlot::open() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

void PreviewSlot::Count(int watchers) {
  const std::lock_guard lock(mutex_);
  watchers_ += watchers;
}

}  // namespace idkiosk
