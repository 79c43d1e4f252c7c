#ifndef IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_
#define IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_

#include <functional>
#include <optional>
#include <string>

#include "app/audit/audit_log.h"
#include "app/journal/journal.h"
#include "platform/api/clock.h"
#include "platform/api/secure_storage.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// An event as it was read.
struct AuditEntry {
  uint64_t number = 0;  // from 1
  WallTime at;
  std::string event;  // its name; one of a newer idkiosk may be unknown here
  std::string by;
  std::string what;
};

// The audit trail of a state folder: a journal that every idkiosk writes, in turns. Its newest
// place is kept in the vault, so that an older copy, or one that is cut short, is noticed.
//
// A trail that is damaged goes on: an event says what was found, and stays.
//
// Errors of every function: FileSystem's; SecureStorage's (there is no vault yet, or it is
// damaged). Of Record also kUnavailable: another program writes it, for five seconds.
class AuditTrail final : public AuditLog {
 public:
  // All must outlive this. Touches no file.
  AuditTrail(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
             SecureStorage& vault, FileSystem& files);

  [[nodiscard]] Status Record(AuditEvent event, std::string_view by,
                              std::string_view what) override;

  using Each = std::function<void(const AuditEntry& entry)>;
  // Hands out every proven entry, the oldest first. Returns what all of it is worth. Writes nothing,
  // and waits for nobody.
  [[nodiscard]] Result<JournalVerdict> Read(const Each& each);

 private:
  struct Opened;
  [[nodiscard]] Result<Opened> OpenToWrite() REQUIRES(turn_);
  [[nodiscard]] Result<Opened> Open(uint64_t from, const Each& each) REQUIRES(turn_);
  [[nodiscard]] Result<std::optional<JournalPosition>> Anchor();
  [[nodiscard]] Status SetOldAside();
  // Errors: SecureStorage's, but for a full disk, which is in the log.
  [[nodiscard]] Status Remember(const JournalPosition& newest);
  // Makes what was read ready for entries. Where it is damaged, the first of them says so.
  [[nodiscard]] Status GoOn(Opened& opened);

  const std::string folder_;
  const Clock& clock_;
  const Crypto& crypto_;
  SecureStorage& vault_;
  FileSystem& files_;
  Mutex turn_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_
