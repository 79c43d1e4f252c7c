#include "app/session/page_controller.h"

#include <utility>

#include "app/session/offered_reasons.h"
#include "app/session/page_session.h"
#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// An operator who went away leaves nothing open.
constexpr Duration kConsoleIdle = std::chrono::minutes(2);

constexpr std::string_view kLeft = "the page was left, or opened anew, before the PIN was judged";

// Of a command with `name` and `pin`.
PinLock::Attempt AttemptOf(JsonView arguments, std::string_view pin) {
  return {std::string(arguments["name"].AsString().value_or("")), SecretBytes::CopyOf(pin)};
}

// Where there is nobody to choose from, nobody need choose.
std::vector<std::string> Several(std::vector<std::string> names) {
  if (names.size() < 2) names.clear();
  return names;
}

std::string PriceOfCheck(const PageController::Dependencies& deps) {
  return FormatPrice(deps.profile.at(Endpoint::kVerify).price, deps.profile.currency);
}

}  // namespace

PageController::PageController(Dependencies deps)
    : deps_(std::move(deps)),
      person_({deps_.settings, deps_.runner, deps_.clock, deps_.entropy, deps_.camera, deps_.queue,
               [this](const UiSnapshot& person) { OnPersonChanged(person); }, deps_.devices,
               [this](auto then) { LookAtCamera(std::move(then)); },
               // Who is alone at a kiosk does not pay.
               deps_.settings.mode == Mode::kHandheld ? PriceOfCheck(deps_) : std::string(),
               [this](const CallReference& reference) { OnVisitOver(reference); }, deps_.order_over,
               deps_.consents, deps_.at_screen}) {
  if (deps_.settings.mode == Mode::kBranch) {
    desk_.emplace(ClerkConsole::Dependencies{
        deps_.settings, deps_.profile, deps_.runner, deps_.clock, deps_.queue,
        [this](const VerificationCall& question, bool confirmed) { Seat(question, confirmed); },
        [this] { return ConsentHere(); }, [this] { Publish(); }});
  }
  if (deps_.settings.mode == Mode::kHandheld) {
    agent_.emplace(AgentBar::Dependencies{deps_.queue, deps_.files, deps_.clock,
                                          deps_.storage_runner, deps_.runner, PriceOfCheck(deps_),
                                          [this] { Publish(); }});
    agent_->Look();
  }
  deps_.staff.Listen([this] { OnStaffChanged(); });
  complete_ = true;
  if (desk_ || agent_) {
    Lock();
  } else {
    Publish();
  }
}

void PageController::Do(std::string_view session, std::string_view command, JsonView arguments,
                        Reply reply) {
  control_thread_.Check();
  if (session != view().session) {
    return reply(Refused(ErrorCode::kFailedPrecondition, "this session is over"));
  }
  Touched();
  deps_.staff.Look();
  if (command == "operator.unlock") return UnlockConsole(arguments, std::move(reply));
  if (command == "operator.first") return BecomeFirst(arguments, std::move(reply));
  // Whoever hands it over, or puts it down, need not wait until it locks itself.
  if (command == "lock" && (front_ == Front::kDesk || (agent_ && front_ == Front::kPerson))) {
    Lock();
    return reply({});
  }
  if (front_ != Front::kPerson) return DoForStaff(command, arguments, std::move(reply));
  reply({person_.Do(session, command, arguments)});
}

void PageController::DoForStaff(std::string_view command, JsonView arguments, Reply reply) {
  Status done;
  if (command == "language") {
    done = ChooseLanguage(staff_view_, arguments);
  } else if (command == "sound") {
    done = ChooseSound(staff_view_, arguments);
  } else if (front_ == Front::kLocked && command == "unlock") {
    return Unlock(arguments, std::move(reply));
  } else if (front_ == Front::kOperator && command == "operator.close") {
    CloseConsole();
  } else if (command == "still_here") {
    done = {};
  } else if (front_ == Front::kDesk) {
    return desk_->Do(command, arguments, std::move(reply));
  } else if (front_ == Front::kOperator && command == "operator.number") {
    return ShowNumber(arguments, std::move(reply));
  } else if (front_ == Front::kOperator) {
    return deps_.console.Do(command, arguments, std::move(reply));
  } else {
    return reply(Refused(ErrorCode::kFailedPrecondition, "there is no such command here"));
  }
  Publish();
  reply({done});
}

Result<SecretBytes> PageController::Picture(std::string_view session, size_t index) const {
  control_thread_.Check();
  return person_.Picture(session, index);
}

