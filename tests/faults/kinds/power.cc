#include "tests/faults/kinds/power.h"

#include <fmt/format.h>
#include <malloc.h>

#include "platform/base/log.h"
#include "tests/faults/kinds/names.h"
#include "tests/faults/power_world.h"

namespace idkiosk::faults {
namespace {

// The steps of a life during which the power does not fail, each of which changes a disk.
size_t StepsOfAWholeLife(Tally& tally) {
  // Thousands of lives warn of what each of them finds.
  (void)StartLogging(LogLevel::kError, "");
  // The disks of one life are a few MB, which the next one takes over from it.
  (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
  (void)mallopt(M_TRIM_THRESHOLD, 512 << 20);
  PowerWorld world(tally.seed());
  world.Live();
  const size_t steps = world.steps();
  world.PowerComesBack(Unsynced::kKept);
  world.Judge(tally, "without a fault");
  if (steps < 200) tally.Break(fmt::format("a whole life has {} steps only", steps));
  return steps;
}

// Lives until the power fails at `step`, and begins again with what `fate` leaves.
void CutPower(Tally& tally, size_t step, Unsynced fate, std::string_view what, uint64_t seed) {
  PowerWorld world(seed);
  world.FailPowerAt(step);
  world.Live();
  if (!world.power_failed()) return;
  world.PowerComesBack(fate);
  tally.Inject();
  world.Judge(tally, fmt::format("power cut at step {}, {} (seed {})", step, what, seed));
}

}  // namespace

void LoseUnsyncedWrites(Tally& tally) {
  const size_t steps = StepsOfAWholeLife(tally);
  // By day each step once.
  const bool thorough = tally.Rounds(0, 1) > 0;
  const int tearings = tally.Rounds(1, 100);
  for (size_t step = 1; step <= steps; ++step) {
    if (thorough || step % 2 == 0) {
      CutPower(tally, step, Unsynced::kLost, "the unsynced lost", tally.seed());
    }
    for (int i = 0; i < tearings && (thorough || step % 2 == 1); ++i) {
      CutPower(tally, step, Unsynced::kReordered, "the unsynced in part", tally.Draw(1, 1U << 30));
    }
  }
}

void TearWrites(Tally& tally) {
  const size_t steps = StepsOfAWholeLife(tally);
  // By day one cut of each write.
  const bool thorough = tally.Rounds(0, 1) > 0;
  for (size_t step = 1; step <= steps; ++step) {
    size_t sectors = 0;
    for (size_t cut = 0; cut <= sectors && (thorough || cut == 0); ++cut) {
      PowerWorld world(tally.seed());
      world.FailPowerAt(step);
      world.Live();
      sectors = world.cut_sectors();
      if (sectors == 0) break;
      const size_t at = thorough ? cut : tally.Draw(0, sectors);
      world.PowerComesBack(Unsynced::kCut, at);
      tally.Inject();
      world.Judge(
          tally, fmt::format("the write of step {} cut after {} of {} sectors", step, at, sectors));
    }
  }
}

void LieAboutSyncs(Tally& tally) {
  using Store = PowerWorld::Store;
  const size_t steps = StepsOfAWholeLife(tally);
  const std::pair<Store, std::string_view> stores[] = {
      {Store::kDatabase, "the queue's file"}, {Store::kLedger, "the ledger"},
      {Store::kCopies, "the copies"},         {Store::kMark, "the vault's mark"},
      {Store::kVault, "the vault"},           {Store::kAll, "everything"}};
  const int lives = tally.Rounds(100, 6000);
  for (int i = 0; i < lives; ++i) {
    for (const auto& [store, name] : stores) {
      const auto step = static_cast<size_t>(tally.Draw(1, steps + steps / 8));
      const auto part = static_cast<int>(tally.Draw(0, PowerWorld::kParts - 1));
      const Unsynced fate = i % 2 == 0 ? Unsynced::kLost : Unsynced::kReordered;
      const uint64_t seed = tally.Draw(1, 1U << 30);
      PowerWorld world(seed);
      world.Lie(store, part);
      world.FailPowerAt(step);
      world.Live();
      world.PowerComesBack(fate);
      tally.Inject();
      const std::string what = fmt::format(
          "syncs of {} lie from part {}, power cut at step {} "
          "(seed {}), {}",
          name, part, step, seed, i % 2 == 0 ? "lost" : "in part");
      // What SQLite says alone is not believed.
      if (store == Store::kDatabase) {
        world.Judge(tally, what);
      } else {
        world.JudgeLies(tally, what, store);
      }
    }
  }
}

void LoseNames(Tally& tally) {
  const size_t steps = StepsOfAWholeLife(tally);
  for (size_t step = 1; step <= steps; ++step) {
    CutPower(tally, step, Unsynced::kNamesLost, "unsynced names lost", tally.seed());
  }
  // The disks in memory do themselves what the real ones are told to.
  WatchFolderSyncs(tally);
}

}  // namespace idkiosk::faults
