#ifndef IDKIOSK_TESTS_FAULTS_KINDS_NAMES_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_NAMES_H_

#include "tests/faults/tally.h"

namespace idkiosk::faults {

// Looks at the system calls of each command: before it says or sends anything, and before it ends,
// the folder of every name that it made, moved or took away in the state folder is synced.
void WatchFolderSyncs(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_NAMES_H_
