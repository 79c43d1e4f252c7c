#ifndef IDKIOSK_TESTS_FAULTS_KINDS_CLOCKS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_CLOCKS_H_

#include "tests/faults/tally.h"

// Rows in which the clock is wrong.
namespace idkiosk::faults {

void StartWithAWrongClock(Tally& tally);
void JumpInATokensLife(Tally& tally);
void StartIn1970(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_CLOCKS_H_
