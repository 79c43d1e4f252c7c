#ifndef IDKIOSK_TESTS_FAULTS_KINDS_TPM_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_TPM_H_

#include "tests/faults/tally.h"

// The row in which something happens to the TPM that holds the vault's key.
namespace idkiosk::faults {

void TroubleTheTpm(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_TPM_H_
