#include "app/consent/consent_log.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "app/journal/fields.h"
#include "platform/base/log.h"

// A record's body, version 1: a byte 1; when, by the wall clock, in milliseconds since 1970, 8
// bytes; and five texts: what the record is, the call's reference, the text's version and language,
// the operator. Of a record of damage the second text is what was found. Numbers are big endian; a
// text follows its length in 4 bytes.

namespace idkiosk {
namespace {

constexpr uint8_t kVersion = 1;
constexpr std::string_view kGiven = "given";
constexpr std::string_view kNotAccepted = "not_accepted";
constexpr std::string_view kDamaged = "damaged";
constexpr std::string_view kBegun = "begun";
constexpr size_t kLongestText = 600;

struct Record {
  std::string what;
  ConsentEntry entry;
};

Bytes BodyOf(WallTime at, std::string_view what, std::string_view reference,
             const Consent& consent = {}, std::string_view operator_id = {}) {
  return FieldWriter()
      .Byte(kVersion)
      .Int64(ToMilliseconds(at))
      .Text(what)
      .Text(reference.substr(0, kLongestText))
      .Text(consent.version.substr(0, kLongestText))
      .Text(consent.language.substr(0, kLongestText))
      .Text(operator_id.substr(0, kLongestText))
      .Take();
}

// Nothing: of a newer idkiosk.
std::optional<Record> RecordOf(ByteSpan body) {
  FieldReader fields(body);
  if (fields.Byte() != kVersion) return std::nullopt;
  Record record;
  record.entry.at = FromMilliseconds(fields.Int64());
  record.what = fields.Text();
  record.entry.reference = fields.Text();
  record.entry.consent.version = fields.Text();
  record.entry.consent.language = fields.Text();
  record.entry.operator_id = fields.Text();
  return fields.good() ? std::optional(std::move(record)) : std::nullopt;
}

std::optional<std::string> DamageIn(ByteSpan body) {
  auto record = RecordOf(body);
  if (!record || record->what != kDamaged) return std::nullopt;
  return std::move(record->entry.reference);
}

Bytes DamageRecord(WallTime at, std::string_view found) {
  return BodyOf(at, found.empty() ? kBegun : kDamaged, found);
}

constexpr SharedJournal::Kind kConsents = {.name = kConsentFolder,
                                           .key_label = "consent/v1",
                                           .anchor = "consent.anchor",
                                           .damage_in = &DamageIn,
                                           .damage_record = &DamageRecord};

}  // namespace

void WriteConsent(JsonWriter& json, const ConsentEntry& entry) {
  json.BeginObject()
      .Field("number", entry.number)
      .Field("at", FormatRfc3339(entry.at))
      .Field("reference", entry.reference)
      .Field("version", entry.consent.version)
      .Field("language", entry.consent.language)
      .Field("operator", entry.operator_id)
      .EndObject();
}

ConsentLog::ConsentLog(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
                       SecureStorage& vault, FileSystem& files)
    : clock_(clock), journal_(kConsents, state_folder, clock, crypto, vault, files) {}

Status ConsentLog::Record(std::string_view reference, const Consent& consent,
                          std::string_view operator_id) {
  return journal_.Append(BodyOf(clock_.WallNow(), kGiven, reference, consent, operator_id));
}

void ConsentLog::NoteNotAccepted(std::string_view reference) {
  const Status put = journal_.Append(BodyOf(clock_.WallNow(), kNotAccepted, reference));
  if (!put) {
    LogWarning("{} was not accepted, and its consent stays on record: {}", reference,
               put.error().message);
  }
}

Result<ConsentLog::Contents> ConsentLog::Read() {
  Contents contents;
  std::unordered_map<std::string, uint64_t> not_accepted;  // by reference, the newest such record
  bool has_newer = false;
  const auto verdict = journal_.Read([&](const JournalRecord& stored) {
    auto record = RecordOf(stored.body);
    if (!record) return void(has_newer = true);
    record->entry.number = stored.position.number;
    if (record->what == kGiven) contents.entries.push_back(std::move(record->entry));
    if (record->what == kNotAccepted) not_accepted[record->entry.reference] = record->entry.number;
    if (record->what == kDamaged) contents.damage.push_back(record->entry.reference);
  });
  if (!verdict) return std::unexpected(verdict.error());
  if (has_newer) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the record of consents holds records of a newer idkiosk: use that one");
  }
  contents.verdict = *verdict;
  std::erase_if(contents.entries, [&](const ConsentEntry& entry) {
    const auto found = not_accepted.find(entry.reference);
    return found != not_accepted.end() && entry.number < found->second;
  });
  return contents;
}

}  // namespace idkiosk
