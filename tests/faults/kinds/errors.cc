#include "tests/faults/kinds/errors.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "tests/fakes/small_disk.h"
#include "tests/faults/fault_kiosk.h"
#include "tests/faults/strace.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kBug = 70;
constexpr int kSignalled = 128;

// An error, and the calls that have it.
struct SystemError {
  const char* name;
  const char* calls;
};

// A program may say no, but not fall over; and it must say why.
void CheckEnd(Tally& tally, std::string_view victim, const std::string& fault,
              const Finished& finished, bool may_be_silent = false) {
  const int code = finished.exit_code;
  tally.Check(code < kSignalled && code != kBug, Invariant::kBack,
              fmt::format("{} ends with {} after {}: {}", victim, code, fault, finished.err));
  tally.Check(code <= 1 || may_be_silent || !finished.err.empty(), Invariant::kBack,
              fmt::format("{} ends with {} after {}, and says nothing", victim, code, fault));
}

// The kiosk is started plainly after each fault: what holds it up needs a person, who is told.
void Settle(FaultKiosk& kiosk, std::string_view victim, const std::string& fault) {
  const Finished plain = kiosk.Do({"queue", "deliver", "--wait", FaultKiosk::kAsLongAsItTakes});
  kiosk.tally().Check(plain.exit_code == 0 || plain.exit_code == 5, Invariant::kBack,
                      fmt::format("a plain start ends with {} after {} of {}: {}", plain.exit_code,
                                  fault, victim, plain.err));
}

struct Strike {
  const Victim& victim;
  const SystemError& error;
  const std::vector<Strace::Call>& calls;
  bool lasts;
};

void StrikeOnce(FaultKiosk& kiosk, const Strace& strace, const Strike& strike) {
  Tally& tally = kiosk.tally();
  const size_t at = tally.Draw(0, strike.calls.size() - 1);
  std::vector<Strace::Call> calls = {strike.calls[at]};
  // The next one of each other name, where it lasts.
  for (size_t i = at; i < strike.calls.size() && strike.lasts; ++i) {
    const Strace::Call& next = strike.calls[i];
    if (std::ranges::find(calls, next.name, &Strace::Call::name) == calls.end()) {
      calls.push_back(next);
    }
  }
  Strace::Struck struck = strace.Run({.effect = fmt::format("error={}", strike.error.name),
                                      .calls = std::move(calls),
                                      .lasts = strike.lasts},
                                     strike.victim.prepare(kiosk));
  if (struck.call.empty()) return;
  tally.Inject();
  const std::string fault =
      fmt::format("{} of number {}{} of its {}, {}", strike.error.name, strike.calls[at].number,
                  strike.lasts ? "+" : "", strike.calls[at].name, struck.call);
  CheckEnd(tally, strike.victim.name, fault, struck.finished,
           strike.lasts || struck.call.starts_with("write"));
  (void)kiosk.Note(std::move(struck.finished));
  Settle(kiosk, strike.victim.name, fault);
}

// Each error befalls each command: once, and from some call on.
void StrikeAll(Tally& tally, std::span<const SystemError> errors, int times) {
  if (!Strace::IsThere(tally)) return;
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin({.service = R"("total_timeout": "5 s", "connect_timeout": "2 s",)"})) return;
  const Strace strace;
  for (const SystemError& error : errors) {
    for (const Victim& victim : AllVictims()) {
      const auto calls = strace.List(error.calls, victim.prepare(kiosk));
      for (int i = 0; i < times && !calls.empty(); ++i) {
        StrikeOnce(kiosk, strace, {victim, error, calls, i % 2 == 1});
      }
    }
  }
  kiosk.Judge();
}

constexpr SystemError kBroken[] = {
    {"EIO", "write,pwrite64,writev,fsync,fdatasync,ftruncate"},
    {"EIO", "read,pread64,openat,rename,unlink"},
};
constexpr SystemError kExhausted[] = {
    {"EMFILE", "openat,socket,pipe2,eventfd2,epoll_create1,dup"},
    {"EFBIG", "write,pwrite64,writev,ftruncate,fallocate"},
    {"ENOSPC", "write,pwrite64,writev,ftruncate,fallocate,mkdir,rename"},
};
constexpr SystemError kReadOnly[] = {
    {"EROFS", "ftruncate,fallocate,mkdir,rename,unlink,pwrite64"},
};

