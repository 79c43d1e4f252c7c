#include <CLI/CLI.hpp>

#include "tools/sandbox/commands/commands.h"

int main(int argc, char** argv) {
  CLI::App app(
      "idkiosk-sandbox: the other end of the identity verification service, for "
      "development, training and tests. Nobody in it exists and nothing costs money.");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  idkiosk::sandbox::AddServe(app);
  idkiosk::sandbox::AddOnboard(app);
  idkiosk::sandbox::AddLedger(app);
  idkiosk::sandbox::AddRequests(app);
  idkiosk::sandbox::AddFault(app);
  idkiosk::sandbox::AddPeople(app);
  idkiosk::sandbox::AddAccount(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& failure) {
    return failure.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : idkiosk::sandbox::kExitUsage;
  }
  return 0;
}
