#include "app/session/visit/visit_controller.h"

#include <algorithm>
#include <utility>

#include "app/session/face_pictures.h"
#include "app/session/offered_reasons.h"
#include "app/session/page_session.h"
#include "platform/base/enum_rows.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);
// In one visit: each is a call that is billed.
constexpr int kMostTries = 3;
constexpr size_t kNumberEnd = 3;
// A reference must be written down.
constexpr int kTimesLongerWithReference = 2;

// A set of screens as bits.
template <typename... Screens>
constexpr uint32_t On(Screens... screens) {
  return ((1U << static_cast<unsigned>(screens)) | ...);
}

constexpr uint32_t kEverywhere = ~0U;
// Whether a person has begun and nothing was sent.
constexpr bool IsUnderWay(Screen screen) {
  switch (screen) {
    case Screen::kConsent:
    case Screen::kNumber:
    case Screen::kReason:
    case Screen::kRepeated:
    case Screen::kCamera:
    case Screen::kCannot:
    case Screen::kLook:
      return true;
    case Screen::kWelcome:
    case Screen::kWaiting:
    case Screen::kAnswer:
    case Screen::kStopped:
    case Screen::kLocked:
    case Screen::kDesk:
    case Screen::kOperator:
      return false;
  }
  return false;
}

constexpr uint32_t kUnderWay = [] {
  uint32_t screens = 0;
  for (size_t i = 0; i < EnumeratorCount<Screen>(); ++i) {
    if (const auto each = static_cast<Screen>(i); IsUnderWay(each)) screens |= On(each);
  }
  return screens;
}();

int Seconds(Duration duration) { return static_cast<int>(duration / kSecond); }

}  // namespace

struct VisitController::Command {
  std::string_view name;
  uint32_t screens;
  Status (VisitController::*run)(JsonView);
};

// The whole path: Commands in app/ui/web/snapshot.d.ts.
const VisitController::Command VisitController::kCommands[] = {
    {"start", On(Screen::kWelcome), &VisitController::Start},
    {"language", kEverywhere, &VisitController::SetLanguage},
    {"sound", kEverywhere, &VisitController::SetSound},
    {"agree", On(Screen::kConsent), &VisitController::Agree},
    {"decline", On(Screen::kConsent), &VisitController::Decline},
    {"digit", On(Screen::kNumber), &VisitController::TypeDigit},
    {"delete", On(Screen::kNumber), &VisitController::DeleteDigit},
    {"number", On(Screen::kNumber), &VisitController::TypeNumber},
    {"next", On(Screen::kNumber, Screen::kReason), &VisitController::Next},
    {"back", kUnderWay, &VisitController::Back},
    {"reason", On(Screen::kReason), &VisitController::ChooseReason},
    {"stop", kUnderWay, &VisitController::Stop},
    {"cannot", On(Screen::kCamera, Screen::kStopped), &VisitController::Cannot},
    {"leave_out", On(Screen::kCannot), &VisitController::LeaveOut},
    {"ask_staff", On(Screen::kCannot), &VisitController::AskStaff},
    {"send", On(Screen::kLook), &VisitController::Send},
    {"retake", On(Screen::kLook, Screen::kAnswer), &VisitController::RetakePictures},
    {"change_number", On(Screen::kAnswer), &VisitController::ChangeNumber},
    {"retry", On(Screen::kStopped), &VisitController::RetakePictures},
    {"scan", On(Screen::kNumber), &VisitController::ScanSlip},
    {"receipt", On(Screen::kAnswer), &VisitController::PrintReceipt},
    {"go_on", On(Screen::kRepeated), &VisitController::GoOn},
    {"light", On(Screen::kCamera, Screen::kCannot), &VisitController::SlowLight},
    {"still_here", kEverywhere, &VisitController::StayHere},
    {"finish", On(Screen::kWaiting, Screen::kAnswer, Screen::kStopped), &VisitController::Stop},
};

