// Loaded into a program before everything else (LD_PRELOAD). The environment says:
//   FAULTS_FAIL_ALLOCATION  the allocation of this number fails, "17", or each one from there on,
//                           "17+"; allocations count from the first one after this was loaded
//   FAULTS_CLOCK            so many seconds are added to the time of day
//   FAULTS_BOOT_CLOCK       so many seconds are added to the time since the machine was started
//   FAULTS_PEAK_FILE        at its end the program writes there how much memory it had at most, in
//                           KiB
#include <dlfcn.h>
#include <sys/time.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
// glibc's own, exported under these names for interposers.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
}

namespace {

std::atomic<unsigned long> allocations = 0;
unsigned long fail_at = 0;
bool fail_on = false;
time_t ahead = 0;
time_t boot_ahead = 0;

__attribute__((constructor)) void Begin() {
  if (const char* const text = getenv("FAULTS_FAIL_ALLOCATION"); text != nullptr) {
    char* end = nullptr;
    fail_at = strtoul(text, &end, 10);
    fail_on = *end == '+';
  }
  if (const char* const text = getenv("FAULTS_CLOCK"); text != nullptr) ahead = atol(text);
  if (const char* const text = getenv("FAULTS_BOOT_CLOCK"); text != nullptr) {
    boot_ahead = atol(text);
  }
}

// What getrusage says counts the memory of whoever started it, too.
__attribute__((destructor)) void End() {
  const char* const path = getenv("FAULTS_PEAK_FILE");
  FILE* const status = path == nullptr ? nullptr : fopen("/proc/self/status", "r");
  FILE* const file = status == nullptr ? nullptr : fopen(path, "w");
  long peak = 0;
  for (char line[256]; file != nullptr && fgets(line, sizeof line, status) != nullptr;) {
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) fprintf(file, "%ld", peak);
  }
  if (file != nullptr) fclose(file);
  if (status != nullptr) fclose(status);
}

bool Fails() {
  if (fail_at == 0) return false;
  const unsigned long number = ++allocations;
  return number == fail_at || (fail_on && number > fail_at);
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

void* malloc(size_t size) {
  if (!Fails()) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void* calloc(size_t count, size_t size) {
  if (!Fails()) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}

int clock_gettime(clockid_t clock, timespec* to) noexcept {
  static const auto next =
      reinterpret_cast<decltype(&clock_gettime)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = next(clock, to);
  if (result == 0 && clock == CLOCK_REALTIME) to->tv_sec += ahead;
  if (result == 0 && clock == CLOCK_BOOTTIME) to->tv_sec += boot_ahead;
  return result;
}

int gettimeofday(timeval* to, void* zone) noexcept {
  static const auto next =
      reinterpret_cast<decltype(&gettimeofday)>(dlsym(RTLD_NEXT, "gettimeofday"));
  const int result = next(to, zone);
  if (result == 0) to->tv_sec += ahead;
  return result;
}

time_t time(time_t* to) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) *to = now.tv_sec;
  return now.tv_sec;
}

#pragma GCC visibility pop
}
