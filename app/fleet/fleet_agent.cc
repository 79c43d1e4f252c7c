#include "app/fleet/fleet_agent.h"

#include <algorithm>

#include "app/fleet/topics.h"
#include "platform/base/json.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestCursor = 4096;

// How a kiosk is, as headquarters are told: what is good is not told.
struct Told {
  std::string health;  // {"ready":true,"running":true,"parts":[...]}
  std::string states;  // changes where a part's state does, not with each number in its sentence
};

Told TellOf(const std::optional<std::string>& health,
            const std::optional<CertificateTrouble>& certificate) {
  const auto document = health ? JsonDocument::Parse(*health) : Result<JsonDocument>();
  const JsonView root = health && document ? document->root() : JsonView();
  const bool is_ready = root["ready"].AsBool().value_or(false);
  Told told{.health = {}, .states = fmt::format("{} {}", root.exists(), is_ready)};
  JsonWriter json;
  json.BeginObject().Field("ready", is_ready).Field("running", root.exists());
  json.Key("parts").BeginArray();
  for (const JsonView part : root["parts"].children()) {
    const std::string_view state = part["state"].AsString().value_or("");
    if (state == "good") continue;
    told.states += fmt::format(" {} {}", part["part"].AsString().value_or(""), state);
    json.Raw(part.Print());
  }
  if (certificate) {
    const std::string_view state = certificate->is_over ? "bad" : "note";
    told.states += fmt::format(" certificate {}", state);
    json.BeginObject().Field("part", "certificate").Field("state", state);
    json.Field("text", certificate->text).Field("mend", certificate->mend).EndObject();
  }
  told.health = json.EndArray().EndObject().Take();
  return told;
}

}  // namespace

FleetAgent::FleetAgent(const Dependencies& deps) : deps_(deps) {}

std::string FleetAgent::TopicOf(std::string_view what) const {
  return Topic(deps_.settings.tenant, deps_.settings.kiosk, what);
}

std::string FleetAgent::CursorPath() const {
  return deps_.settings.state_folder + "/acknowledged.json";
}

// A cursor that is lost costs records that are sent twice, and headquarters know those.
Status FleetAgent::Load() {
  if (Status made = deps_.files.CreateFolder(deps_.settings.state_folder); !made) return made;
  const auto bytes = deps_.files.Read(CursorPath(), kLargestCursor);
  if (!bytes && bytes.error().code != ErrorCode::kNotFound) return std::unexpected(bytes.error());
  const auto document = bytes ? JsonDocument::Parse(AsText(*bytes)) : Result<JsonDocument>();
  if (bytes && !document) LogWarning("{} is damaged: all records are sent anew", CursorPath());
  if (!bytes || !document) return {};
  for (Journal& each : journals_) {
    const int64_t number = document->root()[each.name].AsInteger().value_or(0);
    each.feed = JournalFeed(static_cast<uint64_t>(std::max<int64_t>(number, 0)));
  }
  return {};
}

void FleetAgent::Save() {
  JsonWriter json;
  json.BeginObject();
  for (const Journal& each : journals_) json.Field(each.name, each.feed.acknowledged());
  const std::string text = json.EndObject().Take();
  if (Status saved = deps_.files.WriteDurably(CursorPath(), AsBytes(text), FileAccess::kOwnerOnly);
      !saved) {
    LogWarning("records will be sent twice after the next start: {}", saved.error().message);
  }
}

std::optional<std::string> FleetAgent::Ask(const std::string& target) {
  auto answer = deps_.kiosk.Get(target);
  if (answer) {
    kiosk_answers_ = true;
    return std::move(*answer);
  }
  if (kiosk_answers_) LogWarning("{}", answer.error().message);
  kiosk_answers_ = false;
  return std::nullopt;
}

void FleetAgent::Connected() {
  last_states_.clear();
  metrics_.StartOver();
  state_look_ = {};
  metrics_due_ = {};
  settings_look_ = {};
  replies_look_ = {};
  last_settings_.clear();
  told_replies_.clear();
}

void FleetAgent::Disconnected() {
  for (Journal& each : journals_) each.feed.Disconnected();
}

void FleetAgent::Step(BrokerLink& link) {
  if (!link.connected()) return;
  SendState(link);
  SendMetrics(link);
  for (Journal& each : journals_) SendRecords(link, each);
  SendSettings(link);
  BringCommands(link);
  SendReplies(link);
}

void FleetAgent::SendState(BrokerLink& link) {
  const MonotonicTime now = deps_.clock.Now();
  if (now < state_look_) return;
  state_look_ = now + kStateLook;
  // Headquarters learn of a kiosk that does not run, too.
  const Told told = TellOf(Ask("/v1/health"), LookAtCertificate());
  if (told.states == last_states_ && now < state_due_) return;
  const std::string message = JsonWriter()
                                  .BeginObject()
                                  .Field("time", FormatRfc3339(deps_.clock.WallNow()))
                                  .Field("version", deps_.version)
                                  .Key("health")
                                  .Raw(told.health)
                                  .EndObject()
                                  .text();
  if (!link.Publish(state_topic(), message)) return;
  last_states_ = told.states;
  state_due_ = now + kStateEvery;
}

std::optional<CertificateTrouble> FleetAgent::LookAtCertificate() {
  const MonotonicTime now = deps_.clock.Now();
  if (!deps_.settings.plain && now >= certificate_look_) {
    certificate_look_ = now + kCertificateLook;
    const auto lifetime = LifetimeOfCertificate(deps_.files, deps_.settings);
    certificate_ = lifetime ? std::optional(*lifetime) : std::nullopt;
  }
  if (!certificate_ || !deps_.clock.WallIsTrusted()) return std::nullopt;
  return TroubleOf(*certificate_, deps_.clock.WallNow(), !deps_.settings.est.empty());
}

