#ifndef IDKIOSK_APP_QUEUE_STORAGE_END_INDEX_H_
#define IDKIOSK_APP_QUEUE_STORAGE_END_INDEX_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "app/queue/call_end.h"
#include "app/queue/storage/ledger_entry.h"

namespace idkiosk {

// Every end of a call that the ledger proves, in memory and in order: about 200 bytes a call. Made
// anew from the ledger by each program that asks for it.
class EndIndex {
 public:
  // The entries of the ledger's record of that number. Records come in their order.
  void Take(const std::vector<LedgerEntry>& entries, uint64_t record);

  // The end at that place; nothing: there is none.
  [[nodiscard]] std::optional<CallEnd> At(uint64_t place) const;
  // The oldest ends behind that place, `limit` at most.
  [[nodiscard]] std::vector<CallEnd> Behind(uint64_t place, size_t limit) const;
  [[nodiscard]] int64_t CountBehind(uint64_t place) const;
  [[nodiscard]] std::optional<CallEnd> Newest() const;

 private:
  struct Known {
    std::optional<WallTime> accepted_at;
    Endpoint endpoint = Endpoint::kVerify;
    std::optional<size_t> end;  // the newest one, in ends_
    bool asked_since = false;   // an attempt began after it
  };
  void Take(const LedgerEntry& entry, uint64_t place);
  void Put(const LedgerEntry& entry, CallState state, Verdict verdict, uint64_t place);
  // The same end: the service said later what an attempt of a call that had ended came to, so it
  // costs something else.
  void PutAgain(const CallReference& reference, uint64_t place);
  [[nodiscard]] std::vector<CallEnd>::const_iterator FirstBehind(uint64_t place) const;

  std::unordered_map<CallReference, Known> calls_;
  std::vector<CallEnd> ends_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_END_INDEX_H_
