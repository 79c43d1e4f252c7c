#include "tests/faults/kinds/damage.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;

// What a person does who was told that the ledger is not what it was.
const std::vector<std::vector<std::string>> kAcceptLedger = {{"ledger", "accept"}};

// The regular files of the state folder whose name or whose folder's begins so, smallest name
// first.
std::vector<std::string> FilesUnder(const std::string& state, std::string_view prefix) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(state)) {
    const std::string name = fs::relative(entry.path(), state).string();
    if (entry.is_regular_file() && name.starts_with(prefix) && entry.file_size() > 0) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

void Flip(Tally& tally, const std::string& path) {
  std::string bytes = ReadFile(path);
  // What a file of zeros does not use is hit as rarely as it matters.
  std::vector<size_t> used;
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != '\0') used.push_back(at);
  }
  if (used.empty()) return;
  char& one = bytes[used[tally.Draw(0, used.size() - 1)]];
  one = static_cast<char>(one ^ 1 << tally.Draw(0, 7));
  WriteFile(path, bytes);
}

// The copies of two calls take each other's place, each under the other's name.
bool SwapCopies(const std::string& file) {
  constexpr size_t kHead = 24;
  constexpr size_t kSlot = 4096;
  std::string bytes = ReadFile(file);
  const size_t one = bytes.find("IKSLOT1\n");
  const size_t other = one == std::string::npos ? one : bytes.find("IKSLOT1\n", one + kSlot);
  if (other == std::string::npos) return false;
  for (size_t at = kHead; at < kSlot; ++at) std::swap(bytes[one + at], bytes[other + at]);
  WriteFile(file, bytes);
  return true;
}

void Copy(const std::string& from, const std::string& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

// Everything in `state` whose name begins so becomes what it was in `older`.
void PutBack(const std::string& state, const std::string& older, std::string_view prefix) {
  for (const auto& entry : fs::directory_iterator(state)) {
    if (entry.path().filename().string().starts_with(prefix)) fs::remove_all(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(older)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix)) {
      fs::copy(entry.path(), fs::path(state) / name, fs::copy_options::recursive);
    }
  }
}

// The kiosk is started plainly; where it waits for a person that person does what it says.
void StartAfter(FaultKiosk& kiosk, const std::string& fault) {
  const std::vector<std::string> deliver = {"queue", "deliver", "--wait",
                                            FaultKiosk::kAsLongAsItTakes};
  Finished plain = kiosk.Do(deliver);
  if (plain.exit_code == 5) {
    (void)kiosk.Do({"ledger", "accept"});
    plain = kiosk.Do(deliver);
  }
  kiosk.tally().Check(
      plain.exit_code == 0 || plain.exit_code == 5, Invariant::kBack,
      fmt::format("a start after {} ends with {}: {}", fault, plain.exit_code, plain.err));
}

// A file system of its own in a file, mounted on a folder.
class LoopDisk {
 public:
  LoopDisk(std::string folder, std::string image)
      : folder_(std::move(folder)), image_(std::move(image)) {
    WriteFile(image_, "");
    fs::resize_file(image_, 96U << 20);
    fs::create_directory(folder_);
    mounted_ = RunProgram({"mkfs.ext4", "-q", "-F", image_}).exit_code == 0 &&
               RunProgram({"mount", "-o", "loop", image_, folder_}).exit_code == 0;
  }
  ~LoopDisk() { Unmount(); }
  LoopDisk(const LoopDisk&) = delete;
  LoopDisk& operator=(const LoopDisk&) = delete;

  [[nodiscard]] bool mounted() const { return mounted_; }
  void Unmount() {
    if (mounted_) (void)RunProgram({"umount", folder_});
    mounted_ = false;
  }
  [[nodiscard]] const std::string& image() const { return image_; }

 private:
  const std::string folder_;
  const std::string image_;
  bool mounted_ = false;
};

}  // namespace

// Wherever the bit is: each call is sent once, set aside, or named.
void FlipBits(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.mends = kAcceptLedger;
  kiosk.LedgerIsDamaged();
  const std::string_view places[] = {"queue.db", "queue.db-wal", "copies", "ledger"};
  const int times = tally.Rounds(28, 2000);
  for (int i = 0; i < times; ++i) {
    kiosk.LetWait(1);
    if (i % 2 == 0) (void)kiosk.Ask();
    const auto files = FilesUnder(kiosk.state(), places[i % std::size(places)]);
    if (files.empty()) continue;
    const std::string& file = files[tally.Draw(0, files.size() - 1)];
    Flip(tally, file);
    tally.Inject();
    const std::string fault = "a flipped bit in " + fs::path(file).filename().string();
    StartAfter(kiosk, fault);
    // What has ended by now may lose its row to this flip and its record to the next one.
    kiosk.FindLost(fault);
    kiosk.LetEndedGo();
  }
  kiosk.Judge();
}