// A state folder on a disk of its own.
struct KioskOnSmallDisk {
  KioskOnSmallDisk(FaultKiosk& kiosk, const char* size) : folder(kiosk.state()) {
    fs::create_directory(folder);
    disk = std::make_unique<SmallDisk>(folder, size);
    if (!disk->mounted()) kiosk.tally().CannotRun("root, who may mount a small disk");
  }
  [[nodiscard]] bool Remount(unsigned long flags) const {
    return mount("none", folder.c_str(), "tmpfs", MS_REMOUNT | flags, nullptr) == 0;
  }

  const std::string folder;
  std::unique_ptr<SmallDisk> disk;
};

// Leaves that much room on the disk of this folder.
void Fill(const std::string& folder, uintmax_t leave) {
  const fs::space_info space = fs::space(folder);
  const std::string ballast = folder + "/ballast";
  if (space.available <= leave) return;
  WriteFile(ballast, std::string(space.available - leave, 'x'));
}

}  // namespace

void FailInputAndOutput(Tally& tally) { StrikeAll(tally, kBroken, tally.Rounds(2, 400)); }

void RunOutOfHandlesAndRoom(Tally& tally) { StrikeAll(tally, kExhausted, tally.Rounds(2, 300)); }

// Refused before anything is asked, or answered and kept: nothing in between.
void FillTheDisk(Tally& tally) {
  FaultKiosk kiosk(tally);
  const KioskOnSmallDisk on(kiosk, "48m");
  if (!tally.needs().empty() || !kiosk.Begin()) return;
  const int levels = tally.Rounds(16, 1000);
  for (int i = 0; i < levels; ++i) {
    kiosk.LetWait(1);
    Fill(kiosk.state(), tally.Draw(0, 1 << 20) * (i % 2 == 0 ? 1 : 8));
    tally.Inject();
    const Finished asked = i % 3 == 0 ? kiosk.Do({"queue", "deliver", "--wait", "0"}) : kiosk.Ask();
    CheckEnd(tally, i % 3 == 0 ? "queue deliver" : "check", "a full disk", asked);
    fs::remove(kiosk.state() + "/ballast");
    Settle(kiosk, "check", "a full disk");
  }
  kiosk.Judge();
}

void RemountReadOnly(Tally& tally) {
  FaultKiosk kiosk(tally);
  const KioskOnSmallDisk on(kiosk, "64m");
  if (!tally.needs().empty() || !kiosk.Begin()) return;
  const int times = tally.Rounds(1, 50);
  for (int i = 0; i < times; ++i) {
    for (const Victim& victim : AllVictims()) {
      const Invocation invocation = victim.prepare(kiosk);
      EXPECT_TRUE(on.Remount(MS_RDONLY));
      tally.Inject();
      const Finished refused = kiosk.Note(RunProgram(invocation.arguments, invocation.input));
      CheckEnd(tally, victim.name, "a remount read-only", refused);
      EXPECT_TRUE(on.Remount(0));
      Settle(kiosk, victim.name, "a remount read-only");
    }
  }
  kiosk.Judge();
  if (tally.needs().empty()) StrikeAll(tally, kReadOnly, tally.Rounds(1, 300));
}

// A program that gets no memory may end at once; nothing else may come of it.
void FailAllocations(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const int times = tally.Rounds(6, 1000);
  for (const Victim& victim : AllVictims()) {
    for (int i = 0; i < times; ++i) {
      const Invocation invocation = victim.prepare(kiosk);
      // Most of them make some ten thousand allocations.
      const uint64_t at = tally.Draw(1, i % 2 == 0 ? 3000 : 40000);
      const bool lasts = i % 3 == 2;
      Finished finished =
          RunProgram(invocation.arguments, invocation.input,
                     {std::string("LD_PRELOAD=") + FAULTS_MODULE,
                      fmt::format("FAULTS_FAIL_ALLOCATION={}{}", at, lasts ? "+" : "")});
      tally.Inject();
      const bool aborted = finished.exit_code == kSignalled + SIGABRT;
      const std::string fault = fmt::format("allocation {}{} that fails", at, lasts ? "+" : "");
      if (!aborted) CheckEnd(tally, victim.name, fault, finished, true);
      (void)kiosk.Note(std::move(finished));
      Settle(kiosk, victim.name, fault);
    }
  }
  kiosk.Judge();
}

}  // namespace idkiosk::faults
