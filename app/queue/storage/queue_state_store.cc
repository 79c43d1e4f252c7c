#include "app/queue/storage/queue_state_store.h"

namespace idkiosk {
namespace {

std::string_view ScopeOf(const Hold& hold) {
  return hold.endpoint ? Name(*hold.endpoint) : std::string_view();
}

// What damage has made of another holds, too, and can be lifted.
HoldReason ReasonIn(std::string_view stored) {
  return HoldReasonOf(stored).value_or(HoldReason::kUnexpected);
}

}  // namespace

std::string MendSetting(const Hold& hold) { return fmt::format("mend/{}", HoldId(hold)); }
std::string DoubtSetting(Endpoint endpoint) { return fmt::format("doubt/{}", Name(endpoint)); }
// "brake" is what it was called when the first queues were written.
std::string BreakerSetting(Endpoint endpoint) { return fmt::format("brake/{}", Name(endpoint)); }

Result<std::vector<Hold>> QueueStateStore::Active(const QueueClock& time) {
  auto query = database_.Query(
      "SELECT scope, reason, since, until, detail FROM hold WHERE until IS NULL OR until>? "
      "ORDER BY scope, since",
      time.Milliseconds());
  if (!query) return std::unexpected(query.error());
  std::vector<Hold> holds;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return holds;
    Hold hold;
    hold.reason = ReasonIn(query->Text(1));
    hold.endpoint = EndpointOf(query->Text(0));
    hold.since = FromMilliseconds(query->Integer(2));
    if (const auto until = query->OptionalInteger(3)) hold.until = time.WallOf(*until);
    hold.detail = query->Text(4);
    holds.push_back(std::move(hold));
  }
}

Status QueueStateStore::Put(const QueueClock& time, const Hold& hold) {
  std::optional<int64_t> until;
  if (hold.until) until = time.QueueTimeOf(*hold.until);
  return database_.Run(
      "INSERT INTO hold VALUES(?,?,?,?,?) ON CONFLICT DO UPDATE SET until=excluded.until, "
      "detail=excluded.detail",
      ScopeOf(hold), Name(hold.reason), ToMilliseconds(hold.since), until, hold.detail);
}

Status QueueStateStore::Remove(const Hold& hold) {
  std::vector<int64_t> rows;
  {
    auto query = database_.Query("SELECT rowid, scope, reason FROM hold");
    if (!query) return std::unexpected(query.error());
    for (;;) {
      const auto more = query->Next();
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      const bool is_it =
          EndpointOf(query->Text(1)) == hold.endpoint && ReasonIn(query->Text(2)) == hold.reason;
      if (is_it) rows.push_back(query->Integer(0));
    }
  }
  for (const int64_t row : rows) {
    if (Status gone = database_.Run("DELETE FROM hold WHERE rowid=?", row); !gone) return gone;
  }
  return {};
}

Status QueueStateStore::LiftUnsent() {
  return database_.Run("DELETE FROM hold WHERE reason IN (?,?)", Name(HoldReason::kNotDelivered),
                       Name(HoldReason::kMissingSecret));
}

Result<std::optional<Bytes>> QueueStateStore::Setting(std::string_view name) {
  auto query = database_.Query("SELECT value FROM setting WHERE name=?", name);
  if (!query) return std::unexpected(query.error());
  const auto found = query->Next();
  if (!found) return std::unexpected(found.error());
  if (!*found) return std::nullopt;
  const ByteSpan value = query->Blob(0);
  return Bytes(value.begin(), value.end());
}

Status QueueStateStore::SetSetting(std::string_view name, ByteSpan value) {
  return database_.Run(
      "INSERT INTO setting VALUES(?,?) ON CONFLICT DO UPDATE SET "
      "value=excluded.value",
      name, value);
}

Result<int64_t> QueueStateStore::Number(std::string_view name) {
  const auto number = database_.Number("SELECT value FROM setting WHERE name=?", name);
  if (!number) return std::unexpected(number.error());
  return number->value_or(0);
}

Status QueueStateStore::SetNumber(std::string_view name, int64_t value) {
  return database_.Run(
      "INSERT INTO setting VALUES(?,?) ON CONFLICT DO UPDATE SET value=excluded.value", name,
      value);
}

}  // namespace idkiosk
