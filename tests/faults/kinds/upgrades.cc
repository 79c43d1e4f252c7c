#include "tests/faults/kinds/upgrades.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/queue/durable_queue.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "tests/app/queue/old_queue_file.h"
#include "tests/app/service/service_fixture.h"
#include "tests/faults/fault_kiosk.h"
#include "tests/faults/victims.h"
#include "tests/integration/steps.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kKilled = 137;
constexpr int kVersionWithJournal = 4;
constexpr int kVersionWithService = 5;
constexpr int kVersionNow = 7;

// The state folder of a kiosk that stands still, by the parts of the program.
struct Folder {
  explicit Folder(FaultKiosk& kiosk)
      : path(kiosk.state()),
        base_url(FaultKiosk::Text(FaultKiosk::Parse(ReadFile(kiosk.message())), "/base_url")) {}

  const std::string path;
  const std::string base_url;
  PosixFileSystem files;
  SystemEntropy entropy;
  MbedtlsCrypto crypto;
  FileVault vault{files, entropy, crypto, path + "/vault"};

  // Every attempt that the ledger holds.
  std::vector<LedgerRow> Ledger() {
    static const ServiceProfile profile = SandboxProfile();
    const SystemClock clock;
    DurableQueue::Options options;
    options.folder = path;
    options.base_url = base_url;
    const auto queue = DurableQueue::Open(options, profile, clock, crypto, entropy, vault, files);
    EXPECT_TRUE(queue) << queue.error().message;
    const auto rows = queue ? (*queue)->Ledger(std::nullopt) : Result<std::vector<LedgerRow>>();
    EXPECT_TRUE(rows);
    return rows.value_or(std::vector<LedgerRow>());
  }
};

// A file of each copy, as idkiosk made them before there were slots.
void TakeCopiesOutOfSlots(Folder& folder) {
  constexpr std::string_view kSlot = "IKSLOT1\n";
  constexpr size_t kStep = 4096;
  constexpr size_t kHead = 24;
  std::vector<std::string> slots;
  for (const auto& entry : fs::directory_iterator(folder.path + "/copies")) {
    if (entry.path().filename().string().starts_with("slots-")) slots.push_back(entry.path());
  }
  for (const std::string& file : slots) {
    const std::string bytes = ReadFile(file);
    for (size_t at = 0; at + kHead < bytes.size(); at += kStep) {
      const std::string_view slot = std::string_view(bytes).substr(at);
      if (!slot.starts_with(kSlot)) continue;
      const std::string_view name = slot.substr(16, kReferenceSize);
      const size_t size = ReadUint32(AsBytes(slot).subspan<8, 4>());
      EXPECT_TRUE(folder.files.WriteDurably(fmt::format("{}/copies/{}", folder.path, name),
                                            AsBytes(slot.substr(kHead, size)),
                                            FileAccess::kOwnerOnly));
    }
    fs::remove(file);
  }
}

// Makes the folder one that an idkiosk of schema `version` has left.
void MakeOld(FaultKiosk& kiosk, int version) {
  Folder folder(kiosk);
  if (version == kVersionNow) return TakeCopiesOutOfSlots(folder);
  const std::vector<LedgerRow> ledger =
      version < kVersionWithJournal ? folder.Ledger() : std::vector<LedgerRow>();
  const auto key = folder.vault.DeriveKey("ledger-mac/v1");
  auto database = SqliteDatabase::Open(folder.path + "/queue.db", "");
  ASSERT_TRUE(key && database);
  MakeOldQueueFile(**database, version, ledger, folder.crypto, *key);
  if (version >= kVersionWithService) return;
  (void)folder.vault.Remove("service.address");
  if (version >= kVersionWithJournal) return;
  fs::remove_all(folder.path + "/copies");
  fs::remove_all(folder.path + "/ledger");
  fs::remove(folder.path + "/vault/vault.mark");
  (void)folder.vault.Remove("mark.session");
}

