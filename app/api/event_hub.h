#ifndef IDKIOSK_APP_API_EVENT_HUB_H_
#define IDKIOSK_APP_API_EVENT_HUB_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "platform/base/mutex.h"

namespace idkiosk {

// The newest changes of calls, for each program that listens. A slow reader holds nobody up: what
// it misses is gone, and it is told. Any thread.
class EventHub {
 public:
  static constexpr size_t kKept = 256;

  // Keeps an event, JSON on one line, and wakes whoever waits. `owner`: the user who asked for the
  // check; nothing where none did.
  void Put(std::string json, std::optional<uid_t> owner = std::nullopt);

  struct Entry {
    uint64_t number = 0;
    std::string json;
    std::optional<uid_t> owner;
    uint64_t missed = 0;         // events between the last one and this, which are gone
    uint64_t owners_number = 0;  // among the events of its owner
  };
  // The first event behind `seen`; waits for one at most so long. Nothing: none has come.
  [[nodiscard]] std::optional<Entry> Next(uint64_t seen, std::chrono::milliseconds patience);

  [[nodiscard]] uint64_t newest() const;
  // The number, among the events of that owner, of the newest of them.
  [[nodiscard]] uint64_t newest_of(uid_t owner) const;

 private:
  mutable Mutex mutex_;
  ConditionVariable changed_;
  struct Kept {
    std::string json;
    std::optional<uid_t> owner;
    uint64_t owners_number = 0;
  };
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  uint64_t newest_ GUARDED_BY(mutex_) = 0;  // the number of the last one of `kept_`
  std::map<uid_t, uint64_t> newest_of_ GUARDED_BY(mutex_);
};

// One program's place in the stream.
class EventReader {
 public:
  // `hub` must outlive it. Begins behind the event `seen`; with a number that this run has not
  // given out, behind the newest. With an `owner`, reads the events of that user's checks alone,
  // which have numbers of their own, without gaps: what others do is not told.
  EventReader(EventHub& hub, std::optional<uint64_t> seen,
              std::optional<uid_t> owner = std::nullopt);

  // The next part of the stream, "id: 7\nevent: check\ndata: {...}\n\n"; empty: none has come.
  [[nodiscard]] std::string Next(std::chrono::milliseconds patience);

 private:
  EventHub& hub_;
  const std::optional<uid_t> owner_;
  uint64_t seen_;          // of all
  uint64_t own_seen_ = 0;  // of the owner's
  uint64_t missed_ = 0;    // not told yet
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_EVENT_HUB_H_
