#ifndef IDKIOSK_TESTS_FAULTS_KINDS_DAMAGE_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_DAMAGE_H_

#include "tests/faults/tally.h"

// Rows in which something happens to the files of the state folder.
namespace idkiosk::faults {

void FlipBits(Tally& tally);
void PutOlderCopiesBack(Tally& tally);
void DeleteFiles(Tally& tally);
void SwapPictures(Tally& tally);
void TamperWithTheVault(Tally& tally);
void SearchTheRawDevice(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_DAMAGE_H_
