#include "tests/faults/kinds/machines.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/faults/fault_kiosk.h"

namespace idkiosk::faults {
namespace {

constexpr int kSkipped = 77;

// As tools/lib/common.sh has it.
std::filesystem::path FolderOfDependencies() {
  const char* named = std::getenv("IDKIOSK_DEPS");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::current_path() / ".deps";
}

// Returns how many lines of `text` hold `part`.
int LinesWith(const std::string& text, std::string_view part) {
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.contains(part) ? 1 : 0;
  return count;
}

}  // namespace

void UnplugTheCamera(Tally& tally) {
  if (tally.Rounds(0, 1) == 0 && !std::filesystem::exists(FolderOfDependencies() / "vivid")) {
    return tally.CannotRun("the emulated machine of tools/vivid: run that once, or by night");
  }
  const Finished ran = RunProgram({"tools/vivid"}, "");
  const int unplugged = LinesWith(ran.out, "PASSED program: unplugged") +
                        LinesWith(ran.out, "FAILED program: unplugged");
  if (unplugged == 0) return tally.Break("tools/vivid: " + ran.err);
  for (int i = 0; i < unplugged; ++i) tally.Inject();
  tally.Check(ran.exit_code == 0, Invariant::kBack, ran.out);
}

void EndAtEachStart(Tally& tally) {
  // As config.units_run: a program that never comes back is a finding, and no test without an end.
  const std::string program = fmt::format("{}/idkiosk", std::getenv("IDKIOSK_BIN"));
  const Finished ran =
      RunProgram({"timeout", "600", "tests/config/units_run_test.sh", program, "crash_loop"}, "");
  if (ran.exit_code == kSkipped) {
    return tally.CannotRun("root, systemd, Chromium and namespaces");
  }
  constexpr int kEnds = 20;
  for (int i = 0; i < kEnds; ++i) tally.Inject();
  tally.Check(ran.exit_code == 0, Invariant::kBack, ran.out + ran.err);
}

}  // namespace idkiosk::faults
