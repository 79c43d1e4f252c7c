#include "app/queue/storage/end_index.h"

#include <algorithm>

namespace idkiosk {
namespace {

// A record's body has room for fewer entries than this.
constexpr uint64_t kEntriesInRecord = 1 << 12;

}  // namespace

void EndIndex::Take(const std::vector<LedgerEntry>& entries, uint64_t record) {
  for (size_t i = 0; i < entries.size(); ++i) Take(entries[i], record * kEntriesInRecord + i);
}

void EndIndex::Take(const LedgerEntry& entry, uint64_t place) {
  switch (entry.kind) {
    case LedgerEntry::Kind::kAccepted: {
      Known& call = calls_[entry.row.reference];
      call.accepted_at = entry.row.started_at;
      call.endpoint = entry.row.endpoint;
      return;
    }
    case LedgerEntry::Kind::kBegun: {
      Known& call = calls_[entry.row.reference];
      call.endpoint = entry.row.endpoint;
      call.asked_since = true;
      return;
    }
    case LedgerEntry::Kind::kEnded:
      if (entry.outcome.disposition == Disposition::kDone) {
        Put(entry, CallState::kDone, entry.outcome.verdict, place);
      } else if (entry.row.rule.starts_with(kTold)) {
        PutAgain(entry.row.reference, place);
      }
      return;
    case LedgerEntry::Kind::kClosed:
      return Put(entry, entry.state, entry.verdict, place);
    case LedgerEntry::Kind::kTakenOver:
    case LedgerEntry::Kind::kLookedAt:
    case LedgerEntry::Kind::kDecided:
    case LedgerEntry::Kind::kUnnamed:
    case LedgerEntry::Kind::kErased:
    case LedgerEntry::Kind::kDoubted:
      return;
  }
}

// The ledger says it twice where a call that was rejected in doubt is closed later.
void EndIndex::Put(const LedgerEntry& entry, CallState state, Verdict verdict, uint64_t place) {
  Known& call = calls_[entry.row.reference];
  if (call.end && !call.asked_since) {
    const CallEnd& before = ends_[*call.end];
    if (before.state == state && before.verdict == verdict) return;
  }
  call.asked_since = false;
  call.end = ends_.size();
  ends_.push_back({.place = place,
                   .reference = entry.row.reference,
                   .state = state,
                   .verdict = verdict,
                   .endpoint = call.endpoint,
                   .accepted_at = call.accepted_at,
                   .ended_at = entry.row.ended_at.value_or(WallTime())});
}

void EndIndex::PutAgain(const CallReference& reference, uint64_t place) {
  Known& call = calls_[reference];
  if (!call.end || call.asked_since) return;
  CallEnd again = ends_[*call.end];
  again.place = place;
  call.end = ends_.size();
  ends_.push_back(std::move(again));
}

std::vector<CallEnd>::const_iterator EndIndex::FirstBehind(uint64_t place) const {
  return std::ranges::upper_bound(ends_, place, {}, &CallEnd::place);
}

std::optional<CallEnd> EndIndex::At(uint64_t place) const {
  const auto behind = FirstBehind(place);
  if (behind == ends_.begin() || std::prev(behind)->place != place) return std::nullopt;
  return *std::prev(behind);
}

std::vector<CallEnd> EndIndex::Behind(uint64_t place, size_t limit) const {
  const auto first = FirstBehind(place);
  const auto count = std::min<ptrdiff_t>(static_cast<ptrdiff_t>(limit), ends_.end() - first);
  return {first, first + count};
}

int64_t EndIndex::CountBehind(uint64_t place) const { return ends_.end() - FirstBehind(place); }

std::optional<CallEnd> EndIndex::Newest() const {
  return ends_.empty() ? std::nullopt : std::optional(ends_.back());
}

}  // namespace idkiosk