VisitController::VisitController(Dependencies deps)
    : deps_(std::move(deps)),
      watch_(deps_.runner, deps_.clock, deps_.queue,
             [this](const CallWatch::News& news) { OnNews(news); }) {
  BeginSession();
}

VisitController::~VisitController() {
  StopScanning();
  deps_.camera.Stop();
}

Status VisitController::Do(std::string_view session, std::string_view command, JsonView arguments) {
  control_thread_.Check();
  const auto* found = std::ranges::find(kCommands, command, &Command::name);
  if (found == std::end(kCommands)) {
    return Fail(ErrorCode::kFailedPrecondition, "there is no such command here");
  }
  if (session != view_.session) {
    return Fail(ErrorCode::kFailedPrecondition, "this session is over");
  }
  if ((found->screens & On(view_.screen)) == 0) {
    return Fail(ErrorCode::kFailedPrecondition, "'{}' is not possible on the screen '{}'", command,
                Name(view_.screen));
  }
  const Status done = (this->*found->run)(arguments);
  if (done) {
    Touched();
    Publish();
  }
  return done;
}

Result<SecretBytes> VisitController::Picture(std::string_view session, size_t index) const {
  control_thread_.Check();
  if (session != view_.session || view_.screen != Screen::kLook || !person_.bundle ||
      index > CaptureBundle::kLivenessPictures) {
    return Fail(ErrorCode::kNotFound, "there is no such picture");
  }
  return (index == 0 ? person_.bundle->selfie : person_.bundle->liveness[index - 1]).jpeg.Clone();
}

void VisitController::SetOnline(bool online) {
  control_thread_.Check();
  view_.online = online;
  Publish();
}

void VisitController::SetReasons(std::vector<RequestReason> reasons) {
  control_thread_.Check();
  reasons_ = std::move(reasons);
  LookAtDoor();
}

// --- Commands ---

Status VisitController::Start(JsonView arguments) {
  if (arguments["language"].exists()) {
    if (Status set = SetLanguage(arguments); !set) return set;
  }
  if (ReasonsHere().empty() || camera_is_there_ == false) {
    EnterStopped(ReasonsHere().empty() ? StopReason::kNotReady : StopReason::kCameraAway, false);
    return {};
  }
  EnterConsent();
  deps_.queue.FindObstacle(Question(), false, [this, session = view_.session](const auto& looked) {
    if (session != view_.session || !looked.obstacle) return;
    TurnAway(*looked.obstacle);
    Publish();
  });
  return {};
}

Status VisitController::SetLanguage(JsonView arguments) {
  const Status done = ChooseLanguage(view_, arguments);
  if (done && view_.screen == Screen::kConsent) EnterConsent();
  return done;
}

Status VisitController::SetSound(JsonView arguments) { return ChooseSound(view_, arguments); }

Status VisitController::TypeDigit(JsonView arguments) {
  const auto digit = arguments["digit"].AsString().value_or("");
  if (digit.size() != 1 || digit[0] < '0' || digit[0] > '9') {
    return Fail(ErrorCode::kInvalid, "digit must be one of \"0\" to \"9\"");
  }
  (void)person_.number.Add(digit[0]);  // a twelfth one changes nothing
  ShowNumber(std::nullopt);
  return {};
}

Status VisitController::DeleteDigit(JsonView) {
  person_.number.DeleteLast();
  ShowNumber(std::nullopt);
  return {};
}

Status VisitController::TypeNumber(JsonView arguments) {
  if (!person_.number.Replace(arguments["digits"].AsString().value_or(""))) {
    return Fail(ErrorCode::kInvalid, "digits must be 1 to {} digits", kNinDigits);
  }
  ShowNumber(std::nullopt);
  return {};
}

