#include "tests/integration/steps.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace idkiosk {
namespace {

constexpr size_t kNever = 0;

}  // namespace

std::vector<std::string> Steps::Of(const std::vector<std::string>& arguments,
                                   const std::string& input, uint64_t seed) {
  (void)RunProgram(arguments, input, Variables(seed, kNever));
  return Taken();
}

Steps::Killed Steps::KillAt(size_t at, const std::vector<std::string>& arguments,
                            const std::string& input, uint64_t seed) {
  Killed killed{.finished = RunProgram(arguments, input, Variables(seed, at)), .step = ""};
  const std::vector<std::string> steps = Taken();
  if (!steps.empty()) killed.step = steps.back();
  return killed;
}

std::vector<std::string> Steps::Variables(uint64_t seed, size_t kill_at) const {
  std::filesystem::remove(folder_ / "steps");
  return {std::string("LD_PRELOAD=") + STEPS_MODULE, "STEPS_FILE=" + folder_ / "steps",
          fmt::format("STEPS_SEED={}", seed), fmt::format("STEPS_KILL_AT={}", kill_at)};
}

std::vector<std::string> Steps::Taken() const {
  std::vector<std::string> steps;
  std::ifstream file(folder_ / "steps");
  for (std::string line; std::getline(file, line);) steps.push_back(line);
  return steps;
}

}  // namespace idkiosk