Result<SecretBytes> PageController::AnswerPhoto(std::string_view session) const {
  control_thread_.Check();
  if (front_ == Front::kDesk && session == staff_view_.session) return desk_->Photo();
  return Fail(ErrorCode::kNotFound, "there is no such picture");
}

void PageController::SetOnline(bool online) {
  control_thread_.Check();
  if (desk_) desk_->SetOnline(online);
  person_.SetOnline(online);
}

void PageController::SetReasons(const std::vector<RequestReason>& reasons) {
  control_thread_.Check();
  reasons_ = reasons;
  if (desk_) desk_->SetReasons(reasons);
  person_.SetReasons(reasons);
  Publish();
}

void PageController::OnCallChanged(const CallReference& reference) {
  control_thread_.Check();
  if (desk_) desk_->OnCallChanged(reference);
  if (agent_) agent_->OnCallChanged();
  person_.OnCallChanged(reference);
}

// --- Staff behind a PIN ---

void PageController::Unlock(JsonView arguments, Reply reply) {
  const auto pin = arguments["pin"].AsString();
  if (!pin) return reply(Refused(ErrorCode::kInvalid, "pin must be a text of digits"));
  deps_.clerk_lock.Try(AttemptOf(arguments, *pin),
                       [this, typed = Now(), answer = std::move(reply)](const auto& tried) mutable {
                         const bool open = tried.kind == PinLock::Answer::Kind::kOpen;
                         if (open && typed != Now()) {
                           return answer(Refused(ErrorCode::kFailedPrecondition, kLeft));
                         }
                         if (open && front_ == Front::kLocked) {
                           SignIn(tried);
                           LetIn();
                         }
                         CountDown();
                         answer(ReplyOf(tried));
                       });
}

// Who has no name of their own is called what the settings say.
void PageController::SignIn(const PinLock::Answer& answer) {
  const bool is_unnamed = answer.name == Name(Staff::kClerk);
  deps_.user.SignIn(is_unnamed ? deps_.settings.staff.name : answer.name, answer.id);
}

void PageController::LetIn() {
  if (desk_) {
    Enter(Front::kDesk, Screen::kDesk);
    desk_->Open();
    if (deps_.look_at_camera) {
      deps_.look_at_camera([this](bool there) {
        desk_->SetCameraAway(!there);
        Publish();
      });
    }
  } else {
    front_ = Front::kPerson;
  }
  Touched();
  Publish();
}

void PageController::Lock() {
  deps_.user.SignOut();
  Enter(Front::kLocked, Screen::kLocked);
  idle_.Cancel();
  CountDown();
}

// An agent's handheld is locked between two people, never before somebody's eyes.
void PageController::LockOnceFree() {
  constexpr Duration kLookAgain = std::chrono::seconds(5);
  if (view().screen == Screen::kWelcome) return Lock();
  idle_ = ScopedTimer(deps_.runner, deps_.clock.Now() + kLookAgain, [this] { LockOnceFree(); });
}

bool PageController::IsStaffNoMore() const {
  return !deps_.user.id().empty() && !deps_.staff.Has(deps_.user.id());
}

void PageController::OnStaffChanged() {
  if (IsStaffNoMore()) {
    LogWarning("whoever is signed in is staff no more, or has another PIN: signed out");
    if (front_ == Front::kOperator) return CloseConsole();
    if (front_ == Front::kDesk) return Lock();
    // At a desk once the person has left the camera: OnVisitOver.
    if (front_ == Front::kPerson && agent_) return LockOnceFree();
  }
  Publish();
}

void PageController::CountDown() {
  constexpr Duration kSecond = std::chrono::seconds(1);
  Publish();
  if (front_ != Front::kLocked || deps_.clerk_lock.seconds_left() == 0) return tick_.Cancel();
  tick_ = ScopedTimer(deps_.runner, deps_.clock.Now() + kSecond, [this] { CountDown(); });
}

// --- Whoever sits down at a desk ---

void PageController::Seat(const VerificationCall& question, bool confirmed) {
  front_ = Front::kPerson;
  idle_.Cancel();
  person_.Begin({.question = question,
                 .language = staff_view_.language,
                 .sound = staff_view_.sound,
                 .confirmed = confirmed});
}

