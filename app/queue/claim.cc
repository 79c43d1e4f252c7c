#include <algorithm>
#include <array>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// Which call is sent next, and when.

namespace idkiosk {
namespace {

constexpr std::string_view kPaceSetting = "pace";

// How soon a clock that is not trusted, or a full disk, is looked at again.
constexpr Duration kLookAgain = std::chrono::seconds(10);
// And a key that the vault does not have, which only a new start brings.
constexpr Duration kKeyLookAgain = std::chrono::hours(1);
// And a copy that cannot be read.
constexpr Duration kCopyLookAgain = std::chrono::minutes(1);

void KeepEarlier(std::optional<int64_t>& earliest, int64_t time) {
  if (!earliest || time < *earliest) earliest = time;
}

}  // namespace

Status DurableQueue::Internals::RequireDelivery() const {
  if (lock != nullptr) return {};
  return Fail(ErrorCode::kFailedPrecondition,
              "another process delivers: this one may send nothing, and settle nothing");
}

Result<DeliveryPace> DurableQueue::Internals::Pace() {
  const auto stored = state.Setting(kPaceSetting);
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return DeliveryPace();
  // A damaged pace is forgotten: it only says when.
  return ParsePace(**stored).value_or(DeliveryPace());
}

Status DurableQueue::Internals::SetPace(const DeliveryPace& pace) {
  return state.SetSetting(kPaceSetting, SerializePace(pace));
}

DurableQueue::Idle DurableQueue::Internals::Wait(std::optional<int64_t> until,
                                                 std::optional<Hold> hold) const {
  Idle idle;
  if (until) idle.look_again = time.MonotonicOf(*until);
  if (hold && (hold->reason == HoldReason::kClock || hold->reason == HoldReason::kNoRoom)) {
    idle.look_again = clock.Now() + kLookAgain;
  }
  idle.hold = std::move(hold);
  return idle;
}

// No backoff is as far ahead as what waits for a key.
bool DurableQueue::Internals::MayHurry(int64_t id, int64_t due_at, bool at_once) const {
  const bool is_backoff =
      due_at <= time.Milliseconds() + ToMilliseconds(options.queue.backoff_last);
  return is_backoff && (at_once || IsHurried(id));
}

// Neither sent nor judged until the vault that has the key is back, or its copy can be read.
Status DurableQueue::Internals::WaitForMend(CallRow row, const Error& why) {
  const bool lacks_key = why.code == ErrorCode::kUnauthenticated;
  const Duration wait = lacks_key
                            ? std::max<Duration>(kKeyLookAgain, 2 * options.queue.backoff_last)
                            : kCopyLookAgain;
  row.due_at = time.Milliseconds() + ToMilliseconds(wait);
  row.engineer = why.message;
  ForgetHaste(row.id);
  return Commit([&]() REQUIRES(mutex) { return calls.Save(row); });
}

Status DurableQueue::Internals::Quarantine(int64_t id) {
  const auto row = calls.LoadById(id);
  if (!row) return std::unexpected(row.error());
  // Once: a copy that is no better is not asked again.
  const bool was_asked = row->set_aside || restored.contains(row->reference);
  if (!was_asked && MayRestore(row->reference)) {
    // What does not open though its row is genuine goes, too.
    if (row->state != CallState::kDamaged) {
      if (Status marked = calls.MarkDamaged(id, 0); !marked) return marked;
    }
    const auto settled = BringBackOrWait(*row);
    if (!settled || *settled) return settled ? Status() : std::unexpected(settled.error());
  }
  return calls.MarkDamaged(id, time.Milliseconds() + ToMilliseconds(options.queue.max_age));
}

// Unknown calls that a rule resends, once they have settled.
Status DurableQueue::Internals::WakeUnknown() {
  for (;;) {
    const auto first = calls.FirstResend(MaySend());
    if (!first) return std::unexpected(first.error());
    const int64_t now = time.Milliseconds();
    if (!*first || (*first)->at > now) return {};
    Status woken = Commit([&]() REQUIRES(mutex) -> Status {
      auto row = calls.LoadById((*first)->id);
      if (!row) return std::unexpected(row.error());
      if (row->state == CallState::kDamaged) return Quarantine(row->id);
      const bool may = guard.MayBill(*row);
      row->state = may ? CallState::kPending : CallState::kUnknown;
      row->due_at = may ? std::optional(now) : std::nullopt;
      return calls.Save(*row);
    });
    if (!woken) return woken;
  }
}

Status DurableQueue::Internals::AskAboutResend(const CallRow& row) {
  return Commit([&]() REQUIRES(mutex) -> Status {
    CallRow unknown = row;
    unknown.state = CallState::kUnknown;
    unknown.due_at = std::nullopt;
    return calls.Save(unknown);
  });
}

int64_t DurableQueue::Internals::EarliestOf(const CallStore::Due& due, const DeliveryPace& pace,
                                            bool person_waits, bool at_once) const {
  const bool hurries = MayHurry(due.id, due.at, at_once);
  const bool first_try = person_waits && due.attempts == 0;
  return std::max(hurries ? 0 : due.at,
                  ToMilliseconds(policy.EarliestFor(pace, hurries || first_try)));
}

Result<DurableQueue::Internals::Candidate> DurableQueue::Internals::Choose(
    const std::vector<Hold>& holds, bool at_once) {
  const auto pace = Pace();
  if (!pace) return std::unexpected(pace.error());
  const auto endpoints = calls.EndpointsIn(CallState::kPending);
  if (!endpoints) return std::unexpected(endpoints.error());
  const int64_t now = time.Milliseconds();
  Candidate candidate;
  for (const bool person_waits : {true, false}) {
    std::optional<int64_t> chosen_due;
    for (Endpoint endpoint : *endpoints) {
      const auto due = calls.FirstDue(endpoint, person_waits, MaySend());
      if (!due) return std::unexpected(due.error());
      if (!*due) continue;
      if (auto hold = Covering(holds, endpoint)) {
        if (hold->until) KeepEarlier(candidate.look_again, time.QueueTimeOf(*hold->until));
        candidate.hold = std::move(hold);
        continue;
      }
      CallStore::Due first = **due;
      int64_t earliest = EarliestOf(first, *pace, person_waits, at_once);
      const bool others_may = person_waits || !hurried.empty() || !hurried_backlog.empty();
      if (earliest > now && first.at <= now && others_may) {
        // It waits for the outage's pace, which not all behind it do.
        KeepEarlier(candidate.look_again, earliest);
        const auto urgent = calls.FirstDueThat(
            endpoint, person_waits, MaySend(), now, [&](const auto& each) REQUIRES(mutex) {
              return EarliestOf(each, *pace, person_waits, at_once) <= now;
            });
        if (!urgent) return std::unexpected(urgent.error());
        if (!*urgent) continue;
        first = **urgent;
        earliest = now;
      }
      if (earliest > now) {
        KeepEarlier(candidate.look_again, earliest);
      } else if (!chosen_due || first.at < *chosen_due) {
        chosen_due = first.at;
        candidate.id = first.id;
      }
    }
    if (candidate.id) return candidate;
  }
  return candidate;
}

Result<DurableQueue::Internals::Candidate> DurableQueue::Internals::ChooseOnly(
    const CallReference& reference, const std::vector<Hold>& holds, bool at_once) {
  const auto row = calls.Load(reference);
  if (!row) return std::unexpected(row.error());
  Candidate candidate;
  if (row->state != CallState::kPending) return candidate;
  candidate.hold = AddressHold(*row);
  if (!candidate.hold) candidate.hold = Covering(holds, row->endpoint);
  if (candidate.hold) {
    if (candidate.hold->until) {
      candidate.look_again = time.QueueTimeOf(*candidate.hold->until);
    }
    return candidate;
  }
  const auto pace = Pace();
  if (!pace) return std::unexpected(pace.error());
  const CallStore::Due due{row->id, row->due_at.value_or(0), row->attempts};
  const int64_t earliest = EarliestOf(due, *pace, /*person_waits=*/true, at_once);
  if (earliest > time.Milliseconds()) {
    candidate.look_again = earliest;
  } else {
    candidate.id = row->id;
  }
  return candidate;
}

Result<VerificationCall> DurableQueue::Internals::OpenCall(const CallRow& row) {
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  if (!key) return std::unexpected(key.error());
  const auto sealed = SealedPayload(calls, row);
  if (!sealed) return std::unexpected(sealed.error());
  const auto open = [&](SealedField field) REQUIRES(mutex) -> Result<SecretBytes> {
    const auto found = sealed->find(field);
    if (found == sealed->end()) return Fail(ErrorCode::kCorrupt, "a part of the call is missing");
    return seal.Open(row.reference, *key, field, found->second);
  };
  const auto question = open(SealedField::kQuestion);
  if (!question) return std::unexpected(question.error());
  auto call = ParseQuestion(question->view());
  if (!call || !TraitsOf(call->endpoint).TakesPictures()) return call;
  if (row.means) call->pictures.means = *row.means;
  for (size_t i = 0; i < kPictureFields.size(); ++i) {
    auto picture = open(kPictureFields[i]);
    if (!picture) return std::unexpected(picture.error());
    (i == 0 ? call->pictures.selfie : call->pictures.liveness[i - 1]) = std::move(*picture);
  }
  return call;
}

DurableQueue::Claimed DurableQueue::Internals::ClaimedOf(const CallRow& row,
                                                         VerificationCall call) {
  Claimed claimed{row.reference, std::move(call), row.attempts + 1, row.rung, row.person_waits, {}};
  if (profile.TakesAttemptId(row.endpoint)) {
    std::array<uint8_t, 16> id{};
    entropy.Fill(id);
    claimed.attempt_id = ToHex(id);
  }
  return claimed;
}

Result<DurableQueue::Idle> DurableQueue::Internals::WaitForNext(Candidate candidate) {
  const auto resend = calls.FirstResend(MaySend());
  if (!resend) return std::unexpected(resend.error());
  if (*resend) KeepEarlier(candidate.look_again, (*resend)->at);
  // Whoever waits for results learns of what another process decided. Upkeep says what fails.
  (void)TakeNotes();
  WriteDownAccepted();
  EraseCopies();
  return Wait(candidate.look_again, std::move(candidate.hold));
}

Result<bool> DurableQueue::Internals::MendBeforeSending(CallRow& row) {
  Status done;
  const bool damaged = row.state == CallState::kDamaged;
  if (IsTooOld(row)) {
    done = Commit([&]() REQUIRES(mutex) { return Age(row); });
  } else if (!damaged && ledger.calls().Closed(row.reference)) {
    done = Commit([&]() REQUIRES(mutex) { return CloseAgain(row); });
  } else if (!damaged && LedgerKnowsMore(row)) {
    done = Commit([&]() REQUIRES(mutex) { return MakeUnknown(row); });
  } else if (!damaged && IsOlderThanLook(row)) {
    done = Commit([&]() REQUIRES(mutex) {
      Doubt(row, "it is older than the look at a ledger that had lost records");
      return calls.Save(row);
    });
  } else if (!damaged && !guard.MayBill(row)) {
    done = AskAboutResend(row);
  } else {
    return false;
  }
  if (!done) return std::unexpected(done.error());
  return true;
}

Status DurableQueue::Internals::PutAside(const CallRow& row, const Error& why) {
  // The others do not wait with it.
  if (why.code != ErrorCode::kCorrupt) return WaitForMend(row, why);
  Status marked = Commit([&]() REQUIRES(mutex) { return Quarantine(row.id); });
  if (!marked) return marked;
  const auto now = calls.Load(row.reference);
  if (now && now->state != CallState::kDamaged) return {};  // brought back from its copy
  notices.push_back(fmt::format("{}: {}; it is kept, and never sent", row.reference, why.message));
  return {};
}

Result<std::variant<DurableQueue::Claimed, DurableQueue::Idle>> DurableQueue::Claim(
    const std::optional<CallReference>& only, bool at_once) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status may = internals.RequireDelivery(); !may) return std::unexpected(may.error());
  if (Status settled = internals.SettleClock(); !settled) return std::unexpected(settled.error());
  internals.LookForAcceptance();
  if (Status woken = internals.WakeUnknown(); !woken) return std::unexpected(woken.error());
  for (;;) {
    const auto holds = internals.Holds();
    if (!holds) return std::unexpected(holds.error());
    auto candidate =
        only ? internals.ChooseOnly(*only, *holds, at_once) : internals.Choose(*holds, at_once);
    if (!candidate) return std::unexpected(candidate.error());
    if (!candidate->id) return internals.WaitForNext(std::move(*candidate));
    auto row = internals.calls.LoadById(*candidate->id);
    if (!row) return std::unexpected(row.error());
    const auto mended = internals.MendBeforeSending(*row);
    if (!mended) return std::unexpected(mended.error());
    if (*mended) continue;
    auto call = row->state == CallState::kDamaged
                    ? Fail(ErrorCode::kCorrupt, "the record of the call is damaged")
                    : internals.OpenCall(*row);
    if (call) {
      const auto login_again = internals.TakeLoginAgain(row->endpoint);
      if (!login_again) return std::unexpected(login_again.error());
      Claimed claimed = internals.ClaimedOf(*row, std::move(*call));
      claimed.login_again = *login_again;
      return claimed;
    }
    if (Status aside = internals.PutAside(*row, call.error()); !aside) {
      return std::unexpected(aside.error());
    }
  }
}

}  // namespace idkiosk
