#ifndef IDKIOSK_TESTS_FAULTS_KINDS_DAEMON_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_DAEMON_H_

#include "tests/faults/tally.h"

// Rows of a kiosk that runs: its page, its threads and its camera.
namespace idkiosk::faults {

void ShowFramesOfNobody(Tally& tally);
void FloodThePage(Tally& tally);
void StopAThread(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_DAEMON_H_
