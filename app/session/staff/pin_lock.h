#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/session/command_reply.h"
#include "app/session/staff/pin_judge.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Lets staff in by name and PIN, and makes guessing slow: after three wrong tries one person waits
// for 30 s, after ten of anybody everybody does, and twice as long after each further one, 15
// minutes at most; after a restart the whole wait begins again. Staff, who must mend a full disk,
// gets in while it is full, too: PinTries says how it counts then. On the control thread, but for
// the judging.
class PinLock {
 public:
  // All must outlive this. `storage` is used on the storage thread alone.
  struct Dependencies {
    SecureStorage& storage;
    FileSystem& files;
    const Crypto& crypto;
    const Clock& clock;
    AuditLog& audit;  // the storage thread
    TaskRunner& storage_runner;
    TaskRunner& control;
  };
  struct Answer {
    enum class Kind {
      kOpen,
      kWrong,
      kLockedOut,  // not even judged, or wrong once too often: wait for `seconds`
      kNoPin,      // none was ever set; `sentence` says how
      kFailed,     // vault or disk; not judged
    };
    Kind kind = Kind::kFailed;
    int seconds = 0;
    std::string sentence;
    std::string name;  // whose PIN it is
    std::string id;    // StaffMember's
  };
  // Somebody who wants to sign in, or to confirm what is put down as another event.
  struct Attempt {
    std::string name;  // empty: the only person of this kind
    SecretBytes pin;
    std::string_view confirms = {};  // the event's name; empty: signs in
  };
  using Then = std::move_only_function<void(Answer)>;

  // Reads at once what an earlier program counted in `state_folder`.
  PinLock(const Dependencies& deps, Staff staff, const std::string& state_folder);

  // Tries that come meanwhile are judged one after the other.
  void Try(Attempt attempt, Then then);

  // Until the next try of somebody is judged; 0: at once.
  [[nodiscard]] int seconds_left() const;

 private:
  void Next() REQUIRES(control_thread_);
  // On the storage thread.
  [[nodiscard]] PinJudge::Verdict Judge(const Attempt& attempt);
  [[nodiscard]] Answer OnJudged(PinJudge::Verdict verdict) REQUIRES(control_thread_);
  void Count(const PinJudge::Verdict& verdict) REQUIRES(control_thread_);
  [[nodiscard]] Answer LockedOut(int seconds) const;
  [[nodiscard]] int SecondsLeft(const std::string& name) const REQUIRES(control_thread_);

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  const Staff staff_;
  PinJudge judge_;  // the storage thread, but for the constructor
  MonotonicTime closed_until_ GUARDED_BY(control_thread_);
  std::map<std::string, MonotonicTime> closed_for_ GUARDED_BY(control_thread_);  // by name
  std::vector<std::string> names_ GUARDED_BY(control_thread_);
  bool judging_ GUARDED_BY(control_thread_) = false;
  std::deque<std::pair<Attempt, Then>> waiting_ GUARDED_BY(control_thread_);
};

// Returns what the page is told of a try.
[[nodiscard]] CommandReply ReplyOf(const PinLock::Answer& answer);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_
