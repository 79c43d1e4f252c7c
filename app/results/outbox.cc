#include "app/results/outbox.h"

#include <algorithm>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// How soon it looks for new ends by itself.
constexpr Duration kLookAgain = std::chrono::seconds(2);
// How often a trouble that stays is written down again.
constexpr Duration kSayAgain = std::chrono::hours(1);

}  // namespace

MonotonicTime Outbox::Step() {
  if (gone_) return MonotonicTime::max();
  const MonotonicTime now = deps_.clock.Now();
  if (now < due_) return due_;
  // What a ledger says that nobody has looked at may be taken back; and without the time no
  // certificate can be judged.
  if (deps_.queue.IsHeldForLedger() || !deps_.clock.WallIsTrusted()) return now + kLookAgain;
  if (!begun_) {
    if (Status begun = Begin(); !begun) return Later(begun.error().message);
    begun_ = true;
  }
  const auto ends = deps_.queue.Ends(cursor_.place, 1);
  if (!ends) return Later(ends.error().message);
  return ends->first.empty() ? now + kLookAgain : HandOver(ends->first.front());
}

Status Outbox::Begin() {
  const auto kept = deps_.cursor.Load();
  if (!kept && kept.error().code != ErrorCode::kCorrupt) return std::unexpected(kept.error());
  const uint64_t place = kept && *kept ? (*kept)->place : 0;
  const auto ends = deps_.queue.Ends(place, 0);
  if (!ends) return std::unexpected(ends.error());
  if (!kept) {
    StartOver(kept.error().message);
    return {};
  }
  if (!*kept) {
    // Chosen once: what ends while this cannot be written down is not passed over.
    if (!first_) first_ = ends->newest ? After(*ends->newest) : OutboxCursor();
    cursor_ = *first_;
    return deps_.cursor.Save(cursor_);
  }
  cursor_ = **kept;
  // A person has looked, or this asks once more.
  cursor_.gone = false;
  const bool is_known = place == 0 || (ends->at && deps_.writer.IdOf(*ends->at) == cursor_.id);
  if (!is_known) StartOver("the ledger does not hold what was handed over last");
  return {};
}

OutboxCursor Outbox::After(const CallEnd& end) const {
  OutboxCursor cursor;
  cursor.place = end.place;
  cursor.id = deps_.writer.IdOf(end);
  return cursor;
}

void Outbox::StartOver(std::string_view why) {
  LogWarning("results ({}): {}: every end in the ledger is handed over again",
             deps_.destination.name(), why);
  cursor_ = {};
}

MonotonicTime Outbox::HandOver(const CallEnd& end) {
  const auto message = deps_.writer.Write(end);
  if (!message) return Later(message.error().message);
  if (message->is_personal && opened_ != end.place) {
    const Status put =
        deps_.audit.Record(AuditEvent::kAnswerOpened,
                           fmt::format("results ({})", deps_.destination.name()), end.reference);
    if (!put) return Later(put.error().message);
    opened_ = end.place;
  }
  const Delivery delivery = deps_.destination.Deliver(*message);
  switch (delivery.kind) {
    case Delivery::Kind::kDone:
      Advance(end);
      return deps_.clock.Now();
    case Delivery::Kind::kLater:
      return Later(delivery.why, delivery.retry_after);
    case Delivery::Kind::kGone:
      break;
  }
  LogError("results ({}): {}. Nothing more is handed over until idkiosk starts again",
           deps_.destination.name(), delivery.why);
  gone_ = true;
  cursor_.gone = true;
  cursor_.trouble = delivery.why;
  cursor_.trouble_since = deps_.clock.WallNow();
  Save();
  return MonotonicTime::max();
}

void Outbox::Advance(const CallEnd& end) {
  if (!cursor_.trouble.empty()) {
    LogInfo("results ({}): they are handed over again", deps_.destination.name());
  }
  cursor_ = After(end);
  failures_ = 0;
  Save();
}

MonotonicTime Outbox::Later(const std::string& why, std::optional<Duration> retry_after) {
  ++failures_;
  const MonotonicTime now = deps_.clock.Now();
  due_ = now + retry_after.value_or(deps_.policy.Backoff(failures_));
  if (cursor_.trouble.empty()) cursor_.trouble_since = deps_.clock.WallNow();
  if (why != cursor_.trouble || !trouble_said_ || now - *trouble_said_ >= kSayAgain) {
    LogWarning("results ({}): {}", deps_.destination.name(), why);
    trouble_said_ = now;
    cursor_.trouble = why;
    if (begun_) Save();
  }
  return due_;
}

// A place that cannot be written down makes ends come again after the next start, and none is lost.
void Outbox::Save() {
  if (Status saved = deps_.cursor.Save(cursor_); !saved) {
    LogWarning("results ({}): {}", deps_.destination.name(), saved.error().message);
  }
}

}  // namespace idkiosk