Status VisitController::Next(JsonView) {
  if (view_.screen == Screen::kReason) {
    if (person_.reason.empty()) {
      return Fail(ErrorCode::kFailedPrecondition, "a reason must be chosen first");
    }
    ApproachCamera();
    return {};
  }
  if (!person_.number.complete()) {
    ShowNumber(NumberProblem::kTooShort);
  } else if (view_.number->problem != NumberProblem::kTestNumberInProduction) {
    EnterReasonOrCamera();
  }
  return {};
}

Status VisitController::Back(JsonView) {
  switch (view_.screen) {
    case Screen::kNumber:
      EnterConsent();
      break;
    case Screen::kCannot:
      ApproachCamera();
      break;
    case Screen::kReason:
    case Screen::kRepeated:
    case Screen::kCamera:
    case Screen::kLook:
      // The number of a visit is the clerk's.
      person_.visits ? EndSession() : EnterNumber();
      break;
    case Screen::kConsent:
    case Screen::kWelcome:
    case Screen::kWaiting:
    case Screen::kAnswer:
    case Screen::kStopped:
    case Screen::kLocked:
    case Screen::kDesk:
    case Screen::kOperator:
      EndSession();
  }
  return {};
}

Status VisitController::ChooseReason(JsonView arguments) {
  const auto code = arguments["code"].AsString().value_or("");
  const auto reasons = ReasonsHere();
  if (std::ranges::find(reasons, code, &RequestReason::code) == reasons.end()) {
    return Fail(ErrorCode::kInvalid, "code must be one of the reasons that are shown");
  }
  person_.reason = code;
  view_.reasons->chosen = code;
  ApproachCamera();
  return {};
}

Status VisitController::Stop(JsonView) {
  EndSession();
  return {};
}

Status VisitController::Decline(JsonView) {
  EnterStopped(StopReason::kDeclined, false);
  return {};
}

Status VisitController::Send(JsonView) {
  VerificationCall call = Question();
  call.pictures = TakePictures(std::move(*std::exchange(person_.bundle, std::nullopt)));
  if (Status good = CheckCall(call, RulesOf(deps_.settings, reasons_)); !good) {
    LogError("a call failed its last check: {}", good.error().message);
    EnterStopped(StopReason::kNotReady, false);
    return {};
  }
  Show(Screen::kWaiting);
  view_.waiting = UiSnapshot::Waiting();
  // A call that was handed in is kept, also if the person leaves meanwhile.
  deps_.queue.Accept(
      std::move(call),
      {.confirmed = person_.confirmed, .consent = person_.consent, .order = person_.order},
      [this, session = view_.session, order = person_.order](const Accepted& accepted) {
        if (session == view_.session) return OnAccepted(accepted);
        OnAcceptedLate(accepted, order);
      });
  return {};
}

Status VisitController::RetakePictures(JsonView) {
  if (view_.stopped && !view_.stopped->can_retry) {
    return Fail(ErrorCode::kFailedPrecondition, "trying again does not help here");
  }
  if (view_.answer) {
    if (!view_.answer->new_pictures) {
      return Fail(ErrorCode::kFailedPrecondition, "new pictures do not help here");
    }
    TryDifferently();
    person_.confirmed = true;  // whoever asks for new pictures knows of the call before
  }
  ApproachCamera();
  return {};
}

Status VisitController::ChangeNumber(JsonView) {
  if (!view_.answer->other_number) {
    return Fail(ErrorCode::kFailedPrecondition, "another number does not help here");
  }
  TryDifferently();
  EnterNumber();
  return {};
}

void VisitController::TryDifferently() {
  deps_.queue.NobodyWaits(std::exchange(person_.reference, {}));
  ++person_.tries;
}

// Whoever needs longer to read or to write down gets the whole time again.
Status VisitController::StayHere(JsonView) {
  if (view_.answer) view_.answer->seconds_left = AnswerSeconds(view_.answer->kind);
  if (view_.stopped) view_.stopped->seconds_left = Seconds(deps_.settings.ui.answer);
  return {};
}

