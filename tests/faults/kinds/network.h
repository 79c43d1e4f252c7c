#ifndef IDKIOSK_TESTS_FAULTS_KINDS_NETWORK_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_NETWORK_H_

#include "tests/faults/tally.h"

// Rows in which the network between kiosk and service is bad.
namespace idkiosk::faults {

void TakeTheResolver(Tally& tally);
void RefuseConnections(Tally& tally);
void ResetRequests(Tally& tally);
void ResetAfterTheBody(Tally& tally);
void CutAnswers(Tally& tally);
void EndUsedConnections(Tally& tally);
void Trickle(Tally& tally);
void Stall(Tally& tally);
void Flap(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_NETWORK_H_
