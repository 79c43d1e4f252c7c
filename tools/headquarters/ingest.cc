#include "tools/headquarters/ingest.h"

#include <algorithm>
#include <ranges>

#include "app/settings/signing_key.h"
#include "platform/base/json.h"
#include "platform/base/log.h"
#include "platform/base/text/printable.h"

namespace idkiosk::headquarters {
namespace {

constexpr std::array<std::string_view, 2> kBegin = {"idkiosk", "v1"};
constexpr std::array<std::string_view, 2> kJournals = {"ledger", "audit"};
constexpr std::array<std::string_view, 4> kTold = {"state", "metrics", "reply", "settings"};
constexpr std::string_view kTrue = "t";

}  // namespace

std::optional<Origin> OriginOf(std::string_view topic) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(topic, '/'))
    parts.emplace_back(part.begin(), part.end());
  if (parts.size() != 5 || parts[0] != kBegin[0] || parts[1] != kBegin[1]) return std::nullopt;
  if (!IsFleetName(parts[2]) || !IsFleetName(parts[3])) return std::nullopt;
  const std::string& what = parts[4];
  if (std::ranges::count(kTold, what) == 0 && std::ranges::count(kJournals, what) == 0) {
    return std::nullopt;
  }
  return Origin{parts[2], parts[3], what};
}

Status Ingest::Take(const std::vector<Message>& messages) {
  std::vector<Kept> kept;
  Status taken = TakeAll(messages, kept);
  if (!taken && taken.error().code == ErrorCode::kInvalid) {
    kept.clear();
    taken = {};
    for (const Message& each : messages) {
      if (taken) taken = TakeAlone(each, kept);
    }
  }
  TellKept(kept);
  if (taken) taken_ += messages.size();
  return taken;
}

Status Ingest::TakeAll(const std::vector<Message>& messages, std::vector<Kept>& kept) {
  if (const auto begun = database_.Run("begin"); !begun) return std::unexpected(begun.error());
  Status taken;
  for (const Message& each : messages) {
    const auto origin = OriginOf(each.topic);
    if (origin && taken) taken = TakeOne(*origin, each.payload, kept);
  }
  const auto ended = database_.Run(taken ? "commit" : "rollback");
  if (taken && !ended) taken = std::unexpected(ended.error());
  if (!taken) kept.clear();
  return taken;
}

Status Ingest::TakeAlone(const Message& message, std::vector<Kept>& kept) {
  std::vector<Kept> of_this;
  const Status taken = TakeAll({message}, of_this);
  std::ranges::move(of_this, std::back_inserter(kept));
  if (taken || taken.error().code != ErrorCode::kInvalid) return taken;
  const auto origin = OriginOf(message.topic);
  const std::string what =
      fmt::format("its message {} cannot be taken: {}", origin->what, taken.error().message);
  LogWarning("{} of {}: {}", origin->kiosk, origin->tenant, what);
  const auto noted =
      database_.Run("select take_alarm($1, $2, $3, $4)",
                    {origin->tenant, origin->kiosk, "message " + origin->what, Printable(what)});
  return noted ? Status() : std::unexpected(noted.error());
}

Status Ingest::TakeOne(const Origin& origin, const std::string& payload, std::vector<Kept>& kept) {
  if (payload.size() > kLargest) {
    return Fail(ErrorCode::kInvalid, "it has {} bytes, and {} are the most", payload.size(),
                kLargest);
  }
  if (payload.contains('\0')) return Fail(ErrorCode::kInvalid, "it has a byte 0");
  // Written anew, so that PostgreSQL meets no number that fills megabytes, as 1e100000 does.
  const auto document = JsonDocument::Parse(payload);
  if (!document) return std::unexpected(document.error());
  const std::string message = document->root().Print();
  if (std::ranges::count(kJournals, origin.what) == 0) {
    const auto taken = database_.Run(fmt::format("select take_{}($1, $2, $3)", origin.what),
                                     {origin.tenant, origin.kiosk, message});
    return taken ? Status() : std::unexpected(taken.error());
  }
  const auto rows = database_.Run(
      "select newest, newest_mac, broken from take_records($1, $2, $3, $4::jsonb -> 'records')",
      {origin.tenant, origin.kiosk, origin.what, message});
  if (!rows) return std::unexpected(rows.error());
  // A kiosk is not told that its records are kept where they do not follow.
  if (rows->front()[2] != kTrue) kept.push_back({origin, rows->front()[0], rows->front()[1]});
  return {};
}

void Ingest::TellKept(const std::vector<Kept>& kept) {
  for (const Kept& each : kept) {
    tell_(fmt::format("idkiosk/v1/{}/{}/ack/{}", each.origin.tenant, each.origin.kiosk,
                      each.origin.what),
          JsonWriter()
              .BeginObject()
              .Key("number")
              .Raw(each.number)
              .Field("mac", each.mac)
              .EndObject()
              .text());
  }
}

}  // namespace idkiosk::headquarters
