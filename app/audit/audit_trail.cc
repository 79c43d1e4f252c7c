#include "app/audit/audit_trail.h"

#include <optional>

#include "app/journal/fields.h"

// A record's body, version 1: a byte 1; when, by the wall clock, in milliseconds since 1970, 8
// bytes; the event's name, who, and what, texts. Numbers are big endian; a text follows its length
// in 4 bytes.

namespace idkiosk {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kLongestText = 600;

Bytes BodyOf(WallTime at, AuditEvent event, std::string_view by, std::string_view what) {
  return FieldWriter()
      .Byte(kVersion)
      .Int64(ToMilliseconds(at))
      .Text(Name(event))
      .Text(by.substr(0, kLongestText))
      .Text(what.substr(0, kLongestText))
      .Take();
}

// Without its place. Nothing: of a newer idkiosk.
std::optional<AuditEntry> EntryOf(ByteSpan body) {
  FieldReader fields(body);
  if (fields.Byte() != kVersion) return std::nullopt;
  AuditEntry entry;
  entry.at = FromMilliseconds(fields.Int64());
  entry.event = fields.Text();
  entry.by = fields.Text();
  entry.what = fields.Text();
  return fields.good() ? std::optional(entry) : std::nullopt;
}

std::optional<std::string> DamageIn(ByteSpan body) {
  auto entry = EntryOf(body);
  if (!entry || entry->event != Name(AuditEvent::kTrailDamaged)) return std::nullopt;
  return std::move(entry->what);
}

Bytes DamageRecord(WallTime at, std::string_view found) {
  const auto event = found.empty() ? AuditEvent::kTrailBegun : AuditEvent::kTrailDamaged;
  return BodyOf(at, event, "idkiosk", found);
}

constexpr SharedJournal::Kind kTrail = {.name = kAuditFolder,
                                        .key_label = "audit/v1",
                                        .anchor = "audit.anchor",
                                        .damage_in = &DamageIn,
                                        .damage_record = &DamageRecord};

}  // namespace

AuditTrail::AuditTrail(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
                       SecureStorage& vault, FileSystem& files)
    : clock_(clock), journal_(kTrail, state_folder, clock, crypto, vault, files) {}

Status AuditTrail::Record(AuditEvent event, std::string_view by, std::string_view what) {
  return journal_.Append(BodyOf(clock_.WallNow(), event, by, what));
}

Result<JournalVerdict> AuditTrail::Read(const Each& each) {
  bool has_newer = false;
  const auto verdict = journal_.Read([&](const JournalRecord& record) {
    auto entry = EntryOf(record.body);
    if (!entry) return void(has_newer = true);
    entry->number = record.position.number;
    if (each) each(*entry);
  });
  if (verdict && has_newer) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the audit trail holds entries of a newer idkiosk: use that one");
  }
  return verdict;
}

Result<std::vector<AuditEntry>> AuditTrail::Entries(uint64_t number, size_t limit) {
  std::vector<AuditEntry> entries;
  const Status read = journal_.ReadBehind(number, limit, [&](const JournalRecord& record) {
    auto entry = EntryOf(record.body);
    if (!entry) return;
    entry->number = record.position.number;
    entry->mac = record.position.mac;
    entry->mac_before = record.mac_before;
    entries.push_back(std::move(*entry));
  });
  if (!read) return std::unexpected(read.error());
  return entries;
}

}  // namespace idkiosk
