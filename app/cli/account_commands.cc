// account: who this kiosk is at the service.
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"

namespace idkiosk {
namespace {

CommandResult<ExitCode> RunLogin(Components& components, NoOptions&) {
  const auto service = components.service();
  if (!service) return std::unexpected(service.error());
  if (auto done = (*service)->Login(); !done) {
    const bool kept =
        done.error().code == ErrorCode::kUnavailable || done.error().code == ErrorCode::kTimeout;
    return StopWith(kept ? ExitCode::kKept : ExitCode::kConfiguration, done.error());
  }
  components.terminal().Say("The service knows these credentials.");
  return ExitCode::kDone;
}

struct RegisterOptions {
  std::string login;
  std::string name;

  std::vector<Argument> arguments() {
    return {
        {.name = "--login", .target = &login, .help = "The e-mail address", .required = true},
        {.name = "--name", .target = &name, .help = "The account holder's name", .required = true},
    };
  }
};

CommandResult<ExitCode> RunRegister(Components& components, RegisterOptions& options) {
  const auto service = components.service();
  if (!service) return std::unexpected(service.error());
  const auto password = components.terminal().AskSecret("Password of the new account");
  if (!password) return StopWith(ExitCode::kUsage, password.error());
  const auto login = SecretBytes::CopyOf(options.login);
  const auto name = SecretBytes::CopyOf(options.name);
  if (auto done = (*service)->Register(login, *password, name); !done) {
    return StopWith(ExitCode::kNotVerified, done.error());
  }
  (*components.audit())->Note(AuditEvent::kAccountRegistered, UserName(), "");
  components.terminal().Say("Registered. Make an API key in the service's dashboard.");
  return ExitCode::kDone;
}

CommandResult<ExitCode> RunChangePassword(Components& components, NoOptions&) {
  const auto service = components.service();
  if (!service) return std::unexpected(service.error());
  const auto password = components.terminal().AskSecret("New password");
  if (!password) return StopWith(ExitCode::kUsage, password.error());
  const Status done = (*components.audit())->Do(AuditEvent::kPasswordChanged, UserName(), "", [&] {
    return (*service)->ChangePassword(*password);
  });
  if (!done) return StopWith(ExitCode::kNotVerified, done.error());
  components.terminal().Say("The password is changed at the service and in the vault.");
  return ExitCode::kDone;
}

}  // namespace

void AddAccountCommands(CommandLine& line) {
  line.AddGroup("account", "Use this kiosk's account at the service",
                {line.Make("login", "Try the credentials in the vault", &RunLogin),
                 line.Make("register", "Register a new account", &RunRegister),
                 line.Make("change-password", "Change the password at the service and in the vault",
                           &RunChangePassword)});
}

}  // namespace idkiosk
