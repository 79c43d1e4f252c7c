#include <algorithm>
#include <functional>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/text/printable.h"

// What people see of calls, and decide about them; and what is erased of one that has ended.

namespace idkiosk {
Result<CallRow> DurableQueue::Internals::LoadGenuine(const CallReference& reference) {
  auto row = calls.Load(reference);
  if (row && row->state == CallState::kDamaged) {
    return Fail(ErrorCode::kCorrupt,
                "the record of {} is damaged: it is kept, but neither sent nor changed", reference);
  }
  return row;
}

Result<std::vector<Hold>> DurableQueue::Internals::Holds() {
  auto holds = state.Active(time);
  if (!holds) return holds;
  if (Status fresh = RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  // What the vault says decides for this transaction: a process may provision at any time.
  // One that cannot be read is a hold, too.
  (void)LookAtService();
  if (const auto cap = guard.CapReached(time)) holds->insert(holds->begin(), *cap);
  if (lock != nullptr && !HasRoomForAnswer()) {
    holds->insert(holds->begin(), Hold{HoldReason::kNoRoom, std::nullopt, time.WallNow(),
                                       std::nullopt, "the disk has no room for an answer"});
  }
  if (new_provisioning) holds->insert(holds->begin(), *new_provisioning);
  if (const auto hold = LedgerHold()) holds->insert(holds->begin(), *hold);
  if (!clock.WallIsTrusted()) {
    holds->insert(holds->begin(),
                  Hold{HoldReason::kClock, std::nullopt, time.WallNow(), std::nullopt,
                       "the clock shows a time before this program was written"});
  }
  return holds;
}

std::optional<Hold> DurableQueue::Internals::Covering(const std::vector<Hold>& holds,
                                                      Endpoint endpoint) {
  for (const Hold& each : holds) {
    if (!each.endpoint || *each.endpoint == endpoint) return each;
  }
  return std::nullopt;
}

CallSummary DurableQueue::Internals::Summarize(const CallRow& row, const std::vector<Hold>& holds) {
  CallSummary summary;
  // What damage has made of them goes to a terminal.
  const bool is_damaged = row.state == CallState::kDamaged;
  summary.reference = is_damaged ? Printable(row.reference) : row.reference;
  summary.state = row.state;
  summary.endpoint = row.endpoint;
  summary.operator_id = is_damaged ? Printable(row.operator_id) : row.operator_id;
  summary.case_id = is_damaged ? Printable(row.case_id) : row.case_id;
  summary.person_waits = row.person_waits;
  summary.accepted_at = FromMilliseconds(row.accepted_at);
  const auto address_hold = AddressHold(row);
  summary.other_address = address_hold.has_value();
  if (const auto made_for = ParseMadeFor(MadeForOf(row.made_for))) {
    summary.made_for = Describe(made_for->address);
  }
  if (row.state == CallState::kPending) {
    summary.hold = address_hold ? address_hold : Covering(holds, row.endpoint);
  }
  const bool may_go_out = IsWaiting(row.state) && !address_hold && guard.MayBill(row);
  if (may_go_out && row.due_at) {
    int64_t next = *row.due_at;
    // The pace of all keeps a call for longer than its own backoff does.
    if (const auto pace = Pace(); pace && row.state == CallState::kPending) {
      const bool at_once = IsHurried(row.id) || (row.person_waits && row.attempts == 0);
      next = std::max(next, ToMilliseconds(policy.EarliestFor(*pace, at_once)));
    }
    summary.next_attempt = time.WallOf(next);
  }
  if (row.ended_at) summary.ended_at = FromMilliseconds(*row.ended_at);
  // What the ledger says of a damaged one is worth more than its row.
  const AttemptIndex::OfCall known =
      is_damaged ? ledger.attempts().Find(row.reference) : AttemptIndex::OfCall();
  summary.attempts = is_damaged ? known.attempts : row.attempts;
  summary.billed_attempts = is_damaged ? known.billed : row.billed_attempts;
  summary.verdict = row.verdict;
  summary.last_outcome = row.outcome;
  summary.http_status = row.http_status;
  summary.engineer = is_damaged ? Printable(row.engineer) : row.engineer;
  summary.has_payload = row.has_payload;
  summary.means = row.means;
  summary.has_answer = row.has_answer;
  summary.resend_price = profile.at(row.endpoint).price;
  return summary;
}

Status DurableQueue::Internals::ErasePayload(CallRow& row) {
  if (!row.has_answer) return EraseAll(row);
  if (options.keep_number && row.has_payload) KeepQuestion(row);
  if (row.has_payload) wiped.push_back(row.reference);
  row.has_payload = false;
  const SealedField first = options.keep_number ? SealedField::kSelfie : SealedField::kQuestion;
  return calls.EraseFields(row.id, first, SealedField::kLiveness4);
}

Status DurableQueue::Internals::EraseAll(CallRow& row) {
  if (row.has_payload) wiped.push_back(row.reference);
  row.has_payload = false;
  row.has_answer = false;
  row.sealed_key.clear();
  return calls.EraseFields(row.id, SealedField::kQuestion, SealedField::kAnswer);
}

Status DurableQueue::NobodyWaits(const CallReference& reference) {
  const MutexLock guard(internals_->mutex);
  return internals_->Commit([&]() REQUIRES(internals_->mutex) -> Status {
    auto row = internals_->LoadGenuine(reference);
    if (!row) return std::unexpected(row.error());
    row->person_waits = false;
    return internals_->calls.Save(*row);
  });
}

Result<std::vector<CallSummary>> DurableQueue::List(bool only_open) {
  const MutexLock guard(internals_->mutex);
  const auto rows = internals_->calls.List(only_open);
  if (!rows) return std::unexpected(rows.error());
  const auto holds = internals_->Holds();
  if (!holds) return std::unexpected(holds.error());
  std::vector<CallSummary> list;
  list.reserve(rows->size());
  for (const CallRow& each : *rows) list.push_back(internals_->Summarize(each, *holds));
  return list;
}

Result<std::vector<CallSummary>> DurableQueue::Newest(int limit) {
  const MutexLock guard(internals_->mutex);
  auto rows = internals_->calls.SomeInState(CallState::kUnknown, limit);
  if (!rows) return std::unexpected(rows.error());
  std::ranges::sort(*rows, std::greater(), &CallRow::id);
  auto newest = internals_->calls.Newest(limit);
  if (!newest) return std::unexpected(newest.error());
  for (CallRow& each : *newest) {
    if (rows->size() == static_cast<size_t>(limit)) break;
    if (each.state != CallState::kUnknown) rows->push_back(std::move(each));
  }
  const auto holds = internals_->Holds();
  if (!holds) return std::unexpected(holds.error());
  std::vector<CallSummary> list;
  for (const CallRow& each : *rows) list.push_back(internals_->Summarize(each, *holds));
  return list;
}

Result<DurableQueue::CallPage> DurableQueue::Page(const CallFilter& filter) {
  const MutexLock guard(internals_->mutex);
  const int64_t since = filter.since ? ToMilliseconds(*filter.since) : 0;
  // One more than is shown tells whether there is another page.
  const auto rows =
      internals_->calls.Page(filter.state, since, filter.before, std::max(filter.limit, 1) + 1);
  if (!rows) return std::unexpected(rows.error());
  const auto holds = internals_->Holds();
  if (!holds) return std::unexpected(holds.error());
  CallPage page;
  for (const CallRow& each : *rows) {
    if (page.calls.size() == static_cast<size_t>(std::max(filter.limit, 1))) {
      page.next = rows->at(page.calls.size() - 1).id;
      break;
    }
    page.calls.push_back(internals_->Summarize(each, *holds));
  }
  return page;
}

Result<int64_t> DurableQueue::PlaceOf(const CallReference& reference) {
  const MutexLock guard(internals_->mutex);
  const auto row = internals_->calls.Load(reference);
  if (!row) return std::unexpected(row.error());
  return row->id;
}

Error DurableQueue::Internals::WhyMissing(const CallReference& reference, const Error& missing) {
  const auto apart = InCopiesAlone();
  if (!apart || std::ranges::find(*apart, reference) == apart->end()) return missing;
  return {
      ErrorCode::kUnavailable,
      fmt::format("{} lies in its copy alone, since the queue's file lacks it: it comes back {}",
                  reference, WhenCopiesComeBack())};
}

Result<CallSummary> DurableQueue::Show(const CallReference& reference) {
  const MutexLock guard(internals_->mutex);
  const auto row = internals_->calls.Load(reference);
  // An older file may not know it.
  if (Status own = row ? Status() : internals_->CheckOwnFile(); !own) {
    return std::unexpected(own.error());
  }
  if (!row) return std::unexpected(internals_->WhyMissing(reference, row.error()));
  const auto holds = internals_->Holds();
  if (!holds) return std::unexpected(holds.error());
  return internals_->Summarize(*row, *holds);
}

Result<SecretBytes> DurableQueue::Answer(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto row = internals.LoadGenuine(reference);
  if (!row) return std::unexpected(row.error());
  if (Status fresh = internals.RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  // An older file may hold it.
  if (internals.ledger.calls().WasErased(reference)) {
    return Fail(ErrorCode::kNotFound, "no answer to {} is kept: its person's data was erased",
                reference);
  }
  if (!row->has_answer) {
    return Fail(ErrorCode::kNotFound, "no answer to {} is kept: {}", reference,
                row->state == CallState::kDone
                    ? "there was none, or it was erased: its time was up, or somebody asked"
                    : "none has come");
  }
  return internals.OpenAnswer(*row);
}

Result<SecretBytes> DurableQueue::Internals::OpenAnswer(const CallRow& row) {
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  if (!key) return std::unexpected(key.error());
  const auto chunks = calls.GetField(row.id, SealedField::kAnswer);
  if (!chunks) return std::unexpected(chunks.error());
  return seal.Open(row.reference, *key, SealedField::kAnswer, *chunks);
}

Status DurableQueue::Internals::MayRetry(const CallRow& row, int seen) {
  if (row.attempts != seen) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} has been sent {} times meanwhile: look at it first", row.reference,
                row.attempts);
  }
  const bool rejected = row.state == CallState::kDone && row.verdict == Verdict::kRejected;
  if (rejected && !row.has_payload) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} was rejected by the service, and its question is erased: make a new check",
                row.reference);
  }
  if (!rejected && !IsWaiting(row.state)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is {}: only a call that waits, is unknown, or was rejected in doubt can be "
                "sent again",
                row.reference, Name(row.state));
  }
  if (!row.has_payload) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} cannot be sent again: its {} erased when its time was up", row.reference,
                TraitsOf(row.endpoint).TakesPictures() ? "pictures were" : "question was");
  }
  return {};
}

