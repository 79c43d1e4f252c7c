#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/enum_rows.h"
#include "platform/base/log.h"

// One attempt: begun, and what came of it.

namespace idkiosk {
namespace {

constexpr std::string_view kUnauthorizedInARow = "unauthorized_in_a_row";

// How soon a secret that is missing is looked for again.
constexpr Duration kSecretLookAgain = std::chrono::minutes(1);

// What an outcome says about the gateway.
enum class Effect { kNone, kFailure, kBusy, kAnswer };

struct Consequence {
  OutcomeKind kind;
  Effect effect;                   // kAnswer: where there was one
  std::optional<HoldReason> hold;  // where its row in outcome.cc holds calls; nothing: none does
};
constexpr Consequence kConsequences[] = {
    {OutcomeKind::kVerified, Effect::kAnswer, {}},
    {OutcomeKind::kNotVerified, Effect::kAnswer, {}},
    {OutcomeKind::kAnswered, Effect::kAnswer, {}},
    {OutcomeKind::kRejected, Effect::kAnswer, {}},
    {OutcomeKind::kNoRecord, Effect::kAnswer, {}},
    {OutcomeKind::kNotFound, Effect::kAnswer, {}},
    {OutcomeKind::kUnreachable, Effect::kFailure, {}},
    {OutcomeKind::kCertificate, Effect::kFailure, {}},
    {OutcomeKind::kCancelled, Effect::kNone, {}},
    {OutcomeKind::kUnreadable, Effect::kFailure, {}},
    {OutcomeKind::kLost, Effect::kFailure, {}},
    {OutcomeKind::kServerFailure, Effect::kFailure, {}},
    {OutcomeKind::kUnauthorized, Effect::kAnswer, HoldReason::kCredentials},
    {OutcomeKind::kForbidden, Effect::kAnswer, HoldReason::kAccess},
    {OutcomeKind::kWrongAddress, Effect::kAnswer, HoldReason::kWrongAddress},
    {OutcomeKind::kUnexpected, Effect::kAnswer, HoldReason::kUnexpected},
    {OutcomeKind::kTooLarge, Effect::kAnswer, {}},
    {OutcomeKind::kPicturesRefused, Effect::kAnswer, {}},
    {OutcomeKind::kBusy, Effect::kBusy, {}},
    {OutcomeKind::kNotDelivered, Effect::kNone, HoldReason::kNotDelivered},
    {OutcomeKind::kMissingSecret, Effect::kNone, HoldReason::kMissingSecret},
    {OutcomeKind::kNotApproved, Effect::kNone, {}},
};
static_assert(HasEachRow(kConsequences, &Consequence::kind));

const Consequence& ConsequenceOf(const Outcome& outcome) {
  return kConsequences[static_cast<size_t>(outcome.kind)];
}

HoldReason HoldReasonFor(const Outcome& outcome) {
  return ConsequenceOf(outcome).hold.value_or(HoldReason::kUnexpected);
}

Effect EffectOf(const Outcome& outcome) {
  const Effect effect = ConsequenceOf(outcome).effect;
  const bool is_missing = effect == Effect::kAnswer && outcome.stage != SendStage::kAnswered;
  return is_missing ? Effect::kNone : effect;
}

// Leaves out the service's own words: they may hold personal data.
Outcome CopyOf(const Outcome& outcome) {
  Outcome copy;
  copy.kind = outcome.kind;
  copy.endpoint = outcome.endpoint;
  copy.disposition = outcome.disposition;
  copy.billed = outcome.billed;
  copy.verdict = outcome.verdict;
  copy.stage = outcome.stage;
  copy.http_status = outcome.http_status;
  copy.engineer = outcome.engineer;
  copy.service_reference = outcome.service_reference;
  copy.retry_after = outcome.retry_after;
  return copy;
}

}  // namespace

Status DurableQueue::BeginAttempt(const CallReference& reference, const std::string& attempt_id) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status may = internals.RequireDelivery(); !may) return may;
  int number = 0;
  // Not with the reserve: that is for the answer.
  Status approved = internals.Commit(
      [&]() REQUIRES(internals.mutex) -> Status {
        auto row = internals.LoadGenuine(reference);
        if (!row) return std::unexpected(row.error());
        const auto holds = internals.Holds();
        if (!holds) return std::unexpected(holds.error());
        Status done = internals.Approve(*row, attempt_id, *holds);
        number = row->attempts;
        return done;
      },
      Internals::Durability::kByLedger);
  // Nothing can be approved any more where the vault cannot be told of it.
  if (!approved && approved.error().code == ErrorCode::kUnavailable) {
    (void)internals.CheckInPlace();
  }
  if (!approved) return approved;
  internals.NoteAttempt(reference, number);
  return {};
}

