#include "app/session/visit/visit_controller.h"

#include <algorithm>
#include <utility>

#include "app/session/offered_reasons.h"
#include "app/session/page_session.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);
// For as long as the page may take to see it between two snapshots.
constexpr Duration kRestarted = std::chrono::milliseconds(500);
// A reference must be written down.
constexpr int kTimesLongerWithReference = 2;

// A set of screens as bits.
template <typename... Screens>
constexpr uint32_t On(Screens... screens) {
  return ((1U << static_cast<unsigned>(screens)) | ...);
}

constexpr uint32_t kEverywhere = ~0U;
// Where a person has begun and nothing was sent.
constexpr uint32_t kUnderWay = On(Screen::kConsent, Screen::kNumber, Screen::kReason,
                                  Screen::kRepeated, Screen::kCamera, Screen::kLook);

int Seconds(Duration duration) { return static_cast<int>(duration / kSecond); }

// Nothing where pictures may be taken: what is asked would be sent, now or when the network and the
// time are there.
std::optional<StopReason> StopReasonOf(const CallDesk::Obstacles& obstacles) {
  if (!obstacles.room) return StopReason::kQueueFull;
  if (!obstacles.hold || obstacles.hold->reason == HoldReason::kClock) return std::nullopt;
  return obstacles.hold->reason == HoldReason::kSpendCap ? StopReason::kSpendCap
                                                         : StopReason::kHeld;
}

FacePictures TakePictures(CaptureBundle bundle) {
  FacePictures pictures;
  pictures.selfie = std::move(bundle.selfie.jpeg);
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    pictures.liveness[i] = std::move(bundle.liveness[i].jpeg);
  }
  return pictures;
}

}  // namespace

struct SessionController::Command {
  std::string_view name;
  uint32_t screens;
  Status (SessionController::*run)(JsonView);
};

// The whole path, as app/ui/README.md tells it.
const SessionController::Command SessionController::kCommands[] = {
    {"start", On(Screen::kWelcome), &SessionController::Start},
    {"language", kEverywhere, &SessionController::SetLanguage},
    {"sound", kEverywhere, &SessionController::SetSound},
    {"agree", On(Screen::kConsent), &SessionController::Agree},
    {"decline", On(Screen::kConsent), &SessionController::Decline},
    {"digit", On(Screen::kNumber), &SessionController::TypeDigit},
    {"delete", On(Screen::kNumber), &SessionController::DeleteDigit},
    {"number", On(Screen::kNumber), &SessionController::TypeNumber},
    {"next", On(Screen::kNumber, Screen::kReason), &SessionController::Next},
    {"back", kUnderWay, &SessionController::Back},
    {"reason", On(Screen::kReason), &SessionController::ChooseReason},
    {"stop", kUnderWay, &SessionController::Stop},
    {"send", On(Screen::kLook), &SessionController::Send},
    {"retake", On(Screen::kLook), &SessionController::RetakePictures},
    {"retry", On(Screen::kStopped), &SessionController::RetakePictures},
    {"scan", On(Screen::kNumber), &SessionController::ScanSlip},
    {"receipt", On(Screen::kAnswer), &SessionController::PrintReceipt},
    {"go_on", On(Screen::kRepeated), &SessionController::GoOn},
    {"still_here", kEverywhere, &SessionController::StayHere},
    {"finish", On(Screen::kWaiting, Screen::kAnswer, Screen::kStopped), &SessionController::Stop},
};

template <typename Function>
auto SessionController::InThisSession(Function function) {
  return [this, session = view_.session, function](auto result) {
    if (session == view_.session) function(result);
  };
}

SessionController::SessionController(Parts parts)
    : parts_(std::move(parts)),
      watch_(parts_.runner, parts_.clock, parts_.calls,
             [this](const CallWatch::News& news) { OnNews(news); }) {
  BeginSession();
}

SessionController::~SessionController() {
  StopScanning();
  parts_.camera.Stop();
}

