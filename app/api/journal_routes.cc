#include <algorithm>

#include "app/api/api_routes.h"
#include "app/operator/ledger_export.h"
#include "platform/base/json.h"
#include "platform/base/text/digits.h"

// Operations that hand out the journals record by record, each with what proves it, for a copy
// elsewhere that notices when one is changed or taken out later.
namespace idkiosk {
namespace {

constexpr size_t kMostRecords = 100;
constexpr size_t kLargestReply = 96 << 10;  // bytes, so that a broker takes it

std::expected<uint64_t, Problem> AfterIn(const ApiRequest& request) {
  const auto found = request.query.find("after");
  if (found == request.query.end()) return 0;
  if (const auto after = ParseNumber<uint64_t>(found->second)) return *after;
  return std::unexpected(BadRequest("after must be the number of a record, or 0"));
}

// Everybody's records are for those who see everything.
std::optional<Problem> Forbidden(const ApiRequest& request) {
  if (request.peer.sees_all) return std::nullopt;
  return Problem{ProblemKind::kForbidden, "Only a supervisor may see that.",
                 fmt::format("it holds what everybody did: name the user of uid {} in "
                             "api.supervisors, or in api.fleet_user",
                             request.peer.user)};
}

void WriteEnd(JsonWriter& json, const LedgerRow& row) {
  json.Field("ended_at", FormatRfc3339(row.ended_at.value_or(WallTime())))
      .Field("stage", Name(row.stage))
      .Field("http_status", row.http_status)
      .Field("billed", Name(row.billed))
      .Field("rule", row.rule)
      .Field("service_reference", row.service_reference);
}

void WriteEntry(JsonWriter& json, const LedgerEntry& entry, const std::string& currency) {
  const LedgerRow& row = entry.row;
  const std::string at = FormatRfc3339(row.ended_at.value_or(WallTime()));
  json.BeginObject();
  switch (entry.kind) {
    case LedgerEntry::Kind::kBegun:
    case LedgerEntry::Kind::kTakenOver:
      json.Field("kind", "attempt").Key("attempt");
      json.Raw(LedgerJson(LineOf(row, currency), Zone::kUtc));
      break;
    case LedgerEntry::Kind::kEnded:
      json.Field("kind", "attempt_ended").Field("reference", row.reference);
      json.Field("attempt", row.number);
      WriteEnd(json, row);
      break;
    case LedgerEntry::Kind::kLookedAt:
      json.Field("kind", "damage_accepted").Field("proven", entry.proven);
      break;
    case LedgerEntry::Kind::kAccepted:
      json.Field("kind", "accepted").Field("reference", row.reference);
      json.Field("endpoint", Name(row.endpoint)).Field("time", FormatRfc3339(row.started_at));
      break;
    case LedgerEntry::Kind::kClosed:
      json.Field("kind", "closed").Field("reference", row.reference).Field("time", at);
      json.Field("state", Name(entry.state)).Field("verdict", Name(entry.verdict));
      json.Field("what", entry.what).Field("by", entry.by);
      break;
    case LedgerEntry::Kind::kDecided:
      json.Field("kind", "decided").Field("time", at).Field("what", entry.what);
      json.Field("by", entry.by);
      break;
    case LedgerEntry::Kind::kUnnamed:
      json.Field("kind", "unnamed").Field("time", at).Field("name", NameOf(entry.unnamed));
      json.Field("what", Describe(entry.unnamed)).Field("by", entry.by);
      break;
    case LedgerEntry::Kind::kErased:
      json.Field("kind", "erased").Field("reference", row.reference).Field("time", at);
      break;
    case LedgerEntry::Kind::kDoubted:
      json.Field("kind", "doubted").Field("reference", row.reference).Field("time", at);
      break;
  }
  json.EndObject();
}

// One record: its number, the proof of the one before it, what it says, and its own.
template <typename WriteBody>
std::string RecordJson(uint64_t number, const Crypto::Digest& before, const Crypto::Digest& mac,
                       WriteBody body) {
  JsonWriter json;
  json.BeginObject().Field("number", number).Field("mac_before", ToHex(before));
  json.Field("mac", ToHex(mac));
  body(json);
  return json.EndObject().Take();
}

// As many as fit; the rest is asked for behind the last of them.
ApiReply Reply(const std::vector<std::string>& records) {
  JsonWriter json;
  json.BeginObject().Key("records").BeginArray();
  for (const std::string& each : records) {
    if (json.text().size() + each.size() > kLargestReply) break;
    json.Raw(each);
  }
  return {.body = json.EndArray().EndObject().Take()};
}

}  // namespace

ApiAnswer GetLedgerJournal(ApiBackend& backend, const ApiRequest& request) {
  if (auto forbidden = Forbidden(request)) return std::unexpected(std::move(*forbidden));
  const auto after = AfterIn(request);
  if (!after) return std::unexpected(after.error());
  const auto found =
      backend.Ask([&] { return backend.deps().queue.LedgerRecords(*after, kMostRecords); });
  if (!found) return std::unexpected(ProblemOf(found.error(), "The ledger cannot be read."));
  std::vector<std::string> records;
  for (const LedgerRecord& record : *found) {
    records.push_back(
        RecordJson(record.position.number, record.mac_before, record.position.mac, [&](auto& json) {
          json.Key("entries").BeginArray();
          for (const LedgerEntry& each : record.entries) {
            WriteEntry(json, each, backend.deps().profile.currency);
          }
          json.EndArray();
        }));
  }
  return Reply(records);
}

ApiAnswer GetAuditJournal(ApiBackend& backend, const ApiRequest& request) {
  if (auto forbidden = Forbidden(request)) return std::unexpected(std::move(*forbidden));
  const auto after = AfterIn(request);
  if (!after) return std::unexpected(after.error());
  const auto found =
      backend.Ask([&] { return backend.deps().audit_entries(*after, kMostRecords); });
  if (!found) return std::unexpected(ProblemOf(found.error(), "The audit trail cannot be read."));
  std::vector<std::string> records;
  for (const AuditEntry& entry : *found) {
    records.push_back(RecordJson(entry.number, entry.mac_before, entry.mac, [&](auto& json) {
      json.Field("time", FormatRfc3339(entry.at)).Field("event", entry.event);
      json.Field("by", entry.by).Field("what", entry.what);
    }));
  }
  return Reply(records);
}

}  // namespace idkiosk