// The ledger has it; the copy only tells an older ledger.
void DurableQueue::Internals::NoteAttempt(const CallReference& reference, int number) {
  if (Status noted = copies.NoteAttempt(reference, number); !noted) {
    LogWarning("{}: an older copy of the ledger may not be noticed: {}", reference,
               noted.error().message);
  }
}

Status DurableQueue::Internals::Approve(CallRow& row, const std::string& attempt_id,
                                        const std::vector<Hold>& holds) {
  if (row.state != CallState::kPending) {
    return Fail(ErrorCode::kFailedPrecondition, "{} is {}", row.reference, Name(row.state));
  }
  if (ledger.calls().Closed(row.reference)) {
    return Fail(ErrorCode::kFailedPrecondition, "the ledger knows that {} has ended",
                row.reference);
  }
  if (LedgerKnowsMore(row)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the ledger knows of an attempt of {} that the queue's file does not",
                row.reference);
  }
  // Claim doubts it, or ends it, at its next look.
  if (IsOlderThanLook(row)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is older than the look at a ledger that had lost records", row.reference);
  }
  if (IsTooOld(row)) {
    return Fail(ErrorCode::kFailedPrecondition, "{} has waited longer than queue.max_age",
                row.reference);
  }
  if (!guard.MayBill(row)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} has had {} attempts that may have been billed, and no more are approved",
                row.reference, row.billed_attempts);
  }
  const auto other = AddressHold(row);
  if (const auto hold = other ? other : Covering(holds, row.endpoint)) {
    return Fail(ErrorCode::kFailedPrecondition, "{} is held: {}", row.reference, hold->detail);
  }
  row.state = CallState::kSending;
  row.due_at = std::nullopt;
  ++row.billed_attempts;
  // One that another process has accepted.
  if (!ledger.calls().Knows(row.reference)) ledger.Stage(AcceptedEntry(row));
  LedgerEntry attempt = NextAttempt(row, /*approved=*/true);
  attempt.row.attempt_id = attempt_id;
  ledger.Stage(std::move(attempt));
  return calls.Save(row);
}

LedgerEntry DurableQueue::Internals::NextAttempt(CallRow& row, bool approved) {
  row.attempts = std::max(row.attempts, ledger.attempts().Find(row.reference).attempts) + 1;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kBegun;
  entry.approved = approved;
  LedgerRow& attempt = entry.row;
  attempt.reference = row.reference;
  attempt.number = row.attempts;
  attempt.endpoint = row.endpoint;
  attempt.operator_id = row.operator_id;
  attempt.started_at = time.WallNow();
  attempt.board_at = time.Milliseconds();
  attempt.price = profile.at(row.endpoint).price;
  attempt.currency = profile.currency;
  attempt.case_id = row.case_id;
  attempt.means = row.means;
  attempt.rule = "in_flight";
  if (!approved) {
    attempt.stage = SendStage::kNotSent;
    attempt.billed = Billed::kNo;
  }
  return entry;
}

