#include "tools/sandbox/service/faults.h"

#include <algorithm>
#include <array>

#include "platform/base/enum_rows.h"
#include "tools/sandbox/service/endpoint.h"

namespace idkiosk::sandbox {
namespace {

using enum FaultKind;

constexpr FaultKindRow kKinds[] = {
    {kStatus, "status", "the answer has the status of --status, whatever was asked"},
    {kDelay, "delay", "the answer comes after --delay-ms"},
    {kDropBefore, "drop-before-body",
     "the connection closes after the request's headers; nothing is billed"},
    {kDropAfter, "drop-after-body",
     "the request is carried out and billed, then the connection closes"},
    {kReset, "reset", "the same with a TCP reset"},
    {kCut, "cut", "the answer stops after its headers and half of its body"},
    {kHtml, "html", "200 with a page, as a captive portal gives"},
    {kWrongType, "wrong-type", "JSON with text where numbers belong, and the other way round"},
    {kStaleToken, "stale-token", "the access token expires before it is checked: 401"},
    {kAnothersAnswer, "anothers-answer", "the answer's attemptId is that of another attempt"},
};
static_assert(HasEachRow(kKinds, &FaultKindRow::kind));

constexpr int64_t kLongestDelay = 10L * 60 * 1000;
constexpr int64_t kMost = 1'000'000'000;
constexpr size_t kMaxFaults = 100;

// Reads a whole number in a range. Errors: kInvalid.
Status TakeNumber(JsonView member, int64_t least, int64_t most, int64_t& to) {
  const auto number = member.AsInteger();
  if (!number || *number < least || *number > most) {
    return Fail(ErrorCode::kInvalid, "'{}' must be a whole number from {} to {}", member.key(),
                least, most);
  }
  to = *number;
  return {};
}

Status TakeTruth(JsonView member, bool& to) {
  const auto truth = member.AsBool();
  if (!truth) return Fail(ErrorCode::kInvalid, "'{}' must be true or false", member.key());
  to = *truth;
  return {};
}

Status TakeKind(JsonView member, Fault& fault) {
  const auto* found =
      std::ranges::find(kKinds, member.AsString().value_or(""), &FaultKindRow::name);
  if (found != std::end(kKinds)) {
    fault.kind = found->kind;
    return {};
  }
  std::string names;
  for (const FaultKindRow& row : kKinds)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return Fail(ErrorCode::kInvalid, "'kind' must be one of {}", names);
}

Status TakeEndpoint(JsonView member, Fault& fault) {
  const std::string name(member.AsString().value_or(""));
  if (name == "any" || FindEndpoint(name) != nullptr) {
    fault.endpoint = name;
    return {};
  }
  std::string names = "any";
  for (const EndpointRow& row : Endpoints()) names += ", " + std::string(row.name);
  return Fail(ErrorCode::kInvalid, "'endpoint' must be one of {}", names);
}

Status TakeMember(JsonView member, Fault& fault) {
  const std::string_view key = member.key();
  int64_t number = 0;
  Status taken;
  if (key == "kind") return TakeKind(member, fault);
  if (key == "endpoint") return TakeEndpoint(member, fault);
  if (key == "count") return TakeNumber(member, 0, kMost, fault.count);
  if (key == "every") return TakeNumber(member, 1, kMost, fault.every);
  if (key == "status") {
    taken = TakeNumber(member, 200, 599, number);
    fault.status = static_cast<int>(number);
  } else if (key == "delay_ms") {
    taken = TakeNumber(member, 0, kLongestDelay, number);
    fault.delay = std::chrono::milliseconds(number);
  } else if (key == "retry_after") {
    taken = TakeNumber(member, 0, kMost, number);
    fault.retry_after = std::chrono::seconds(number);
  } else if (key == "retry_after_as_date") {
    taken = TakeTruth(member, fault.retry_after_as_date);
  } else if (key == "probability") {
    fault.probability = member.AsNumber().value_or(-1);
    if (fault.probability < 0 || fault.probability > 1) {
      return Fail(ErrorCode::kInvalid, "'probability' must be a number from 0 to 1");
    }
  } else if (key == "billed") {
    taken = TakeTruth(member, fault.billed.emplace());
  } else {
    return Fail(ErrorCode::kInvalid,
                "a fault has no '{}'; it has kind, endpoint, status, delay_ms, retry_after, "
                "retry_after_as_date, count, every, probability, billed",
                key);
  }
  return taken;
}

Faults::Stage StageOf(FaultKind kind) {
  return kind == kDropBefore ? Faults::Stage::kBeforeBody : Faults::Stage::kAfterBody;
}

}  // namespace

std::span<const FaultKindRow> FaultKinds() { return kKinds; }

std::optional<std::chrono::seconds> RetryAfterOf(const Fault& fault) {
  if (fault.kind != kStatus) return std::nullopt;
  return fault.status == 429 ? fault.retry_after.value_or(std::chrono::seconds(1))
                             : fault.retry_after;
}

std::string_view Name(FaultKind kind) { return kKinds[static_cast<size_t>(kind)].name; }

Result<Fault> ParseFault(JsonView json) {
  if (!json.IsObject()) return Fail(ErrorCode::kInvalid, "a fault is a JSON object");
  if (!json["kind"].exists()) return Fail(ErrorCode::kInvalid, "a fault needs a 'kind'");
  Fault fault;
  for (const JsonView member : json.children()) {
    if (auto taken = TakeMember(member, fault); !taken) return std::unexpected(taken.error());
  }
  if (fault.kind == kDelay && fault.delay.count() == 0) {
    return Fail(ErrorCode::kInvalid, "a fault of kind delay needs 'delay_ms'");
  }
  return fault;
}

void WriteJson(const Fault& fault, JsonWriter& json) {
  json.BeginObject()
      .Field("id", fault.id)
      .Field("kind", Name(fault.kind))
      .Field("endpoint", fault.endpoint);
  if (fault.kind == kStatus) json.Field("status", fault.status);
  if (const auto wait = RetryAfterOf(fault)) {
    json.Field("retry_after", static_cast<int64_t>(wait->count()));
  }
  json.Field("delay_ms", static_cast<int64_t>(fault.delay.count()))
      .Field("count", fault.count)
      .Field("every", fault.every)
      .Field("probability", fault.probability);
  if (fault.billed) json.Field("billed", *fault.billed);
  json.Field("hits", fault.hits).Field("seen", fault.seen).EndObject();
}

int64_t Faults::Add(Fault fault) {
  const MutexLock lock(mutex_);
  if (faults_.size() >= kMaxFaults) faults_.erase(faults_.begin());
  fault.id = ++last_id_;
  faults_.push_back(std::move(fault));
  return last_id_;
}

bool Faults::Remove(int64_t id) {
  const MutexLock lock(mutex_);
  return std::erase_if(faults_, [&](const Fault& fault) { return fault.id == id; }) > 0;
}

void Faults::Clear() {
  const MutexLock lock(mutex_);
  faults_.clear();
}

std::vector<Fault> Faults::All() const {
  const MutexLock lock(mutex_);
  return faults_;
}

std::optional<Fault> Faults::Take(std::string_view endpoint, Stage stage) {
  const MutexLock lock(mutex_);
  for (auto fault = faults_.begin(); fault != faults_.end(); ++fault) {
    const bool matches = fault->endpoint == "any" || fault->endpoint == endpoint;
    if (!matches || StageOf(fault->kind) != stage) continue;
    if (++fault->seen % fault->every != 0) continue;
    if (!std::bernoulli_distribution(fault->probability)(chance_)) continue;
    ++fault->hits;
    Fault taken = *fault;
    if (fault->count != 0 && fault->hits >= fault->count) faults_.erase(fault);
    return taken;
  }
  return std::nullopt;
}

}  // namespace idkiosk::sandbox
