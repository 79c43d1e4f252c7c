#ifndef IDKIOSK_TESTS_FAULTS_KINDS_BYTES_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_BYTES_H_

#include "tests/faults/tally.h"

namespace idkiosk::faults {

// Bytes that nobody foresaw, wherever the program reads what others may have written.
void ReadOddBytes(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_BYTES_H_