Status DurableQueue::Record(const CallReference& reference, const Outcome& outcome,
                            ByteSpan answer) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status may = internals.RequireDelivery(); !may) return may;
  internals.KeepLongAnswer(reference, answer);
  bool begun = false;
  const auto change = [&]() REQUIRES(internals.mutex) {
    return internals.ApplyTo(reference, outcome, answer, begun);
  };
  const auto durability = Internals::DurabilityOf(answer);
  Status recorded = internals.Commit(change, durability);
  const bool full = !recorded && recorded.error().code == ErrorCode::kExhausted;
  if (full && begun && internals.GiveReserveAway()) {
    recorded = internals.Commit(change, durability);
  }
  // An older file was put over the open one: the ledger takes it, and a start tells that file.
  if (!recorded && !internals.CheckOwnFile()) {
    recorded = internals.EndBesideFile(reference, outcome, answer);
  }
  if (recorded) internals.recording.clear();
  return recorded;
}

Status DurableQueue::Internals::EndBesideFile(const CallReference& reference,
                                              const Outcome& outcome, ByteSpan answer) {
  const std::vector<LedgerRow> open = ledger.attempts().Open();
  const auto begun = std::ranges::find(open, reference, &LedgerRow::reference);
  if (begun == open.end()) return {};
  // The next start tells it to whatever file is there then.
  tells_position = false;
  StageEnd(*begun, outcome, time.WallNow());
  const auto copy = copies.Read(reference);
  const SealedAnswer sealed = copy ? SealAnswer(copy->row, answer) : SealedAnswer();
  if (sealed.size() == 1) (void)ledger.Attach(sealed.front());
  Status written = ledger.Write();
  if (!written) ledger.Drop();
  return written;
}

Result<std::optional<DurableQueue::Claimed>> DurableQueue::RecordAndApproveNext(
    const CallReference& reference, const Outcome& outcome, ByteSpan answer) {
  {
    Internals& internals = *internals_;
    const MutexLock guard(internals.mutex);
    if (Status may = internals.RequireDelivery(); !may) return std::unexpected(may.error());
    internals.KeepLongAnswer(reference, answer);
    std::optional<Claimed> next;
    const Status both = internals.Commit(
        [&]() REQUIRES(internals.mutex) -> Status {
          bool begun = false;
          if (Status applied = internals.ApplyTo(reference, outcome, answer, begun); !applied) {
            return applied;
          }
          auto approved = internals.ApproveNext();
          if (!approved) return std::unexpected(approved.error());
          next = std::move(*approved);
          return {};
        },
        Internals::DurabilityOf(answer));
    if (both) internals.recording.clear();
    if (both && next) internals.NoteAttempt(next->reference, next->attempt);
    if (both) return next;
  }
  // The answer is worth more than the haste.
  if (Status recorded = Record(reference, outcome, answer); !recorded) {
    return std::unexpected(recorded.error());
  }
  return std::nullopt;
}

Result<std::optional<DurableQueue::Claimed>> DurableQueue::Internals::ApproveNext() {
  const auto resend = calls.FirstResend(MaySend());
  if (!resend) return std::unexpected(resend.error());
  if (*resend && (*resend)->at <= time.Milliseconds()) return std::nullopt;
  const auto holds = Holds();
  if (!holds) return std::unexpected(holds.error());
  const auto candidate = Choose(*holds, false);
  if (!candidate) return std::unexpected(candidate.error());
  if (!candidate->id) return std::nullopt;
  auto row = calls.LoadById(*candidate->id);
  if (!row) return std::unexpected(row.error());
  if (row->state == CallState::kDamaged || LedgerKnowsMore(*row)) return std::nullopt;
  auto call = OpenCall(*row);
  if (!call) return std::nullopt;
  Claimed next = ClaimedOf(*row, std::move(*call));
  if (Status approved = Approve(*row, next.attempt_id, *holds); !approved) {
    if (approved.error().code == ErrorCode::kFailedPrecondition) return std::nullopt;
    return std::unexpected(approved.error());
  }
  return next;
}

