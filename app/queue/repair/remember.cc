#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// Calls that the queue's file lost, after they had ended or may have been sent: nothing can be sent
// of them any more, but who asks the same again, or sends the same request again, must not make a
// second call of it.

namespace idkiosk {
namespace {

// The ledger may go back years, and these are only there to be found for a day.
constexpr size_t kMostRemembered = 5000;

constexpr std::string_view kWhy = "the queue's file lost it; the ledger knows how it ended";

constexpr std::string_view kWhyUnknown = "the queue's file and its copy are lost";

using Kind = LedgerEntry::Kind;

// `entry`: kAccepted, or kBegun of an idkiosk that wrote no such.
CallRow BeginOf(const LedgerEntry& entry) {
  CallRow row;
  row.reference = entry.row.reference;
  row.endpoint = entry.row.endpoint;
  row.accepted_at = ToMilliseconds(entry.row.started_at);
  row.question_mac = entry.question_mac;
  row.request = entry.request;
  return row;
}

}  // namespace

Status DurableQueue::Internals::Remember(const LedgerEntry& entry, Replayed& so_far) {
  // Whose beginning the file knew was removed from it in its time.
  if (entry.kind == Kind::kAccepted || entry.kind == Kind::kBegun) {
    so_far.lacking.try_emplace(entry.row.reference, BeginOf(entry));
  }
  const auto found = so_far.lacking.find(entry.row.reference);
  if (found == so_far.lacking.end()) return {};
  CallRow& row = found->second;
  if (entry.kind == Kind::kBegun) {
    row.operator_id = entry.row.operator_id;
    row.case_id = entry.row.case_id;
    row.means = entry.row.means;
  }
  if (entry.kind == Kind::kEnded) {
    row.outcome = entry.outcome.kind;
    row.http_status = entry.row.http_status;
  }
  if (entry.kind == Kind::kErased) ForgetQuestion(row);
  const auto end = entry.EndOfCall();
  if (!end) return {};
  row.state = end->state;
  row.verdict = end->verdict;
  row.ended_at = ToMilliseconds(entry.row.ended_at.value_or(WallTime()));
  CallRow ended = std::move(row);
  so_far.lacking.erase(found);
  return InsertEnded(std::move(ended), so_far);
}

bool DurableQueue::Internals::WasRemoved(const CallRow& row) const {
  const std::vector<LedgerRow> attempts = ledger.attempts().Of(row.reference);
  if (attempts.empty()) return false;
  const std::chrono::milliseconds kept(ToMilliseconds(options.queue.retention) +
                                       RowOutlivesAnswer(row));
  // The wall clock may have been wrong when it ended.
  const bool is_over = attempts.back().board_at + kept.count() <= time.Milliseconds();
  const WallTime ended = FromMilliseconds(row.ended_at.value_or(0));
  return is_over && ended + kept <= time.WallNow() && time.DoubtOfAge(ended, kept).empty();
}

Status DurableQueue::Internals::InsertEnded(CallRow row, Replayed& so_far) {
  // A file may be told the whole ledger, and lack nothing.
  if (WasRemoved(row)) return {};
  if (so_far.remembered.size() == kMostRemembered) {
    const auto oldest = calls.Load(so_far.remembered.front());
    if (!oldest) return std::unexpected(oldest.error());
    if (Status deleted = calls.Delete(oldest->id); !deleted) return deleted;
    so_far.remembered.pop_front();
  }
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  row.attempts = known.attempts;
  row.billed_attempts = known.billed;
  row.engineer = kWhy;
  KeepForRetention(row);
  so_far.remembered.push_back(row.reference);
  return calls.Insert(row);
}

Status DurableQueue::Internals::InsertUnknown(Replayed& so_far) {
  for (auto& [reference, row] : so_far.lacking) {
    const AttemptIndex::OfCall known = ledger.attempts().Find(reference);
    if (known.billed == 0) continue;
    row.attempts = known.attempts;
    row.billed_attempts = known.billed;
    row.state = CallState::kUnknown;
    row.outcome = OutcomeKind::kLost;
    row.engineer = kWhyUnknown;
    row.age_at = time.Milliseconds() + ToMilliseconds(options.queue.max_age);
    if (Status inserted = calls.Insert(row); !inserted) return inserted;
    so_far.unknown.push_back(reference);
  }
  return {};
}

Status DurableQueue::Internals::RememberByLedger(const CallReference& reference,
                                                 const LedgerEntry* end) {
  constexpr size_t kRecordsAtOnce = 1000;
  Replayed told;
  for (uint64_t at = 0;;) {
    const auto records = ledger.Records(at, kRecordsAtOnce);
    if (!records) return std::unexpected(records.error());
    if (records->empty()) return end == nullptr ? Status() : Replay(*end, {}, told);
    for (const LedgerRecord& record : *records) {
      for (const LedgerEntry& each : record.entries) {
        if (each.row.reference != reference) continue;
        if (Status known = Replay(each, {}, told); !known) return known;
      }
    }
    at = records->back().position.number;
  }
}

void DurableQueue::Internals::SayWhatLacked(const Replayed& replayed) {
  if (!replayed.remembered.empty()) {
    Say(fmt::format(
        "the queue's file lacked calls that had ended: {}. The ledger knows what became of them; "
        "their answers are gone. The power failed, or the file or its log is an older copy, or new",
        replayed.remembered.size()));
  }
  if (replayed.unknown.empty()) return;
  Say(fmt::format(
      "THE QUEUE'S FILE LACKS {} that may have been sent, and so do the copies: {}. "
      "They are unknown, and cannot be sent again: ask the service's operator, or give "
      "them up",
      replayed.unknown.size() == 1 ? "A CALL" : fmt::format("{} CALLS", replayed.unknown.size()),
      NamesOf(replayed.unknown)));
}

}  // namespace idkiosk
