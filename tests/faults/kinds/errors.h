#ifndef IDKIOSK_TESTS_FAULTS_KINDS_ERRORS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_ERRORS_H_

#include "tests/faults/tally.h"

// Rows in which the operating system says no.
namespace idkiosk::faults {

void FillTheDisk(Tally& tally);
void FailInputAndOutput(Tally& tally);
void RunOutOfHandlesAndRoom(Tally& tally);
void FailAllocations(Tally& tally);
void RemountReadOnly(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_ERRORS_H_
