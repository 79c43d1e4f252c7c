#ifndef IDKIOSK_APP_CLI_DOCTOR_PARTS_H_
#define IDKIOSK_APP_CLI_DOCTOR_PARTS_H_

#include "app/assembly/components.h"
#include "app/operator/finding.h"

// The parts of a kiosk as `doctor` looks at them, for its two forms: what operator/readiness.h
// checks, asked of the components that are there, and what only the command line can see.
namespace idkiosk {

// Returns what the shell is told: of the first bad part, or kDone.
[[nodiscard]] ExitCode WorstOf(const Findings& findings);

// Returns what both forms begin with: the configuration on the disk.
[[nodiscard]] Findings LookAtConfiguration(Components& components);
// The vault and who has a PIN; also the audit trail, where the vault opens.
[[nodiscard]] Findings LookAtVault(Components& components, const Settings& settings);
// Users and folders that the settings name, and 'idkiosk run' needs.
[[nodiscard]] Findings LookAtNames(Components& components, const Settings& settings);
// Who reads what of a running kiosk; a fault of none of its parts.
[[nodiscard]] Findings LookAtFiles(Components& components, const Settings& settings);
[[nodiscard]] Findings LookAtApi(const Settings& settings);
// Whether the profile suffices for what the kiosk is for.
[[nodiscard]] Findings LookAtMode(Components& components, const Settings& settings);
// The devices besides the camera. What a running kiosk has is not taken from it.
[[nodiscard]] Findings LookAtDevices(Components& components, const Settings& settings, bool runs);
[[nodiscard]] Findings LookAtQueue(Components& components);
// What a running kiosk knows beyond that: it delivers, hands over, and has the camera.
[[nodiscard]] Findings LookAtRunningKiosk(Components& components);
[[nodiscard]] Findings LookAtCamera(Components& components);
// Silence is no fault; but a bank should know which of its people hear nothing.
[[nodiscard]] Findings LookAtVoice(Components& components);
// The time zone of the ledger's times and of lists.
[[nodiscard]] Findings LookAtZone();
[[nodiscard]] Findings LookAtService(Components& components);
// Whether `idkiosk run` runs on these settings.
[[nodiscard]] bool KioskRuns(Components& components);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_DOCTOR_PARTS_H_
