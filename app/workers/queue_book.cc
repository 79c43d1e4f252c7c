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
  AskKeeper(
      parts_.keeper, parts_.control,
      [this, asked = std::move(call)]() mutable -> Looked {
        auto before = parts_.queue.FindDuplicate(asked);
        if (!before) LogWarning("calls of before: {}", before.error().message);
        return {std::move(asked), before ? std::move(*before) : std::nullopt};
      },
      std::move(then));
}

void QueueBook::Look(Then<Result<Overview>> then) {
  AskKeeper(parts_.keeper, parts_.control, [this] { return LookNow(); }, std::move(then));
}

void QueueBook::Count(Then<Result<Tally>> then) {
  AskKeeper(parts_.keeper, parts_.control, [this] { return CountNow(); }, std::move(then));
}

void QueueBook::OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) {
  AskKeeper(
      parts_.keeper, parts_.control, [this, reference] { return OpenNow(reference); },
      std::move(then));
}

void QueueBook::Resend(const CallReference& reference, Then<Status> then) {
  AskKeeper(
      parts_.keeper, parts_.control, [this, reference] { return ResendNow(reference); },
      std::move(then));
}

void QueueBook::GiveUp(const CallReference& reference, Then<Status> then) {
  AskKeeper(
      parts_.keeper, parts_.control, [this, reference] { return parts_.queue.GiveUp(reference); },
      std::move(then));
}

Result<CallBook::Overview> QueueBook::LookNow() {
  auto calls = parts_.queue.Newest(kShown);
  if (!calls) return std::unexpected(calls.error());
  const WallTime today = StartOfDay(parts_.clock, parts_.clock.WallNow());
  const auto sums = parts_.queue.Sum(LedgerBy::kTotal, today);
  if (!sums) return std::unexpected(sums.error());
  const LedgerSum& sum = sums->front();
  return Overview{std::move(*calls), sum.billed_yes + sum.billed_maybe,
                  sum.price_yes + sum.price_maybe};
}

Result<CallBook::Tally> QueueBook::CountNow() {
  const auto stats = parts_.queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  const auto attempts = parts_.queue.NewestAttempts(kAttempts);
  if (!attempts) return std::unexpected(attempts.error());
  Tally tally{stats->pending + stats->sending, std::nullopt};
  for (const LedgerRow& each : *attempts) {
    if (each.stage != SendStage::kAnswered || !each.ended_at) continue;
    if (!tally.last_delivered || *each.ended_at > *tally.last_delivered) {
      tally.last_delivered = each.ended_at;
    }
  }
  return tally;
}

Result<AnswerParts> QueueBook::OpenNow(const CallReference& reference) {
  const auto call = parts_.queue.Show(reference);
  if (!call) return std::unexpected(call.error());
  const auto answer = parts_.queue.Answer(reference);
  if (!answer) return std::unexpected(answer.error());
  return ReadAnswer(parts_.profile.at(call->endpoint), answer->view());
}

Status QueueBook::ResendNow(const CallReference& reference) {
  const auto call = parts_.queue.Show(reference);
  if (!call) return std::unexpected(call.error());
  if (call->state != CallState::kUnknown) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is {}: only an unknown call is sent again from here", reference,
                StateWord(*call));
  }
  Status sent = parts_.queue.Retry(reference);
  if (sent) parts_.wake();
  return sent;
}

}  // namespace idkiosk
