#ifndef IDKIOSK_TESTS_FAULTS_VICTIMS_H_
#define IDKIOSK_TESTS_FAULTS_VICTIMS_H_

#include <span>
#include <string_view>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/strace.h"

namespace idkiosk::faults {

// A command that changes something, and that faults befall while it runs.
struct Victim {
  std::string_view name;
  // Makes what the command needs (a call that waits, one whose answer was lost), and returns how
  // to start it.
  Invocation (*prepare)(FaultKiosk& kiosk);
};

// Those that accept, send, or decide about calls.
[[nodiscard]] std::span<const Victim> CallVictims();
// Those that write the vault and the settings.
[[nodiscard]] std::span<const Victim> VaultVictims();
[[nodiscard]] std::vector<Victim> AllVictims();

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_VICTIMS_H_