// Its row was damaged since it was approved: what came of it is worth more than where it stands.
Result<CallRow> DurableQueue::Internals::LoadOnItsWay(const CallReference& reference) {
  auto row = LoadGenuine(reference);
  if (row || row.error().code != ErrorCode::kCorrupt || recording != reference) return row;
  auto copy = copies.Read(reference);
  if (!copy && CallCopies::MayBeWhole(copy.error())) return row;
  const auto is_back = Restore(std::move(copy), RestoreAs::kKnown);
  if (!is_back) return std::unexpected(is_back.error());
  if (!*is_back) return row;
  row = LoadGenuine(reference);
  if (!row) return row;
  row->state = CallState::kSending;
  row->due_at = std::nullopt;
  return row;
}

Status DurableQueue::Internals::ApplyTo(const CallReference& reference, const Outcome& outcome,
                                        ByteSpan answer, bool& begun) {
  // Also where the ledger has its end, and the file could not be written.
  if (IsOnItsWay(reference)) recording = reference;
  begun = recording == reference;
  auto row = LoadOnItsWay(reference);
  const bool is_gone =
      !row && (row.error().code == ErrorCode::kCorrupt || row.error().code == ErrorCode::kNotFound);
  if (is_gone) {
    return EndInLedger(reference, outcome);
  }
  if (!row) return std::unexpected(row.error());
  begun = begun || row->state == CallState::kSending;
  if (row->state == CallState::kSending || row->state == CallState::kPending) {
    const WallTime now = time.WallNow();
    RecordAttempt(*row, outcome, now);
    return Apply(*row, outcome, SealAnswer(*row, answer), now);
  }
  return EndInLedger(reference, outcome);
}

// Its record is gone or damaged, or a person ended it while the connection was made: others go on.
Status DurableQueue::Internals::EndInLedger(const CallReference& reference,
                                            const Outcome& outcome) {
  const std::vector<LedgerRow> open = ledger.attempts().Open();
  const auto begun = std::ranges::find(open, reference, &LedgerRow::reference);
  if (begun == open.end()) {
    if (outcome.stage != SendStage::kNotSent) {
      LogError("what came of {} has no place in the queue: {}", reference, outcome.engineer);
    }
    return {};
  }
  StageEnd(*begun, outcome, time.WallNow());
  // What the service says about all calls, it says by this one, too.
  CallRow gone;
  gone.reference = reference;
  gone.endpoint = begun->endpoint;
  gone.due_at = time.Milliseconds();
  if (Status heeded = Heed(gone, outcome); !heeded) return heeded;
  return outcome.disposition == Disposition::kHold ? ApplyHold(gone, outcome) : Status();
}

Status DurableQueue::Internals::Heed(CallRow& row, const Outcome& outcome) {
  const auto pace = Pace();
  if (!pace) return std::unexpected(pace.error());
  const bool outage = policy.IsOutage(*pace);
  if (Status pulled = PullBrake(row, outcome, outage); !pulled) return pulled;
  if (Status paced = ApplyPace(row, outcome); !paced) return paced;
  return CountUnauthorized(outcome);
}

void DurableQueue::Internals::RecordAttempt(CallRow& row, const Outcome& outcome,
                                            WallTime ended_at) {
  // A login on behalf of the call is no attempt of it.
  const bool of_this_call = outcome.endpoint == row.endpoint;
  const Billed billed = of_this_call ? outcome.billed : Billed::kNo;
  if (row.state == CallState::kSending) {
    if (billed == Billed::kNo) row.billed_attempts = std::max(row.billed_attempts - 1, 0);
  } else {
    const bool tried = outcome.stage != SendStage::kNotSent ||
                       outcome.kind == OutcomeKind::kUnreachable ||
                       outcome.kind == OutcomeKind::kCertificate;
    if (!of_this_call || !tried) return;
    ledger.Stage(NextAttempt(row, /*approved=*/false));
    if (billed != Billed::kNo) ++row.billed_attempts;
  }
  LedgerRow attempt;
  attempt.reference = row.reference;
  attempt.number = row.attempts;
  attempt.endpoint = row.endpoint;
  StageEnd(attempt, outcome, ended_at);
}

