#include "app/audit/audit_trail.h"

#include <array>
#include <optional>

#include "app/journal/fields.h"

// A record's body, version 1: a byte 1; when, by the wall clock, in milliseconds since 1970, 8
// bytes; the event's name, who, and what, texts. Numbers are big endian; a text follows its length
// in 4 bytes.

namespace idkiosk {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kLongestText = 600;
constexpr uint32_t kFileSize = 256 << 10;
constexpr std::string_view kLabel = "audit";
constexpr std::string_view kKeyLabel = "audit/v1";
// Where the newest place is kept, among the secrets of the vault.
constexpr std::string_view kAnchor = "audit.anchor";
constexpr Duration kPatience = std::chrono::seconds(5);

Bytes BodyOf(WallTime at, AuditEvent event, std::string_view by, std::string_view what) {
  return FieldWriter()
      .Byte(kVersion)
      .Int64(ToMilliseconds(at))
      .Text(Name(event))
      .Text(by.substr(0, kLongestText))
      .Text(what.substr(0, kLongestText))
      .Take();
}

std::optional<AuditEntry> EntryOf(const JournalRecord& record) {
  FieldReader fields(record.body);
  if (fields.Byte() != kVersion) return std::nullopt;
  AuditEntry entry;
  entry.number = record.position.number;
  entry.at = FromMilliseconds(fields.Int64());
  entry.event = fields.Text();
  entry.by = fields.Text();
  entry.what = fields.Text();
  return fields.good() ? std::optional(entry) : std::nullopt;
}

}  // namespace

// The trail, as it was read.
struct AuditTrail::Opened {
  std::unique_ptr<FileLock> lock;  // of who writes
  std::unique_ptr<SecretBytes> key;
  std::unique_ptr<Journal> journal;
  JournalReading reading;
  JournalVerdict verdict;
  std::string last_damage;     // what the newest trail.damaged says
  bool is_remembered = false;  // the vault knows of an entry
  bool has_newer = false;      // entries of a newer idkiosk
};

AuditTrail::AuditTrail(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
                       SecureStorage& vault, FileSystem& files)
    : folder_(state_folder + "/audit"),
      clock_(clock),
      crypto_(crypto),
      vault_(vault),
      files_(files) {}

// Nothing: the vault remembers none.
Result<std::optional<JournalPosition>> AuditTrail::Anchor() {
  const auto kept = vault_.Get(kAnchor);
  if (kept) return ParsePosition(kept->view());
  if (kept.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(kept.error());
}

// The files of a trail that an erased vault proved are kept, under other names.
Status AuditTrail::SetOldAside() {
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

Result<AuditTrail::Opened> AuditTrail::OpenToWrite() {
  if (Status made = files_.CreateFolder(folder_); !made) return std::unexpected(made.error());
  auto lock = files_.LockWithin(folder_ + "/lock", kPatience);
  if (!lock) return std::unexpected(lock.error());
  auto opened = Open(0, nullptr);
  if (opened) opened->lock = std::move(*lock);
  return opened;
}

// Who writes adds an entry first, and tells the vault of it then. So what the vault remembers is
// read first: whoever only reads needs no turn.
Result<AuditTrail::Opened> AuditTrail::Open(uint64_t from, const Each& each) {
  auto key = vault_.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  const auto remembered = Anchor();
  if (!remembered) return std::unexpected(remembered.error());
  const JournalPosition anchor = remembered->value_or(JournalPosition());

  Opened opened;
  opened.is_remembered = remembered->has_value();
  opened.key = std::make_unique<SecretBytes>(std::move(*key));
  opened.journal = std::make_unique<Journal>(
      Journal::Options{.folder = folder_, .label = std::string(kLabel), .file_size = kFileSize},
      crypto_, *opened.key, files_);
  const std::array known = {anchor};
  const auto reading = opened.journal->Read(from == 0 ? anchor.number : from, known,
                                            [&](const JournalRecord& record) {
                                              const auto entry = EntryOf(record);
                                              if (!entry) return void(opened.has_newer = true);
                                              if (entry->event == Name(AuditEvent::kTrailDamaged))
                                                opened.last_damage = entry->what;
                                              if (each) each(*entry);
                                            });
  if (!reading) return std::unexpected(reading.error());
  opened.reading = *reading;
  opened.verdict = Judge(*reading, {}, anchor);
  const bool unmarked = !*remembered && reading->newest.number > 0;
  if (opened.verdict.state == JournalState::kGenuine && unmarked) {
    opened.verdict = {JournalState::kUnmarked, reading->newest.number};
  }
  return opened;
}

Status AuditTrail::Remember(const JournalPosition& newest) {
  const Bytes place = SerializePosition(newest);
  const Status told = vault_.Put(kAnchor, SecretBytes::CopyOf(AsText(place)));
  if (told) return {};
  if (told.error().code != ErrorCode::kExhausted) {
    return std::unexpected(told.error().Within("the vault cannot remember its newest entry"));
  }
  // People must be able to mend a full disk. The next entry tells the vault of this one, too.
  LogWarning("the vault does not know the newest entry of the audit trail: {}",
             told.error().message);
  return {};
}

Status AuditTrail::GoOn(Opened& opened) {
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
    if (Status begun = Remember({}); !begun) return begun;
  }
  const bool keep_tail = damaged && (reading.unproven_tail || reading.shortened);
  if (Status resumed = journal.Resume(reading, keep_tail); !resumed) return resumed;
  if (!damaged || found == opened.last_damage) return {};
  // A vault that remembers none is a new one.
  const bool is_anew = of_another_vault && !opened.is_remembered;
  const Bytes body =
      BodyOf(clock_.WallNow(), is_anew ? AuditEvent::kTrailBegun : AuditEvent::kTrailDamaged,
             "idkiosk", is_anew ? "" : found);
  const auto added = journal.Append({body, {}, 0});
  return added ? Status() : std::unexpected(added.error());
}

Status AuditTrail::Record(AuditEvent event, std::string_view by, std::string_view what) {
  const MutexLock turn(turn_);
  auto opened = OpenToWrite();
  if (!opened) return std::unexpected(opened.error());
  if (Status ready = GoOn(*opened); !ready) return ready;
  const auto added = opened->journal->Append({BodyOf(clock_.WallNow(), event, by, what), {}, 0});
  if (!added) return std::unexpected(added.error());
  return Remember(*added);
}

Result<JournalVerdict> AuditTrail::Read(const Each& each) {
  const MutexLock turn(turn_);
  std::vector<AuditEntry> entries;
  auto opened = Open(1, [&](const AuditEntry& entry) { entries.push_back(entry); });
  // Another program may have begun the trail, or set its files aside, while this one read it.
  const auto is_odd = [&] {
    return opened ? opened->verdict.state != JournalState::kGenuine
                  : opened.error().code == ErrorCode::kNotFound;
  };
  for (int left = 2; left > 0 && is_odd(); --left) {
    entries.clear();
    opened = Open(1, [&](const AuditEntry& entry) { entries.push_back(entry); });
  }
  if (!opened) return std::unexpected(opened.error());
  if (opened->has_newer) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the audit trail holds entries of a newer idkiosk: use that one");
  }
  for (const AuditEntry& each_entry : entries) each(each_entry);
  return opened->verdict;
}

}  // namespace idkiosk
