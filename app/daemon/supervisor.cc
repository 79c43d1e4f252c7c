#include "app/daemon/supervisor.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(250);
constexpr Duration kKeeperAnswers = std::chrono::seconds(25);

}  // namespace

Caretaker::Caretaker(Kiosk& kiosk, TaskLoop& control, TaskRunner& keeper, Pulse& keeper_pulse,
                     std::vector<Watched> watched)
    : kiosk_(kiosk),
      control_(control),
      keeper_(keeper),
      keeper_pulse_(keeper_pulse),
      watched_(std::move(watched)) {}

void Caretaker::Run() {
  kiosk_.drivers().watchdog.SayReady();
  LookAfter();
  control_.Run();
  look_after_.Cancel();
  if (kiosk_.stopping()) kiosk_.drivers().watchdog.SayStopping();
}

void Caretaker::LookAfter() {
  if (kiosk_.stopping()) return control_.Stop();
  const Clock& clock = kiosk_.drivers().clock;
  const MonotonicTime now = clock.Now();
  look_after_ = ScopedTimer(control_, now + kLookEvery, [this] { LookAfter(); });
  Watchdog& watchdog = kiosk_.drivers().watchdog;
  const auto patience = watchdog.patience();
  if (!patience || now < feed_at_) return;
  feed_at_ = now + *patience / 4;
  if (EverybodyLives()) watchdog.Feed();
  // Lively for as long as it takes its tasks.
  keeper_.Post([this] { keeper_pulse_.Beat(kKeeperAnswers); });
}

bool Caretaker::EverybodyLives() const {
  bool alive = keeper_pulse_.alive();
  if (!alive) LogError("the thread of the queue does not move on");
  for (const auto& [pulse, name] : watched_) {
    if (pulse.alive()) continue;
    LogError("the thread of the {} does not move on", name);
    alive = false;
  }
  return alive;
}

}  // namespace idkiosk
