#ifndef IDKIOSK_APP_CLI_COMMAND_LINE_H_
#define IDKIOSK_APP_CLI_COMMAND_LINE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/assembly/command_result.h"
#include "app/assembly/components.h"
#include "platform/base/command_line/command.h"

namespace idkiosk {

// The command that was chosen, ready to run.
using ChosenCommand = std::function<CommandResult<ExitCode>(Components&)>;

// The table of commands, which each group of them adds itself to.
class CommandLine {
 public:
  // `program` has the arguments that every command takes.
  explicit CommandLine(Command program) : program_(std::move(program)) {}
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void Add(Command command) { program_.commands.push_back(std::move(command)); }

  // Adds a name that holds several commands: `queue list`, `queue show`.
  void AddGroup(std::string name, std::string summary, std::vector<Command> commands) {
    Add({.name = std::move(name), .summary = std::move(summary), .commands = std::move(commands)});
  }

  // Returns a command whose arguments land in Options of its own; `run` gets them once they are
  // parsed. Requires a member that lists them: std::vector<Argument> arguments(details...).
  template <typename Options, typename... Details>
  [[nodiscard]] Command Make(std::string name, std::string summary,
                             CommandResult<ExitCode> (*run)(Components&, Options&),
                             const Details&... details) {
    auto options = std::make_shared<Options>();
    return {.name = std::move(name),
            .summary = std::move(summary),
            .arguments = options->arguments(details...),
            .action = [this, options, run] {
              chosen_ = [options, run](Components& components) {
                return run(components, *options);
              };
            }};
  }

  // Parses the command line. Returns the command that was chosen, or the exit code to end with.
  [[nodiscard]] std::expected<ChosenCommand, int> Parse(int argc, char** argv) {
    const auto command = ParseCommandLine(program_, argc, argv);
    if (!command) return std::unexpected(command.error());
    (*command)->action();
    return std::move(chosen_);
  }

 private:
  Command program_;
  ChosenCommand chosen_;
};

// For commands without arguments.
struct NoOptions {
  [[nodiscard]] static std::vector<Argument> arguments() { return {}; }
};

// Each adds its commands; one source a group.
// capture, record, inspect. `camera_forms`: how a camera may be named, for people.
void AddCaptureCommands(CommandLine& line, const std::string& camera_forms);
void AddTuneCommand(CommandLine& line);
void AddVerifyCommands(CommandLine& line);  // verify, check, lookup, reasons
void AddQueueCommands(CommandLine& line);   // queue
void AddLedgerCommands(CommandLine& line);  // ledger
void AddAuditCommands(CommandLine& line);   // audit
void AddPeopleCommands(CommandLine& line);  // people, consent
void AddProbeCommand(CommandLine& line);
void AddHoldCommands(CommandLine& line);     // hold
void AddVaultCommands(CommandLine& line);    // vault, provision
void AddStaffCommands(CommandLine& line);    // staff, pin
void AddAccountCommands(CommandLine& line);  // account
void AddConfigCommands(CommandLine& line);   // config, version
void AddDoctorCommand(CommandLine& line);
void AddRunCommand(CommandLine& line);
void AddSupportCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_COMMAND_LINE_H_
