#include "app/journal/shared_journal.h"

#include <algorithm>
#include <array>

#include "app/journal/fields.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr uint32_t kFileSize = 256 << 10;
constexpr Duration kPatience = std::chrono::seconds(5);

// The newest number that the vault knew of before it; 0: an older idkiosk's, which does not say.
uint64_t ToldBefore(const JournalRecord& record) {
  if (record.attachment.size() != sizeof(uint64_t)) return 0;
  return ReadUint64(record.attachment.first<sizeof(uint64_t)>());
}

}  // namespace

// The journal, as it was read.
struct SharedJournal::Opened {
  std::unique_ptr<FileLock> lock;  // of who writes
  std::unique_ptr<SecretBytes> key;
  std::unique_ptr<Journal> journal;
  JournalReading reading;
  JournalVerdict verdict;
  std::string last_damage;     // what the newest record of damage says
  bool is_remembered = false;  // the vault knows of a record
  uint64_t remembered = 0;     // and of which
};

SharedJournal::SharedJournal(const Kind& kind, const std::string& state_folder, const Clock& clock,
                             const Crypto& crypto, SecureStorage& vault, FileSystem& files)
    : kind_(kind),
      folder_(fmt::format("{}/{}", state_folder, kind.name)),
      clock_(clock),
      crypto_(crypto),
      vault_(vault),
      files_(files) {}