// Calls in every state wait in an old folder, and the first run of this version is killed.
void UpgradeFrom(Tally& tally, int version) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  (void)kiosk.Ask();
  kiosk.Misbehave({"--endpoint", "check", "--kind", "drop-after-body"});
  (void)kiosk.Ask();
  kiosk.Behave();
  const Invocation deliver{kiosk.KioskCommand({"queue", "deliver", "--wait", "0"}), ""};
  Steps steps;
  kiosk.LetWait(2);
  MakeOld(kiosk, version);
  const size_t count = steps.Of(deliver.arguments, "", tally.seed()).size();
  const auto times = static_cast<size_t>(tally.Rounds(6, 400));
  for (size_t i = 0; i < times; ++i) {
    kiosk.LetWait(2);
    MakeOld(kiosk, version);
    const size_t from = 1 + count * i / times;
    const size_t at = tally.Draw(from, std::max(from, count * (i + 1) / times));
    Steps::Killed killed = steps.KillAt(at, deliver.arguments, "", tally.seed() + i);
    if (killed.finished.exit_code == kKilled) tally.Inject();
    (void)kiosk.Note(std::move(killed.finished));
  }
  kiosk.Judge();
}

std::map<std::string, std::string> Everything(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    // Who holds the lock, what was said, and the log's index, which each reader makes anew, is not
    // what a kiosk keeps.
    const std::string name = entry.path().extension();
    const bool is_kept =
        entry.is_regular_file() && name != ".lock" && name != ".log" && name != ".db-shm";
    if (is_kept) all[entry.path()] = ReadFile(entry.path());
  }
  return all;
}

// The version in a file that ends in the digest of all before it.
void RaiseVaultVersion(Folder& folder) {
  const std::string path = folder.path + "/vault/vault.a";
  std::string text = ReadFile(path);
  ++text.at(11);
  text.resize(text.size() - Crypto::kDigestSize);
  text += AsText(folder.crypto.Sha256(AsBytes(text)));
  WriteFile(path, text);
}

void RaiseSchema(Folder& folder) {
  auto database = SqliteDatabase::Open(folder.path + "/queue.db", "");
  ASSERT_TRUE(database);
  EXPECT_TRUE((*database)->Execute(fmt::format("PRAGMA user_version={}", kVersionNow + 1).c_str()));
}

// The head of the ledger's file, with another version, and proven.
void RaiseJournalVersion(Folder& folder) {
  constexpr size_t kProven = 56;
  constexpr std::string_view kProof("idkiosk/journal-file/1\0ledger\0", 30);
  const std::string path = folder.path + "/ledger/000000000001.journal";
  std::string text = ReadFile(path);
  text.at(6) = '2';
  const auto key = folder.vault.DeriveKey("journal/v1");
  ASSERT_TRUE(key);
  const std::string proven = std::string(kProof) + text.substr(0, kProven);
  const Crypto::Digest mac = folder.crypto.HmacSha256(*key, AsBytes(proven));
  text.replace(kProven, mac.size(), AsText(mac));
  WriteFile(path, text);
}

// Each is refused with a sentence, by whoever writes, and left byte for byte as it was.
void Downgrade(Tally& tally) {
  const std::pair<std::string_view, std::function<void(Folder&)>> newer[] = {
      {"the schema", &RaiseSchema},
      {"the journal", &RaiseJournalVersion},
      {"the vault", &RaiseVaultVersion}};
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.LetWait(2);
  const std::string kept = kiosk.folder_ / "kept";
  fs::copy(kiosk.state(), kept, fs::copy_options::recursive);
  for (const auto& [what, raise] : newer) {
    Folder folder(kiosk);
    raise(folder);
    const auto before = Everything(kiosk.state());
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"queue", "deliver", "--wait", "0"}, {"queue", "list"}}) {
      const Finished refused = kiosk.Do(command);
      tally.Inject();
      tally.Check(refused.exit_code != 0 && refused.err.contains("newer idkiosk"), Invariant::kBack,
                  fmt::format("{} is newer, and '{} {}' ends with {}: {}", what, command[0],
                              command[1], refused.exit_code, refused.err));
    }
    for (const auto& [path, bytes] : before) {
      tally.Check(ReadFile(path) == bytes, Invariant::kKept,
                  fmt::format("{} is newer, and {} is not what it was", what, path));
    }
    fs::remove_all(kiosk.state());
    fs::copy(kept, kiosk.state(), fs::copy_options::recursive);
  }
  kiosk.Judge();
}

}  // namespace

void Upgrade(Tally& tally) {
  for (int version = 1; version <= kVersionNow; ++version) UpgradeFrom(tally, version);
  Downgrade(tally);
}

}  // namespace idkiosk::faults
