#ifndef IDKIOSK_APP_ASSEMBLY_COMMAND_RESULT_H_
#define IDKIOSK_APP_ASSEMBLY_COMMAND_RESULT_H_

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "platform/base/command_line/command.h"
#include "platform/base/error.h"

namespace idkiosk {

// The exit code of the program.
enum class ExitCode {
  kDone = 0,           // done; and verified, where something is verified
  kNotVerified = 1,    // not verified, or rejected by the service
  kUsage = 2,          // the command line makes no sense
  kConfiguration = 3,  // configuration, or a missing secret
  kKept = 4,           // kept, or refused, for later: network, gateway, paused, no room, spend cap
  kNeedsPerson = 5,    // unknown or held
  kCapture = 6,        // no usable pictures
  kBug = 70,
};

// Returns the same list for people.
[[nodiscard]] inline std::vector<Note> ExitCodeNotes() {
  return {{"0", "Done; and verified, where something is verified"},
          {"1", "Not verified, or rejected by the service"},
          {"2", "The command line makes no sense"},
          {"3", "The configuration is wrong, or a secret is missing"},
          {"4", "Kept for later, or not accepted now: no network, no room, or a spending cap"},
          {"5", "Needs a person: unknown whether it was billed, or held"},
          {"6", "No usable pictures"},
          {"70", "A bug"}};
}

// Why a command stopped: one sentence, and what the shell is told.
struct Failure {
  ExitCode code;
  std::string message;
};

// The result of a step of a command.
template <typename T>
using CommandResult = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> StopWith(ExitCode code, std::string message) {
  return std::unexpected(Failure{code, std::move(message)});
}

// The failure that a command makes of an error in a step of that kind. A bug stays a bug.
[[nodiscard]] inline std::unexpected<Failure> StopWith(ExitCode code, const Error& error) {
  return StopWith(error.code == ErrorCode::kInternal ? ExitCode::kBug : code, error.message);
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_COMMAND_RESULT_H_
