#include "app/session/staff/clerk_console.h"

#include <algorithm>
#include <utility>

#include "app/capture/image/jpeg_decoder.h"
#include "app/capture/image/png_size.h"
#include "app/session/offered_reasons.h"
#include "platform/base/enum_rows.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kRefreshEvery = std::chrono::seconds(20);
constexpr Duration kLookAgainAfter = std::chrono::milliseconds(500);

// Of a question that was put away, or a desk that was locked, before it came to anything.
CommandReply PutAway() {
  return Refused(ErrorCode::kFailedPrecondition, "this was put away meanwhile");
}

// By Obstacle::Kind.
constexpr CommandProblem kObstacles[] = {CommandProblem::kQueueFull, CommandProblem::kHeld,
                                         CommandProblem::kSpendCap, CommandProblem::kAskedBefore};
static_assert(std::size(kObstacles) == EnumeratorCount<Obstacle::Kind>());
CommandProblem ProblemWith(Obstacle::Kind kind) { return kObstacles[static_cast<size_t>(kind)]; }

SecretBytes Number(JsonView arguments, std::string_view name) {
  return CleanNumber(arguments[name].AsString().value_or(""));
}

// What was typed, as far as the question has a place for it.
VerificationCall CallOf(Endpoint endpoint, JsonView arguments) {
  using enum Placeholder;
  const EndpointTraits traits = TraitsOf(endpoint);
  VerificationCall call;
  call.endpoint = endpoint;
  if (traits.Takes(kNin)) call.nin = Number(arguments, "nin");
  if (traits.Takes(kPhone)) call.phone = Number(arguments, "phone");
  if (traits.Takes(kIdNumber)) call.id_number = Number(arguments, "id_number");
  if (traits.Takes(kType)) call.id_type = arguments["type"].AsString().value_or(call.id_type);
  if (traits.Takes(kRequestReason)) call.reason = arguments["reason"].AsString().value_or("");
  return call;
}

// A few kilobytes may say that they are a picture of gigabytes, and the browser would make it.
bool IsPicture(const SecretBytes& bytes) {
  constexpr int64_t kMostPixels = 16'000'000;
  if (bytes.text().starts_with("\xff\xd8\xff")) {
    const auto head = JpegDecoder(kMostPixels).ReadHeader(bytes.view());
    return head || head.error().code != ErrorCode::kInvalid;
  }
  const auto size = ReadPngSize(bytes.view());
  return size && static_cast<int64_t>(size->width) * size->height <= kMostPixels;
}

void AddField(std::vector<ClerkView::Field>& fields, std::string_view name,
              const SecretBytes& value) {
  if (!value.empty()) fields.push_back({std::string(name), std::string(value.text())});
}

}  // namespace

ClerkConsole::ClerkConsole(Dependencies deps)
    : deps_(std::move(deps)),
      watch_(deps_.runner, deps_.clock, deps_.queue,
             [this](const CallWatch::News& news) { OnNews(news); }),
      throttle_(deps_.runner, deps_.clock, kLookAgainAfter, [this] { Refresh(); }) {
  for (const Endpoint each : kEndpoints) {
    if (!TaskOf(each).empty() && CheckCallable(deps_.profile, each, deps_.settings.environment)) {
      const int64_t price = deps_.profile.at(each).price;
      view_.tasks.push_back(
          {each, FormatPrice(price, deps_.profile.currency), deps_.profile.at(each).has_reason});
    }
  }
  view_.types = deps_.profile.at(Endpoint::kCheck).kinds;
  view_.currency = deps_.profile.currency;
}

void ClerkConsole::Open() {
  control_thread_.Check();
  open_ = true;
  Refresh();
}

void ClerkConsole::Lock() {
  control_thread_.Check();
  Dismiss();
  open_ = false;
  refresh_.Cancel();
  throttle_.Cancel();
}

void ClerkConsole::Do(std::string_view command, JsonView arguments, Reply reply) {
  control_thread_.Check();
  if (command == "ask") return Ask(arguments, std::move(reply));
  if (command == "show") return Show(arguments, std::move(reply));
  if (command == "resend" || command == "give_up") {
    return Decide(command, arguments, std::move(reply));
  }
  if (command != "dismiss") {
    return reply(Refused(ErrorCode::kFailedPrecondition, "there is no such command here"));
  }
  Dismiss();
  deps_.changed();
  reply({});
}

