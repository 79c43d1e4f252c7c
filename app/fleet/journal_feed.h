#ifndef IDKIOSK_APP_FLEET_JOURNAL_FEED_H_
#define IDKIOSK_APP_FLEET_JOURNAL_FEED_H_

#include <cstdint>
#include <optional>

#include "platform/base/time.h"

namespace idkiosk {

// Which records of one journal leave next. The journal itself is the outbox: nothing is copied, and
// nothing is dropped. One part is on its way at a time; the next follows what headquarters say that
// they have, and one that nobody answers is sent again.
class JournalFeed {
 public:
  static constexpr Duration kLook = std::chrono::seconds(2);  // for new records
  static constexpr Duration kFirstWait = std::chrono::seconds(15);
  static constexpr Duration kLongestWait = std::chrono::minutes(5);
  static constexpr Duration kBetweenRewinds = std::chrono::seconds(30);

  // `acknowledged`: the newest record that headquarters are known to have; 0: none.
  explicit JournalFeed(uint64_t acknowledged) : acknowledged_(acknowledged), sent_(acknowledged) {}

  // The number behind which records are to be sent now; nothing: not yet.
  [[nodiscard]] std::optional<uint64_t> Due(MonotonicTime now) const;
  // They were: up to `last`. Or there are none.
  void Sent(uint64_t last, MonotonicTime now);
  void FoundNone(MonotonicTime now) { next_ = now + kLook; }

  // Headquarters have all up to `number`. Returns whether that is news. A number below what they
  // had is one that lost some: they are sent again, not more often than kBetweenRewinds. Requires
  // that the journal has that record, where the number is above sent().
  bool Acknowledge(uint64_t number, MonotonicTime now);
  // Nothing that is on its way is sure to arrive.
  void Disconnected();

  [[nodiscard]] uint64_t acknowledged() const { return acknowledged_; }
  [[nodiscard]] uint64_t sent() const { return sent_; }

 private:
  uint64_t acknowledged_;
  uint64_t sent_;
  Duration wait_ = kFirstWait;
  MonotonicTime next_{};
  std::optional<MonotonicTime> rewound_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_JOURNAL_FEED_H_
