#ifndef IDKIOSK_TESTS_FAULTS_KINDS_PAGE_ATTACKS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_PAGE_ATTACKS_H_

#include "tests/faults/tally.h"

namespace idkiosk::faults {

// What other sites in the kiosk's browser, and programs beside it, send to the page of a kiosk that
// runs: each is refused, and leads nowhere.
void AttackThePage(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_PAGE_ATTACKS_H_
