#ifndef IDKIOSK_APP_CLI_COMMAND_LINE_H_
#define IDKIOSK_APP_CLI_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "app/assembly/command_result.h"
#include "app/assembly/components.h"

namespace idkiosk {

// The command that was chosen, ready to run.
using Command = std::function<CommandResult<ExitCode>(Components&)>;

// Where each command of the command line puts itself.
class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(app) {}

  // A command whose arguments land in an Options of its own; `run` gets them once they are parsed.
  // Gives back the CLI11 command and the Options, to bind the arguments.
  template <typename Options>
  std::pair<CLI::App*, Options&> Add(CLI::App& parent, const std::string& name,
                                     const std::string& description,
                                     CommandResult<ExitCode> (*run)(Components&, Options&)) {
    CLI::App* command = parent.add_subcommand(name, description);
    auto options = std::make_shared<Options>();
    command->callback([this, options, run] {
      chosen_ = [options, run](Components& components) { return run(components, *options); };
    });
    return {command, *options};
  }

  // A name that holds several commands: `queue list`, `queue show`.
  CLI::App& AddGroup(const std::string& name, const std::string& description) {
    CLI::App* group = app_.add_subcommand(name, description);
    group->require_subcommand(1);
    return *group;
  }

  [[nodiscard]] CLI::App& app() { return app_; }
  [[nodiscard]] const Command& chosen() const { return chosen_; }

 private:
  CLI::App& app_;
  Command chosen_;
};

// For commands without arguments.
struct NoOptions {};

// Each adds its commands; one source a group.
// capture, record, inspect. `camera_forms`: how a camera may be named, for people.
void AddCaptureCommands(CommandLine& line, const std::string& camera_forms);
void AddTuneCommand(CommandLine& line);
void AddVerifyCommands(CommandLine& line);   // verify, check, lookup, reasons
void AddQueueCommands(CommandLine& line);    // queue, ledger
void AddVaultCommands(CommandLine& line);    // vault, provision
void AddPinCommands(CommandLine& line);      // pin
void AddAccountCommands(CommandLine& line);  // account
void AddConfigCommands(CommandLine& line);   // config, version
void AddDoctorCommand(CommandLine& line);
void AddRunCommand(CommandLine& line);
void AddSupportCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_COMMAND_LINE_H_
