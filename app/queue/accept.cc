#include <fmt/format.h>

#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// What speaks against a call, and how one is kept against which nothing does.

namespace idkiosk {

Result<CallReference> DurableQueue::Internals::DrawReference() {
  constexpr size_t kLetters = kReferenceAlphabet.size();
  for (;;) {
    CallReference reference;
    while (reference.size() < kReferenceSize) {
      uint8_t random = 0;
      entropy.Fill({&random, 1});
      // Every letter as often as the others.
      if (random < 256 / kLetters * kLetters) {
        reference.push_back(kReferenceAlphabet[random % kLetters]);
      }
    }
    const auto taken = calls.Exists(reference);
    if (!taken) return std::unexpected(taken.error());
    const bool was_there = ledger.attempts().Find(reference).attempts > 0 ||
                           ledger.calls().Knows(reference) || copies.Has(reference);
    if (!*taken && !was_there) return reference;
  }
}

std::optional<Obstacle> DurableQueue::FindObstacle(const VerificationCall& question,
                                                   bool confirmed) {
  const MutexLock guard(internals_->mutex);
  return internals_->FindObstacle(question, confirmed);
}

std::optional<Obstacle> DurableQueue::Internals::FindObstacle(const VerificationCall& question,
                                                              bool confirmed) {
  if (Status gone = WithdrawRefused(); !gone) return Obstacle{std::move(gone.error())};
  if (Status fresh = RefreshKeys(); !fresh) return Obstacle{std::move(fresh.error())};
  IntakeFacts facts{.room = CheckRoom(), .holds = {}, .before = {}, .confirmed = confirmed};
  // Who cannot tell what holds calls, or whether this was asked before, asks for no money.
  const auto holds = Holds();
  if (!holds) return Obstacle{holds.error().Within("reading what holds calls")};
  if (!confirmed) {
    auto before = FindDuplicate(question, *holds);
    if (!before) return Obstacle{before.error().Within("reading earlier calls")};
    facts.before = std::move(*before);
  }
  facts.holds = *holds;
  std::erase_if(facts.holds, [&](const Hold& hold) {
    return hold.endpoint && *hold.endpoint != question.endpoint;
  });
  return Intake(facts);
}

Result<CallReference> DurableQueue::DrawReference() {
  const MutexLock guard(internals_->mutex);
  return internals_->DrawReference();
}

Accepted DurableQueue::Accept(const VerificationCall& call, const AcceptOptions& accept) {
  if (accept.consent) return AcceptWithConsent(call, accept);
  const MutexLock guard(internals_->mutex);
  if (auto obstacle = internals_->FindObstacle(call, accept.confirmed)) {
    return std::unexpected(std::move(*obstacle));
  }
  auto kept = internals_->Keep(call, accept);
  if (!kept) return std::unexpected(Obstacle{kept.error().Within("the call was not kept")});
  return std::move(*kept);
}

Result<CallReference> DurableQueue::Internals::Keep(const VerificationCall& call,
                                                    const AcceptOptions& accept) {
  if (Status settled = SettleClock(); !settled) return std::unexpected(settled.error());
  auto reference =
      accept.reference.empty() ? DrawReference() : Result<CallReference>(accept.reference);
  if (!reference) return reference;
  CallRow row;
  row.reference = *reference;
  row.endpoint = call.endpoint;
  row.operator_id = accept.operator_id;
  row.person_waits = accept.person_waits;
  row.due_at = time.Milliseconds();
  row.age_at = 0;
  if (time.trusted()) {
    row.accepted_at = ToMilliseconds(time.WallNow());
    row.age_at = *row.due_at + ToMilliseconds(options.queue.max_age);
  }
  row.question_mac = QuestionMac(call, epochs.newest());
  row.made_for = ToText(in_force);
  row.case_id = accept.case_id;
  row.request = RequestMac(accept.request, epochs.newest());
  if (!call.pictures.empty()) row.means = call.pictures.means;
  auto sealed = SealCall(call, std::move(row));
  if (!sealed) return std::unexpected(sealed.error());
  // The copy is what a power cut leaves, so the commit is not synced. It is written while nobody
  // else may change the file: who finds a copy without a row then knows that its process is gone.
  // What is sealed goes into the file once the call has waited (KeepTwice): most have not.
  Status accepted = Commit(
      [&]() REQUIRES(mutex) -> Status {
        if (Status noted = NoteSealedBy(); !noted) return noted;
        const bool sent_soon = lock != nullptr;
        Status inserted = sent_soon ? calls.Insert(sealed->row) : InsertSealed(*sealed);
        return inserted ? copies.Write(*sealed) : inserted;
      },
      Durability::kByLedger);
  if (!accepted) {
    refused.push_back(*reference);
    const Status gone = WithdrawRefused();
    if (gone) return std::unexpected(accepted.error());
    return Fail(accepted.error().code,
                "{}. {}; if idkiosk ends before then, the call is sent as {} at the next start",
                accepted.error().message, gone.error().message, *reference);
  }
  NoteAccepted(sealed->row);
  return reference;
}

Status DurableQueue::Internals::WithdrawRefused() {
  while (!refused.empty()) {
    if (Status gone = copies.Withdraw(refused.back()); !gone) {
      return std::unexpected(gone.error().Within(fmt::format(
          "{} was refused, but its copy cannot be erased; until it is, no call is accepted",
          refused.back())));
    }
    refused.pop_back();
  }
  return {};
}

// Others may use the queue meanwhile: putting a consent on record waits for the disk.
Accepted DurableQueue::AcceptWithConsent(const VerificationCall& call, AcceptOptions options) {
  const Consent consent = *std::exchange(options.consent, std::nullopt);
  ConsentLog* const consents = internals_->options.consents;
  if (consents == nullptr) return Accept(call, options);
  if (auto obstacle = FindObstacle(call, options.confirmed)) {
    return std::unexpected(std::move(*obstacle));
  }
  if (options.reference.empty()) {
    auto drawn = DrawReference();
    if (!drawn) return std::unexpected(Obstacle{drawn.error()});
    options.reference = std::move(*drawn);
  }
  if (Status put = consents->Record(options.reference, consent, options.operator_id); !put) {
    return std::unexpected(
        Obstacle{put.error().Within("the call was not kept, as its consent cannot be recorded")});
  }
  auto accepted = Accept(call, options);
  if (!accepted) consents->NoteNotAccepted(options.reference);
  return accepted;
}

}  // namespace idkiosk
