#include "app/session/staff/agent_bar.h"

#include <algorithm>

#include "app/session/staff/battery.h"
#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(30);
constexpr Duration kNotSooner = std::chrono::milliseconds(500);

}  // namespace

AgentBar::AgentBar(Dependencies deps)
    : deps_(std::move(deps)),
      throttle_(deps_.control, deps_.clock, kNotSooner, [this] { Look(); }) {
  view_.price = deps_.price;
}

void AgentBar::Look() {
  control_thread_.Check();
  look_ = ScopedTimer(deps_.control, deps_.clock.Now() + kLookEvery, [this] { Look(); });
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this] { return BatteryPercent(deps_.files); },
      [this](std::optional<int> percent) {
        view_.battery = percent;
        deps_.changed();
      });
  deps_.queue.ReadTally([this](const Result<QueueClient::Tally>& tally) { OnCounted(tally); });
}

void AgentBar::OnCounted(const Result<QueueClient::Tally>& tally) {
  control_thread_.Check();
  if (!tally) return LogWarning("waiting calls: {}", tally.error().message);
  view_.waiting = tally->waiting;
  view_.minutes_since_delivery.reset();
  if (tally->last_delivered) {
    const auto age =
        std::chrono::floor<std::chrono::minutes>(deps_.clock.WallNow() - *tally->last_delivered);
    view_.minutes_since_delivery = std::max<int64_t>(age.count(), 0);
  }
  deps_.changed();
}

}  // namespace idkiosk
