#include "tests/faults/kinds/clocks.h"

#include <fmt/format.h>

#include <ctime>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

constexpr int64_t kHour = 3600;
constexpr int64_t kDay = 24 * kHour;
constexpr int64_t kYear = 365 * kDay;

// idkiosk with these arguments, on a machine whose time of day is so many seconds ahead.
Finished DoAt(FaultKiosk& kiosk, int64_t ahead, const std::vector<std::string>& command,
              const std::string& input = "") {
  return kiosk.Note(RunProgram(
      command, input,
      {std::string("LD_PRELOAD=") + FAULTS_MODULE, fmt::format("FAULTS_CLOCK={}", ahead)}));
}

void CheckEnd(Tally& tally, int64_t ahead, const Finished& finished) {
  tally.Check(
      finished.exit_code < 70 && (finished.exit_code <= 1 || !finished.err.empty()),
      Invariant::kBack,
      fmt::format("{} s ahead it ends with {}: {}", ahead, finished.exit_code, finished.err));
}

}  // namespace

// What waits is neither erased nor sent twice, whatever the clock says; and then it is right again.
void StartWithAWrongClock(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const int64_t offsets[] = {4 * kDay, -4 * kDay, 10 * kYear, -10 * kYear, 31 * kDay, -31 * kDay};
  const int times = tally.Rounds(2, 200);
  for (int i = 0; i < times; ++i) {
    for (const int64_t offset : offsets) {
      const int64_t ahead = offset + static_cast<int64_t>(tally.Draw(0, kDay)) - kDay / 2;
      kiosk.LetWait(2);
      tally.Inject();
      const std::vector<std::string> deliver = {"queue", "deliver", "--wait", "0"};
      CheckEnd(tally, ahead, DoAt(kiosk, ahead, kiosk.KioskCommand(deliver)));
      CheckEnd(tally, ahead, DoAt(kiosk, ahead, kiosk.CheckCommand(), kiosk.NextNin() + "\n"));
      // Half of the time it is wrong the other way before it is right.
      if (i % 2 == 1) CheckEnd(tally, -ahead, DoAt(kiosk, -ahead, kiosk.KioskCommand(deliver)));
    }
  }
  kiosk.Judge();
}

void JumpInATokensLife(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const int times = tally.Rounds(12, 500);
  for (int i = 0; i < times; ++i) {
    const int64_t ahead = static_cast<int64_t>(tally.Draw(0, 40 * kHour)) - 20 * kHour;
    tally.Inject();
    // With pictures: a call without them needs no token.
    const Invocation call = CallVictims()[1].prepare(kiosk);
    const Finished asked = DoAt(kiosk, ahead, call.arguments, call.input);
    tally.Check(
        asked.exit_code <= 1, Invariant::kBack,
        fmt::format("{} s ahead nothing is answered ({}): {}", ahead, asked.exit_code, asked.err));
  }
  kiosk.Judge();
}

void StartIn1970(Tally& tally) {
  // With TLS no certificate is valid yet; without it nothing but the kiosk itself keeps a call
  // back.
  for (const bool plain : {false, true}) {
    FaultKiosk kiosk(tally);
    if (!kiosk.Begin({.plain = plain})) return;
    for (int i = 0; i < tally.Rounds(4, 150); ++i) {
      kiosk.LetWait(1);
      const int billed = kiosk.BilledRows();
      const int64_t ahead = static_cast<int64_t>(tally.Draw(0, kDay)) - std::time(nullptr);
      tally.Inject();
      CheckEnd(tally, ahead,
               DoAt(kiosk, ahead, kiosk.KioskCommand({"queue", "deliver", "--wait", "0"})));
      CheckEnd(tally, ahead, DoAt(kiosk, ahead, kiosk.CheckCommand(), kiosk.NextNin() + "\n"));
      tally.Check(kiosk.BilledRows() == billed, Invariant::kPaid, "something was sent in 1970");
      if (i % 2 == 0) {
        (void)kiosk.Do({"queue", "deliver", "--wait", FaultKiosk::kAsLongAsItTakes});
      }
    }
    kiosk.Judge();
  }
}

}  // namespace idkiosk::faults
