#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// What has ended, in the order of the ledger, and whom it is about; and the records themselves.

namespace idkiosk {

Result<CallEnds> DurableQueue::Ends(uint64_t place, size_t limit) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  const auto ends = internals_->ledger.Ends();
  if (!ends) return std::unexpected(ends.error());
  return CallEnds{.at = (*ends)->At(place),
                  .first = (*ends)->Behind(place, limit),
                  .count = (*ends)->CountBehind(place),
                  .newest = (*ends)->Newest()};
}

Result<std::vector<LedgerRecord>> DurableQueue::LedgerRecords(uint64_t number, size_t limit) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  return internals_->ledger.Records(number, limit);
}

// A call that was answered at once has its question in its copy alone, which goes with its end.
void DurableQueue::Internals::KeepQuestion(const CallRow& row) {
  const auto sealed = SealedPayload(calls, row);
  if (!sealed) return;
  const auto question = sealed->find(SealedField::kQuestion);
  // The verdict is worth more than whom it is about.
  if (question == sealed->end()) return;
  (void)calls.PutField(row.id, SealedField::kQuestion, question->second);
}

Result<SecretBytes> DurableQueue::Nin(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto row = internals.LoadGenuine(reference);
  if (!row) return std::unexpected(row.error());
  auto question = internals.OpenKeptQuestion(*row);
  if (!question) return std::unexpected(question.error());
  return Internals::PersonIn(std::move(*question)).nin;
}

Result<VerificationCall> DurableQueue::Internals::OpenKeptQuestion(const CallRow& row) {
  const auto chunks = calls.GetField(row.id, SealedField::kQuestion);
  if (!chunks) return std::unexpected(chunks.error());
  // An older file may hold it.
  const bool was_erased = ledger.calls().WasErased(row.reference);
  if (!HasEnded(row.state) || !row.has_answer || chunks->empty() || was_erased) {
    return Fail(ErrorCode::kNotFound, "no number of {} is kept", row.reference);
  }
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  if (!key) return std::unexpected(key.error());
  const auto question = seal.Open(row.reference, *key, SealedField::kQuestion, *chunks);
  if (!question) return std::unexpected(question.error());
  return ParseQuestion(question->view());
}

}  // namespace idkiosk
