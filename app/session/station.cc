#include "app/session/station.h"

#include <utility>

#include "app/session/page_session.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// An operator who went away leaves nothing open.
constexpr Duration kCornerIdle = std::chrono::minutes(2);

CommandReply Refused(ErrorCode code, std::string_view sentence) {
  return {Fail(code, "{}", sentence), "", 0, ""};
}

// What the page is told of a try.
CommandReply ReplyOf(const StaffDoor::Answer& answer) {
  using Kind = StaffDoor::Answer::Kind;
  std::string problem;
  switch (answer.kind) {
    case Kind::kOpen:
      return {};
    case Kind::kWrong:
      problem = "wrong";
      break;
    case Kind::kLockedOut:
      problem = "locked_out";
      break;
    case Kind::kNoPin:
      problem = "no_pin";
      break;
    case Kind::kFailed:
      problem = "failed";
      break;
  }
  return {Fail(ErrorCode::kForbidden, "{}", answer.sentence), problem, answer.seconds, ""};
}

}  // namespace

Station::Station(Parts parts)
    : parts_(std::move(parts)),
      person_({parts_.settings, parts_.runner, parts_.clock, parts_.entropy, parts_.camera,
               parts_.calls, [this](const UiSnapshot&) { Publish(); }}) {}

void Station::Do(std::string_view session, std::string_view command, JsonView arguments,
                 Reply reply) {
  if (session != view().session) {
    return reply(Refused(ErrorCode::kFailedPrecondition, "this session is over"));
  }
  Touched();
  if (command == "operator.unlock") return UnlockCorner(arguments, std::move(reply));
  if (front_ == Front::kOperator) return DoInCorner(command, arguments, std::move(reply));
  reply({person_.Do(session, command, arguments), "", 0, ""});
}

Result<SecretBytes> Station::Picture(std::string_view session, size_t index) const {
  return person_.Picture(session, index);
}

// --- The operator's corner ---

// Not while a person is looked at, or waits for what was paid for.
bool Station::CornerMayOpen() const {
  const Screen screen = view().screen;
  return screen != Screen::kCamera && screen != Screen::kWaiting && screen != Screen::kOperator;
}

void Station::UnlockCorner(JsonView arguments, Reply reply) {
  constexpr std::string_view kNotHere = "the operator's corner does not open on this screen";
  const auto pin = arguments["pin"].AsString();
  if (!pin) return reply(Refused(ErrorCode::kInvalid, "pin must be a text of digits"));
  if (!CornerMayOpen()) return reply(Refused(ErrorCode::kFailedPrecondition, kNotHere));
  parts_.operator_door.Try(
      SecretBytes::CopyOf(*pin),
      [this, session = view().session, answer = std::move(reply)](const auto& tried) mutable {
        if (tried.kind != StaffDoor::Answer::Kind::kOpen) return answer(ReplyOf(tried));
        if (session != view().session || !CornerMayOpen()) {
          return answer(Refused(ErrorCode::kFailedPrecondition, kNotHere));
        }
        OpenCorner();
        answer({});
      });
}

void Station::OpenCorner() {
  person_.End();
  front_ = Front::kOperator;
  BeginStaffSession(Screen::kOperator);
  parts_.corner.Open([this] { Publish(); });
  Touched();
  Publish();
}

void Station::CloseCorner() {
  parts_.corner.Close();
  front_ = Front::kPerson;
  idle_.Cancel();
  LogInfo("the operator's corner is closed");
  Publish();
}

void Station::DoInCorner(std::string_view command, JsonView arguments, Reply reply) {
  Status done;
  if (command == "language") {
    done = ChooseLanguage(staff_view_, arguments);
  } else if (command == "sound") {
    done = ChooseSound(staff_view_, arguments);
  } else if (command == "operator.close") {
    CloseCorner();
  } else if (command != "still_here") {
    return parts_.corner.Do(command, arguments, std::move(reply));
  }
  Publish();
  reply({done, "", 0, ""});
}

// --- What they share ---

void Station::BeginStaffSession(Screen screen) {
  const UiSnapshot before = view();
  staff_view_ = UiSnapshot();
  staff_view_.session = NewSessionId(parts_.entropy);
  staff_view_.screen = screen;
  staff_view_.language = before.language;
  staff_view_.sound = before.sound;
}

void Station::Touched() {
  if (front_ != Front::kOperator) return;
  idle_ = ScopedTimer(parts_.runner, parts_.clock.Now() + kCornerIdle, [this] { CloseCorner(); });
}

const UiSnapshot& Station::view() const {
  return front_ == Front::kPerson ? person_.view() : staff_view_;
}

void Station::Publish() {
  UiSnapshot next = view();
  next.online = person_.view().online;
  if (front_ == Front::kOperator) next.operator_corner = parts_.corner.Snapshot();
  if (revision_ == 0 || !(next == published_)) {
    std::swap(next, published_);
    parts_.publish(published_, ++revision_);
  }
  if (next.number) Wipe(next.number->digits);
}

}  // namespace idkiosk
