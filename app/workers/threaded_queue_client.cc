#include "app/workers/threaded_queue_client.h"

#include <algorithm>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr int kShown = 100;  // calls; more than anybody reads
// An answer among so many attempts; an agent who has none there has no network either.
constexpr int kAttempts = 100;

Result<QueueClient::Overview> OverviewOf(DurableQueue& queue, const Clock& clock) {
  auto calls = queue.Newest(kShown);
  if (!calls) return std::unexpected(calls.error());
  const auto sums = queue.Sum(LedgerBy::kTotal, StartOfDay(clock, clock.WallNow()));
  if (!sums) return std::unexpected(sums.error());
  const LedgerSum& sum = sums->front();
  return QueueClient::Overview{std::move(*calls), sum.billed_yes + sum.billed_maybe,
                               sum.price_yes + sum.price_maybe};
}

Result<QueueClient::Tally> TallyOf(DurableQueue& queue) {
  const auto stats = queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  const auto attempts = queue.NewestAttempts(kAttempts);
  if (!attempts) return std::unexpected(attempts.error());
  QueueClient::Tally tally{stats->In(CallCourse::kGoesOn), std::nullopt};
  for (const LedgerRow& each : *attempts) {
    if (each.stage != SendStage::kAnswered || !each.ended_at) continue;
    tally.last_delivered = std::max(tally.last_delivered, each.ended_at);
  }
  return tally;
}

}  // namespace

void ThreadedQueueClient::FindObstacle(VerificationCall question, bool confirmed,
                                       Then<Looked> then) {
  Ask(
      [asked = std::move(question), confirmed](DurableQueue& queue) mutable -> Looked {
        auto obstacle = queue.FindObstacle(asked, confirmed);
        return {std::move(asked), std::move(obstacle)};
      },
      std::move(then));
}

void ThreadedQueueClient::Accept(VerificationCall call, Terms terms, Then<Accepted> then) {
  Ask(
      [this, accepted = std::move(call), how = std::move(terms),
       name = deps_.user.name()](DurableQueue& queue) -> Accepted {
        DurableQueue::AcceptOptions options{.person_waits = true,
                                            .operator_id = name,
                                            .confirmed = how.confirmed,
                                            .consent = how.consent};
        if (const auto* const order = how.order.get()) {
          if (!order->operator_id.empty()) options.operator_id = order->operator_id;
          options.case_id = order->case_id;
          options.reference = order->reference;
          options.request = {.key = order->key, .body = order->body.text()};
        }
        auto reference = queue.Accept(accepted, options);
        if (!reference) return reference;
        deps_.wake();
        return reference;
      },
      std::move(then));
}

void ThreadedQueueClient::NobodyWaits(const CallReference& reference) {
  control_thread_.Check();
  deps_.storage_runner.Post([this, reference] {
    if (Status left = deps_.queue.NobodyWaits(reference); !left) {
      LogWarning("{}: {}", reference, left.error().message);
    }
  });
}

void ThreadedQueueClient::Show(const CallReference& reference, Then<Result<CallSummary>> then) {
  Ask([reference](DurableQueue& queue) { return queue.Show(reference); }, std::move(then));
}

void ThreadedQueueClient::ReadOverview(Then<Result<Overview>> then) {
  Ask([this](DurableQueue& queue) { return OverviewOf(queue, deps_.clock); }, std::move(then));
}

void ThreadedQueueClient::ReadTally(Then<Result<Tally>> then) {
  Ask([](DurableQueue& queue) { return TallyOf(queue); }, std::move(then));
}

void ThreadedQueueClient::OpenAnswer(const CallReference& reference,
                                     Then<Result<AnswerParts>> then) {
  Ask(
      [this, reference, by = deps_.user.By()](DurableQueue& queue) -> Result<AnswerParts> {
        const auto call = queue.Show(reference);
        if (!call) return std::unexpected(call.error());
        deps_.audit.Note(AuditEvent::kAnswerOpened, by, reference);
        const auto answer = queue.Answer(reference);
        if (!answer) return std::unexpected(answer.error());
        return ReadAnswer(deps_.profile.at(call->endpoint), answer->view());
      },
      std::move(then));
}

void ThreadedQueueClient::Resend(const CallReference& reference, int seen, Then<Status> then) {
  Ask(
      [this, reference, seen, by = deps_.user.By()](DurableQueue& queue) -> Status {
        const auto call = queue.Show(reference);
        if (!call) return std::unexpected(call.error());
        if (call->state != CallState::kUnknown) {
          return Fail(ErrorCode::kFailedPrecondition,
                      "{} is {}: only an unknown call is sent again from here", reference,
                      StateWord(*call));
        }
        Status sent = deps_.audit.Do(AuditEvent::kCallSentAgain, by, reference,
                                     [&] { return queue.Retry(reference, seen); });
        if (sent) deps_.wake();
        return sent;
      },
      std::move(then));
}

void ThreadedQueueClient::GiveUp(const CallReference& reference, Then<Status> then) {
  Ask(
      [this, reference, by = deps_.user.By()](DurableQueue& queue) {
        return deps_.audit.Do(AuditEvent::kCallGivenUp, by, reference,
                              [&] { return queue.GiveUp(reference); });
      },
      std::move(then));
}

}  // namespace idkiosk