Status PageController::CheckFree() const {
  const auto not_now = [](std::string_view why) {
    return Fail(ErrorCode::kUnavailable, "{}", why);
  };
  if (deps_.is_page_open && !deps_.is_page_open()) {
    return not_now("no page is open at the screen; start its browser");
  }
  if (front_ == Front::kLocked) return not_now("the screen is locked: staff must sign in at it");
  if (front_ == Front::kOperator) return not_now("the operator's console is open");
  if (front_ == Front::kDesk) return {};
  if (view().screen != Screen::kWelcome) return not_now("somebody is before the screen");
  if (view().closed) return not_now(fmt::format("the screen is closed: {}", Name(*view().closed)));
  return {};
}

Status PageController::Invite(std::shared_ptr<const VisitOrder> order) {
  control_thread_.Check();
  if (Status free = CheckFree(); !free) return free;
  const UiSnapshot& before = view();
  const VisitController::Visit visit{.question = order->question,
                                     .language = before.language,
                                     .sound = before.sound,
                                     .confirmed = order->confirmed,
                                     .shows_answer = !desk_,
                                     .order = order};
  if (desk_) idle_.Cancel();
  front_ = Front::kPerson;
  person_.Begin(visit);
  Touched();
  return {};
}

Consent PageController::ConsentHere() const {
  if (deps_.consents != nullptr) return deps_.consents->In(staff_view_.language).consent;
  return {std::string(kOwnConsentVersion), staff_view_.language};
}

void PageController::OnVisitOver(const CallReference& reference) {
  if (!desk_) return;  // the next person is welcomed
  desk_->OnVisitOver(reference);
  if (front_ != Front::kPerson) return;  // somebody else has taken the screen
  front_ = Front::kDesk;
  if (IsStaffNoMore()) return Lock();
  Touched();
  Publish();
}

void PageController::OnPersonChanged(const UiSnapshot& person) {
  if (desk_ && person.camera && person.camera->step > 0) desk_->SetCameraAway(false);
  if (desk_ && person.stopped && person.stopped->why == StopReason::kCameraAway) {
    desk_->SetCameraAway(true);
  }
  Publish();
}

void PageController::LookAtCamera(std::move_only_function<void(bool there)> then) {
  // The console may be looking through it.
  if (deps_.look_at_camera && front_ != Front::kOperator) deps_.look_at_camera(std::move(then));
}

// --- Another browser, or the page loaded anew ---

void PageController::OnPageOpened() {
  control_thread_.Check();
  ++openings_;
  if (front_ == Front::kLocked) return;
  if (front_ == Front::kOperator) return CloseConsole();
  if (desk_ || agent_) return Lock();
  person_.End();
}

// --- The operator's console ---

// Not while a person is looked at, or waits for what was paid for.
bool PageController::ConsoleMayOpen() const {
  const Screen screen = view().screen;
  return screen != Screen::kCamera && screen != Screen::kWaiting && screen != Screen::kOperator;
}

void PageController::UnlockConsole(JsonView arguments, Reply reply) {
  static constexpr std::string_view kNotHere =
      "the operator's console does not open on this screen";
  const auto pin = arguments["pin"].AsString();
  if (!pin) return reply(Refused(ErrorCode::kInvalid, "pin must be a text of digits"));
  if (!ConsoleMayOpen()) return reply(Refused(ErrorCode::kFailedPrecondition, kNotHere));
  deps_.operator_lock.Try(
      AttemptOf(arguments, *pin),
      [this, typed = Now(), answer = std::move(reply)](const auto& tried) mutable {
        if (tried.kind != PinLock::Answer::Kind::kOpen) return answer(ReplyOf(tried));
        if (typed != Now() || !ConsoleMayOpen()) {
          return answer(Refused(ErrorCode::kFailedPrecondition, kNotHere));
        }
        deps_.user.SignIn(tried.name, tried.id);
        OpenConsole();
        answer({});
      });
}

bool PageController::MayBecomeFirst() const {
  return deps_.become_first && ConsoleMayOpen() && deps_.staff.NamesOf(Staff::kOperator).empty();
}

void PageController::BecomeFirst(JsonView arguments, Reply reply) {
  const auto pin = arguments["pin"].AsString();
  const auto name = arguments["name"].AsString();
  if (!pin || !name) return reply(Refused(ErrorCode::kInvalid, "it takes a name and a PIN"));
  if (!deps_.become_first || !ConsoleMayOpen()) {
    return reply(Refused(ErrorCode::kFailedPrecondition, "nobody becomes the operator here"));
  }
  PostTaskAndReply(
      deps_.storage_runner, deps_.runner,
      [this, who = std::string(*name), tried = SecretBytes::CopyOf(*pin)] {
        return deps_.become_first(who, tried);
      },
      [this, typed = Now(), answer = std::move(reply)](FirstOperator first) mutable {
        if (!first) return answer(std::move(first.error()));
        LogInfo("there is a first operator");
        // Whoever is elsewhere by now opens the console by their PIN.
        if (typed == Now() && ConsoleMayOpen()) {
          deps_.user.SignIn(first->name, first->id);
          OpenConsole();
        }
        answer({});
      });
}