Status VisitController::GoOn(JsonView) {
  person_.confirmed = true;
  ApproachCamera();
  return {};
}

// --- Screens ---

void VisitController::Show(Screen screen) {
  if (view_.screen == Screen::kCamera && screen != Screen::kCamera) deps_.camera.Stop();
  StopScanning();
  view_.screen = screen;
  ++approach_;
  if (view_.number) Wipe(view_.number->digits);
  view_.number.reset();
  view_.reasons.reset();
  view_.camera.reset();
  view_.cannot.reset();
  view_.consent_text.clear();
  view_.consent_language.clear();
  view_.waiting.reset();
  view_.answer.reset();
  view_.stopped.reset();
  view_.repeated.reset();
  view_.idle_seconds.reset();
  view_.closed.reset();
  view_.opens_at.reset();
  tick_.Cancel();
  door_timer_.Cancel();
  watch_.End();
}

void VisitController::EnterNumber() {
  person_.bundle.reset();
  person_.confirmed = false;
  Show(Screen::kNumber);
  ShowNumber(std::nullopt);
}

void VisitController::ShowNumber(std::optional<NumberProblem> problem) {
  const std::string& test_nin = deps_.settings.service.test_nin;
  const bool is_test = !test_nin.empty() && person_.number.text() == test_nin;
  if (is_test && deps_.settings.environment == Environment::kProduction) {
    problem = NumberProblem::kTestNumberInProduction;
  }
  ++approach_;
  StopScanning();
  view_.number = {.digits = std::string(person_.number.text()), .problem = problem};
}

void VisitController::EnterReasonOrCamera() {
  std::vector<RequestReason> reasons = ReasonsHere();
  if (reasons.size() == 1) {
    person_.reason = reasons.front().code;
    return ApproachCamera();
  }
  Show(Screen::kReason);
  view_.reasons = {.list = std::move(reasons), .chosen = person_.reason};
}

void VisitController::ApproachCamera() {
  deps_.queue.FindObstacle(Question(), person_.confirmed,
                           [this, approach = ++approach_](const auto& looked) {
                             if (approach != approach_) return;
                             looked.obstacle ? TurnAway(*looked.obstacle) : EnterCamera();
                             Touched();
                             Publish();
                           });
}

void VisitController::EnterStopped(StopReason why, bool can_retry) {
  Show(Screen::kStopped);
  if (!can_retry) {
    Person rest;
    rest.visits = person_.visits;
    if (person_.order) deps_.order_over({.why = why, .order = std::move(person_.order)});
    person_ = std::move(rest);
  }
  view_.stopped = {
      .why = why, .can_retry = can_retry, .seconds_left = Seconds(deps_.settings.ui.answer)};
  CountDown();
}

void VisitController::EnterAnswer(AnswerKind kind, std::optional<AnswerReason> reason) {
  if (person_.visits && !person_.shows_answer) return EndSession();
  Show(Screen::kAnswer);
  view_.answer = {.kind = kind,
                  .reference = person_.reference,
                  .reason = reason,
                  .seconds_left = AnswerSeconds(kind)};
  const bool is_final = kind == AnswerKind::kNotVerified || kind == AnswerKind::kRefused;
  const std::string_view nin = person_.number.text();
  if (is_final)
    view_.answer->number_end = nin.substr(nin.size() - std::min(nin.size(), kNumberEnd));
  // Whoever has asked decides whether the same is asked once more.
  if (is_final && !person_.visits && person_.tries < kMostTries) {
    view_.answer->new_pictures = reason == AnswerReason::kNoMatch;
    view_.answer->other_number = reason == AnswerReason::kNoMatch ||
                                 reason == AnswerReason::kNoRecord ||
                                 reason == AnswerReason::kNumber;
    if (view_.answer->new_pictures || view_.answer->other_number) view_.answer->price = deps_.price;
  }
  CountDown();
}

