#ifndef IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_
#define IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_

#include <functional>
#include <string>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/journal/shared_journal.h"
#include "platform/api/clock.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// An event as it was read.
struct AuditEntry {
  uint64_t number = 0;  // from 1
  WallTime at;
  std::string event;  // its name; one of a newer idkiosk may be unknown here
  std::string by;
  std::string what;
  Crypto::Digest mac{};         // proves it and all before it
  Crypto::Digest mac_before{};  // of the entry before it
};

// Where its files lie, in the state folder.
inline constexpr std::string_view kAuditFolder = "audit";

// The audit trail of a state folder: a shared journal, which says by an event that it was found
// damaged. Errors of every function: SharedJournal's.
class AuditTrail final : public AuditLog {
 public:
  // All must outlive this. Touches no file.
  AuditTrail(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
             SecureStorage& vault, FileSystem& files);

  [[nodiscard]] Status Record(AuditEvent event, std::string_view by,
                              std::string_view what) override;

  using Each = std::function<void(const AuditEntry& entry)>;
  // Hands out every proven entry, the oldest first. Returns what all of it is worth.
  [[nodiscard]] Result<JournalVerdict> Read(const Each& each);
  // Returns the proven entries behind that number (0: all), `limit` of them, the oldest first.
  [[nodiscard]] Result<std::vector<AuditEntry>> Entries(uint64_t number, size_t limit);

 private:
  const Clock& clock_;
  SharedJournal journal_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_AUDIT_AUDIT_TRAIL_H_