Result<SecretBytes> ClerkConsole::Photo() const {
  control_thread_.Check();
  if (photo_.empty()) return Fail(ErrorCode::kNotFound, "there is no such picture");
  return photo_.Clone();
}

void ClerkConsole::Dismiss() {
  ++laid_;
  watch_.End();
  if (!awaited_.empty()) deps_.queue.NobodyWaits(std::exchange(awaited_, {}));
  question_.clear();
  photo_ = SecretBytes();
  view_.answer.reset();
  view_.asking = false;
  view_.problem.reset();
}

// --- Asking ---

void ClerkConsole::Ask(JsonView arguments, Reply reply) {
  if (view_.asking) {
    return reply(Refused(ErrorCode::kFailedPrecondition, "the answer before is still awaited"));
  }
  const auto task = arguments["question"].AsString().value_or("");
  const auto endpoint = EndpointOfTask(task);
  if (!endpoint || std::ranges::count(view_.tasks, *endpoint, &ClerkView::Task::endpoint) == 0) {
    return reply(Refused(ErrorCode::kInvalid, "question must be one of the desk's tasks"));
  }
  VerificationCall call = CallOf(*endpoint, arguments);
  if (auto problem = ProblemOf(call)) return reply(std::move(*problem));
  // Whoever comes before the camera is asked there.
  if (!TraitsOf(*endpoint).TakesPictures() && arguments["consent"].AsBool() != true) {
    return reply(
        Refused(ErrorCode::kInvalid, "the person must have agreed", CommandProblem::kConsent));
  }
  Dismiss();
  view_.asking = true;
  question_ = task;
  deps_.changed();
  const bool confirmed = arguments["confirmed"].AsBool().value_or(false);
  deps_.queue.FindObstacle(std::move(call), confirmed,
                           [this, laid = laid_, confirmed,
                            answer = std::move(reply)](QueueClient::Looked looked) mutable {
                             if (laid == laid_)
                               return OnLooked(std::move(looked), confirmed, std::move(answer));
                             answer(PutAway());
                           });
}

std::optional<CommandReply> ClerkConsole::ProblemOf(const VerificationCall& call) const {
  const auto said = [](const Error& error, CommandProblem problem) {
    return CommandReply{std::unexpected(error), problem};
  };
  const EndpointProfile& about = deps_.profile.at(call.endpoint);
  const bool lacks_reason = about.has_reason && call.reason.empty();
  if (!lacks_reason && !CheckKind(call, about)) {
    return Refused(ErrorCode::kInvalid, "type must be one of desk.types",
                   CommandProblem::kIdNumber);
  }
  CallRules rules = RulesOf(deps_.settings, reasons_);
  const Status good = CheckQuestion(call, rules);
  if (!good && good.error().code == ErrorCode::kFailedPrecondition) {
    return CommandReply{Fail(ErrorCode::kForbidden, "{}", good.error().message),
                        CommandProblem::kNotReady};
  }
  const EndpointTraits traits = TraitsOf(call.endpoint);
  const auto offered = OfferedReasons(deps_.settings, reasons_);
  const bool reason_is_good =
      !about.has_reason ||
      std::ranges::find(offered, call.reason, &RequestReason::code) != offered.end();
  rules.reasons = {call.reason};
  if (const Status number = CheckQuestion(call, rules); !number) {
    rules.environment = Environment::kSandbox;
    if (CheckQuestion(call, rules)) return said(number.error(), CommandProblem::kTestNumber);
    return said(number.error(), traits.Takes(Placeholder::kPhone) ? CommandProblem::kPhone
                                                                  : CommandProblem::kNumber);
  }
  if (!reason_is_good) {
    return Refused(ErrorCode::kInvalid, "reason must be one of those that are offered",
                   CommandProblem::kReason);
  }
  return std::nullopt;
}

CommandReply ClerkConsole::ReplyOf(const Obstacle& obstacle) const {
  CommandReply reply = Refused(ErrorCode::kForbidden, obstacle.message, ProblemWith(obstacle.kind));
  Duration seconds{};
  if (obstacle.before) {
    seconds = deps_.clock.WallNow() - obstacle.before->accepted_at;
    reply.reference = obstacle.before->reference;
  } else if (obstacle.hold && obstacle.hold->until) {
    seconds = *obstacle.hold->until - deps_.clock.WallNow();
  }
  reply.seconds = static_cast<int>(seconds / std::chrono::seconds(1));
  return reply;
}

