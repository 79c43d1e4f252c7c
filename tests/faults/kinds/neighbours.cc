#include "tests/faults/kinds/neighbours.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/running_kiosk.h"

namespace idkiosk::faults {
namespace {

// Several commands, started at once on one state folder.
void StartTogether(FaultKiosk& kiosk, int programs) {
  Tally& tally = kiosk.tally();
  kiosk.LetWait(3);
  std::vector<std::unique_ptr<Process>> running;
  for (int i = 0; i < programs; ++i) {
    const bool delivers = tally.Draw(0, 1) == 0;
    running.push_back(std::make_unique<Process>(
        delivers ? kiosk.KioskCommand({"queue", "deliver", "--wait", "0"}) : kiosk.CheckCommand(),
        delivers ? "" : kiosk.NextNin() + "\n"));
    tally.Inject();
  }
  for (const auto& each : running) {
    const Finished finished = kiosk.Note(each->Wait());
    tally.Check(finished.exit_code <= 5 && (finished.exit_code <= 1 || !finished.err.empty()),
                Invariant::kBack,
                fmt::format("beside others it ends with {}: {}", finished.exit_code, finished.err));
  }
}

}  // namespace

void RunSideBySide(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  for (int i = 0; i < tally.Rounds(3, 300); ++i) StartTogether(kiosk, 4);

  // And beside a kiosk that runs, of which there can be only one.
  kiosk.LetWait(3);
  RunningKiosk running(kiosk);
  if (!running.AwaitReady()) return tally.Break("the kiosk does not start: " + running.Stop().err);
  const Finished second = kiosk.Do({"run", "--camera", "synthetic"});
  tally.Inject();
  tally.Check(second.exit_code != 0 && !second.err.empty(), Invariant::kPaid,
              "a second kiosk runs on the same state folder");
  for (int i = 0; i < tally.Rounds(2, 100); ++i) StartTogether(kiosk, 3);
  // Whoever tidies up takes its lock away, and the socket through which it would be asked: nobody
  // else delivers all the same.
  kiosk.LetWait(3);
  std::filesystem::remove(kiosk.state() + "/queue.lock");
  std::filesystem::remove(kiosk.state() + "/api.sock");
  const Finished deliverer = kiosk.Do({"queue", "deliver", "--wait", "0"});
  tally.Inject();
  constexpr int kNotNow = 4;
  tally.Check(deliverer.exit_code == kNotNow, Invariant::kPaid,
              fmt::format("without the lock's file a second program delivers: {}", deliverer.err));
  const Finished stopped = running.Stop();
  tally.Check(stopped.exit_code == 0, Invariant::kBack,
              fmt::format("the kiosk ends with {}: {}", stopped.exit_code, stopped.err));
  kiosk.Judge();
}

}  // namespace idkiosk::faults
