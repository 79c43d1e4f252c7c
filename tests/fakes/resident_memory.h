#ifndef IDKIOSK_TESTS_FAKES_RESIDENT_MEMORY_H_
#define IDKIOSK_TESTS_FAKES_RESIDENT_MEMORY_H_

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace idkiosk {

// Bytes of memory that this process holds.
inline int64_t ResidentMemory() {
  int64_t all = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_RESIDENT_MEMORY_H_