void ClerkConsole::OnLooked(QueueClient::Looked looked, bool confirmed, Reply reply) {
  VerificationCall& call = looked.question;
  if (looked.obstacle) {
    Refuse(looked.obstacle->kind);
    return reply(ReplyOf(*looked.obstacle));
  }
  if (!TraitsOf(call.endpoint).TakesPictures()) {
    return HandIn(std::move(call), confirmed, std::move(reply));
  }
  reply({});
  deps_.seat(call, confirmed);
}

void ClerkConsole::HandIn(VerificationCall call, bool confirmed, Reply reply) {
  deps_.queue.Accept(
      std::move(call), {.confirmed = confirmed, .consent = deps_.consent()},
      [this, laid = laid_, answer = std::move(reply)](const Accepted& accepted) mutable {
        if (!accepted) {
          LogWarning("a question was not accepted: {}", accepted.error().message);
          if (laid == laid_) Refuse(accepted.error().kind);
          return answer(ReplyOf(accepted.error()));
        }
        answer({});
        if (laid == laid_) return Await(*accepted);
        deps_.queue.NobodyWaits(*accepted);
      });
}

void ClerkConsole::OnVisitOver(const CallReference& reference) {
  control_thread_.Check();
  if (reference.empty()) {
    Refuse(std::nullopt);
  } else {
    Await(reference);
  }
}

void ClerkConsole::Await(const CallReference& reference) {
  awaited_ = reference;
  Refresh();
  watch_.Begin(reference);
}

void ClerkConsole::OnNews(const CallWatch::News& news) {
  control_thread_.Check();
  if (!news.answer) return;
  ClerkView::Answer answer{.kind = news.answer->kind,
                           .reference = std::exchange(awaited_, {}),
                           .reason = news.answer->reason,
                           .question = std::exchange(question_, {}),
                           .fields = {},
                           .photo = false};
  const bool told =
      news.answer->kind == AnswerKind::kVerified || news.answer->kind == AnswerKind::kNotVerified;
  if (news.answer->kind == AnswerKind::kKept) deps_.queue.NobodyWaits(answer.reference);
  if (told) return OpenAnswer(std::move(answer), false, [](const CommandReply&) {});
  view_.asking = false;
  view_.answer = std::move(answer);
  Refresh();
  deps_.changed();
}

void ClerkConsole::OpenAnswer(ClerkView::Answer answer, bool opened_by_hand, Reply reply) {
  const CallReference reference = answer.reference;
  auto open = [this, laid = laid_, shown = std::move(answer), opened_by_hand,
               then = std::move(reply)](Result<AnswerParts> parts) mutable {
    if (laid != laid_) return then(PutAway());
    view_.asking = false;
    if (parts) {
      AddField(shown.fields, "name", parts->name);
      AddField(shown.fields, "status", parts->status);
      AddField(shown.fields, "service_reference", parts->reference);
      shown.photo = IsPicture(parts->photo);
      if (shown.photo) photo_ = std::move(parts->photo);
    } else {
      LogWarning("{}: {}", shown.reference, parts.error().message);
    }
    const bool nothing = opened_by_hand && !parts;
    if (!nothing) view_.answer = std::move(shown);
    Refresh();
    deps_.changed();
    then(nothing ? Refused(ErrorCode::kForbidden, parts.error().message, CommandProblem::kNoAnswer)
                 : CommandReply());
  };
  deps_.queue.OpenAnswer(reference, std::move(open));
}

void ClerkConsole::Refuse(std::optional<Obstacle::Kind> obstacle) {
  view_.asking = false;
  // What was asked before is a question to the clerk.
  if (obstacle != Obstacle::Kind::kAskedBefore) view_.problem = obstacle.transform(&ProblemWith);
  question_.clear();
  deps_.changed();
}

// --- The queue ---

const ClerkView::Call* ClerkConsole::Find(std::string_view reference) const {
  const auto found = std::ranges::find(view_.queue, reference, &ClerkView::Call::reference);
  return found == view_.queue.end() ? nullptr : &*found;
}

