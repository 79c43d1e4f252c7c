#ifndef IDKIOSK_APP_CLI_INSTALLATION_WALK_H_
#define IDKIOSK_APP_CLI_INSTALLATION_WALK_H_

#include <string>

#include "app/assembly/components.h"

namespace idkiosk {

// How an installer is walked through a kiosk.
struct InstallationOptions {
  std::string signed_by;  // who installs it
  std::string out;        // the protocol's folder; empty: `installation` in the state folder
  double seconds = 30;    // for the camera, at most
  bool yes = false;       // takes each question as answered with yes
};

// Looks at every part of a kiosk and its place, asks the person at the terminal what no program can
// see, prints the protocol and keeps it. Where nobody answers, a question counts as bad. Returns
// what the first bad part says, as `doctor` does.
[[nodiscard]] CommandResult<ExitCode> WalkThroughInstallation(Components& components,
                                                              const InstallationOptions& options);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_INSTALLATION_WALK_H_
