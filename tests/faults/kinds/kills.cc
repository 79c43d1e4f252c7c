#include "tests/faults/kinds/kills.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/running_kiosk.h"
#include "tests/faults/strace.h"
#include "tests/faults/victims.h"
#include "tests/integration/steps.h"

namespace idkiosk::faults {
namespace {

constexpr int kKilled = 137;

// The calls that leave a mark outside the program: between two of them all moments are alike.
constexpr const char* kMarks =
    "write,pwrite64,writev,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,"
    "unlinkat,mkdir,openat,connect,sendto,sendmsg,recvfrom,read";

// Where in a run of `last` steps the fault number `index` of `count` falls: each has a stretch of
// its own, and falls on any step of it.
size_t Place(Tally& tally, size_t first, size_t last, int index, int count) {
  const size_t steps = last - first + 1;
  const size_t from = steps * static_cast<size_t>(index) / static_cast<size_t>(count);
  const size_t to = steps * static_cast<size_t>(index + 1) / static_cast<size_t>(count);
  return first + tally.Draw(from, std::max(from, to == 0 ? 0 : to - 1));
}

// Kills each of these that often, at steps that lie all over its run.
void KillAtSteps(Tally& tally, FaultKiosk& kiosk, std::span<const Victim> victims, int times) {
  Steps steps;
  for (const Victim& victim : victims) {
    const Invocation whole = victim.prepare(kiosk);
    const size_t count = steps.Of(whole.arguments, whole.input, tally.seed()).size();
    for (int i = 0; i < times && count > 0; ++i) {
      const size_t at = Place(tally, 1, count, i, times);
      const Invocation next = victim.prepare(kiosk);
      Steps::Killed killed =
          steps.KillAt(at, next.arguments, next.input, tally.seed() + static_cast<uint64_t>(i));
      if (killed.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(killed.finished));
    }
  }
}

void KillAtCalls(Tally& tally, FaultKiosk& kiosk, std::span<const Victim> victims, int times) {
  const Strace strace;
  for (const Victim& victim : victims) {
    const auto calls = strace.List(kMarks, victim.prepare(kiosk));
    if (calls.empty()) tally.Break(fmt::format("{} makes no system call", victim.name));
    for (int i = 0; i < times && !calls.empty(); ++i) {
      const Strace::Call& at = calls[Place(tally, 0, calls.size() - 1, i, times)];
      Strace::Struck struck =
          strace.Run({.effect = "signal=SIGKILL", .calls = {at}}, victim.prepare(kiosk));
      if (struck.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(struck.finished));
    }
  }
}

// Kills the kiosk while it sends what waits: before, between and after its calls.
void KillRun(Tally& tally, FaultKiosk& kiosk) {
  kiosk.LetWait(4);
  const auto wanted = static_cast<long>(tally.Draw(0, 4));
  RunningKiosk running(kiosk);
  if (!running.AwaitReady()) return tally.Break("the kiosk does not start: " + running.Stop().err);
  const auto pending = [&kiosk] {
    const auto states = kiosk.States();
    return std::ranges::count_if(states, [](const auto& call) { return call.second == "pending"; });
  };
  while (pending() > wanted) {
  }
  running.process().Signal(SIGKILL);
  (void)kiosk.Note(running.process().Wait());
  tally.Inject();
}

}  // namespace

void KillAtRandomMoments(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  KillAtSteps(tally, kiosk, AllVictims(), tally.Rounds(8, 1000));
  for (int i = 0; i < tally.Rounds(4, 500); ++i) KillRun(tally, kiosk);
  kiosk.Judge();
}

void KillAtSystemCalls(Tally& tally) {
  if (!Strace::IsThere(tally)) return;
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  KillAtCalls(tally, kiosk, AllVictims(), tally.Rounds(8, 1000));
  kiosk.Judge();
}

// Pending, sending, answered, unknown, cancelled and given up are what these commands lead through:
// one kill at each of their steps.
void KillInEachState(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  Steps steps;
  for (const Victim& victim : CallVictims().subspan(2)) {
    const Invocation whole = victim.prepare(kiosk);
    const size_t count = steps.Of(whole.arguments, whole.input, tally.seed()).size();
    const auto stride = static_cast<size_t>(tally.Rounds(4, 1));
    for (size_t at = 1 + tally.Draw(0, stride - 1); at <= count; at += stride) {
      const Invocation next = victim.prepare(kiosk);
      Steps::Killed killed = steps.KillAt(at, next.arguments, next.input, tally.seed() + at);
      if (killed.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(killed.finished));
    }
  }
  kiosk.Judge();
}

// A run is killed, the next one while it recovers from that, and the next while it does from both.
void KillRecovery(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  Steps steps;
  const Victim& check = CallVictims().front();
  const Invocation recover{kiosk.KioskCommand({"queue", "deliver", "--wait", "0"}), ""};
  const Invocation whole = check.prepare(kiosk);
  const size_t first = steps.Of(whole.arguments, whole.input, tally.seed()).size();
  const int times = tally.Rounds(12, 2000);
  for (int i = 0; i < times; ++i) {
    const Invocation next = check.prepare(kiosk);
    const uint64_t seed = tally.seed() + static_cast<uint64_t>(i);
    // Behind the acceptance, most of them: before it there is little to recover from.
    Steps::Killed killed = steps.KillAt(Place(tally, first / 3 + 1, first, i, times),
                                        next.arguments, next.input, seed);
    for (int depth = 0; depth < 3; ++depth) {
      if (killed.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(killed.finished));
      if (depth < 2)
        killed = steps.KillAt(tally.Draw(1, 24), recover.arguments, recover.input, seed);
    }
  }
  kiosk.Judge();
}

// The message with the secrets is there until provisioning is done, and then the vault has them.
void KillWhileASecretIsStored(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  Steps steps;
  for (const Victim& victim : VaultVictims()) {
    const Invocation invocation = victim.prepare(kiosk);
    const size_t count = steps.Of(invocation.arguments, "", tally.seed()).size();
    const auto stride = static_cast<size_t>(tally.Rounds(3, 1));
    for (size_t at = 1 + tally.Draw(0, stride - 1); at <= count; at += stride) {
      Steps::Killed killed = steps.KillAt(at, invocation.arguments, "", tally.seed() + at);
      if (killed.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(killed.finished));
      const Finished again = kiosk.Do({"vault", "status"});
      tally.Check(again.exit_code == 0, Invariant::kBack,
                  fmt::format("after a kill of {} before '{}' the vault does not open: {}",
                              victim.name, killed.step, again.err));
    }
    const Finished asked = kiosk.Ask();
    tally.Check(asked.exit_code <= 1, Invariant::kBack,
                fmt::format("after {} the service is not reached: {}", victim.name, asked.err));
  }
  kiosk.Judge();
}

void KillAndLookForSecrets(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  Steps steps;
  const int times = tally.Rounds(3, 200);
  for (const Victim& victim : AllVictims()) {
    const Invocation whole = victim.prepare(kiosk);
    const size_t count = steps.Of(whole.arguments, whole.input, tally.seed()).size();
    for (int i = 0; i < times && count > 0; ++i) {
      const Invocation next = victim.prepare(kiosk);
      Steps::Killed killed =
          steps.KillAt(Place(tally, 1, count, i, times), next.arguments, next.input, tally.seed());
      if (killed.finished.exit_code == kKilled) tally.Inject();
      (void)kiosk.Note(std::move(killed.finished));
      kiosk.LookForSecrets();
    }
  }
  kiosk.Judge();
}

}  // namespace idkiosk::faults
