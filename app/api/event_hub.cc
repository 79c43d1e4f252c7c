#include "app/api/event_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace idkiosk {

void EventHub::Put(std::string json, std::optional<uid_t> owner) {
  {
    const MutexLock lock(mutex_);
    kept_.push_back({std::move(json), owner, owner ? ++newest_of_[*owner] : 0});
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
  const auto& [json, owner, owners_number] = kept_[number - oldest];
  return Entry{number, json, owner, number - seen - 1, owners_number};
}

uint64_t EventHub::newest() const {
  const MutexLock lock(mutex_);
  return newest_;
}

uint64_t EventHub::newest_of(uid_t owner) const {
  const MutexLock lock(mutex_);
  const auto found = newest_of_.find(owner);
  return found == newest_of_.end() ? 0 : found->second;
}

EventReader::EventReader(EventHub& hub, std::optional<uint64_t> seen, std::optional<uid_t> owner)
    : hub_(hub), owner_(owner) {
  const uint64_t newest = owner ? hub.newest_of(*owner) : hub.newest();
  const uint64_t from = std::min(seen.value_or(newest), newest);
  // Its own numbers tell which of those that are kept it has seen.
  seen_ = owner ? 0 : from;
  own_seen_ = owner ? from : 0;
}

std::string EventReader::Next(std::chrono::milliseconds patience) {
  const auto entry = hub_.Next(seen_, patience);
  if (!entry) return "";
  seen_ = entry->number;
  uint64_t number = entry->number;
  if (owner_) {
    number = entry->owners_number;
    if (entry->owner != owner_ || number <= own_seen_) return "";
    missed_ = number - own_seen_ - 1;
    own_seen_ = number;
  } else {
    missed_ += entry->missed;
  }
  std::string text;
  if (missed_ > 0) text = fmt::format("event: missed\ndata: {}\n\n", std::exchange(missed_, 0));
  return text + fmt::format("id: {}\nevent: check\ndata: {}\n\n", number, entry->json);
}

}  // namespace idkiosk
