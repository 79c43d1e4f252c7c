#include <utility>

#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// The service's answers, sealed: in the ledger with the end of their attempt, and in the file.

namespace idkiosk {
namespace {

// The attempt whose answer is in the file before the ledger knows how it ended.
constexpr std::string_view kLongAnswer = "long_answer";

Bytes NameOfAttempt(const CallReference& reference, int number) {
  const std::string name = fmt::format("{}-{}", reference, number);
  return {name.begin(), name.end()};
}

}  // namespace

// An answer that is too large for the ledger has to be synced where it is.
DurableQueue::Internals::Durability DurableQueue::Internals::DurabilityOf(ByteSpan answer) {
  constexpr size_t kSealing = Crypto::kNonceSize + Crypto::kTagSize;
  return answer.size() + kSealing > AttemptLedger::kLargestAnswer ? Durability::kSynced
                                                                  : Durability::kByLedger;
}

// Before the ledger says that the attempt has ended: whoever is told so finds its answer.
void DurableQueue::Internals::KeepLongAnswer(const CallReference& reference, ByteSpan answer) {
  if (DurabilityOf(answer) != Durability::kSynced) return;
  const Status kept = Commit([&]() REQUIRES(mutex) -> Status {
    auto row = LoadGenuine(reference);
    if (!row) return std::unexpected(row.error());
    const SealedAnswer sealed = SealAnswer(*row, answer);
    if (row->state != CallState::kSending || sealed.empty()) return {};
    if (Status dropped = DropAnswer(*row); !dropped) return dropped;
    row->has_answer = true;
    if (Status put = calls.PutField(row->id, SealedField::kAnswer, sealed); !put) return put;
    if (Status saved = calls.Save(*row); !saved) return saved;
    return state.SetSetting(kLongAnswer, NameOfAttempt(reference, row->attempts));
  });
  // It comes with the end once more.
  if (!kept) LogWarning("{}: its answer is not kept yet: {}", reference, kept.error().message);
}

Result<SealedAnswer> DurableQueue::Internals::LongAnswerOf(const CallRow& row, int number) {
  const auto of = state.Setting(kLongAnswer);
  if (!of) return std::unexpected(of.error());
  const bool is_its = row.has_answer && *of && **of == NameOfAttempt(row.reference, number);
  return is_its ? calls.GetField(row.id, SealedField::kAnswer) : SealedAnswer();
}

Status DurableQueue::Internals::DropAnswer(CallRow& row) {
  if (!std::exchange(row.has_answer, false)) return {};
  return calls.EraseFields(row.id, SealedField::kAnswer, SealedField::kAnswer);
}

// The verdict is worth more than its wording.
SealedAnswer DurableQueue::Internals::SealAnswer(const CallRow& row, ByteSpan answer) {
  if (answer.empty()) return {};
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  auto chunks = key ? seal.Seal(row.reference, *key, SealedField::kAnswer, answer)
                    : Result<SealedAnswer>(std::unexpected(key.error()));
  return chunks ? std::move(*chunks) : SealedAnswer();
}

Status DurableQueue::Internals::KeepAnswer(CallRow& row, const Outcome& outcome,
                                           const SealedAnswer& answer) {
  const bool was_sent = outcome.endpoint == row.endpoint && outcome.stage != SendStage::kNotSent;
  // That of an attempt before is not this one's.
  if (Status dropped = was_sent ? DropAnswer(row) : Status(); !dropped) return dropped;
  if (answer.empty()) return {};
  row.has_answer = true;
  if (answer.size() == 1) (void)ledger.Attach(answer.front());
  return calls.PutField(row.id, SealedField::kAnswer, answer);
}

}  // namespace idkiosk
