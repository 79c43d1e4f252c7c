#include "app/queue/policy/queue_clock.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

// A stored time: 8 bytes version, now 2; `ahead`, `newest`, `wall_ahead`, `wall_trusted` (0 or 1)
// and `stepped_at`, 8 bytes each, big endian; the boot's identity as text; 32 bytes HMAC-SHA-256 of
// "board-time/2" and all before. Version 1 had none.

namespace idkiosk {
namespace {

constexpr uint64_t kTimeVersion = 2;
constexpr uint64_t kUnprovenVersion = 1;
constexpr size_t kTimeNumbers = 6;

// Time servers move a clock by seconds all day long. What matters to a call is hours.
constexpr Duration kStep = std::chrono::minutes(1);
constexpr Duration kAgreement = std::chrono::hours(1);

int64_t BootMilliseconds(const Clock& clock) {
  return std::chrono::floor<std::chrono::milliseconds>(clock.Now().time_since_epoch()).count();
}

Crypto::Digest Prove(ByteSpan bytes, const Crypto& crypto, const SecretBytes& key) {
  constexpr std::string_view kKind = "board-time/2";
  Bytes proven(kKind.begin(), kKind.end());
  proven.insert(proven.end(), bytes.begin(), bytes.end());
  return crypto.HmacSha256(key, proven);
}

bool IsStep(int64_t before, int64_t now) { return std::abs(now - before) > ToMilliseconds(kStep); }

}  // namespace

Bytes SerializeBoardTime(const BoardTime& time, const Crypto& crypto, const SecretBytes& key) {
  Bytes bytes;
  for (int64_t number : {static_cast<int64_t>(kTimeVersion), time.ahead, time.newest,
                         time.wall_ahead, int64_t{time.wall_trusted}, time.stepped_at}) {
    AppendUint64(bytes, static_cast<uint64_t>(number));
  }
  bytes.insert(bytes.end(), time.boot_id.begin(), time.boot_id.end());
  const Crypto::Digest mac = Prove(bytes, crypto, key);
  bytes.insert(bytes.end(), mac.begin(), mac.end());
  return bytes;
}

Result<BoardTime> ParseBoardTime(ByteSpan bytes, const Crypto& crypto, const SecretBytes& key) {
  if (bytes.size() < kTimeNumbers * 8)
    return Fail(ErrorCode::kCorrupt, "the stored time is cut short");
  const uint64_t version = ReadUint64(bytes.first<8>());
  if (version == kTimeVersion && bytes.size() >= kTimeNumbers * 8 + Crypto::Digest().size()) {
    const ByteSpan proven = bytes.first(bytes.size() - Crypto::Digest().size());
    if (!std::ranges::equal(Prove(proven, crypto, key), bytes.subspan(proven.size()))) {
      return Fail(ErrorCode::kCorrupt, "the stored time is not what idkiosk stored");
    }
    bytes = proven;
  } else if (version != kUnprovenVersion) {
    return Fail(ErrorCode::kCorrupt, "the stored time is not of version {}", kTimeVersion);
  }
  const auto number = [bytes](size_t index) {
    return static_cast<int64_t>(ReadUint64(bytes.subspan(index * 8).first<8>()));
  };
  BoardTime time;
  time.ahead = number(1);
  time.newest = number(2);
  time.wall_ahead = number(3);
  time.wall_trusted = number(4) != 0;
  time.stepped_at = number(5);
  time.boot_id = AsText(bytes.subspan(kTimeNumbers * 8));
  return time;
}

void QueueClock::Begin(const std::optional<BoardTime>& stored,
                       std::optional<WallTime> newest_record) {
  const int64_t boot = BootMilliseconds(clock_);
  const std::string id = clock_.BootId();
  trusted_ = clock_.WallIsTrusted();
  if (!stored) {
    WallTime begin = clock_.WallNow();
    if (newest_record) begin = trusted_ ? std::min(begin, *newest_record) : *newest_record;
    ahead_ = ToMilliseconds(begin) - boot;
  } else if (!id.empty() && id == stored->boot_id) {
    ahead_ = stored->ahead;
  } else {
    // This boot's clock counts from its start: at least so much has passed since the other ended.
    ahead_ = id.empty() ? stored->newest - boot : stored->newest;
  }
  wall_ahead_ = WallAhead();
  if (!stored) return;
  stepped_at_ = stored->stepped_at;
  if (!stored->wall_trusted || !trusted_) return;
  // Ahead of what it was: the board was off, or it was set. Within one boot, or when it went back,
  // it was set.
  const bool same_boot = !id.empty() && id == stored->boot_id;
  const bool stepped =
      IsStep(stored->wall_ahead, wall_ahead_) && (same_boot || wall_ahead_ < stored->wall_ahead);
  if (stepped) NoticeStep();
}

BoardTime QueueClock::State(const std::optional<BoardTime>& stored) const {
  BoardTime state;
  state.boot_id = clock_.BootId();
  state.ahead = ahead_;
  state.newest = std::max(Milliseconds(), stored ? stored->newest : 0);
  state.wall_ahead = wall_ahead_;
  state.wall_trusted = trusted_;
  state.stepped_at = std::max(stepped_at_, stored ? stored->stepped_at : 0);
  return state;
}

bool QueueClock::Look() {
  const int64_t before = wall_ahead_;
  const bool trusted_before = trusted_;
  wall_ahead_ = WallAhead();
  trusted_ = clock_.WallIsTrusted();
  if (trusted_ && !trusted_before) became_trusted_ = true;
  const bool stepped = trusted_ && trusted_before && IsStep(before, wall_ahead_);
  if (stepped) NoticeStep();
  return stepped || trusted_ != trusted_before;
}

bool QueueClock::BecameTrusted() { return std::exchange(became_trusted_, false); }

void QueueClock::NoticeStep() {
  stepped_at_ = Milliseconds();
  service_says_ = Judgement::kUnknown;
  LogWarning(
      "this board's clock was changed: no call expires by it until the service's date confirms it");
}

void QueueClock::LearnServiceTime(Duration skew) {
  service_says_ =
      std::chrono::abs(skew) <= kAgreement ? Judgement::kConfirmed : Judgement::kRefuted;
}

int64_t QueueClock::Milliseconds() const { return BootMilliseconds(clock_) + ahead_; }

MonotonicTime QueueClock::MonotonicOf(int64_t queue_time) const {
  return clock_.Now() + std::chrono::milliseconds(queue_time - Milliseconds());
}

WallTime QueueClock::WallOf(int64_t queue_time) const {
  return clock_.WallNow() + std::chrono::milliseconds(queue_time - Milliseconds());
}

int64_t QueueClock::QueueTimeOf(WallTime wall) const {
  return Milliseconds() + (wall - clock_.WallNow()).count();
}

int64_t QueueClock::WallAhead() const { return ToMilliseconds(clock_.WallNow()) - Milliseconds(); }

std::string QueueClock::DoubtOfWall() const {
  if (!trusted_) return "this board's clock is not trusted";
  if (service_says_ == Judgement::kRefuted) return "the service's date differs from this board's";
  if (stepped_at_ != 0 && service_says_ != Judgement::kConfirmed) {
    return "this board's clock was changed, and the service's date has not confirmed it";
  }
  return "";
}

std::string QueueClock::DoubtOfAge(WallTime accepted, Duration age) const {
  if (!trusted_) return "this board's clock is not trusted";
  if (service_says_ == Judgement::kRefuted) return "the service's date differs from this board's";
  const bool stepped = stepped_at_ != 0 && Milliseconds() < stepped_at_ + ToMilliseconds(age);
  if (stepped) {
    return service_says_ == Judgement::kConfirmed
               ? ""
               : "this board's clock was changed, and the service's date has not confirmed it";
  }
  if (clock_.WallNow() - accepted < age - kAgreement) return "by this board's date it is younger";
  return "";
}

}  // namespace idkiosk
