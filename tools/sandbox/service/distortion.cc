#include "tools/sandbox/service/distortion.h"

namespace idkiosk::sandbox {
namespace {

constexpr std::string_view kPage =
    "<!doctype html><html lang=\"en\"><head><title>Sign in to the network</title></head><body>"
    "<h1>Welcome</h1><p>Please sign in to use this network.</p></body></html>";

// Text becomes a number, anything else that is no list and no object becomes text.
void WriteWithWrongTypes(JsonView value, JsonWriter& json) {
  if (value.IsObject()) {
    json.BeginObject();
    for (const JsonView member : value.children()) {
      json.Key(member.key());
      WriteWithWrongTypes(member, json);
    }
    json.EndObject();
  } else if (value.IsArray()) {
    json.BeginArray();
    for (const JsonView element : value.children()) WriteWithWrongTypes(element, json);
    json.EndArray();
  } else if (value.AsString()) {
    json.Value(7);
  } else {
    json.Value(value.Print());
  }
}

std::string WithWrongTypes(const std::string& body) {
  const auto parsed = JsonDocument::Parse(body);
  if (!parsed) return body;
  JsonWriter json;
  WriteWithWrongTypes(parsed->root(), json);
  return json.Take();
}

void ForceStatus(const Fault& fault, WallTime now, Reply& reply) {
  if (fault.status < 400) {
    reply.http.status = fault.status;
    return;
  }
  std::string reference = std::move(reply.reference);
  reply = Refuse(fault.status, fmt::format("A fault was switched on: status {}.", fault.status));
  reply.reference = std::move(reference);
  if (const auto wait = RetryAfterOf(fault)) {
    reply.http.headers.emplace_back("Retry-After", fault.retry_after_as_date
                                                       ? FormatHttpDate(now + *wait)
                                                       : std::to_string(wait->count()));
  }
}

}  // namespace

void RepeatAttemptId(std::string id, bool is_anothers, Reply& reply) {
  if (id.empty()) return;
  const auto parsed = JsonDocument::Parse(reply.http.body);
  if (!parsed || !parsed->root().IsObject()) return;
  if (is_anothers) id.front() = id.front() == '0' ? '1' : '0';
  JsonWriter json;
  json.BeginObject();
  for (const JsonView member : parsed->root().children()) {
    json.Key(member.key()).Raw(member.Print());
  }
  reply.http.body = json.Field("attemptId", id).EndObject().Take();
}

void Distort(const Fault& fault, WallTime now, Reply& reply) {
  switch (fault.kind) {
    case FaultKind::kStatus:
      ForceStatus(fault, now, reply);
      break;
    case FaultKind::kDropBefore:
    case FaultKind::kDropAfter:
      reply.http.delivery = Delivery::kDropped;
      break;
    case FaultKind::kReset:
      reply.http.delivery = Delivery::kReset;
      break;
    case FaultKind::kCut:
      reply.http.delivery = Delivery::kCut;
      break;
    case FaultKind::kHtml:
      reply.http.status = 200;
      reply.http.body = kPage;
      reply.http.content_type = "text/html; charset=utf-8";
      break;
    case FaultKind::kWrongType:
      reply.http.body = WithWrongTypes(reply.http.body);
      break;
    case FaultKind::kDelay:
    case FaultKind::kStaleToken:
    case FaultKind::kAnothersAnswer:  // RepeatAttemptId
      break;
  }
  reply.http.delay = fault.delay;
}

}  // namespace idkiosk::sandbox
