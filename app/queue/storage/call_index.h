#ifndef IDKIOSK_APP_QUEUE_STORAGE_CALL_INDEX_H_
#define IDKIOSK_APP_QUEUE_STORAGE_CALL_INDEX_H_

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "app/queue/call_record.h"

namespace idkiosk {

// Every call that the ledger knows to be accepted or ended, in memory. Made anew from the ledger at
// each start.
class CallIndex {
 public:
  struct End {
    CallState state = CallState::kDone;
    Verdict verdict = Verdict::kNone;
    uint64_t record = 0;  // the ledger's that says so
  };

  void Accept(const CallReference& reference) {
    open_ += ends_.try_emplace(reference).second ? 1 : 0;
  }
  // An end is the last thing that becomes of a call.
  void Close(const CallReference& reference, const End& end) {
    const auto [known, is_new] = ends_.try_emplace(reference);
    if (known->second) return;
    known->second = end;
    open_ -= is_new ? 0 : 1;
  }
  // Its end was told, and it keeps what it asked: a person decides whether to ask again.
  void RejectInDoubt(const CallReference& reference) { rejected_.insert(reference); }
  [[nodiscard]] bool WasRejectedInDoubt(const CallReference& reference) const {
    return rejected_.contains(reference);
  }
  // What was kept of its person went on request.
  void Erase(const CallReference& reference) { erased_.insert(reference); }
  [[nodiscard]] bool WasErased(const CallReference& reference) const {
    return erased_.contains(reference);
  }
  // How many there are, and how many of them have not ended.
  [[nodiscard]] uint64_t size() const { return ends_.size(); }
  [[nodiscard]] uint64_t open() const { return open_; }

  [[nodiscard]] bool Knows(const CallReference& reference) const {
    return ends_.contains(reference);
  }
  // Nothing: it has not ended, or is not known.
  [[nodiscard]] std::optional<End> Closed(const CallReference& reference) const {
    const auto found = ends_.find(reference);
    return found == ends_.end() ? std::nullopt : found->second;
  }
  // Accepted, and not ended.
  [[nodiscard]] std::vector<CallReference> Open() const {
    std::vector<CallReference> open;
    for (const auto& [reference, end] : ends_) {
      if (!end) open.push_back(reference);
    }
    return open;
  }

 private:
  std::unordered_map<CallReference, std::optional<End>> ends_;
  std::unordered_set<CallReference> erased_;
  std::unordered_set<CallReference> rejected_;
  uint64_t open_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_CALL_INDEX_H_
