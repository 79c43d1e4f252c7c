#ifndef IDKIOSK_TESTS_FAULTS_KINDS_KILLS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_KILLS_H_

#include "tests/faults/tally.h"

// Rows in which the program is killed.
namespace idkiosk::faults {

void KillAtRandomMoments(Tally& tally);
void KillAtSystemCalls(Tally& tally);
void KillInEachState(Tally& tally);
void KillRecovery(Tally& tally);
void KillWhileASecretIsStored(Tally& tally);
void KillAndLookForSecrets(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_KILLS_H_