// Everything together, the vault too, is what only a counter outside of the disk can tell.
void PutOlderCopiesBack(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.mends = kAcceptLedger;
  kiosk.LedgerIsDamaged();
  const std::vector<std::vector<std::string_view>> sets = {
      {"queue.db"},
      {"ledger"},
      {"copies"},
      {"queue.db", "copies"},
      {"queue.db", "ledger"},
      {"queue.db", "ledger", "copies"},
      {"vault"},
      {"vault", "queue.db"},
      {"decisions"},
  };
  const std::string older = kiosk.folder_ / "older";
  const int times = tally.Rounds(1, 60);
  for (int i = 0; i < times; ++i) {
    for (const auto& set : sets) {
      kiosk.LetWait(static_cast<int>(tally.Draw(1, 3)));
      Copy(kiosk.state(), older);
      const std::set<std::string> known = kiosk.accepted();
      (void)kiosk.Do({"queue", "deliver", "--wait", "0"});
      kiosk.LetWait(static_cast<int>(tally.Draw(0, 2)));
      std::string names;
      for (const std::string_view each : set) {
        PutBack(kiosk.state(), older, each);
        names += (names.empty() ? "" : " and ") + std::string(each);
      }
      tally.Inject();
      // Nothing is left that has the names of what was accepted since: that it is gone must be
      // said.
      if (set.size() == 3 && kiosk.accepted() != known) {
        tally.Check(kiosk.Do({"ledger", "verify"}).out.starts_with("rolled back"), Invariant::kKept,
                    "accepted calls are gone, and nothing tells so");
        kiosk.KeepAccepted(known);
      }
      StartAfter(kiosk, "an older " + names);
    }
  }
  kiosk.Judge();
}

void DeleteFiles(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.mends = kAcceptLedger;
  kiosk.LedgerIsDamaged();
  const std::vector<std::vector<std::string>> sets = {
      {"queue.db"},     {"queue.db-wal"},
      {"queue.db-shm"}, {"queue.db", "queue.db-wal", "queue.db-shm"},
      {"ledger"},       {"copies"},
      {"decisions"},
  };
  const int times = tally.Rounds(1, 60);
  for (int i = 0; i < times; ++i) {
    for (const auto& set : sets) {
      (void)kiosk.Ask();
      kiosk.LetWait(static_cast<int>(tally.Draw(1, 3)));
      std::string names;
      for (const std::string& each : set) {
        fs::remove_all(kiosk.state() + "/" + each);
        names += (names.empty() ? "" : ", ") + each;
      }
      tally.Inject();
      StartAfter(kiosk, names + " deleted");
      kiosk.FindLost(names + " deleted");
      kiosk.LetEndedGo();
    }
  }
  kiosk.Judge();
}

// One call's pictures under another one's name: neither is sent so.
void SwapPictures(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const int times = tally.Rounds(4, 200);
  for (int i = 0; i < times; ++i) {
    kiosk.LetWait(2);
    if (!SwapCopies(kiosk.state() + "/copies/slots-0001-64x4096")) {
      return tally.Break("two calls wait, and have no copies");
    }
    // Half of the time the copies are all there is.
    for (const char* each : {"", "-wal", "-shm"}) {
      if (i % 2 == 1) fs::remove(kiosk.state() + "/queue.db" + each);
    }
    tally.Inject();
    StartAfter(kiosk, "copies of two calls swapped");
  }
  kiosk.Judge();
}

// A vault that is not what it was opens nothing, says so, and works again once it is put back.
void TamperWithTheVault(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const std::string good = kiosk.folder_ / "good";
  const int times = tally.Rounds(16, 1000);
  for (int i = 0; i < times; ++i) {
    kiosk.LetWait(1);
    Copy(kiosk.state(), good);
    const auto files = FilesUnder(kiosk.state(), "vault");
    if (files.empty()) return tally.Break("there is no vault");
    const std::string& file = files[tally.Draw(0, files.size() - 1)];
    if (i % 4 == 3) {
      fs::remove(file);
    } else {
      Flip(tally, file);
    }
    tally.Inject();
    const Finished refused = kiosk.Do({"queue", "deliver", "--wait", "0"});
    tally.Check(refused.exit_code < 70 && (refused.exit_code == 0 || !refused.err.empty()),
                Invariant::kBack,
                fmt::format("with {} changed it ends with {}: {}",
                            fs::path(file).filename().string(), refused.exit_code, refused.err));
    // Where it was refused nothing was sent; else it is a change that the vault survives.
    if (refused.exit_code != 0) {
      fs::remove_all(kiosk.state() + "/vault");
      PutBack(kiosk.state(), good, "vault");
    }
    StartAfter(kiosk, "the vault put back");
  }
  kiosk.Judge();
}

// Whatever was written and erased: the blocks of the disk hold nothing that can be read.
void SearchTheRawDevice(Tally& tally) {
  FaultKiosk kiosk(tally);
  LoopDisk disk(kiosk.state(), kiosk.folder_ / "image");
  if (!disk.mounted()) return tally.CannotRun("root, mkfs.ext4 and a loop device");
  if (!kiosk.Begin()) return;
  for (int i = 0; i < tally.Rounds(6, 300); ++i) {
    const bool with_pictures = i % 2 == 0;
    const Invocation call = CallVictims()[with_pictures ? 1 : 0].prepare(kiosk);
    (void)kiosk.Note(RunProgram(call.arguments, call.input));
    tally.Inject();
  }
  kiosk.Judge();
  disk.Unmount();
  kiosk.LookInto(ReadFile(disk.image()), "the raw device");
}

}  // namespace idkiosk::faults
