#ifndef IDKIOSK_APP_SESSION_VISIT_VISIT_ORDER_H_
#define IDKIOSK_APP_SESSION_VISIT_VISIT_ORDER_H_

#include <memory>
#include <optional>
#include <string>

#include "app/queue/call_record.h"
#include "app/service/verification_call.h"
#include "app/session/model/snapshot_names.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A check that another program asks for, and whose person comes before this screen for their
// pictures. Nothing of it changes once it is shared.
struct VisitOrder {
  VerificationCall question;  // one that takes pictures, of a NIN; checked, but for them
  CallReference reference;    // the one that the call will have: from DurableQueue::DrawReference
  bool confirmed = false;     // the same was asked before, and shall be asked again
  std::string case_id = {};
  std::string operator_id = {};  // empty: whoever is signed in at the screen
  std::string key = {};          // by which its asker finds it again; may be empty
  SecretBytes body = {};         // what came with the key
};

// How the visit of an order ended.
struct VisitEnd {
  CallReference reference = {};        // of the call that was kept; empty: none, or not yet
  bool is_handed_in = false;           // the person has sent their pictures
  std::optional<StopReason> why = {};  // it was stopped; nothing: the person left, or was done
  std::shared_ptr<const VisitOrder> order = {};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_VISIT_ORDER_H_
