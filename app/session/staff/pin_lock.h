#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "app/audit/audit_log.h"
#include "app/session/staff/pin_tries.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Lets staff in by their PIN, and makes guessing slow: after three wrong tries it waits for 30 s,
// and twice as long after each further one, 15 minutes at most. Each try is counted on the disk
// before it is judged, so pulling the plug gains nothing: after a restart the whole wait begins
// again. A right PIN clears the count. Staff, who must mend a full disk, gets in while it is full,
// too: PinTries says how it counts then. On the control thread, but for the judging.
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
  };
  using Then = std::move_only_function<void(Answer)>;

  // Reads at once what an earlier program counted in `state_folder`.
  PinLock(const Dependencies& deps, Staff staff, const std::string& state_folder);

  // Tries that come meanwhile are judged one after the other.
  void Try(SecretBytes pin, Then then);

  // Until the next try is judged; 0: at once.
  [[nodiscard]] int seconds_left() const;

 private:
  struct Judged {
    Answer answer;
    int tries = 0;  // wrong ones, this one included
  };
  void Next() REQUIRES(control_thread_);
  // On the storage thread.
  [[nodiscard]] Judged Judge(const SecretBytes& pin);
  [[nodiscard]] Judged JudgeUnseen(const SecretBytes& pin);
  void OnJudged(Judged judged) REQUIRES(control_thread_);
  [[nodiscard]] Answer LockedOut() const REQUIRES(control_thread_);

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  const Staff staff_;
  PinTries tries_;  // the storage thread, but for the constructor
  MonotonicTime closed_until_ GUARDED_BY(control_thread_);
  bool judging_ GUARDED_BY(control_thread_) = false;
  std::deque<std::pair<SecretBytes, Then>> waiting_ GUARDED_BY(control_thread_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_LOCK_H_