void ClerkConsole::Show(JsonView arguments, Reply reply) {
  const ClerkView::Call* call = Find(arguments["reference"].AsString().value_or(""));
  if (call == nullptr) {
    return reply(Refused(ErrorCode::kInvalid, "reference must be that of a call in the list"));
  }
  if (!call->answered || view_.asking) {
    return reply(Refused(ErrorCode::kFailedPrecondition, "there is no answer to show now"));
  }
  ClerkView::Answer answer{.kind = call->verdict == Name(Verdict::kVerified)
                                       ? AnswerKind::kVerified
                                       : AnswerKind::kNotVerified,
                           .reference = call->reference,
                           .reason = std::nullopt,
                           .question = call->question,
                           .fields = {},
                           .photo = false};
  Dismiss();
  OpenAnswer(std::move(answer), true, std::move(reply));
}

void ClerkConsole::Decide(std::string_view command, JsonView arguments, Reply reply) {
  const ClerkView::Call* call = Find(arguments["reference"].AsString().value_or(""));
  if (call == nullptr) {
    return reply(Refused(ErrorCode::kInvalid, "reference must be that of a call in the list"));
  }
  const auto seen = arguments["attempts"].AsInteger();
  if (command == "resend" && (!seen || !arguments["confirmed"].AsBool().value_or(false))) {
    return reply(Refused(ErrorCode::kInvalid,
                         fmt::format("attempts must be those that were shown, and confirmed true: "
                                     "it may be billed twice, {} more",
                                     call->price)));
  }
  auto then = [this, answer = std::move(reply)](const Status& done) mutable {
    Refresh();
    answer(
        done ? CommandReply()
             : Refused(ErrorCode::kForbidden, done.error().message, CommandProblem::kNotPossible));
  };
  if (command == "resend") {
    return deps_.queue.Resend(call->reference, static_cast<int>(*seen), std::move(then));
  }
  deps_.queue.GiveUp(call->reference, std::move(then));
}

void ClerkConsole::OnCallChanged(const CallReference& reference) {
  control_thread_.Check();
  watch_.OnCallChanged(reference);
  throttle_.Ask();
}

void ClerkConsole::SetReasons(std::vector<RequestReason> reasons) {
  control_thread_.Check();
  reasons_ = std::move(reasons);
}

void ClerkConsole::SetCameraAway(bool away) {
  control_thread_.Check();
  view_.camera_away = away;
}

void ClerkConsole::SetOnline(bool online) {
  control_thread_.Check();
  view_.network = online ? NetworkState::kUp : NetworkState::kDown;
}

void ClerkConsole::Refresh() {
  control_thread_.Check();
  if (!open_) return;
  refresh_ = ScopedTimer(deps_.runner, deps_.clock.Now() + kRefreshEvery, [this] { Refresh(); });
  if (std::exchange(refreshing_, true)) {
    refresh_again_ = true;
    return;
  }
  deps_.queue.ReadOverview([this](const Result<QueueClient::Overview>& overview) {
    refreshing_ = false;
    if (overview) {
      ShowOverview(*overview);
    } else {
      LogWarning("the list of calls: {}", overview.error().message);
    }
    if (std::exchange(refresh_again_, false)) Refresh();
    if (open_) deps_.changed();
  });
}

void ClerkConsole::ShowOverview(const QueueClient::Overview& overview) {
  const WallTime now = deps_.clock.WallNow();
  view_.queue.clear();
  for (const CallSummary& each : overview.calls) {
    const bool resendable = each.state == CallState::kUnknown && each.has_payload;
    const bool told = each.verdict == Verdict::kVerified || each.verdict == Verdict::kNotVerified;
    const auto age = std::chrono::floor<std::chrono::minutes>(now - each.accepted_at).count();
    view_.queue.push_back(
        {.reference = each.reference,
         .state = std::string(StateWord(each)),
         .verdict = each.verdict == Verdict::kNone ? "" : std::string(Name(each.verdict)),
         .question = std::string(TaskOf(each.endpoint)),
         .age_minutes = std::max<int64_t>(age, 0),
         .attempts = each.attempts,
         .price =
             resendable ? FormatPrice(each.resend_price, deps_.profile.currency) : std::string(),
         .answered = each.has_answer && told});
  }
  view_.calls_today = overview.billed_today;
  view_.spent_today = FormatAmount(overview.spent_today);
}

}  // namespace idkiosk
