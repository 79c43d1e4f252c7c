#ifndef IDKIOSK_TESTS_FAULTS_KINDS_CERTIFICATES_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_CERTIFICATES_H_

#include "tests/faults/tally.h"

// Rows in which somebody else answers at the service's address.
namespace idkiosk::faults {

void ShowBadCertificates(Tally& tally);
void CallTheHostByAddress(Tally& tally);
void SpeakOldProtocols(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_CERTIFICATES_H_
