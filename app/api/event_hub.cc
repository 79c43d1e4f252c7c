#include "app/api/event_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace idkiosk {

void EventHub::Put(std::string json, std::optional<uid_t> owner) {
  {
    const MutexLock lock(mutex_);
    kept_.push_back({std::move(json), owner});
    if (kept_.size() > kKept) kept_.pop_front();
    ++newest_;
  }
  changed_.NotifyAll();
}

std::optional<EventHub::Entry> EventHub::Next(uint64_t seen, std::chrono::milliseconds patience) {
  MutexLock lock(mutex_);
  const auto has_come = [&]() REQUIRES(mutex_) { return newest_ > seen; };
  if (!changed_.WaitFor(lock, patience, has_come)) return std::nullopt;
  const uint64_t oldest = newest_ - kept_.size() + 1;
  const uint64_t number = std::max(seen + 1, oldest);
  const auto& [json, owner] = kept_[number - oldest];
  return Entry{number, json, owner, number - seen - 1};
}

uint64_t EventHub::newest() const {
  const MutexLock lock(mutex_);
  return newest_;
}

EventReader::EventReader(EventHub& hub, std::optional<uint64_t> seen, std::optional<uid_t> owner)
    : hub_(hub), owner_(owner), seen_(std::min(seen.value_or(hub.newest()), hub.newest())) {}

std::string EventReader::Next(std::chrono::milliseconds patience) {
  const auto entry = hub_.Next(seen_, patience);
  if (!entry) return "";
  seen_ = entry->number;
  missed_ += entry->missed;
  if (owner_ && entry->owner != owner_) return "";
  std::string text;
  if (missed_ > 0) text = fmt::format("event: missed\ndata: {}\n\n", std::exchange(missed_, 0));
  return text + fmt::format("id: {}\nevent: check\ndata: {}\n\n", entry->number, entry->json);
}

}  // namespace idkiosk
