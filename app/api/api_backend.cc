#include "app/api/api_backend.h"

#include "app/api/check_json.h"
#include "app/operator/readiness.h"

namespace idkiosk {
namespace {

constexpr Duration kHealthIsNewFor = std::chrono::seconds(5);

Finding ServiceFinding(bool online) {
  if (online) return {KioskPart::kService, FindingState::kGood, "was in reach when last asked", ""};
  return {KioskPart::kService, FindingState::kBad, "was not in reach when last asked",
          "Look at the network; checks are kept meanwhile. 'idkiosk doctor' says more."};
}

}  // namespace

void ApiBackend::TellChange(const CallReference& reference) {
  deps_.storage_runner.Post([this, reference] {
    const auto call = deps_.queue.Show(reference);
    if (call) events_.Put(EventJson(*call), owners_.Of(reference));
  });
}

void ApiBackend::TellEnd(const VisitEnd& end) {
  const CallReference& reference = end.order->reference;
  if (!visits_.Over(end)) return;
  if (const auto visit = visits_.Find(reference)) {
    events_.Put(VisitJson(*visit), owners_.Of(reference));
  }
}

const Findings& ApiBackend::Health() {
  const MonotonicTime now = deps_.clock.Now();
  if (health_at_ && now - *health_at_ < kHealthIsNewFor) return health_;
  health_at_ = now;
  health_ = CheckConfiguration(deps_.files, deps_.config_path);
  Append(health_, CheckVault(deps_.vault, deps_.settings));
  Append(health_, CheckQueue(deps_.queue));
  Append(health_, CheckJournals(deps_.files, deps_.settings.state_folder));
  Append(health_, deps_.others());
  Append(health_, CheckClock(deps_.clock));
  health_.push_back(ServiceFinding(deps_.online()));
  return health_;
}

}  // namespace idkiosk
