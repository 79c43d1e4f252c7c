#ifndef IDKIOSK_TESTS_FAULTS_STRACE_H_
#define IDKIOSK_TESTS_FAULTS_STRACE_H_

#include <string>
#include <vector>

#include "tests/fakes/scratch_folder.h"
#include "tests/faults/tally.h"
#include "tests/integration/process.h"

namespace idkiosk::faults {

// What a row starts: the program with its arguments, and its whole standard input.
struct Invocation {
  std::vector<std::string> arguments;
  std::string input;
};

// Starts programs under strace(1), which kills them at a system call of theirs, or lets one fail.
class Strace {
 public:
  // Whether this machine has it and lets it trace. If not the row is broken, or, with
  // IDKIOSK_WITHOUT_STRACE=1 in the environment, not run.
  [[nodiscard]] static bool IsThere(Tally& tally);

  // The number `number` of the calls of this name on a program's first thread, from 1.
  struct Call {
    std::string name;
    size_t number = 1;
  };
  // Those of these names that a whole run makes from the opening of its configuration on, in their
  // order. `names`: with commas between them.
  [[nodiscard]] std::vector<Call> List(const std::string& names,
                                       const Invocation& invocation) const;

  // What strace says of these calls in a whole run, a line each; a descriptor is followed by the
  // name of its file: "fsync(7</state>) = 0".
  [[nodiscard]] std::string Record(const std::string& names, const Invocation& invocation) const;

  struct Injection {
    std::string effect;       // "signal=SIGKILL", "error=EIO"
    std::vector<Call> calls;  // those that it befalls
    bool lasts = false;       // and every later one of their names
  };
  struct Struck {
    Finished finished;  // 137 where it was killed
    std::string call;   // the first call that was hit, "fsync(7)"; empty: none was
  };
  [[nodiscard]] Struck Run(const Injection& injection, const Invocation& invocation) const;

 private:
  [[nodiscard]] std::vector<std::string> Command(const std::string& names,
                                                 const std::vector<std::string>& more,
                                                 const Invocation& invocation) const;
  [[nodiscard]] std::string TakeLog() const;

  const ScratchFolder folder_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_STRACE_H_
