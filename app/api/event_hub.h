#ifndef IDKIOSK_APP_API_EVENT_HUB_H_
#define IDKIOSK_APP_API_EVENT_HUB_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "platform/api/entropy.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The newest changes of calls, for each program that listens. A slow reader holds nobody up: what
// it misses is gone, and it is told. Nothing outlasts the process. Any thread.
class EventHub {
 public:
  static constexpr size_t kKept = 256;

  // `entropy` is asked here alone.
  explicit EventHub(Entropy& entropy);

  // Keeps an event, JSON on one line, and wakes whoever waits. `owner`: the user who asked for the
  // check; nothing where none did.
  void Put(std::string json, std::optional<uid_t> owner = std::nullopt);

  struct Entry {
    uint64_t number = 0;  // among all events, from 1 on
    std::string json;
    std::optional<uid_t> owner;
    uint64_t before = 0;  // the events before it: of all, or of the asked owner alone
  };
  // The first event behind the number `seen` that is kept, whoever's it is; waits for one at most
  // so long. Nothing: none has come. With an `owner`, `before` counts the events of that user.
  [[nodiscard]] std::optional<Entry> Next(uint64_t seen, std::chrono::milliseconds patience,
                                          std::optional<uid_t> owner = std::nullopt);

  // How many events there were since the start; with an `owner`, of that user.
  [[nodiscard]] uint64_t Count(std::optional<uid_t> owner = std::nullopt) const;
  // Stands for this start of the program, which numbers its events from 1 on again: random, 16
  // digits of "0123456789abcdef".
  [[nodiscard]] const std::string& start() const { return start_; }

 private:
  const std::string start_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  struct Kept {
    std::string json;
    std::optional<uid_t> owner;
  };
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  uint64_t newest_ GUARDED_BY(mutex_) = 0;  // the number of the last one of `kept_`
  std::map<uid_t, uint64_t> count_of_ GUARDED_BY(mutex_);
};

// One program's place in the stream.
class EventReader {
 public:
  // `hub` must outlive it. `last_id` is the id of the last event that the program knows; empty: it
  // knows none, and hears what comes from now on. With an id that this start has not given out to
  // this reader, it is told that events are missed, and hears all that are kept. With an `owner`,
  // reads the events of that user's checks alone, which have numbers of their own, without gaps:
  // what others do is not told.
  EventReader(EventHub& hub, std::string_view last_id, std::optional<uid_t> owner = std::nullopt);

  // The next part of the stream, "id: 5f0c...-7\nevent: check\ndata: {...}\n\n"; empty: none has
  // come. The first part tells the reader's place at once.
  [[nodiscard]] std::string Next(std::chrono::milliseconds patience);

 private:
  // The number in an id that this start has given out to this reader.
  [[nodiscard]] std::optional<uint64_t> NumberIn(std::string_view id, uint64_t newest) const;

  EventHub& hub_;
  const std::optional<uid_t> owner_;
  const std::string prefix_;  // of its ids: the start and, as an owner's numbers differ, the owner
  std::string greeting_;      // not sent yet
  uint64_t seen_ = 0;         // the number among all of the last one that was looked at
  uint64_t told_ = 0;         // of its own events, so many were told, or told to be missed
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_EVENT_HUB_H_
