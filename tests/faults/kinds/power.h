#ifndef IDKIOSK_TESTS_FAULTS_KINDS_POWER_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_POWER_H_

#include "tests/faults/tally.h"

// Rows in which the power fails, with database, ledger, copies, vault and file names on one supply.
namespace idkiosk::faults {

void LoseUnsyncedWrites(Tally& tally);
void TearWrites(Tally& tally);
void LieAboutSyncs(Tally& tally);
void LoseNames(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_POWER_H_
