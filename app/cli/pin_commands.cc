// pin: who may open the desk and the operator's console. A PIN is never an argument.
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/session/staff/pin_record.h"
#include "app/session/staff/pin_tries.h"

namespace idkiosk {
namespace {

struct PinOptions {
  std::string staff;
  std::string file;

  std::vector<Argument> arguments() {
    return {
        {.name = "who",
         .target = &staff,
         .type = "WHO",
         .help = "clerk (a branch's desk, a field agent's handheld) or operator",
         .required = true,
         .choices = {"clerk", "operator"}},
        {.name = "--file",
         .target = &file,
         .type = "FILE",
         .help = "Read the PIN from a file of mode 0600"},
    };
  }
};

// Typed twice by somebody at a terminal: nobody sees what was typed.
CommandResult<SecretBytes> NewPin(Components& components, const PinOptions& options, Staff staff,
                                  SecureStorage& vault) {
  auto typed = components.SecretFrom(options.file, fmt::format("New PIN of the {}", options.staff));
  if (!typed) return typed;
  if (const Status good = CheckNewPin(*typed); !good) {
    return StopWith(ExitCode::kUsage, good.error());
  }
  const Staff other = staff == Staff::kClerk ? Staff::kOperator : Staff::kClerk;
  if (const auto record = vault.Get(PinSecret(other))) {
    const Status differs = CheckDiffers(*typed, other, *record, components.drivers().crypto);
    if (!differs) return StopWith(ExitCode::kUsage, differs.error());
  }
  if (!options.file.empty() || !components.terminal().interactive()) return typed;
  const auto again = components.terminal().AskSecret("The same PIN again");
  if (!again) return StopWith(ExitCode::kUsage, again.error());
  if (!typed->Equals(again->view())) {
    return StopWith(ExitCode::kUsage, "these are two different PINs: nothing was changed");
  }
  return typed;
}

CommandResult<ExitCode> RunSet(Components& components, PinOptions& options) {
  const Staff staff = options.staff == Name(Staff::kClerk) ? Staff::kClerk : Staff::kOperator;
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto pin = NewPin(components, options, staff, **vault);
  if (!pin) return std::unexpected(pin.error());
  const Drivers& drivers = components.drivers();
  const SecretBytes record = MakePinRecord(*pin, MeasureIterations(drivers.crypto, drivers.clock),
                                           drivers.crypto, drivers.entropy);
  const Status kept =
      (*components.audit())->Do(AuditEvent::kPinSet, UserName(), options.staff, [&] {
        return (*vault)->Put(PinSecret(staff), record);
      });
  if (!kept) return StopWith(ExitCode::kConfiguration, kept.error());
  PinTries tries({**vault, drivers.files, drivers.crypto}, staff, (*settings)->state_folder);
  if (const auto read = tries.Read(); !read) {
    return StopWith(ExitCode::kConfiguration, read.error());
  }
  if (const Status forgotten = tries.Write(0); !forgotten) {
    return StopWith(ExitCode::kConfiguration, forgotten.error());
  }
  components.terminal().Say(fmt::format("The {} has a new PIN from now on.", options.staff));
  return ExitCode::kDone;
}

}  // namespace

void AddPinCommands(CommandLine& line) {
  line.AddGroup(
      "pin", "Set the PINs of clerk and operator",
      {line.Make("set", "Set a PIN of 6 to 12 digits, typed or from a line of standard input",
                 &RunSet)});
}

}  // namespace idkiosk
