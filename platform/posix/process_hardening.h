#ifndef IDKIOSK_PLATFORM_POSIX_PROCESS_HARDENING_H_
#define IDKIOSK_PLATFORM_POSIX_PROCESS_HARDENING_H_

namespace idkiosk {

// Makes the process keep what it knows to itself; called first in main, before any thread starts.
//   - no core files, and no other process of this user may look into its memory
//   - no new privileges for whatever it starts
//   - new files are for their owner alone
//   - a reader that went away is an error of write, not the end of the process
void HardenProcess();

// Overwrites an argument of main, which every user of the machine can read while the program runs.
void WipeArgument(char* argument);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_PROCESS_HARDENING_H_