void VisitController::EndSession() {
  const bool leaves = view_.screen == Screen::kWaiting || view_.screen == Screen::kAnswer;
  if (leaves && !person_.reference.empty()) deps_.queue.NobodyWaits(person_.reference);
  LogInfo("the session ended on the screen '{}'", Name(view_.screen));
  if (person_.order) {
    deps_.order_over({.reference = person_.reference,
                      .is_handed_in = leaves,
                      .why = view_.stopped ? std::optional(view_.stopped->why) : std::nullopt,
                      .order = person_.order});
  }
  if (person_.visits) deps_.visit_over(person_.reference);
  BeginSession();
}

void VisitController::BeginSession() {
  Show(Screen::kWelcome);
  person_ = Person();
  view_.session = NewSessionId(deps_.entropy);
  view_.language = deps_.settings.ui.language;
  view_.sound = deps_.settings.ui.sound;
  idle_timer_.Cancel();
  Publish();
  LookAtDoor();
}

// --- Waiting for the answer ---

void VisitController::OnAccepted(const Accepted& accepted) {
  if (!accepted) {
    TurnAway(accepted.error());
    Touched();
    return Publish();
  }
  person_.reference = *accepted;
  view_.waiting = {.stage = WaitingStage::kQueued, .reference = person_.reference};
  Publish();
  watch_.Begin(*accepted);
}

void VisitController::OnCallChanged(const CallReference& reference) {
  control_thread_.Check();
  watch_.OnCallChanged(reference);
  LookAtDoor();
}

void VisitController::OnNews(const CallWatch::News& news) {
  if (news.answer) {
    EnterAnswer(news.answer->kind, news.answer->reason);
  } else {
    view_.waiting = {.stage = news.stage, .reference = person_.reference, .is_long = news.is_long};
  }
  Publish();
}

// --- Time ---

void VisitController::Touched() {
  idle_timer_.Cancel();
  if (std::exchange(view_.idle_seconds, std::nullopt)) tick_.Cancel();
  if (!IsUnderWay(view_.screen)) return;
  idle_timer_ = ScopedTimer(deps_.runner, deps_.clock.Now() + deps_.settings.ui.idle, [this] {
    view_.idle_seconds = Seconds(deps_.settings.ui.warning);
    CountDown();
    Publish();
  });
}

// What this screen counts down to the end of the session; null if nothing.
int* VisitController::Counter() {
  if (view_.idle_seconds) return &*view_.idle_seconds;
  if (view_.answer) return &view_.answer->seconds_left;
  return view_.stopped ? &view_.stopped->seconds_left : nullptr;
}

void VisitController::CountDown() {
  tick_ = ScopedTimer(deps_.runner, deps_.clock.Now() + kSecond, [this] { Tick(); });
}

void VisitController::Tick() {
  if (view_.camera && view_.camera->starts_in && !view_.idle_seconds) {
    WaitForCamera(*view_.camera->starts_in - 1);
    return Publish();
  }
  int* const left = Counter();
  if (left == nullptr) return;
  if (--*left <= 0) return EndSession();
  CountDown();
  Publish();
}

int VisitController::AnswerSeconds(AnswerKind kind) const {
  const bool remember = kind == AnswerKind::kKept || kind == AnswerKind::kUnknown;
  return Seconds(deps_.settings.ui.answer) * (remember ? kTimesLongerWithReference : 1);
}

// --- What others need ---

VerificationCall VisitController::Question() const {
  VerificationCall call;
  call.endpoint = person_.endpoint;
  call.nin = SecretBytes::CopyOf(person_.number.text());
  call.reason = person_.reason;
  return call;
}

std::vector<RequestReason> VisitController::ReasonsHere() const {
  return OfferedReasons(deps_.settings, reasons_);
}

void VisitController::Publish() {
  control_thread_.Check();
  if (deps_.at_screen != nullptr) deps_.at_screen->Set(person_.number.text());
  deps_.publish(view_);
}

}  // namespace idkiosk