void FleetAgent::SendMetrics(BrokerLink& link) {
  const MonotonicTime now = deps_.clock.Now();
  if (now < metrics_due_) return;
  metrics_due_ = now + kMetricsEvery;
  const auto text = Ask("/v1/metrics");
  const std::string message = text ? metrics_.Next(*text) : std::string();
  // What was not taken is told whole the next time.
  if (!message.empty() && !link.Publish(TopicOf("metrics"), message)) metrics_.StartOver();
}

void FleetAgent::SendRecords(BrokerLink& link, Journal& journal) {
  const MonotonicTime now = deps_.clock.Now();
  const auto after = journal.feed.Due(now);
  if (!after) return;
  const auto answer = Ask(fmt::format("/v1/journals/{}?after={}", journal.name, *after));
  const auto document = answer ? JsonDocument::Parse(*answer) : Result<JsonDocument>();
  const auto records =
      answer && document ? document->root()["records"].children() : std::vector<JsonView>();
  if (records.empty()) return journal.feed.FoundNone(now);
  const auto last = records.back()["number"].AsInteger().value_or(0);
  if (!link.Publish(TopicOf(journal.name), *answer)) return journal.feed.FoundNone(now);
  journal.feed.Sent(static_cast<uint64_t>(std::max<int64_t>(last, 0)), now);
}

void FleetAgent::SendSettings(BrokerLink& link) {
  const MonotonicTime now = deps_.clock.Now();
  if (now < settings_look_) return;
  settings_look_ = now + kSettingsLook;
  auto settings = Ask("/v1/settings");
  if (!settings || *settings == last_settings_) return;
  if (link.Publish(TopicOf("settings"), *settings)) last_settings_ = std::move(*settings);
}

void FleetAgent::BringCommands(BrokerLink& link) {
  for (; !commands_.empty(); commands_.pop_front()) {
    const auto answer = deps_.kiosk.Post("/v1/fleet/commands", commands_.front());
    // A kiosk that starts anew gets it once it runs; one that has enough of them counts it itself.
    if (!answer && answer.error().code == ErrorCode::kUnavailable) return;
    if (!answer) {
      Drop(answer.error().message);
      continue;
    }
    drops_commands_ = false;
    const auto reply = JsonDocument::Parse(*answer);
    if (!reply) continue;
    // Brought once more: the kiosk does a command once, and keeps no list of those that it refuses.
    if (!link.Publish(TopicOf("reply"), *answer)) return;
    const std::string state(reply->root()["state"].AsString().value_or(""));
    const std::string command(reply->root()["command"].AsString().value_or(""));
    if (state != "refused") told_replies_[command] = state;
  }
}

void FleetAgent::Drop(std::string_view why) {
  if (!drops_commands_) LogWarning("commands are dropped: {}", why);
  drops_commands_ = true;
}

void FleetAgent::SendReplies(BrokerLink& link) {
  const MonotonicTime now = deps_.clock.Now();
  if (now < replies_look_) return;
  replies_look_ = now + kRepliesLook;
  const auto answer = Ask("/v1/fleet/commands");
  const auto document = answer ? JsonDocument::Parse(*answer) : Result<JsonDocument>();
  if (!answer || !document) return;
  std::map<std::string, std::string> known;
  for (const JsonView each : document->root()["commands"].children()) {
    const std::string command(each["command"].AsString().value_or(""));
    const std::string state(each["state"].AsString().value_or(""));
    const auto told = told_replies_.find(command);
    const bool is_told = told != told_replies_.end() && told->second == state;
    if (is_told || link.Publish(TopicOf("reply"), each.Print())) known[command] = state;
    if (!is_told) settings_look_ = {};  // it may have changed them
  }
  told_replies_ = std::move(known);
}

void FleetAgent::Received(std::string_view topic, std::string_view payload) {
  if (topic == TopicOf("command")) {
    if (commands_.size() < kMostCommands) return void(commands_.emplace_back(payload));
    return Drop("more come than this kiosk takes");
  }
  for (Journal& each : journals_) {
    if (topic == TopicOf(fmt::format("ack/{}", each.name))) return Acknowledged(each, payload);
  }
}

bool FleetAgent::Has(const Journal& journal, uint64_t number, std::string_view mac) {
  const auto answer = Ask(fmt::format("/v1/journals/{}?after={}", journal.name, number - 1));
  const auto document = answer ? JsonDocument::Parse(*answer) : Result<JsonDocument>();
  if (!answer || !document) return false;
  const JsonView record = document->root().At("/records/0");
  return record["number"].AsInteger() == static_cast<int64_t>(number) &&
         record["mac"].AsString() == mac;
}

void FleetAgent::Acknowledged(Journal& journal, std::string_view payload) {
  const auto document = JsonDocument::Parse(payload);
  const auto given = document ? document->root()["number"].AsInteger() : std::nullopt;
  const auto mac = document ? document->root()["mac"].AsString() : std::nullopt;
  if (!given || *given < 0 || !mac) {
    return LogWarning("an acknowledgement of the {} makes no sense", journal.name);
  }
  const auto number = static_cast<uint64_t>(*given);
  // Of records that were not sent, only their proof shows that headquarters have them.
  if (number > journal.feed.sent() && !Has(journal, number, *mac)) {
    return LogWarning("headquarters acknowledge record {} of the {}, which this kiosk never wrote",
                      number, journal.name);
  }
  if (journal.feed.Acknowledge(number, deps_.clock.Now())) Save();
}

}  // namespace idkiosk
