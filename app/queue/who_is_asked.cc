#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// Whom the calls that wait ask about: staff decide about people, and not about references.

namespace idkiosk {
namespace {

SecretBytes NumberIn(VerificationCall& question) {
  if (!question.nin.empty()) return std::move(question.nin);
  if (!question.phone.empty()) return std::move(question.phone);
  return std::move(question.id_number);
}

bool HasVerdict(const CallRow& row) {
  return row.state == CallState::kDone &&
         (row.verdict == Verdict::kVerified || row.verdict == Verdict::kNotVerified);
}

}  // namespace

Result<VerificationCall> DurableQueue::Internals::OpenQuestion(const CallRow& row) {
  if (!row.has_payload) {
    return Fail(ErrorCode::kNotFound, "the question of {} is erased", row.reference);
  }
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  if (!key) return std::unexpected(key.error());
  auto chunks = calls.GetField(row.id, SealedField::kQuestion);
  if (!chunks) return std::unexpected(chunks.error());
  if (chunks->empty()) {
    auto sealed = SealedPayload(calls, row);
    if (!sealed) return std::unexpected(sealed.error());
    *chunks = std::move((*sealed)[SealedField::kQuestion]);
  }
  const auto question = seal.Open(row.reference, *key, SealedField::kQuestion, *chunks);
  if (!question) return std::unexpected(question.error());
  return ParseQuestion(question->view());
}

Result<std::vector<CallRow>> DurableQueue::Internals::AskingTheSame(
    const CallRow& row, const VerificationCall* question) {
  if (question == nullptr) return calls.WithQuestion(row.question_mac);
  std::vector<CallRow> same;
  for (const uint32_t epoch : epochs.All()) {
    auto found = calls.WithQuestion(QuestionMac(*question, epoch));
    if (!found) return found;
    std::ranges::move(*found, std::back_inserter(same));
  }
  return same;
}

Result<DurableQueue::AskedCall> DurableQueue::Internals::WhomItAsks(
    const CallRow& row, const std::vector<Hold>& holds) {
  AskedCall asked;
  asked.call = Summarize(row, holds);
  for (const LedgerRow& each : ledger.attempts().Of(row.reference)) {
    if (each.billed != Billed::kNo) asked.spent += each.price;
  }
  if (row.state == CallState::kDamaged) return asked;
  // What does not open now is told as what it is, a call, without its person.
  auto question = OpenQuestion(row);
  const auto same = AskingTheSame(row, question ? &*question : nullptr);
  if (!same) return std::unexpected(same.error());
  asked.times = std::max(static_cast<int>(same->size()), 1);
  int64_t newest = 0;
  for (const CallRow& each : *same) {
    if (!HasVerdict(each) || each.ended_at.value_or(0) < std::max(row.accepted_at, newest))
      continue;
    asked.answered_by = each.reference;
    newest = each.ended_at.value_or(0);
  }
  if (question) asked.number = NumberIn(*question);
  return asked;
}

Result<DurableQueue::AskedPage> DurableQueue::WhoIsAsked(const CallFilter& filter) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const int limit = std::max(filter.limit, 1);
  const int64_t since = filter.since ? ToMilliseconds(*filter.since) : 0;
  const auto rows = internals.calls.Page(filter.state, since, filter.before, limit + 1);
  if (!rows) return std::unexpected(rows.error());
  const auto holds = internals.Holds();
  if (!holds) return std::unexpected(holds.error());
  AskedPage page;
  for (const CallRow& each : *rows) {
    if (page.calls.size() == static_cast<size_t>(limit)) {
      page.next = rows->at(page.calls.size() - 1).id;
      break;
    }
    auto asked = internals.WhomItAsks(each, *holds);
    if (!asked) return std::unexpected(asked.error());
    page.calls.push_back(std::move(*asked));
  }
  return page;
}

Result<SecretBytes> DurableQueue::NumberOf(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto row = internals.LoadGenuine(reference);
  if (!row) return std::unexpected(row.error());
  auto question = internals.OpenQuestion(*row);
  if (!question) return std::unexpected(question.error());
  return NumberIn(*question);
}

}  // namespace idkiosk
