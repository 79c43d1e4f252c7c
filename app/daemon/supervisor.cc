#include "app/daemon/supervisor.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(250);
constexpr Duration kKeeperAnswers = std::chrono::seconds(25);

}  // namespace

Supervisor::Supervisor(Components& components, TaskLoop& control, TaskRunner& storage_runner,
                       Heartbeat& storage_heartbeat, std::vector<Watched> watched)
    : components_(components),
      control_(control),
      storage_runner_(storage_runner),
      storage_heartbeat_(storage_heartbeat),
      watched_(std::move(watched)) {}

void Supervisor::Run() {
  control_thread_.Check();
  components_.drivers().watchdog.SayReady();
  LookAfter();
  control_.Run();
  look_after_.Cancel();
  if (components_.stopping()) components_.drivers().watchdog.SayStopping();
}

void Supervisor::LookAfter() {
  control_thread_.Check();
  if (components_.stopping()) return control_.Stop();
  const Clock& clock = components_.drivers().clock;
  const MonotonicTime now = clock.Now();
  look_after_ = ScopedTimer(control_, now + kLookEvery, [this] { LookAfter(); });
  Watchdog& watchdog = components_.drivers().watchdog;
  const auto patience = watchdog.patience();
  if (!patience || now < feed_at_) return;
  feed_at_ = now + *patience / 4;
  if (EverybodyLives()) watchdog.Feed();
  // Lively for as long as it takes its tasks.
  storage_runner_.Post([this] { storage_heartbeat_.Beat(kKeeperAnswers); });
}

bool Supervisor::EverybodyLives() const {
  bool alive = storage_heartbeat_.alive();
  if (!alive) LogError("the storage thread is stuck");
  for (const auto& [heartbeat, name] : watched_) {
    if (heartbeat.alive()) continue;
    LogError("the {} thread is stuck", name);
    alive = false;
  }
  return alive;
}

}  // namespace idkiosk
