#ifndef IDKIOSK_TESTS_FAULTS_KINDS_UPGRADES_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_UPGRADES_H_

#include "tests/faults/tally.h"

namespace idkiosk::faults {

// State folders of older and of newer versions, opened by this one.
void Upgrade(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_UPGRADES_H_
