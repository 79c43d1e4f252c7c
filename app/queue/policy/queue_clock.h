#ifndef IDKIOSK_APP_QUEUE_POLICY_QUEUE_CLOCK_H_
#define IDKIOSK_APP_QUEUE_POLICY_QUEUE_CLOCK_H_

#include <optional>
#include <string>

#include "app/journal/fields.h"
#include "platform/api/clock.h"
#include "platform/api/crypto.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// Returns the duration as it is stored: in milliseconds, rounded up.
[[nodiscard]] inline int64_t ToMilliseconds(Duration duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration).count();
}

// The part of the queue's time that is kept from one run to the next. In milliseconds.
struct BoardTime {
  std::string boot_id;     // of the boot that `ahead` holds for
  int64_t ahead = 0;       // of the boot's clock
  int64_t newest = 0;      // the newest time of the queue that was stored
  int64_t wall_ahead = 0;  // of the queue's time, when it was last looked at
  bool wall_trusted = false;
  int64_t stepped_at = 0;  // when a step of the wall clock was last noticed; 0: never

  bool operator==(const BoardTime&) const = default;
};

// The bytes that are stored; the source describes them. `key` proves them. Errors: kCorrupt.
[[nodiscard]] Bytes SerializeBoardTime(const BoardTime& time, const Crypto& crypto,
                                       const SecretBytes& key);
[[nodiscard]] Result<BoardTime> ParseBoardTime(ByteSpan bytes, const Crypto& crypto,
                                               const SecretBytes& key);

// The time that decides over calls: how long this board was seen to run, summed over its boots. It
// never goes back and never jumps, whatever the wall clock does; while the board is switched off it
// stands still. So nothing is ever older by it than it is. It began with the wall clock's number,
// but is no date: what people are shown is a wall time.
//
// The wall clock is watched beside it: whether it is trusted, whether it was set, and whether the
// service's own date confirms it.
class QueueClock {
 public:
  // `clock` must outlive this. Begin comes before anything else.
  explicit QueueClock(const Clock& clock) : clock_(clock) {}

  // Goes on from the `stored` time. Without one it begins at the wall clock's. Where the queue
  // holds something it begins at `newest_record`, the newest wall time of that: instead of a clock
  // that nobody trusts, and of one that is trusted if it is earlier.
  void Begin(const std::optional<BoardTime>& stored, std::optional<WallTime> newest_record);
  // Returns what to store now. `stored`: what another process has stored meanwhile.
  [[nodiscard]] BoardTime State(const std::optional<BoardTime>& stored) const;

  // Looks at the wall clock. Returns whether there is something new to store: the clock became
  // trusted, or a step was noticed.
  [[nodiscard]] bool Look();
  [[nodiscard]] bool trusted() const { return trusted_; }
  // Returns true once, after the wall clock became trusted.
  [[nodiscard]] bool BecameTrusted();

  // `skew`: the service's time minus this board's wall clock, by an answer that has just come.
  void LearnServiceTime(Duration skew);

  // Returns the queue's time.
  [[nodiscard]] int64_t Milliseconds() const;
  [[nodiscard]] MonotonicTime MonotonicOf(int64_t queue_time) const;
  // Times for people.
  [[nodiscard]] WallTime WallNow() const { return clock_.WallNow(); }
  [[nodiscard]] WallTime WallOf(int64_t queue_time) const;
  // Returns the queue's time at which people are shown `wall`.
  [[nodiscard]] int64_t QueueTimeOf(WallTime wall) const;

  // Returns why a call that is `age` old by the queue's time may not be; empty where it is certain.
  // `accepted`: the wall time of its record.
  [[nodiscard]] std::string DoubtOfAge(WallTime accepted, Duration age) const;
  // Returns why the wall clock may be wrong now; empty where nothing speaks against it. A step is
  // doubted until the service's date confirms it.
  [[nodiscard]] std::string DoubtOfWall() const;

 private:
  enum class Judgement { kUnknown, kConfirmed, kRefuted };

  // Wall clock minus queue's time.
  [[nodiscard]] int64_t WallAhead() const;
  void NoticeStep();

  const Clock& clock_;
  int64_t ahead_ = 0;
  int64_t wall_ahead_ = 0;
  bool trusted_ = false;
  bool became_trusted_ = false;
  int64_t stepped_at_ = 0;
  Judgement service_says_ = Judgement::kUnknown;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_POLICY_QUEUE_CLOCK_H_
