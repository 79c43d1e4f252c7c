#include "app/session/staff/pin_lock.h"

#include <algorithm>
#include <charconv>

#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

// The file of wrong tries is one line of text: "pin-tries/1 ", the number in seven digits and a
// line end; an earlier program wrote fewer digits. A damaged one counts as many as lock it, and
// so does one that is gone though there is a PIN.

namespace idkiosk {
namespace {

constexpr int kFree = 3;  // the third wrong try locks it
constexpr Duration kFirstWait = std::chrono::seconds(30);
constexpr Duration kLongestWait = std::chrono::minutes(15);
constexpr int kMostTries = 1'000'000;
constexpr std::string_view kMagic = "pin-tries/1 ";
constexpr size_t kLargestFile = 64;
constexpr std::string_view kPage = "page";

// Returns how long it stays locked after so many wrong tries.
Duration WaitAfter(int tries) {
  Duration wait = tries < kFree ? Duration() : kFirstWait;
  for (int i = kFree; i < tries && wait < kLongestWait; ++i) wait *= 2;
  return std::min(wait, kLongestWait);
}

}  // namespace

std::string PinLock::TriesPath(const std::string& folder, Staff staff) {
  return fmt::format("{}/{}-pin-tries", folder, Name(staff));
}

PinLock::PinLock(const Dependencies& deps, Staff staff, const std::string& folder)
    : deps_(deps), staff_(staff), path_(TriesPath(folder, staff)) {
  const int tries = ReadTries();
  closed_until_ = deps_.clock.Now() + WaitAfter(tries);
  // While there is room for it.
  if (Status made = WriteTries(tries); !made) LogWarning("{}", made.error().message);
}

Status PinLock::ForgetTries(FileSystem& files, const std::string& folder, Staff staff) {
  return WriteTries(files, TriesPath(folder, staff), 0);
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
  const int tries = std::min(ReadTries() + 1, kMostTries);
  if (Status counted = WriteTries(tries); !counted) return failed(counted.error());
  const auto fits = PinFits(*record, pin, deps_.crypto);
  if (!fits) return failed(fits.error());
  if (!*fits) return {{Answer::Kind::kWrong, 0, "this PIN is not right"}, tries};
  if (Status cleared = WriteTries(0); !cleared) {
    LogWarning("the count of wrong PINs could not be cleared: {}", cleared.error().message);
  }
  return {{Answer::Kind::kOpen, 0, ""}, 0};
}

int PinLock::ReadTries() {
  const auto bytes = deps_.files.Read(path_, kLargestFile);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
    // It is made before a PIN is: somebody took it away to forget what it counts.
    return deps_.storage.Get(PinSecret(staff_)) ? kFree : 0;
  }
  std::string_view text = bytes ? AsText(*bytes) : "";
  int tries = -1;
  if (text.starts_with(kMagic) && text.ends_with('\n')) {
    text.remove_prefix(kMagic.size());
    text.remove_suffix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tries);
    if (error != std::errc() || end != text.data() + text.size()) tries = -1;
  }
  return tries < 0 || tries > kMostTries ? kFree : tries;
}

Status PinLock::WriteTries(FileSystem& files, const std::string& path, int tries) {
  const std::string line = fmt::format("{}{:07}\n", kMagic, tries);
  Status written = files.Overwrite(path, AsBytes(line));
  const bool no_place = !written && (written.error().code == ErrorCode::kNotFound ||
                                     written.error().code == ErrorCode::kFailedPrecondition);
  return no_place ? files.WriteDurably(path, AsBytes(line), FileAccess::kOwnerOnly) : written;
}

}  // namespace idkiosk
