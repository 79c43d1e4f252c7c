#include "app/workers/queue_book.h"

#include <utility>

#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr int kShown = 100;  // calls; more than anybody reads
// An answer among so many attempts; an agent who has none there has no network either.
constexpr int kAttempts = 100;

}  // namespace

void QueueBook::FindDuplicate(VerificationCall call, Then<Looked> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, asked = std::move(call)]() mutable -> Looked {
        auto before = deps_.queue.FindDuplicate(asked);
        if (!before) LogWarning("reading earlier calls: {}", before.error().message);
        return {std::move(asked), before ? std::move(*before) : std::nullopt};
      },
      std::move(then));
}

void QueueBook::Look(Then<Result<Overview>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this] { return LookNow(); }, std::move(then));
}

void QueueBook::Count(Then<Result<Tally>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this] { return CountNow(); }, std::move(then));
}

void QueueBook::OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this, reference] { return OpenNow(reference); },
      std::move(then));
}

void QueueBook::Resend(const CallReference& reference, Then<Status> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this, reference] { return ResendNow(reference); },
      std::move(then));
}

void QueueBook::GiveUp(const CallReference& reference, Then<Status> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, reference] { return deps_.queue.GiveUp(reference); }, std::move(then));
}

Result<CallBook::Overview> QueueBook::LookNow() {
  auto calls = deps_.queue.Newest(kShown);
  if (!calls) return std::unexpected(calls.error());
  const WallTime today = StartOfDay(deps_.clock, deps_.clock.WallNow());
  const auto sums = deps_.queue.Sum(LedgerBy::kTotal, today);
  if (!sums) return std::unexpected(sums.error());
  const LedgerSum& sum = sums->front();
  return Overview{std::move(*calls), sum.billed_yes + sum.billed_maybe,
                  sum.price_yes + sum.price_maybe};
}

Result<CallBook::Tally> QueueBook::CountNow() {
  const auto stats = deps_.queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  const auto attempts = deps_.queue.NewestAttempts(kAttempts);
  if (!attempts) return std::unexpected(attempts.error());
  Tally tally{stats->In(CallState::kPending) + stats->In(CallState::kSending), std::nullopt};
  for (const LedgerRow& each : *attempts) {
    if (each.stage != SendStage::kAnswered || !each.ended_at) continue;
    if (!tally.last_delivered || *each.ended_at > *tally.last_delivered) {
      tally.last_delivered = each.ended_at;
    }
  }
  return tally;
}

Result<AnswerParts> QueueBook::OpenNow(const CallReference& reference) {
  const auto call = deps_.queue.Show(reference);
  if (!call) return std::unexpected(call.error());
  const auto answer = deps_.queue.Answer(reference);
  if (!answer) return std::unexpected(answer.error());
  return ReadAnswer(deps_.profile.at(call->endpoint), answer->view());
}

Status QueueBook::ResendNow(const CallReference& reference) {
  const auto call = deps_.queue.Show(reference);
  if (!call) return std::unexpected(call.error());
  if (call->state != CallState::kUnknown) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is {}: only an unknown call is sent again from here", reference,
                StateWord(*call));
  }
  Status sent = deps_.queue.Retry(reference);
  if (sent) deps_.wake();
  return sent;
}

}  // namespace idkiosk