// Nothing: the vault remembers none.
Result<std::optional<JournalPosition>> SharedJournal::Anchor() {
  const auto kept = vault_.Get(kind_.anchor);
  if (kept) return ParsePosition(kept->view());
  if (kept.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(kept.error());
}

// Asked behind the journal, to which another program may have added meanwhile.
Result<bool> SharedJournal::IsVaultOlder(uint64_t told) {
  const auto anchor = Anchor();
  if (!anchor) return std::unexpected(anchor.error());
  return anchor->value_or(JournalPosition()).number < told;
}

// The files of a journal that an erased vault proved are kept, under other names.
Status SharedJournal::SetOldAside() {
  const auto names = files_.List(folder_);
  if (!names) return std::unexpected(names.error());
  const int64_t now = ToMilliseconds(clock_.WallNow());
  for (const std::string& each : *names) {
    if (!each.ends_with(".journal")) continue;
    const std::string path = fmt::format("{}/{}", folder_, each);
    if (Status moved = files_.Rename(path, fmt::format("{}.until-{}", path, now)); !moved) {
      return moved;
    }
  }
  return {};
}

Result<SharedJournal::Opened> SharedJournal::OpenToWrite() {
  if (Status made = files_.CreateFolder(folder_); !made) return std::unexpected(made.error());
  auto lock = files_.LockWithin(folder_ + "/lock", kPatience);
  if (!lock) return std::unexpected(lock.error());
  auto opened = Open(0, nullptr);
  if (opened) opened->lock = std::move(*lock);
  return opened;
}

// Who writes adds a record first, and tells the vault of it then. So what the vault remembers is
// read first: whoever only reads needs no turn.
Result<SharedJournal::Opened> SharedJournal::Open(uint64_t from, const Journal::Each& each) {
  auto key = vault_.DeriveKey(kind_.key_label);
  if (!key) return std::unexpected(key.error());
  const auto remembered = Anchor();
  if (!remembered) return std::unexpected(remembered.error());
  const JournalPosition anchor = remembered->value_or(JournalPosition());

  Opened opened;
  opened.is_remembered = remembered->has_value();
  opened.remembered = anchor.number;
  opened.key = std::make_unique<SecretBytes>(std::move(*key));
  opened.journal = std::make_unique<Journal>(
      Journal::Options{.folder = folder_, .label = std::string(kind_.name), .file_size = kFileSize},
      crypto_, *opened.key, files_);
  const std::array known = {anchor};
  uint64_t told = 0;
  const auto read = [&](const JournalRecord& record) {
    if (auto damage = kind_.damage_in(record.body)) opened.last_damage = std::move(*damage);
    told = std::max(told, ToldBefore(record));
    if (each) each(record);
  };
  const auto reading = opened.journal->Read(from == 0 ? anchor.number : from, known, read);
  if (!reading) return std::unexpected(reading.error());
  opened.reading = *reading;
  opened.verdict = Judge(*reading, {}, anchor);
  const bool unmarked = !*remembered && reading->newest.number > 0;
  if (opened.verdict.state == JournalState::kGenuine && unmarked) {
    opened.verdict = {JournalState::kUnmarked, reading->newest.number};
  }
  if (opened.verdict.state == JournalState::kGenuine && told > anchor.number) {
    const auto is_older = IsVaultOlder(told);
    if (!is_older) return std::unexpected(is_older.error());
    if (*is_older) opened.verdict = {JournalState::kVaultOlder, told};
  }
  return opened;
}

Status SharedJournal::Remember(const JournalPosition& newest, Opened& opened) {
  const Bytes place = SerializePosition(newest);
  const Status told = vault_.Put(kind_.anchor, SecretBytes::CopyOf(AsText(place)));
  if (told) {
    opened.remembered = newest.number;
    return {};
  }
  if (told.error().code != ErrorCode::kExhausted) {
    return std::unexpected(told.error().Within("the vault cannot remember its newest entry"));
  }
  // People must be able to mend a full disk. The next entry tells the vault of this one, too.
  LogWarning("the vault does not know the newest entry of {}: {}", folder_, told.error().message);
  return {};
}

Status SharedJournal::GoOn(Opened& opened) {
  Journal& journal = *opened.journal;
  const std::string found = Describe(opened.verdict);
  const bool of_another_vault = opened.reading.altered && opened.reading.proven == 0;
  if (of_another_vault) {
    if (Status aside = SetOldAside(); !aside) return aside;
    const auto none = journal.Read(1, {}, [](const JournalRecord&) {});
    if (!none) return std::unexpected(none.error());
    opened.reading = *none;
  }
  const bool damaged = opened.verdict.state != JournalState::kGenuine;
  const JournalReading& reading = opened.reading;
  // Before the first entry: one that the power cuts off from the vault is no damage.
  if (!opened.is_remembered && reading.newest.number == 0) {
    if (Status begun = Remember({}, opened); !begun) return begun;
  }
  const bool keep_tail = damaged && (reading.unproven_tail || reading.shortened);
  if (Status resumed = journal.Resume(reading, keep_tail); !resumed) return resumed;
  if (!damaged || found == opened.last_damage) return {};
  // A vault that remembers none is a new one.
  const bool is_anew = of_another_vault && !opened.is_remembered;
  const Bytes body = kind_.damage_record(clock_.WallNow(), is_anew ? "" : found);
  const auto added = Add(opened, body);
  if (!added) return std::unexpected(added.error());
  // At once: the next record says that the vault knows of this one.
  return Remember(*added, opened);
}

Result<JournalPosition> SharedJournal::Add(Opened& opened, ByteSpan body) {
  Bytes told;
  AppendUint64(told, opened.remembered);
  return opened.journal->Append({body, told, 0});
}

Status SharedJournal::Append(ByteSpan body) {
  const MutexLock turn(turn_);
  auto opened = OpenToWrite();
  if (!opened) return std::unexpected(opened.error());
  if (Status ready = GoOn(*opened); !ready) return ready;
  const auto added = Add(*opened, body);
  if (!added) return std::unexpected(added.error());
  return Remember(*added, *opened);
}

Result<JournalVerdict> SharedJournal::Read(const Journal::Each& each) {
  const MutexLock turn(turn_);
  struct Kept {
    JournalRecord record;
    Bytes body;
  };
  std::vector<Kept> records;
  const auto open = [&]() REQUIRES(turn_) {
    records.clear();
    return Open(1, [&](const JournalRecord& record) {
      records.push_back({record, Bytes(record.body.begin(), record.body.end())});
    });
  };
  auto opened = open();
  // Another program may have begun the journal, or set its files aside, while this one read it.
  const auto is_odd = [&] {
    return opened ? opened->verdict.state != JournalState::kGenuine
                  : opened.error().code == ErrorCode::kNotFound;
  };
  for (int left = 2; left > 0 && is_odd(); --left) opened = open();
  if (!opened) return std::unexpected(opened.error());
  for (Kept& each_record : records) {
    each_record.record.body = each_record.body;
    each_record.record.attachment = {};
    each(each_record.record);
  }
  return opened->verdict;
}

Status SharedJournal::ReadBehind(uint64_t number, size_t limit, const Journal::Each& each) {
  const auto key = vault_.DeriveKey(kind_.key_label);
  if (!key) return std::unexpected(key.error());
  const auto anchor = Anchor();
  if (!anchor) return std::unexpected(anchor.error());
  const uint64_t newest = anchor->value_or(JournalPosition()).number;
  Journal journal({.folder = folder_, .label = std::string(kind_.name), .file_size = kFileSize},
                  crypto_, *key, files_);
  size_t count = 0;
  const auto take = [&](const JournalRecord& record) {
    const bool is_wanted = record.position.number > number && record.position.number <= newest;
    if (is_wanted && count++ < limit) each(record);
  };
  for (uint64_t at = number < newest ? number + 1 : 0; at != 0 && count < limit;) {
    const auto next = journal.ReadFile(at, take);
    if (!next) return std::unexpected(next.error());
    at = *next;
  }
  return {};
}

}  // namespace idkiosk