Status DurableQueue::Internals::Resend(CallRow& row, int seen) {
  if (Status may = MayRetry(row, seen); !may) return may;
  row.granted_attempts = row.billed_attempts + 1;
  row.state = CallState::kPending;
  row.verdict = Verdict::kNone;
  row.ended_at = std::nullopt;
  Hurry(row);
  const auto is_lifted = LiftFor(row.endpoint);
  if (!is_lifted) return std::unexpected(is_lifted.error());
  if (*is_lifted) {
    // The one call that goes first behind a hold is this one, and nothing else that waits.
    const auto first = calls.FirstDue(row.endpoint, row.person_waits, MaySend());
    if (!first) return std::unexpected(first.error());
    if (*first) row.due_at = std::min(*row.due_at, (*first)->at - 1);
  }
  return calls.Save(row);
}

Status DurableQueue::Internals::Decide(const CallReference& reference,
                                       const std::function<Status(CallRow& row)>& decide) {
  Status decided = Commit([&]() REQUIRES(mutex) -> Status {
    if (Status fresh = RefreshLedger(); !fresh) return fresh;
    if (Status back = BringBack(reference); !back) return back;
    auto row = LoadGenuine(reference);
    return row ? decide(*row) : std::unexpected(row.error());
  });
  if (!decided && decided.error().code == ErrorCode::kFailedPrecondition) {
    // Who looks at it again sees it as it is.
    (void)Commit([&]() REQUIRES(mutex) { return BringBack(reference); });
  }
  return decided;
}

