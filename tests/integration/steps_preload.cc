// Loaded into a program before everything else (LD_PRELOAD), see steps.h. The environment says:
//   STEPS_FILE     each step becomes a line of this file
//   STEPS_KILL_AT  the program is killed before the step of this number; 0: never
//   STEPS_SEED     the program's random numbers follow from it
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int file = -1;
unsigned long kill_at = 0;
std::atomic<unsigned long> steps = 0;
std::atomic<uint64_t> random_state = 0;

__attribute__((constructor)) void Begin() {
  const char* const path = getenv("STEPS_FILE");
  if (path == nullptr) return;
  random_state = strtoull(getenv("STEPS_SEED"), nullptr, 10);
  kill_at = strtoul(getenv("STEPS_KILL_AT"), nullptr, 10);
  file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// The last part of a path; what is no file has a number that differs from run to run.
const char* ShortName(char* path) {
  char* const slash = strrchr(path, '/');
  if (slash != nullptr) return slash + 1;
  path[strcspn(path, ":")] = '\0';
  return path;
}

void TakeStep(const char* call, const char* path) {
  if (file < 0) return;
  char copy[512];
  char line[640];
  snprintf(copy, sizeof copy, "%s", path);
  const int size = snprintf(line, sizeof line, "%s %s\n", call, ShortName(copy));
  syscall(SYS_write, file, line, static_cast<size_t>(size));
  if (++steps == kill_at) kill(getpid(), SIGKILL);
}

void TakeStep(const char* call, int descriptor) {
  if (file < 0) return;
  char link[64];
  char path[512] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = '\0';
  TakeStep(call, path);
}

uint64_t NextRandom() {
  uint64_t mixed = random_state.fetch_add(0x9e3779b97f4a7c15U) + 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

// The function of that name that would have been called.
template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

ssize_t write(int to, const void* bytes, size_t size) {
  TakeStep("write", to);
  return Next<decltype(write)>("write")(to, bytes, size);
}

ssize_t writev(int to, const iovec* parts, int count) {
  TakeStep("writev", to);
  return Next<decltype(writev)>("writev")(to, parts, count);
}

ssize_t pwrite(int to, const void* bytes, size_t size, off_t at) {
  TakeStep("pwrite", to);
  return Next<decltype(pwrite)>("pwrite")(to, bytes, size, at);
}

ssize_t pwrite64(int to, const void* bytes, size_t size, off64_t at) {
  TakeStep("pwrite", to);
  return Next<decltype(pwrite64)>("pwrite64")(to, bytes, size, at);
}

int fsync(int of) {
  TakeStep("fsync", of);
  return Next<decltype(fsync)>("fsync")(of);
}

int fdatasync(int of) {
  TakeStep("fdatasync", of);
  return Next<decltype(fdatasync)>("fdatasync")(of);
}

int ftruncate(int of, off_t size) noexcept {
  TakeStep("ftruncate", of);
  return Next<decltype(ftruncate)>("ftruncate")(of, size);
}

int ftruncate64(int of, off64_t size) noexcept {
  TakeStep("ftruncate", of);
  return Next<decltype(ftruncate64)>("ftruncate64")(of, size);
}

int rename(const char* from, const char* to) noexcept {
  TakeStep("rename", to);
  return Next<decltype(rename)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  TakeStep("unlink", path);
  return Next<decltype(unlink)>("unlink")(path);
}

int connect(int from, const sockaddr* to, socklen_t size) {
  TakeStep("connect", from);
  return Next<decltype(connect)>("connect")(from, to, size);
}

ssize_t send(int to, const void* bytes, size_t size, int flags) {
  TakeStep("send", to);
  return Next<decltype(send)>("send")(to, bytes, size, flags);
}

ssize_t sendto(int to, const void* bytes, size_t size, int flags, const sockaddr* address,
               socklen_t address_size) {
  TakeStep("send", to);
  return Next<decltype(sendto)>("sendto")(to, bytes, size, flags, address, address_size);
}

ssize_t getrandom(void* to, size_t size, unsigned flags) {
  if (file < 0) return Next<decltype(getrandom)>("getrandom")(to, size, flags);
  for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
    const uint64_t random = NextRandom();
    memcpy(static_cast<char*>(to) + done, &random, size - done < 8 ? size - done : 8);
  }
  return static_cast<ssize_t>(size);
}

#pragma GCC visibility pop
}
