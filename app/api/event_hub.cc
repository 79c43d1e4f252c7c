#include "app/api/event_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

// Random, as neither the clock nor a counter on the disk can be relied on after a restored backup.
std::string DrawStart(Entropy& entropy) {
  std::array<uint8_t, 8> drawn{};
  entropy.Fill(drawn);
  return ToHex(drawn);
}

}  // namespace

EventHub::EventHub(Entropy& entropy) : start_(DrawStart(entropy)) {}

void EventHub::Put(std::string json, std::optional<uid_t> owner) {
  {
    const MutexLock lock(mutex_);
    if (owner) ++count_of_[*owner];
    kept_.push_back({std::move(json), owner});
    if (kept_.size() > kKept) kept_.pop_front();
    ++newest_;
  }
  changed_.NotifyAll();
}

std::optional<EventHub::Entry> EventHub::Next(uint64_t seen, std::chrono::milliseconds patience,
                                              std::optional<uid_t> owner) {
  MutexLock lock(mutex_);
  const auto has_come = [&]() REQUIRES(mutex_) { return newest_ > seen; };
  if (!changed_.WaitFor(lock, patience, has_come)) return std::nullopt;
  const uint64_t oldest = newest_ - kept_.size() + 1;
  const uint64_t number = std::max(seen + 1, oldest);
  const auto first = kept_.begin() + static_cast<ptrdiff_t>(number - oldest);
  uint64_t before = number - 1;
  if (owner) {
    const auto later =
        std::count_if(first, kept_.end(), [&](const Kept& each) { return each.owner == owner; });
    before = count_of_[*owner] - static_cast<uint64_t>(later);
  }
  return Entry{number, first->json, first->owner, before};
}

uint64_t EventHub::Count(std::optional<uid_t> owner) const {
  const MutexLock lock(mutex_);
  if (!owner) return newest_;
  const auto found = count_of_.find(*owner);
  return found == count_of_.end() ? 0 : found->second;
}

EventReader::EventReader(EventHub& hub, std::string_view last_id, std::optional<uid_t> owner)
    : hub_(hub),
      owner_(owner),
      prefix_(owner ? fmt::format("{}-{}-", hub.start(), *owner) : hub.start() + "-") {
  const uint64_t newest = hub.Count(owner);
  const auto number = last_id.empty() ? newest : NumberIn(last_id, newest);
  told_ = number.value_or(0);
  // An owner's numbers do not say where those events are among all that are kept.
  seen_ = owner ? 0 : told_;
  // Without data it is no event to a program, but gives it a place to come back to.
  greeting_ =
      fmt::format("id: {}{}\n{}\n", prefix_, told_, number ? "" : "event: missed\ndata: null\n");
}

std::optional<uint64_t> EventReader::NumberIn(std::string_view id, uint64_t newest) const {
  if (!id.starts_with(prefix_)) return std::nullopt;
  id.remove_prefix(prefix_.size());
  const auto number = ParseNumber<uint64_t>(id);
  return number <= newest ? number : std::nullopt;
}

std::string EventReader::Next(std::chrono::milliseconds patience) {
  if (!greeting_.empty()) return std::exchange(greeting_, "");
  const auto entry = hub_.Next(seen_, patience, owner_);
  if (!entry) return "";
  seen_ = entry->number;
  std::string text;
  if (entry->before > told_) {
    const uint64_t missed = entry->before - std::exchange(told_, entry->before);
    text = fmt::format("id: {}{}\nevent: missed\ndata: {}\n\n", prefix_, told_, missed);
  }
  const bool is_own = !owner_ || entry->owner == owner_;
  if (!is_own || entry->before < told_) return text;  // another's, or told before
  return text + fmt::format("id: {}{}\nevent: check\ndata: {}\n\n", prefix_, ++told_, entry->json);
}

}  // namespace idkiosk