void DurableQueue::Internals::StageEnd(const LedgerRow& attempt, const Outcome& outcome,
                                       WallTime ended_at) {
  // A login on behalf of the call is no attempt of it.
  const bool of_this_call = outcome.endpoint == attempt.endpoint;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kEnded;
  entry.row.reference = attempt.reference;
  entry.row.number = attempt.number;
  entry.row.ended_at = ended_at;
  entry.row.stage = of_this_call ? outcome.stage : SendStage::kNotSent;
  entry.row.http_status = outcome.http_status;
  entry.row.billed = of_this_call ? outcome.billed : Billed::kNo;
  entry.row.rule = Name(outcome.kind);
  if (of_this_call) entry.row.service_reference = outcome.service_reference;
  entry.outcome = CopyOf(outcome);
  ledger.Stage(std::move(entry));
}

Status DurableQueue::Internals::Apply(CallRow& row, const Outcome& outcome,
                                      const SealedAnswer& answer, WallTime ended_at) {
  ForgetHaste(row.id);
  const int64_t now = time.Milliseconds();
  row.outcome = outcome.kind;
  row.http_status = outcome.http_status;
  row.engineer = outcome.engineer;
  row.state = CallState::kPending;
  row.due_at = now;
  if (Status heeded = Heed(row, outcome); !heeded) return heeded;
  Status applied;
  switch (outcome.disposition) {
    case Disposition::kDone:
      applied = ApplyDone(row, outcome, answer, ended_at);
      break;
    case Disposition::kUnknown:
      row.state = CallState::kUnknown;
      row.due_at = guard.ResendAt(row, now);
      applied = KeepAnswer(row, outcome, answer);
      break;
    case Disposition::kHold:
      applied = KeepAnswer(row, outcome, answer);
      if (applied) applied = ApplyHold(row, outcome);
      break;
    case Disposition::kReencode:
      ++row.rung;
      break;
    case Disposition::kLogin:
      // A token that is over is no answer: who waits for it does not wait for the others, too.
      if (row.person_waits) hurried.insert(row.id);
      break;
    case Disposition::kRetry:
    case Disposition::kPause:
      break;
  }
  return applied ? calls.Save(row) : applied;
}

Status DurableQueue::Internals::ApplyDone(CallRow& row, const Outcome& outcome,
                                          const SealedAnswer& answer, WallTime ended_at) {
  row.verdict = outcome.verdict;
  if (Status kept = KeepAnswer(row, outcome, answer); !kept) return kept;
  if (!IsDoubtful(outcome)) {
    if (Status erased = ErasePayload(row); !erased) return erased;
  }
  End(row, CallState::kDone, ended_at);
  return {};
}

// The first 401 costs a login; another one with the new token is not mended by a third.
Status DurableQueue::Internals::CountUnauthorized(const Outcome& outcome) {
  const bool unauthorized = outcome.disposition == Disposition::kLogin;
  if (!unauthorized && EffectOf(outcome) != Effect::kAnswer) return {};
  const auto before = state.Number(kUnauthorizedInARow);
  if (!before) return std::unexpected(before.error());
  const int64_t count = unauthorized ? *before + 1 : 0;
  if (count != *before) {
    if (Status set = state.SetNumber(kUnauthorizedInARow, count % 2); !set) return set;
  }
  if (count < 2) return {};
  return PutHold(
      {HoldReason::kCredentials, std::nullopt, time.WallNow(), std::nullopt,
       fmt::format("{}, even with a new token{}", outcome.engineer, SaidByService(outcome))});
}

