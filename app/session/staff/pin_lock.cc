#include "app/session/staff/pin_lock.h"

#include <algorithm>

#include "app/session/staff/page_user.h"
#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {

PinLock::PinLock(const Dependencies& deps, Staff staff, const std::string& state_folder)
    : deps_(deps),
      staff_(staff),
      judge_({deps.storage, deps.files, deps.crypto}, staff, state_folder) {
  const auto found = judge_.Begin();
  if (found) {
    Count(*found);
    return;
  }
  // Without a vault nobody gets in, and there is nothing to wait for.
  const bool is_empty = found.error().code == ErrorCode::kFailedPrecondition;
  closed_until_ = deps_.clock.Now() +
                  WaitAfter(is_empty ? 0 : PinTries::kLockoutOfAll, PinTries::kLockoutOfAll);
}

void PinLock::Try(Attempt attempt, Then then) {
  control_thread_.Check();
  waiting_.emplace_back(std::move(attempt), std::move(then));
  Next();
}

int PinLock::SecondsLeft(const std::string& name) const {
  const auto own = closed_for_.find(name);
  const MonotonicTime until =
      own == closed_for_.end() ? closed_until_ : std::max(closed_until_, own->second);
  const Duration left = until - deps_.clock.Now();
  return std::max(0, static_cast<int>(std::chrono::ceil<std::chrono::seconds>(left).count()));
}

int PinLock::seconds_left() const {
  control_thread_.Check();
  if (names_.empty()) return SecondsLeft("");
  int least = SecondsLeft(names_.front());
  for (const std::string& each : names_) least = std::min(least, SecondsLeft(each));
  return least;
}

PinLock::Answer PinLock::LockedOut(int seconds) const {
  return {Answer::Kind::kLockedOut, seconds,
          fmt::format("too many wrong tries: wait for {} s", seconds), "", ""};
}

void PinLock::Next() {
  while (!judging_ && !waiting_.empty()) {
    auto [attempt, then] = std::move(waiting_.front());
    waiting_.pop_front();
    const bool is_only_one = attempt.name.empty() && names_.size() == 1;
    const int seconds = SecondsLeft(is_only_one ? names_.front() : attempt.name);
    if (seconds > 0) {
      then(LockedOut(seconds));
      continue;
    }
    judging_ = true;
    PostTaskAndReply(
        deps_.storage_runner, deps_.control,
        [this, tried = std::move(attempt)]() -> PinJudge::Verdict { return Judge(tried); },
        [this, answer = std::move(then)](PinJudge::Verdict verdict) mutable {
          control_thread_.Check();
          answer(OnJudged(std::move(verdict)));
          Next();
        });
  }
}

// A wait begins with each wrong try, and begins again only with the next one.
void PinLock::Count(const PinJudge::Verdict& verdict) {
  names_ = verdict.names;
  const MonotonicTime now = deps_.clock.Now();
  closed_until_ = now + WaitAfter(verdict.counts.all, PinTries::kLockoutOfAll);
  for (const auto& [name, tries] : verdict.counts.own) {
    if (verdict.name.empty() || verdict.name == name) {
      closed_for_[name] = now + WaitAfter(tries, PinTries::kLockout);
    }
  }
}

PinLock::Answer PinLock::OnJudged(PinJudge::Verdict verdict) {
  using Judged = PinJudge::Verdict::Kind;
  judging_ = false;
  if (verdict.kind == Judged::kOpen) {
    // The audit trail says who: the log may leave the bank.
    LogInfo("the {} was let in", Name(staff_));
    closed_for_.erase(verdict.name);
    return {Answer::Kind::kOpen, 0, "", std::move(verdict.name), std::move(verdict.id)};
  }
  LogWarning("the {} was not let in: {}", Name(staff_), verdict.sentence);
  if (verdict.kind == Judged::kNoPin) return {Answer::Kind::kNoPin, 0, verdict.sentence, "", ""};
  if (verdict.kind == Judged::kFailed) return {Answer::Kind::kFailed, 0, verdict.sentence, "", ""};
  Count(verdict);
  const int seconds = SecondsLeft(verdict.name);
  if (seconds > 0) return LockedOut(seconds);
  return {Answer::Kind::kWrong, 0, std::move(verdict.sentence), "", ""};
}

PinJudge::Verdict PinLock::Judge(const Attempt& attempt) {
  PinJudge::Verdict verdict = judge_.Judge({.name = attempt.name}, attempt.pin);
  const bool is_unnamed = verdict.name.empty() || verdict.name == Name(staff_);
  const std::string who =
      is_unnamed ? std::string(Name(staff_)) : fmt::format("{} {}", Name(staff_), verdict.name);
  if (verdict.kind != PinJudge::Verdict::Kind::kOpen) {
    deps_.audit.Note(AuditEvent::kSignInRefused, ByOnPage(""),
                     fmt::format("{}: {}", who, verdict.sentence));
    return verdict;
  }
  const std::string by = ByOnPage(is_unnamed ? "" : verdict.name);
  if (attempt.confirms.empty()) {
    deps_.audit.Note(AuditEvent::kSignedIn, by, Name(staff_));
  } else {
    deps_.audit.Note(AuditEvent::kConfirmed, by, attempt.confirms);
  }
  return verdict;
}

CommandReply ReplyOf(const PinLock::Answer& answer) {
  using Kind = PinLock::Answer::Kind;
  std::optional<CommandProblem> problem;
  switch (answer.kind) {
    case Kind::kOpen:
      return {};
    case Kind::kWrong:
      problem = CommandProblem::kWrong;
      break;
    case Kind::kLockedOut:
      problem = CommandProblem::kLockedOut;
      break;
    case Kind::kNoPin:
      problem = CommandProblem::kNoPin;
      break;
    case Kind::kFailed:
      problem = CommandProblem::kFailed;
      break;
  }
  return {Fail(ErrorCode::kForbidden, "{}", answer.sentence), problem, answer.seconds, ""};
}

}  // namespace idkiosk
