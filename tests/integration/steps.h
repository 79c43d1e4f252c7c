#ifndef IDKIOSK_TESTS_INTEGRATION_STEPS_H_
#define IDKIOSK_TESTS_INTEGRATION_STEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fakes/scratch_folder.h"
#include "tests/integration/process.h"

namespace idkiosk {

// Runs programs that are killed at a step of theirs instead of after a time. A step is one call
// that others see something of: a write, sync, rename or removal of a file, or something sent.
// steps_preload.cc counts them inside the program; it also makes the program's random numbers
// follow from a seed, so that two runs with one seed take the same steps.
class Steps {
 public:
  // Runs it to its end, and returns its steps: "fsync queue.db-wal", "send socket" ...
  [[nodiscard]] std::vector<std::string> Of(const std::vector<std::string>& arguments,
                                            const std::string& input, uint64_t seed);

  struct Killed {
    Finished finished;  // with 137, unless it had fewer steps
    std::string step;   // the one that it was about to take
  };
  // Kills it before its step number `at`, counted from 1.
  [[nodiscard]] Killed KillAt(size_t at, const std::vector<std::string>& arguments,
                              const std::string& input, uint64_t seed);

  // For a program that runs beside the test: the variables of its environment, which begin anew,
  // and the steps that it has taken so far. `kill_at` 0: it is not killed.
  [[nodiscard]] std::vector<std::string> Variables(uint64_t seed, size_t kill_at) const;
  [[nodiscard]] std::vector<std::string> Taken() const;

 private:
  const ScratchFolder folder_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_STEPS_H_
