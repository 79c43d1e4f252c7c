#ifndef IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_INDEX_H_
#define IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_INDEX_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/queue/call_record.h"

namespace idkiosk {

// Every attempt that the ledger proves, in memory: about 150 bytes each. Made anew from the ledger
// at each start. What is not genuine is listed, and counts for nothing.
class AttemptIndex {
 public:
  // `row.id` is ignored: attempts are numbered as they come, from 1.
  void Add(const LedgerRow& row);
  // Takes over how the attempt ended: ended_at, stage, http_status, billed, rule and the service's
  // reference. Ignored where no such attempt is known.
  void End(const LedgerRow& ended);

  // The call may have been sent once more than is known.
  void Doubt(const CallReference& reference) { ++doubts_[reference]; }
  [[nodiscard]] bool WasDoubted(const CallReference& reference) const {
    return doubts_.contains(reference);
  }
  // What was doubted until now is no answer to new losses.
  void BeginDoubts() { doubts_before_ = doubts_; }
  // Whether it was since then; or ever, where that was never said.
  [[nodiscard]] bool IsDoubted(const CallReference& reference) const;

  struct OfCall {
    int attempts = 0;       // the highest number of one
    int billed = 0;         // that were or may have been billed, one in doubt among them
    bool answered = false;  // one of them surely was
  };
  [[nodiscard]] OfCall Find(const CallReference& reference) const;
  // Returns a call's attempts, the oldest first.
  [[nodiscard]] std::vector<LedgerRow> Of(const CallReference& reference) const;
  // Approved, and nothing is known of how they ended.
  [[nodiscard]] std::vector<LedgerRow> Open() const;

  // `since`: started at or after it; nothing: all.
  [[nodiscard]] std::vector<LedgerRow> List(std::optional<WallTime> since) const;
  // The newest attempts, the newest first.
  [[nodiscard]] std::vector<LedgerRow> Newest(int limit) const;
  // In UTC: a day by local time would change with the time zone. kTotal gives exactly one.
  [[nodiscard]] std::vector<LedgerSum> Sum(LedgerBy by, std::optional<WallTime> since) const;
  // Returns the calls that were or may have been billed in each hour that had any, by its beginning
  // in milliseconds.
  [[nodiscard]] std::map<int64_t, BilledHour> BilledByHour(WallTime since) const;

  // When the `count`-th newest attempt that was billed `yes` or `maybe` began by the queue's time,
  // if it began after `since`; nothing if there are fewer.
  [[nodiscard]] std::optional<int64_t> NthBilled(int64_t count, int64_t since) const;
  // The first `count` attempts began at `board_at` at the latest, by the queue's time.
  void NoneAfter(int64_t count, int64_t board_at);
  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(attempts_.size()); }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Attempt {
    uint64_t call = 0;  // the letters of its reference
    int64_t started_at = 0;
    int64_t board_at = 0;
    int64_t ended_at = 0;
    int64_t price = 0;
    int32_t number = 0;
    int32_t http_status = 0;
    uint32_t operator_id = 0;  // places in words_
    uint32_t rule = 0;
    uint32_t before = kNone;             // the call's attempt before this one
    uint32_t service_reference = kNone;  // places in texts_
    uint32_t case_id = kNone;
    uint32_t currency = 0;  // a place in words_
    std::optional<PictureMeans> means;
    std::array<uint8_t, 16> id{};  // all zero: none
    Endpoint endpoint = Endpoint::kVerify;
    SendStage stage = SendStage::kSent;
    Billed billed = Billed::kMaybe;
    bool ended = false;
    bool genuine = true;
  };

  [[nodiscard]] uint32_t PlaceOf(const std::string& word);
  // The same for a text that few have in common. kNone: it is empty.
  [[nodiscard]] uint32_t PlaceOfText(const std::string& text);
  [[nodiscard]] std::string TextAt(uint32_t place) const;
  [[nodiscard]] LedgerRow RowAt(size_t at) const;

  std::vector<Attempt> attempts_;
  std::unordered_map<uint64_t, uint32_t> newest_;  // by call
  using Doubts = std::unordered_map<CallReference, int>;
  [[nodiscard]] static int CountIn(const Doubts& doubts, const CallReference& reference);

  Doubts doubts_;
  Doubts doubts_before_;  // by BeginDoubts
  std::vector<std::string> texts_;
  std::vector<std::string> words_;
  std::map<std::string, uint32_t, std::less<>> places_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_INDEX_H_