Status DurableQueue::Internals::ApplyHold(const CallRow& row, const Outcome& outcome) {
  Hold hold;
  hold.reason = HoldReasonFor(outcome);
  hold.endpoint = row.endpoint;
  hold.since = time.WallNow();
  hold.detail = outcome.engineer;
  const bool of_the_account =
      outcome.kind == OutcomeKind::kUnauthorized || outcome.kind == OutcomeKind::kForbidden;
  if (of_the_account) hold.detail += SaidByService(outcome);
  // Looking for a secret again costs nothing, and neither do credentials that were refused: they
  // are not sent again until the vault holds others.
  const bool login_refused =
      outcome.kind == OutcomeKind::kUnauthorized && outcome.endpoint == Endpoint::kLogin;
  if (outcome.kind == OutcomeKind::kMissingSecret || login_refused) {
    hold.until = time.WallNow() + std::chrono::milliseconds(ToMilliseconds(kSecretLookAgain));
  }
  return PutHold(hold);
}

Status DurableQueue::Internals::ApplyPace(CallRow& row, const Outcome& outcome) {
  const auto before = Pace();
  if (!before) return std::unexpected(before.error());
  const Duration now = std::chrono::milliseconds(time.Milliseconds());
  DeliveryPace pace = *before;
  switch (EffectOf(outcome)) {
    case Effect::kNone:
      break;
    case Effect::kFailure: {
      // One call has met the outage: the others need not.
      hurried_backlog.clear();
      pace = policy.AfterFailure(pace, now);
      const Duration own = policy.Backoff(pace.failures);
      *row.due_at += ToMilliseconds(own);
      break;
    }
    case Effect::kBusy:
      pace = policy.AfterBusy(pace, now, outcome.retry_after);
      break;
    case Effect::kAnswer: {
      const auto waiting = calls.Count(CallState::kPending);
      if (!waiting) return std::unexpected(waiting.error());
      pace = policy.AfterAnswer(pace, now, *waiting);
      break;
    }
  }
  // Stopped at the last moment: whatever it was, it is not over in the next instant.
  if (outcome.kind == OutcomeKind::kNotApproved) {
    *row.due_at += ToMilliseconds(options.queue.backoff_first);
  }
  return pace == *before ? Status() : SetPace(pace);
}

Status DurableQueue::Hurry(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    auto row = internals.LoadGenuine(reference);
    if (!row) return std::unexpected(row.error());
    if (row->state != CallState::kPending) return {};
    internals.Hurry(*row);
    return internals.calls.Save(*row);
  });
}

Status DurableQueue::HurryBacklog(int limit) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    const auto holds = internals.Holds();
    if (!holds) return std::unexpected(holds.error());
    auto rows = internals.calls.Page(CallState::kPending, 0, std::nullopt, limit);
    if (!rows) return std::unexpected(rows.error());
    for (CallRow& row : *rows) {
      if (row.state != CallState::kPending) continue;  // damaged: it goes by its copy
      if (internals.AddressHold(row) || Internals::Covering(*holds, row.endpoint)) continue;
      row.due_at = internals.time.Milliseconds();
      internals.hurried_backlog.insert(row.id);
      if (Status saved = internals.calls.Save(row); !saved) return saved;
    }
    return {};
  });
}

bool DurableQueue::Internals::IsHurried(int64_t id) const {
  return hurried.contains(id) || hurried_backlog.contains(id);
}

void DurableQueue::Internals::ForgetHaste(int64_t id) {
  hurried.erase(id);
  hurried_backlog.erase(id);
}

void DurableQueue::Internals::Hurry(CallRow& row) {
  row.due_at = time.Milliseconds();
  row.person_waits = true;
  hurried.insert(row.id);
}

}  // namespace idkiosk