Status SessionController::Do(std::string_view session, std::string_view command,
                             JsonView arguments) {
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

Result<SecretBytes> SessionController::Picture(std::string_view session, size_t index) const {
  if (session != view_.session || view_.screen != Screen::kLook || !person_.bundle ||
      index > CaptureBundle::kLivenessPictures) {
    return Fail(ErrorCode::kNotFound, "there is no such picture");
  }
  return (index == 0 ? person_.bundle->selfie : person_.bundle->liveness[index - 1]).jpeg.Clone();
}

void SessionController::SetOnline(bool online) {
  view_.online = online;
  Publish();
}

void SessionController::SetReasons(std::vector<RequestReason> reasons) {
  reasons_ = std::move(reasons);
}

// --- Commands ---

Status SessionController::Start(JsonView arguments) {
  if (arguments["language"].exists()) {
    if (Status set = SetLanguage(arguments); !set) return set;
  }
  if (ReasonsHere().empty()) {
    EnterStopped(StopReason::kNotReady, false);
    return {};
  }
  Show(Screen::kConsent);
  parts_.calls.FindObstacles(Question(), [this, session = view_.session](const auto& obstacles) {
    if (session == view_.session && TurnAway(obstacles)) Publish();
  });
  return {};
}

Status SessionController::SetLanguage(JsonView arguments) {
  return ChooseLanguage(view_, arguments);
}

Status SessionController::SetSound(JsonView arguments) { return ChooseSound(view_, arguments); }

Status SessionController::Agree(JsonView) {
  EnterNumber();
  return {};
}

Status SessionController::TypeDigit(JsonView arguments) {
  const auto digit = arguments["digit"].AsString().value_or("");
  if (digit.size() != 1 || digit[0] < '0' || digit[0] > '9') {
    return Fail(ErrorCode::kInvalid, "digit must be one of \"0\" to \"9\"");
  }
  (void)person_.number.Add(digit[0]);  // a twelfth one changes nothing
  ShowNumber(std::nullopt);
  return {};
}

Status SessionController::DeleteDigit(JsonView) {
  person_.number.DeleteLast();
  ShowNumber(std::nullopt);
  return {};
}

Status SessionController::TypeNumber(JsonView arguments) {
  if (!person_.number.Replace(arguments["digits"].AsString().value_or(""))) {
    return Fail(ErrorCode::kInvalid, "digits must be 1 to {} digits", NumberEntry::kDigits);
  }
  ShowNumber(std::nullopt);
  return {};
}

Status SessionController::Next(JsonView) {
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

Status SessionController::Back(JsonView) {
  switch (view_.screen) {
    case Screen::kNumber:
      Show(Screen::kConsent);
      break;
    case Screen::kReason:
    case Screen::kRepeated:
    case Screen::kCamera:
    case Screen::kLook:
      // The number of a visit is the clerk's.
      person_.visits ? EndSession() : EnterNumber();
      break;
    default:
      EndSession();
  }
  return {};
}

Status SessionController::ChooseReason(JsonView arguments) {
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

Status SessionController::Stop(JsonView) {
  EndSession();
  return {};
}

Status SessionController::Decline(JsonView) {
  EnterStopped(StopReason::kDeclined, false);
  return {};
}

Status SessionController::Send(JsonView) {
  VerificationCall call = Question();
  call.pictures = TakePictures(std::move(*std::exchange(person_.bundle, std::nullopt)));
  if (Status good = CheckCall(call, RulesOf(parts_.settings, reasons_)); !good) {
    LogError("a call was not fit to be sent: {}", good.error().message);
    EnterStopped(StopReason::kNotReady, false);
    return {};
  }
  Show(Screen::kWaiting);
  view_.waiting.emplace();
  // A call that was handed in is kept, also if the person leaves meanwhile.
  parts_.calls.Accept(std::move(call),
                      [this, session = view_.session](Result<CallReference> reference) {
                        if (session == view_.session) return OnAccepted(reference);
                        if (reference) parts_.calls.NobodyWaits(*reference);
                      });
  return {};
}

Status SessionController::RetakePictures(JsonView) {
  if (view_.stopped && !view_.stopped->can_retry) {
    return Fail(ErrorCode::kFailedPrecondition, "trying again does not help here");
  }
  EnterCamera();
  return {};
}

Status SessionController::StayHere(JsonView) { return {}; }

Status SessionController::GoOn(JsonView) {
  EnterCamera();
  return {};
}

// --- The camera ---

void SessionController::OnStep(const CaptureStep& step) {
  const MonotonicTime now = parts_.clock.Now();
  if (step.restarted) restarted_until_ = now + kRestarted;
  view_.camera = {.prompt = step.prompt,
                  .guidance = step.guidance,
                  .step = step.pictures,
                  .held = step.held,
                  .trouble = std::nullopt,
                  .restarted = now < restarted_until_};
  if (step.face_seen) Touched();  // who stands there is not idle
  Publish();
}

void SessionController::OnTrouble(CameraTrouble trouble) {
  view_.camera->trouble = trouble;
  Publish();
}

void SessionController::OnPictures(Result<CaptureBundle> pictures) {
  if (pictures) {
    person_.bundle = std::move(*pictures);
    Show(Screen::kLook);
    Touched();
  } else {
    LogWarning("no pictures: {}", pictures.error().message);
    const bool nobody_followed =
        pictures.error().code == ErrorCode::kTimeout && !(view_.camera && view_.camera->trouble);
    EnterStopped(nobody_followed ? StopReason::kCaptureTimeout : StopReason::kCameraAway, true);
    Touched();
  }
  Publish();
}

// --- Screens ---

void SessionController::Show(Screen screen) {
  if (view_.screen == Screen::kCamera && screen != Screen::kCamera) parts_.camera.Stop();
  StopScanning();
  view_.screen = screen;
  ++approach_;
  if (view_.number) Wipe(view_.number->digits);
  view_.number.reset();
  view_.reasons.reset();
  view_.camera.reset();
  view_.waiting.reset();
  view_.answer.reset();
  view_.stopped.reset();
  view_.idle_seconds.reset();
  tick_.Cancel();
  watch_.End();
}

void SessionController::EnterNumber() {
  person_.bundle.reset();
  Show(Screen::kNumber);
  ShowNumber(std::nullopt);
}

void SessionController::ShowNumber(std::optional<NumberProblem> problem) {
  const std::string& test_nin = parts_.settings.service.test_nin;
  const bool is_test = !test_nin.empty() && person_.number.text() == test_nin;
  if (is_test && parts_.settings.environment == Environment::kProduction) {
    problem = NumberProblem::kTestNumberInProduction;
  }
  ++approach_;
  StopScanning();
  view_.number = {.digits = std::string(person_.number.text()), .problem = problem};
}

void SessionController::EnterReasonOrCamera() {
  std::vector<RequestReason> reasons = ReasonsHere();
  if (reasons.size() == 1) {
    person_.reason = reasons.front().code;
    return ApproachCamera();
  }
  Show(Screen::kReason);
  view_.reasons = {.list = std::move(reasons), .chosen = person_.reason};
}

void SessionController::ApproachCamera() {
  parts_.calls.FindObstacles(Question(), [this, approach = ++approach_](const auto& obstacles) {
    if (approach != approach_) return;
    if (!TurnAway(obstacles)) {
      // Whoever stands there may be anybody: what came of it is for the one who has the reference.
      obstacles.earlier ? Show(Screen::kRepeated) : EnterCamera();
      Touched();
    }
    Publish();
  });
}

bool SessionController::TurnAway(const CallDesk::Obstacles& obstacles) {
  const auto why = StopReasonOf(obstacles);
  if (!why) return false;
  LogWarning("a person was turned away: {}",
             obstacles.room ? obstacles.hold->detail : obstacles.room.error().message);
  EnterStopped(*why, false);
  return true;
}

void SessionController::EnterCamera() {
  person_.bundle.reset();
  Show(Screen::kCamera);
  view_.camera.emplace();
  parts_.camera.Start(*this);
}

void SessionController::EnterStopped(StopReason why, bool can_retry) {
  Show(Screen::kStopped);
  if (!can_retry) person_ = Person{{}, {}, {}, {}, person_.visits};
  view_.stopped = {
      .why = why, .can_retry = can_retry, .seconds_left = Seconds(parts_.settings.ui.answer)};
  CountDown();
}

void SessionController::EnterAnswer(AnswerKind kind, std::string reason) {
  if (person_.visits) return EndSession();
  Show(Screen::kAnswer);
  view_.answer = {.kind = kind,
                  .reference = person_.reference,
                  .reason = std::move(reason),
                  .seconds_left = AnswerSeconds(kind)};
  CountDown();
}

void SessionController::Begin(const Visit& visit) {
  End();
  view_.session = NewSessionId(parts_.entropy);
  view_.language = visit.language;
  view_.sound = visit.sound;
  person_.visits = true;
  (void)person_.number.Replace(visit.nin.text());  // it was checked
  person_.reason = visit.reason;
  EnterCamera();
  Touched();
  Publish();
}

void SessionController::End() {
  if (view_.screen != Screen::kWelcome) EndSession();
}

void SessionController::EndSession() {
  const bool leaves = view_.screen == Screen::kWaiting || view_.screen == Screen::kAnswer;
  if (leaves && !person_.reference.empty()) parts_.calls.NobodyWaits(person_.reference);
  LogInfo("session over at {}", Name(view_.screen));
  if (person_.visits) parts_.visit_over(person_.reference);
  BeginSession();
}

void SessionController::BeginSession() {
  Show(Screen::kWelcome);
  person_ = Person();
  view_.session = NewSessionId(parts_.entropy);
  view_.language = parts_.settings.ui.language;
  view_.sound = parts_.settings.ui.sound;
  idle_timer_.Cancel();
  Publish();
}

// --- Waiting for the answer ---

void SessionController::OnAccepted(const Result<CallReference>& reference) {
  if (!reference) {
    LogError("a call could not be kept: {}", reference.error().message);
    EnterStopped(StopReason::kQueueFull, false);
    Touched();
    return Publish();
  }
  person_.reference = *reference;
  view_.waiting->stage = WaitingStage::kQueued;
  Publish();
  watch_.Begin(*reference);
}

void SessionController::OnCallChanged(const CallReference& reference) {
  watch_.OnCallChanged(reference);
}

void SessionController::OnNews(const CallWatch::News& news) {
  if (news.answer) {
    EnterAnswer(news.answer->kind, news.answer->reason);
  } else {
    view_.waiting = {.stage = news.stage, .is_long = news.is_long};
  }
  Publish();
}

// --- Time ---

void SessionController::Touched() {
  idle_timer_.Cancel();
  if (std::exchange(view_.idle_seconds, std::nullopt)) tick_.Cancel();
  if ((kUnderWay & On(view_.screen)) == 0) return;
  idle_timer_ = ScopedTimer(parts_.runner, parts_.clock.Now() + parts_.settings.ui.idle, [this] {
    view_.idle_seconds = Seconds(parts_.settings.ui.warning);
    CountDown();
    Publish();
  });
}

// What this screen counts down to the end of the session; null if nothing.
int* SessionController::Counter() {
  if (view_.idle_seconds) return &*view_.idle_seconds;
  if (view_.answer) return &view_.answer->seconds_left;
  return view_.stopped ? &view_.stopped->seconds_left : nullptr;
}

void SessionController::CountDown() {
  tick_ = ScopedTimer(parts_.runner, parts_.clock.Now() + kSecond, [this] { Tick(); });
}

void SessionController::Tick() {
  int* const left = Counter();
  if (left == nullptr) return;
  if (--*left <= 0) return EndSession();
  CountDown();
  Publish();
}

int SessionController::AnswerSeconds(AnswerKind kind) const {
  const bool remember = kind == AnswerKind::kKept || kind == AnswerKind::kUnknown;
  return Seconds(parts_.settings.ui.answer) * (remember ? kTimesLongerWithReference : 1);
}

// --- What others need ---

VerificationCall SessionController::Question() const {
  VerificationCall call;
  call.endpoint = Endpoint::kVerify;
  call.nin = SecretBytes::CopyOf(person_.number.text());
  call.reason = person_.reason;
  return call;
}

std::vector<RequestReason> SessionController::ReasonsHere() const {
  return OfferedReasons(parts_.settings, reasons_);
}

void SessionController::Publish() { parts_.publish(view_); }

}  // namespace idkiosk
