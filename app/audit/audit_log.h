#ifndef IDKIOSK_APP_AUDIT_AUDIT_LOG_H_
#define IDKIOSK_APP_AUDIT_AUDIT_LOG_H_

#include <string>
#include <string_view>

#include "app/audit/audit_event.h"
#include "platform/base/error.h"
#include "platform/base/log.h"

namespace idkiosk {

// Where it is put down who did what to a kiosk. Any thread.
class AuditLog {
 public:
  virtual ~AuditLog() = default;

  // Puts an event down. Once this returns it survives a power cut. `by`: who does it. `what`: as
  // the catalogue says; never a secret, and nothing of a person but a call's reference. Errors:
  // AuditTrail's.
  [[nodiscard]] virtual Status Record(AuditEvent event, std::string_view by,
                                      std::string_view what) = 0;

  // The same where what happened has happened: an error goes into the log.
  void Note(AuditEvent event, std::string_view by, std::string_view what) {
    if (Status put = Record(event, by, what); !put) {
      LogWarning("{} is not in the audit trail: {}", Name(event), put.error().message);
    }
  }

  // Does `act`, a function that returns a Status or a Result, once it is on the disk that it will
  // be done: nothing is done that nobody can find out about. Where it fails, that is put down too.
  // Errors also: Record's, and then nothing was done.
  template <typename Act>
  [[nodiscard]] auto Do(AuditEvent event, std::string_view by, std::string_view what, Act act)
      -> decltype(act()) {
    if (Status put = Record(event, by, what); !put) {
      return std::unexpected(
          put.error().Within("nothing was done, as the audit trail cannot be written"));
    }
    auto done = act();
    if (!done)
      Note(AuditEvent::kNotDone, by, fmt::format("{}: {}", Name(event), done.error().message));
    return done;
  }
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_AUDIT_AUDIT_LOG_H_
