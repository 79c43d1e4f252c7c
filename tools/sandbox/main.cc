#include "tools/sandbox/commands/commands.h"

int main(int argc, char** argv) {
  using namespace idkiosk;
  constexpr size_t kHelpColumn = 34;
  const Command program{
      .name = "idkiosk-sandbox",
      .summary =
          "idkiosk-sandbox: a stand-in for the identity verification service, for development, "
          "training and tests. Its people are made up, and nothing costs money.",
      .commands = {sandbox::ServeCommand(), sandbox::OnboardCommand(), sandbox::LedgerCommand(),
                   sandbox::RequestsCommand(), sandbox::InvoiceCommand(), sandbox::ReplyCommand(),
                   sandbox::FaultCommands(), sandbox::PeopleCommands(),
                   sandbox::AccountCommands()}};
  const auto command = ParseCommandLine(program, argc, argv, kHelpColumn);
  if (!command) return command.error();
  try {
    (*command)->action();
  } catch (const sandbox::Failure&) {
    return sandbox::kExitFailed;
  }
  return 0;
}
