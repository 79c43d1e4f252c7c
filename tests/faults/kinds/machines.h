#ifndef IDKIOSK_TESTS_FAULTS_KINDS_MACHINES_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_MACHINES_H_

#include "tests/faults/tally.h"

// Rows that need another kernel or another first process than this machine's, which scripts start.
namespace idkiosk::faults {

// By tools/vivid; by day only where that has been run before, as it downloads a kernel.
void UnplugTheCamera(Tally& tally);
// By tests/config/units_run_test.sh, under systemd itself.
void EndAtEachStart(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_MACHINES_H_
