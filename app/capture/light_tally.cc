#include "app/capture/light_tally.h"

#include <algorithm>

namespace idkiosk {

void LightTally::Count(LightFinding finding) {
  if (!WasAsked(finding)) return;
  const MutexLock lock(mutex_);
  ++counts_[static_cast<size_t>(finding)];
  if (newest_.size() == kNewest) newest_.erase(newest_.begin());
  newest_.push_back(finding);
}

uint64_t LightTally::CountOf(LightFinding finding) const {
  const MutexLock lock(mutex_);
  return counts_[static_cast<size_t>(finding)];
}

std::optional<LightTally::TooRarely> LightTally::JudgedTooRarely() const {
  const MutexLock lock(mutex_);
  TooRarely found{newest_.size(), 0, {}};
  std::array<size_t, kLightFindings> reasons{};
  for (LightFinding each : newest_) {
    if (!IsAbstention(each)) continue;
    ++found.abstained;
    ++reasons[static_cast<size_t>(each)];
  }
  if (found.checks < kFewest || 2 * found.abstained <= found.checks) return std::nullopt;
  found.mostly = static_cast<LightFinding>(std::ranges::max_element(reasons) - reasons.begin());
  return found;
}

}  // namespace idkiosk