// Somebody's number is shown to who gives the PIN of whoever is signed in, and not to who walked up
// to an open console.
void PageController::ShowNumber(JsonView arguments, Reply reply) {
  const auto pin = arguments["pin"].AsString();
  const auto reference = ParseReference(arguments["reference"].AsString().value_or(""));
  if (!pin || !reference) {
    return reply(Refused(ErrorCode::kInvalid, "it takes a call's reference and a PIN of digits"));
  }
  deps_.operator_lock.Try(
      {deps_.user.name(), SecretBytes::CopyOf(*pin), Name(AuditEvent::kNumberShown)},
      [this, typed = Now(), call = *reference,
       answer = std::move(reply)](const auto& tried) mutable {
        if (tried.kind != PinLock::Answer::Kind::kOpen) return answer(ReplyOf(tried));
        if (typed != Now()) return answer(Refused(ErrorCode::kFailedPrecondition, kLeft));
        deps_.console.ShowNumber(call, std::move(answer));
      });
}

void PageController::OpenConsole() {
  Enter(Front::kOperator, Screen::kOperator);
  deps_.console.Open([this] { Publish(); });
  Touched();
  Publish();
}

void PageController::CloseConsole() {
  deps_.console.Close();
  LogInfo("the operator's console is closed");
  deps_.user.SignOut();
  if (desk_ || agent_) return Lock();
  front_ = Front::kPerson;
  idle_.Cancel();
  Publish();
}

// --- What they share ---

void PageController::Enter(Front front, Screen screen) {
  UiSnapshot next;
  next.session = NewSessionId(deps_.entropy);
  next.screen = screen;
  next.language = view().language;
  next.sound = view().sound;
  staff_view_ = std::move(next);
  front_ = front;
  person_.End();
  if (desk_ && front != Front::kDesk) desk_->Lock();
}

void PageController::Touched() {
  const MonotonicTime now = deps_.clock.Now();
  // Of who is staff no more as soon as nobody is before it.
  const MonotonicTime lock_at = IsStaffNoMore() ? now : now + deps_.settings.staff.lock_after;
  if (front_ == Front::kOperator) {
    idle_ = ScopedTimer(deps_.runner, now + kConsoleIdle, [this] { CloseConsole(); });
  } else if (front_ == Front::kDesk) {
    idle_ = ScopedTimer(deps_.runner, lock_at, [this] { Lock(); });
  } else if (front_ == Front::kPerson && agent_) {
    idle_ = ScopedTimer(deps_.runner, lock_at, [this] { LockOnceFree(); });
  }
}

const UiSnapshot& PageController::view() const {
  return front_ == Front::kPerson ? person_.view() : staff_view_;
}

void PageController::Publish() {
  control_thread_.Check();
  if (!complete_) return;
  // A kiosk that rests wakes nothing.
  deps_.staff.Follow(desk_ || agent_ || front_ != Front::kPerson);
  UiSnapshot next = view();
  next.online = person_.view().online;
  if (front_ == Front::kLocked) {
    next.locked_seconds = deps_.clerk_lock.seconds_left();
    next.clerks = Several(deps_.staff.NamesOf(Staff::kClerk));
  }
  // On the console for the second one.
  if (front_ == Front::kOperator || ConsoleMayOpen()) {
    next.operators = Several(deps_.staff.NamesOf(Staff::kOperator));
  }
  next.may_become_first = MayBecomeFirst();
  if (agent_ || front_ != Front::kPerson) next.user = deps_.user.name();
  if (front_ == Front::kDesk) {
    next.desk = desk_->view();
    next.reasons = {OfferedReasons(deps_.settings, reasons_), ""};
  }
  if (front_ == Front::kOperator) next.operator_console = deps_.console.Snapshot();
  if (agent_) next.agent = agent_->view();
  if (revision_ == 0 || !(next == published_)) {
    // A short text that is moved away, or goes, leaves its signs where it was.
    if (published_.number) Wipe(published_.number->digits);
    Wipe(published_.operator_console);
    published_ = next;
    deps_.publish(published_, ++revision_);
  }
  if (next.number) Wipe(next.number->digits);
  Wipe(next.operator_console);
}

}  // namespace idkiosk
