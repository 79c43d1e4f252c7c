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

void WriteCamera(JsonWriter& json, const UiSnapshot::Camera& camera) {
  json.Key("camera")
      .BeginObject()
      .Field("prompt", Name(camera.prompt))
      .Field("guidance", Name(camera.guidance))
      .Field("step", camera.step)
      .Field("held", camera.held)
      .Field("restarted", camera.restarted)
      .Key("trouble");
  camera.trouble ? json.Value(Name(*camera.trouble)) : json.Null();
  json.EndObject();
}

void WriteAnswer(JsonWriter& json, const UiSnapshot::Answer& answer, const UiEquipment& equipment) {
  json.Key("answer")
      .BeginObject()
      .Field("kind", Name(answer.kind))
      .Field("reference", answer.reference)
      .Field("seconds_left", answer.seconds_left)
      .Field("receipt", equipment.printer && !answer.reference.empty());
  if (answer.receipt) json.Field("printing", Name(*answer.receipt));
  if (!answer.reason.empty()) json.Field("reason", answer.reason);
  json.EndObject();
}

void WriteLocked(JsonWriter& json, int seconds) {
  json.Key("locked").BeginObject().Field("seconds", seconds).Key("problem");
  seconds > 0 ? json.Value("locked_out") : json.Null();
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

}  // namespace

std::string_view Name(Screen screen) {
  switch (screen) {
    case Screen::kWelcome:
      return "welcome";
    case Screen::kConsent:
      return "consent";
    case Screen::kNumber:
      return "number";
    case Screen::kReason:
      return "reason";
    case Screen::kRepeated:
      return "repeated";
    case Screen::kCamera:
      return "camera";
    case Screen::kLook:
      return "look";
    case Screen::kWaiting:
      return "waiting";
    case Screen::kAnswer:
      return "answer";
    case Screen::kStopped:
      return "stopped";
    case Screen::kLocked:
      return "locked";
    case Screen::kDesk:
      return "desk";
    case Screen::kOperator:
      return "operator";
  }
  return "stopped";
}

bool IsStaffs(Screen screen) {
  return screen == Screen::kLocked || screen == Screen::kDesk || screen == Screen::kOperator;
}

std::string_view Name(NumberProblem problem) {
  switch (problem) {
    case NumberProblem::kTooShort:
      return "too_short";
    case NumberProblem::kTestNumberInProduction:
      return "test_number_in_production";
    case NumberProblem::kUnreadableSlip:
      return "unreadable_slip";
    case NumberProblem::kTwoNumbers:
      return "two_numbers";
    case NumberProblem::kNoSlip:
      return "no_slip";
    case NumberProblem::kNoCamera:
      return "no_camera";
  }
  return "too_short";
}

std::string_view Name(CameraTrouble trouble) {
  switch (trouble) {
    case CameraTrouble::kAway:
      return "away";
    case CameraTrouble::kBlack:
      return "black";
    case CameraTrouble::kFrozen:
      return "frozen";
  }
  return "away";
}

std::string_view Name(WaitingStage stage) {
  switch (stage) {
    case WaitingStage::kSealing:
      return "sealing";
    case WaitingStage::kQueued:
      return "queued";
    case WaitingStage::kSending:
      return "sending";
    case WaitingStage::kChecking:
      return "checking";
  }
  return "queued";
}

std::string_view Name(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::kVerified:
      return "verified";
    case AnswerKind::kNotVerified:
      return "not_verified";
    case AnswerKind::kKept:
      return "kept";
    case AnswerKind::kUnknown:
      return "unknown";
    case AnswerKind::kRefused:
      return "refused";
  }
  return "unknown";
}

std::string_view Name(ReceiptState state) {
  switch (state) {
    case ReceiptState::kPrinting:
      return "printing";
    case ReceiptState::kPrinted:
      return "printed";
    case ReceiptState::kFailed:
      return "failed";
  }
  return "failed";
}

std::string_view Name(StopReason reason) {
  switch (reason) {
    case StopReason::kDeclined:
      return "declined";
    case StopReason::kCaptureTimeout:
      return "capture_timeout";
    case StopReason::kCameraAway:
      return "camera_away";
    case StopReason::kQueueFull:
      return "queue_full";
    case StopReason::kSpendCap:
      return "spend_cap";
    case StopReason::kHeld:
      return "held";
    case StopReason::kNotReady:
      return "not_ready";
    case StopReason::kNotSetUp:
      return "not_set_up";
  }
  return "not_ready";
}

SecretBytes ToJson(const UiSnapshot& snapshot, uint64_t revision, const Settings& settings,
                   const UiEquipment& equipment) {
  JsonWriter json;
  json.BeginObject()
      .Field("revision", revision)
      .Field("session", snapshot.session)
      .Field("mode", settings.mode)
      .Field("screen", Name(snapshot.screen))
      .Field("environment",
             settings.environment == Environment::kProduction ? "production" : "sandbox")
      .Field("online", snapshot.online)
      .Field("language", snapshot.language)
      .Field("sound", snapshot.sound)
      .Field("voice", Has(equipment.voices, snapshot.language));
  WriteBrand(json, settings.brand, equipment.logo);
  if (snapshot.idle_seconds) {
    json.Key("idle").BeginObject().Field("seconds", *snapshot.idle_seconds).EndObject();
  }
  if (snapshot.screen == Screen::kConsent) {
    const auto hours = std::chrono::ceil<std::chrono::hours>(settings.queue.max_age).count();
    json.Key("consent").BeginObject().Field("keep_hours", int64_t{hours}).EndObject();
  }
  if (snapshot.number) WriteNumber(json, *snapshot.number, equipment);
  if (snapshot.reasons) WriteReasons(json, *snapshot.reasons);
  if (snapshot.camera) WriteCamera(json, *snapshot.camera);
  if (snapshot.waiting) {
    json.Key("waiting")
        .BeginObject()
        .Field("stage", Name(snapshot.waiting->stage))
        .Field("long", snapshot.waiting->is_long)
        .EndObject();
  }
  if (snapshot.answer) WriteAnswer(json, *snapshot.answer, equipment);
  if (snapshot.stopped) {
    json.Key("stopped")
        .BeginObject()
        .Field("why", Name(snapshot.stopped->why))
        .Field("can_retry", snapshot.stopped->can_retry)
        .Field("seconds_left", snapshot.stopped->seconds_left)
        .EndObject();
  }
  if (snapshot.locked_seconds) WriteLocked(json, *snapshot.locked_seconds);
  if (snapshot.desk) WriteDesk(json, *snapshot.desk);
  if (snapshot.agent) WriteAgent(json, *snapshot.agent, snapshot.screen == Screen::kLocked);
  if (!snapshot.operator_console.empty()) json.Key("operator").Raw(snapshot.operator_console);
  std::string text = json.EndObject().Take();
  return SecretBytes::Take(text);
}

}  // namespace idkiosk
