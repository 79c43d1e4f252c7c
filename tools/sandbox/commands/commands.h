#ifndef IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_
#define IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_

namespace CLI {
class App;
}

namespace idkiosk::sandbox {

// Exit codes besides 0. A command that fails throws CLI::RuntimeError(kExitFailed).
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

// Each adds one command, or a family of them, to the command line.
void AddServe(CLI::App& app);
void AddOnboard(CLI::App& app);
void AddLedger(CLI::App& app);
void AddRequests(CLI::App& app);
void AddFault(CLI::App& app);
void AddPeople(CLI::App& app);
void AddAccount(CLI::App& app);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_
