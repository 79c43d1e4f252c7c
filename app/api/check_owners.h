#ifndef IDKIOSK_APP_API_CHECK_OWNERS_H_
#define IDKIOSK_APP_API_CHECK_OWNERS_H_

#include <sys/types.h>

#include <map>
#include <optional>

#include "app/api/api_peer.h"
#include "app/audit/audit_trail.h"
#include "app/queue/call_record.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Who asked for each check of the local API. It stands in the audit trail before a check is
// accepted, and is learnt from there when the program starts. Any thread.
class CheckOwners {
 public:
  // Learns of an event, as the trail has it; of others than a check's coming, nothing.
  void Learn(const AuditEntry& entry);
  void Put(const CallReference& reference, uid_t user);

  // Returns nothing for a check that did not come by the local API, or whose coming is not in the
  // trail.
  [[nodiscard]] std::optional<uid_t> Of(const CallReference& reference) const;
  // Whether `peer` may know of the check: who asked for it, and who sees all of them.
  [[nodiscard]] bool MaySee(const ApiPeer& peer, const CallReference& reference) const {
    return peer.sees_all || Of(reference) == peer.user;
  }

 private:
  mutable Mutex mutex_;
  std::map<CallReference, uid_t> owners_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_CHECK_OWNERS_H_
