#ifndef IDKIOSK_TESTS_FAULTS_KINDS_NEIGHBOURS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_NEIGHBOURS_H_

#include "tests/faults/tally.h"

// Rows in which several programs meet.
namespace idkiosk::faults {

void RunSideBySide(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_NEIGHBOURS_H_