Status DurableQueue::Retry(const CallReference& reference, int seen) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Decide(reference, [&](CallRow& row) REQUIRES(internals.mutex) -> Status {
    if (Status looked = internals.LookAtService(); !looked) return looked;
    if (const auto other = internals.AddressHold(row)) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "{} was {}: 'idkiosk queue retry {}' at the command line asks it at the present "
                  "address instead, or a program's request with \"at_present_address\": true",
                  reference, other->detail, reference);
    }
    return internals.Resend(row, seen);
  });
}

Status DurableQueue::GiveUp(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Decide(reference, [&](CallRow& row) REQUIRES(internals.mutex) -> Status {
    const bool maybe_sent =
        row.state == CallState::kPending && (row.billed_attempts > 0 || internals.MayLackNow());
    if (row.state == CallState::kSending) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "{} is being sent at this moment: its answer is awaited", reference);
    }
    if (row.state != CallState::kUnknown && !maybe_sent) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "{} is {}: only a call that may have been sent can be given up{}", reference,
                  Name(row.state), row.state == CallState::kPending ? "; cancel this one" : "");
    }
    row.verdict = Verdict::kGivenUp;
    if (Status erased = internals.ErasePayload(row); !erased) return erased;
    internals.End(row, CallState::kDone, internals.time.WallNow());
    return internals.calls.Save(row);
  });
}

Status DurableQueue::Cancel(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Decide(reference, [&](CallRow& row) REQUIRES(internals.mutex) -> Status {
    if (!WaitsUnsent(row.state, row.billed_attempts)) {
      return Fail(ErrorCode::kFailedPrecondition, "{} is {}: {}", reference, Name(row.state),
                  IsWaiting(row.state) ? "it may have been sent already; give it up instead"
                                       : "only a call that was not sent can be cancelled");
    }
    if (internals.MayLackNow()) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "the ledger is not genuine, and may have lost that {} was sent: give it up "
                  "instead, or accept the ledger first ('idkiosk ledger accept')",
                  reference);
    }
    if (Status erased = internals.EraseAll(row); !erased) return erased;
    internals.End(row, CallState::kCancelled, internals.time.WallNow());
    return internals.calls.Save(row);
  });
}

}  // namespace idkiosk
