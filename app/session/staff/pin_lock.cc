#include "app/session/staff/pin_lock.h"

#include <algorithm>

#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kFirstWait = std::chrono::seconds(30);
constexpr Duration kLongestWait = std::chrono::minutes(15);
constexpr std::string_view kPage = "page";

// Returns how long it stays locked after so many wrong tries.
Duration WaitAfter(int tries) {
  Duration wait = tries < PinTries::kLockout ? Duration() : kFirstWait;
  for (int i = PinTries::kLockout; i < tries && wait < kLongestWait; ++i) wait *= 2;
  return std::min(wait, kLongestWait);
}

}  // namespace

PinLock::PinLock(const Dependencies& deps, Staff staff, const std::string& state_folder)
    : deps_(deps),
      staff_(staff),
      tries_({deps.storage, deps.files, deps.crypto}, staff, state_folder) {
  auto tries = tries_.Read();
  // Without a vault nobody gets in, and there is nothing to wait for.
  if (!tries && tries.error().code == ErrorCode::kFailedPrecondition) tries = 0;
  closed_until_ = deps_.clock.Now() + WaitAfter(tries.value_or(PinTries::kLockout));
  if (!tries || *tries == 0) return;
  // In place of a file that was not ours, while there is room for it.
  if (Status made = tries_.Write(*tries); !made) LogWarning("{}", made.error().message);
}

void PinLock::Try(SecretBytes pin, Then then) {
  control_thread_.Check();
  waiting_.emplace_back(std::move(pin), std::move(then));
  Next();
}

int PinLock::seconds_left() const {
  control_thread_.Check();
  const Duration left = closed_until_ - deps_.clock.Now();
  return std::max(0, static_cast<int>(std::chrono::ceil<std::chrono::seconds>(left).count()));
}

PinLock::Answer PinLock::LockedOut() const {
  return {Answer::Kind::kLockedOut, seconds_left(),
          fmt::format("too many wrong tries: wait for {} s", seconds_left())};
}

void PinLock::Next() {
  while (!judging_ && !waiting_.empty()) {
    auto [pin, then] = std::move(waiting_.front());
    waiting_.pop_front();
    if (seconds_left() > 0) {
      then(LockedOut());
      continue;
    }
    judging_ = true;
    PostTaskAndReply(
        deps_.storage_runner, deps_.control,
        [this, tried = std::move(pin)]() -> Judged { return Judge(tried); },
        [this, answer = std::move(then)](Judged judged) mutable {
          control_thread_.Check();
          OnJudged(judged);
          answer(judged.answer.kind == Answer::Kind::kWrong && seconds_left() > 0
                     ? LockedOut()
                     : std::move(judged.answer));
          Next();
        });
  }
}

void PinLock::OnJudged(Judged judged) {
  judging_ = false;
  if (judged.answer.kind == Answer::Kind::kOpen) {
    LogInfo("the {} signed in", Name(staff_));
  } else {
    LogWarning("the {} was not let in: {}", Name(staff_), judged.answer.sentence);
  }
  if (judged.answer.kind != Answer::Kind::kWrong) return;
  closed_until_ = deps_.clock.Now() + WaitAfter(judged.tries);
}

PinLock::Judged PinLock::Judge(const SecretBytes& pin) {
  Judged judged = JudgeUnseen(pin);
  if (judged.answer.kind == Answer::Kind::kOpen) {
    deps_.audit.Note(AuditEvent::kSignedIn, kPage, Name(staff_));
  } else {
    deps_.audit.Note(AuditEvent::kSignInRefused, kPage,
                     fmt::format("{}: {}", Name(staff_), judged.answer.sentence));
  }
  return judged;
}

PinLock::Judged PinLock::JudgeUnseen(const SecretBytes& pin) {
  const auto failed = [](const Error& error) {
    return Judged{{Answer::Kind::kFailed, 0, error.message}, 0};
  };
  const auto record = deps_.storage.Get(PinSecret(staff_));
  if (!record && record.error().code == ErrorCode::kNotFound) {
    return {{Answer::Kind::kNoPin, 0,
             fmt::format("no PIN is set for the {0}: run 'idkiosk pin set {0}'", Name(staff_))},
            0};
  }
  if (!record) return failed(record.error());
  const auto before = tries_.Read();
  if (!before) return failed(before.error());
  const int tries = std::min(*before + 1, PinTries::kMost);
  if (Status counted = tries_.Write(tries); !counted) return failed(counted.error());
  const auto fits = PinFits(*record, pin, deps_.crypto);
  if (!fits) return failed(fits.error());
  if (!*fits) return {{Answer::Kind::kWrong, 0, "this PIN is not right"}, tries};
  if (Status cleared = tries_.Write(0); !cleared) {
    LogWarning("the count of wrong PINs could not be cleared: {}", cleared.error().message);
  }
  return {{Answer::Kind::kOpen, 0, ""}, 0};
}

}  // namespace idkiosk
