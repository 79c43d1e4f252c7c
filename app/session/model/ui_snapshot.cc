#include "app/session/model/ui_snapshot.h"

#include "platform/base/json.h"

namespace idkiosk {
namespace {

bool Has(const std::vector<std::string>& list, const std::string& wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

void WriteNumber(JsonWriter& json, const UiSnapshot::Number& number, const UiEquipment& equipment) {
  json.Key("number").BeginObject().Field("digits", number.digits).Key("problem");
  number.problem ? json.Value(Name(*number.problem)) : json.Null();
  if (equipment.scanner) json.Field("scanning", number.scanning);
  json.EndObject();
}

void WriteReasons(JsonWriter& json, const UiSnapshot::Reasons& reasons) {
  json.Key("reasons").BeginArray();
  for (const RequestReason& each : reasons.list) {
    json.BeginObject().Field("code", each.code).Field("label", each.label).EndObject();
  }
  json.EndArray();
  if (!reasons.chosen.empty()) json.Field("reason", reasons.chosen);
}

void WriteCamera(JsonWriter& json, const UiSnapshot::Camera& camera, bool has_light) {
  json.Key("camera")
      .BeginObject()
      .Field("prompt", Name(camera.prompt))
      .Field("guidance", Name(camera.guidance))
      .Field("step", camera.step)
      .Field("held", camera.held);
  if (camera.starts_in) json.Field("starts_in", *camera.starts_in);
  if (camera.light) {
    json.Key("light").BeginObject().Field("colour", HexOf(*camera.light));
    json.Field("fade_ms", int64_t{camera.fade / std::chrono::milliseconds(1)}).EndObject();
  }
  if (has_light) json.Field("gentle", camera.gentle);
  json.Key("restarted");
  camera.restarted ? json.Value(Name(*camera.restarted)) : json.Null();
  json.Key("trouble");
  camera.trouble ? json.Value(Name(*camera.trouble)) : json.Null();
  json.EndObject();
}

void WritePrompts(JsonWriter& json, std::string_view name, const std::vector<Prompt>& prompts) {
  json.Key(name).BeginArray();
  for (const Prompt each : prompts) json.Value(Name(each));
  json.EndArray();
}

void WriteAnswer(JsonWriter& json, const UiSnapshot::Answer& answer, const UiEquipment& equipment) {
  json.Key("answer")
      .BeginObject()
      .Field("kind", Name(answer.kind))
      .Field("reference", answer.reference)
      .Field("seconds_left", answer.seconds_left)
      .Field("receipt", equipment.printer && !answer.reference.empty());
  if (!answer.number_end.empty()) json.Field("number_end", answer.number_end);
  if (answer.other_number) json.Field("other_number", true);
  if (answer.new_pictures) json.Field("new_pictures", true);
  if (!answer.price.empty()) json.Field("price", answer.price);
  if (answer.receipt) json.Field("printing", Name(*answer.receipt));
  if (answer.reason) json.Field("reason", Name(*answer.reason));
  json.EndObject();
}

void WriteConsent(JsonWriter& json, const UiSnapshot& snapshot, const Settings& settings) {
  const auto hours = [](Duration duration) {
    return int64_t{std::chrono::ceil<std::chrono::hours>(duration).count()};
  };
  json.Key("consent")
      .BeginObject()
      .Field("keep_hours", hours(settings.queue.max_age))
      .Field("answer_hours", hours(settings.queue.retention));
  const ResultsSettings& results = settings.results;
  const bool are_told = !results.webhook.empty() || !results.spool.empty();
  // Over the socket, supervisors open whole answers.
  if (!settings.api.socket.empty() || (are_told && !results.include.empty())) {
    json.Field("programs", "data");
  } else if (are_told) {
    json.Field("programs", "result");
  }
  if (!snapshot.consent_text.empty()) {
    json.Field("text", snapshot.consent_text).Field("language", snapshot.consent_language);
  }
  json.EndObject();
}

void WriteBrand(JsonWriter& json, const BrandSettings& brand, bool logo) {
  json.Key("brand")
      .BeginObject()
      .Field("name", brand.name)
      .Field("primary", brand.primary)
      .Field("accent", brand.accent)
      .Field("logo", logo)
      .EndObject();
}

// Nothing where there is nobody to choose from.
void WriteNames(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  json.Key(key).BeginArray();
  for (const std::string& each : names) json.Value(each);
  json.EndArray();
}

void WriteCannot(JsonWriter& json, const UiSnapshot::Cannot& cannot, bool has_light) {
  json.Key("cannot").BeginObject();
  WritePrompts(json, "challenges", cannot.challenges);
  WritePrompts(json, "left_out", cannot.left_out);
  if (has_light) json.Field("gentle", cannot.gentle);
  json.EndObject();
}

void WriteWaiting(JsonWriter& json, const UiSnapshot::Waiting& waiting) {
  json.Key("waiting")
      .BeginObject()
      .Field("stage", Name(waiting.stage))
      .Field("long", waiting.is_long);
  if (!waiting.reference.empty()) json.Field("reference", waiting.reference);
  json.EndObject();
}

void WriteStopped(JsonWriter& json, const UiSnapshot::Stopped& stopped) {
  json.Key("stopped")
      .BeginObject()
      .Field("why", Name(stopped.why))
      .Field("can_retry", stopped.can_retry)
      .Field("seconds_left", stopped.seconds_left)
      .EndObject();
}

// On every screen: where and in which language this is.
void WriteFrame(JsonWriter& json, const UiSnapshot& snapshot, const Settings& settings,
                const UiEquipment& equipment) {
  json.Field("session", snapshot.session)
      .Field("mode", Name(settings.mode))
      .Field("screen", Name(snapshot.screen))
      .Field("environment", Name(settings.environment))
      .Field("online", snapshot.online)
      .Field("language", snapshot.language)
      .Field("sound", snapshot.sound)
      .Field("voice", Has(equipment.voices, snapshot.language));
  WriteBrand(json, settings.brand, equipment.logo);
  if (!snapshot.idle_seconds) return;
  json.Key("idle").BeginObject().Field("seconds", *snapshot.idle_seconds).EndObject();
}

// What a person sees on the way through a visit.
void WriteVisit(JsonWriter& json, const UiSnapshot& snapshot, const Settings& settings,
                const UiEquipment& equipment) {
  if (snapshot.screen == Screen::kWelcome) {
    json.Key("voices").BeginArray();
    for (const std::string& each : equipment.voices) json.Value(each);
    json.EndArray();
  }
  if (snapshot.screen == Screen::kConsent) WriteConsent(json, snapshot, settings);
  if (snapshot.closed) json.Field("closed", Name(*snapshot.closed));
  if (snapshot.opens_at) json.Field("opens_at", FormatRfc3339(*snapshot.opens_at));
  if (snapshot.number) WriteNumber(json, *snapshot.number, equipment);
  if (snapshot.reasons) WriteReasons(json, *snapshot.reasons);
  const bool has_light = settings.capture.light_sequence != "off";
  if (snapshot.camera) WriteCamera(json, *snapshot.camera, has_light);
  if (snapshot.cannot) WriteCannot(json, *snapshot.cannot, has_light);
  if (snapshot.waiting) WriteWaiting(json, *snapshot.waiting);
  if (snapshot.answer) WriteAnswer(json, *snapshot.answer, equipment);
  if (snapshot.stopped) WriteStopped(json, *snapshot.stopped);
  if (!snapshot.repeated) return;
  json.Key("repeated").BeginObject().Field("became", Name(*snapshot.repeated)).EndObject();
}

// What stands behind a PIN.
void WriteStaff(JsonWriter& json, const UiSnapshot& snapshot) {
  if (snapshot.locked_seconds) {
    json.Key("locked").BeginObject().Field("seconds", *snapshot.locked_seconds);
    WriteNames(json, "people", snapshot.clerks);
    json.EndObject();
  }
  WriteNames(json, "operators", snapshot.operators);
  if (snapshot.may_become_first) json.Field("first_operator", true);
  if (!snapshot.user.empty()) json.Field("user", snapshot.user);
  if (snapshot.desk) WriteDesk(json, *snapshot.desk);
  if (snapshot.agent) WriteAgent(json, *snapshot.agent);
  if (!snapshot.operator_console.empty()) json.Key("operator").Raw(snapshot.operator_console);
}

}  // namespace

bool IsStaffs(Screen screen) {
  return screen == Screen::kLocked || screen == Screen::kDesk || screen == Screen::kOperator;
}

SecretBytes ToJson(const UiSnapshot& snapshot, uint64_t revision, const Settings& settings,
                   const UiEquipment& equipment) {
  JsonWriter json;
  json.BeginObject().Field("revision", revision);
  WriteFrame(json, snapshot, settings, equipment);
  WriteVisit(json, snapshot, settings, equipment);
  WriteStaff(json, snapshot);
  std::string text = json.EndObject().Take();
  return SecretBytes::Take(text);
}

}  // namespace idkiosk
