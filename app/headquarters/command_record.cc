#include "app/headquarters/command_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/journal/fields.h"
#include "platform/base/enum_rows.h"

// The secret, version 1: a byte 1; the newest revision and when it was issued, 8 bytes each; the
// number of commands, 4 bytes; of each: its revision and when it was settled, 8 bytes each, a byte
// for its state, and as texts: command, action, reason, signed_by. Written with FieldWriter.

namespace idkiosk {
namespace {

constexpr uint8_t kRecordVersion = 1;
constexpr size_t kLongestReason = 300;
constexpr std::array<std::string_view, 7> kStates = {"refused", "begun",       "on_trial",   "done",
                                                     "failed",  "rolled_back", "interrupted"};
static_assert(kStates.size() == EnumeratorCount<CommandState>());

}  // namespace

std::string_view Name(CommandState state) { return kStates.at(static_cast<size_t>(state)); }

void WriteReply(JsonWriter& json, const FleetReply& reply) {
  json.BeginObject()
      .Field("command", reply.command)
      .Field("revision", reply.revision)
      .Field("action", reply.action)
      .Field("state", Name(reply.state))
      .Field("reason", reply.reason)
      .Field("signed_by", reply.signed_by)
      .Field("time", FormatRfc3339(reply.at));
  if (!reply.log.empty()) {
    json.Key("log").BeginArray();
    for (const std::string& each : reply.log) json.Value(each);
    json.EndArray();
  }
  json.EndObject();
}

Status CommandRecord::Load() {
  const auto stored = vault_.GetTogether(std::array{kSecret});
  if (!stored) return std::unexpected(stored.error());
  if (!stored->front()) return {};
  FieldReader fields(stored->front()->view());
  const bool known = fields.Byte() == kRecordVersion;
  const int64_t newest = fields.Int64();
  const WallTime issued = FromMilliseconds(fields.Int64());
  const uint32_t count = fields.Uint32();
  std::vector<FleetReply> replies;
  for (uint32_t i = 0; i < count && fields.good(); ++i) {
    FleetReply& each = replies.emplace_back();
    each.revision = fields.Int64();
    each.at = FromMilliseconds(fields.Int64());
    const uint8_t state = fields.Byte();
    if (state >= kStates.size()) return Fail(ErrorCode::kCorrupt, "{}: no such state", kSecret);
    each.state = static_cast<CommandState>(state);
    each.command = fields.Text();
    each.action = fields.Text();
    each.reason = fields.Text();
    each.signed_by = fields.Text();
  }
  if (!known || !fields.good() || !fields.at_end()) {
    return Fail(ErrorCode::kCorrupt, "{} is not what this idkiosk stores", kSecret);
  }
  newest_ = newest;
  issued_ = issued;
  replies_ = std::move(replies);
  return {};
}

const FleetReply* CommandRecord::Find(std::string_view command) const {
  const auto found = std::ranges::find(replies_, command, &FleetReply::command);
  return found == replies_.end() ? nullptr : &*found;
}

Status CommandRecord::Save(const std::vector<FleetReply>& replies, int64_t newest,
                           WallTime issued) {
  FieldWriter fields;
  fields.Byte(kRecordVersion).Int64(newest).Int64(ToMilliseconds(issued));
  fields.Uint32(static_cast<uint32_t>(replies.size()));
  for (const FleetReply& each : replies) {
    fields.Int64(each.revision)
        .Int64(ToMilliseconds(each.at))
        .Byte(static_cast<uint8_t>(each.state))
        .Text(each.command)
        .Text(each.action)
        .Text(each.reason)
        .Text(each.signed_by);
  }
  if (Status put = vault_.Put(kSecret, SecretBytes::CopyOf(ByteSpan(fields.Take()))); !put) {
    return put;
  }
  replies_ = replies;
  newest_ = newest;
  issued_ = issued;
  return {};
}

Status CommandRecord::Begin(FleetReply reply, WallTime issued) {
  std::vector<FleetReply> replies = replies_;
  const int64_t revision = reply.revision;
  replies.push_back(std::move(reply));
  if (replies.size() > kKept) {
    replies.erase(std::ranges::find_if(
        replies, [](const auto& each) { return each.state != CommandState::kOnTrial; }));
  }
  return Save(replies, revision, std::max(issued, issued_));
}

Status CommandRecord::Settle(std::string_view command, CommandState state, std::string reason,
                             WallTime at) {
  std::vector<FleetReply> replies = replies_;
  const auto found = std::ranges::find(replies, command, &FleetReply::command);
  if (found == replies.end()) return Fail(ErrorCode::kNotFound, "no such command is kept");
  found->state = state;
  reason.resize(std::min(reason.size(), kLongestReason));
  found->reason = std::move(reason);
  found->at = at;
  return Save(replies, newest_, issued_);
}

}  // namespace idkiosk
