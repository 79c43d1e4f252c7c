#include "app/api/check_owners.h"

#include "app/audit/audit_event.h"

namespace idkiosk {

void CheckOwners::Learn(const AuditEntry& entry) {
  if (entry.event != Name(AuditEvent::kCallAsked)) return;
  if (const auto user = UserIn(entry.by)) Put(entry.what, *user);
}

void CheckOwners::Put(const CallReference& reference, uid_t user) {
  const MutexLock lock(mutex_);
  owners_[reference] = user;
}

std::optional<uid_t> CheckOwners::Of(const CallReference& reference) const {
  const MutexLock lock(mutex_);
  const auto found = owners_.find(reference);
  if (found == owners_.end()) return std::nullopt;
  return found->second;
}

}  // namespace idkiosk
