#ifndef IDKIOSK_APP_QUEUE_REPAIR_REPLAYED_H_
#define IDKIOSK_APP_QUEUE_REPAIR_REPLAYED_H_

#include <deque>
#include <unordered_map>
#include <vector>

#include "app/queue/call_record.h"

namespace idkiosk {

// What the queue's file lacked, while the ledger is told to it from the record that it knows on.
struct Replayed {
  CallReference reference;  // the attempt that the file did not know
  int number = 0;
  int ended = 0;  // such attempts that came to an end
  // Calls that the file lacks and that have not ended, as far as the ledger has told them yet.
  std::unordered_map<CallReference, CallRow> lacking;
  std::deque<CallReference> remembered;  // those that have ended: they are in the file again
  std::vector<CallReference> unknown;    // the same of those that may have been sent
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_REPAIR_REPLAYED_H_
