#include "app/daemon/supervisor.h"

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(250);
constexpr Duration kStorageAnswers = std::chrono::seconds(25);

}  // namespace

void Supervisor::Run() {
  control_thread_.Check();
  deps_.watchdog.SayReady();
  LookAfter();
  deps_.control.Run();
  look_after_.Cancel();
  if (deps_.stopping()) deps_.watchdog.SayStopping();
}

void Supervisor::LookAfter() {
  control_thread_.Check();
  if (deps_.stopping()) return deps_.control.Stop();
  const MonotonicTime now = deps_.clock.Now();
  look_after_ = ScopedTimer(deps_.control, now + kLookEvery, [this] { LookAfter(); });
  const auto patience = deps_.watchdog.patience();
  if (!patience || now < feed_at_) return;
  feed_at_ = now + *patience / 4;
  if (EverybodyLives()) deps_.watchdog.Feed();
  // Lively for as long as it takes its tasks.
  deps_.storage_runner.Post([&beaten = deps_.storage_heartbeat] { beaten.Beat(kStorageAnswers); });
}

bool Supervisor::EverybodyLives() const {
  bool alive = deps_.storage_heartbeat.alive();
  if (!alive) LogError("the storage thread is stuck");
  for (const auto& [heartbeat, name] : deps_.watched) {
    if (heartbeat.alive()) continue;
    LogError("the {} thread is stuck", name);
    alive = false;
  }
  return alive;
}

}  // namespace idkiosk
