#include "tests/app/queue/queue_fixture.h"

#include <gtest/gtest.h>

#include <utility>

namespace idkiosk {

Result<FacePictures> FakeShrinker::Shrink(const FacePictures& pictures, int rung) {
  rungs.push_back(rung);
  if (error) return std::unexpected(*error);
  FacePictures smaller;
  smaller.selfie = pictures.selfie.Clone();
  smaller.selfie.Truncate(smaller.selfie.size() >> rung);
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    smaller.liveness[i] = pictures.liveness[i].Clone();
  }
  return smaller;
}

VerificationCall LookupCall(int number) {
  VerificationCall call;
  call.endpoint = Endpoint::kLookupNin;
  call.nin = SecretBytes::CopyOf(fmt::format("{:011}", number));
  call.reason = "KYC";
  return call;
}

QueueBench::QueueBench(uint64_t seed, ServiceProfile with)
    : ServiceBench(std::move(with)), entropy(seed), disk(seed) {
  options.folder = "/state";
  options.sqlite_vfs = disk.name();
  options.queue.reserve_bytes = 4096;
}

Result<std::unique_ptr<DurableQueue>> QueueBench::TryOpen(DurableQueue::Role role) {
  DurableQueue::Options now = options;
  now.role = role;
  return DurableQueue::Open(std::move(now), profile, clock, crypto, entropy, storage, files);
}

void QueueBench::Open(DurableQueue::Role role) {
  auto opened = TryOpen(role);
  ASSERT_TRUE(opened) << opened.error().message;
  queue = std::move(*opened);
  worker = std::make_unique<DeliveryWorker>(*queue, client, shrinker, clock);
}

void QueueBench::Close() {
  worker.reset();
  queue.reset();
}

void QueueBench::Restart() {
  Close();
  tokens.Forget();
  Open();
}

CallReference QueueBench::Accept(const VerificationCall& call, bool person_waits) {
  const auto reference =
      queue->Accept(call, {.person_waits = person_waits, .operator_id = "op", .confirmed = true});
  EXPECT_TRUE(reference) << reference.error().message;
  return reference.value_or("");
}

DeliveryWorker::Step QueueBench::Step() {
  auto step = worker->DeliverNext();
  EXPECT_TRUE(step) << step.error().message;
  return step ? std::move(*step) : DeliveryWorker::Step{};
}

void QueueBench::StepUntilIdle() {
  const auto step = worker->DeliverRun({[] { return true; }, [](const auto&) {}});
  ASSERT_TRUE(step) << step.error().message;
}

void QueueBench::RunFor(Duration time) {
  const MonotonicTime end = clock.Now() + time;
  for (;;) {
    const DeliveryWorker::Step step = Step();
    if (step.reference) continue;
    if (step.next > end) break;
    ASSERT_GT(step.next, clock.Now()) << "a busy loop";
    clock.Advance(step.next - clock.Now());
  }
  clock.Advance(end - clock.Now());
}

CallSummary QueueBench::Show(const CallReference& reference) {
  const auto summary = queue->Show(reference);
  EXPECT_TRUE(summary) << summary.error().message;
  return summary.value_or(CallSummary());
}

std::string QueueBench::StateOf(const CallReference& reference) {
  return std::string(StateWord(Show(reference)));
}

std::vector<LedgerRow> QueueBench::Ledger() {
  const auto rows = queue->Ledger(std::nullopt);
  EXPECT_TRUE(rows) << rows.error().message;
  return rows.value_or(std::vector<LedgerRow>());
}

LedgerSum QueueBench::Total() {
  const auto sums = queue->Sum(LedgerBy::kTotal, std::nullopt);
  EXPECT_TRUE(sums) << sums.error().message;
  return sums && !sums->empty() ? sums->front() : LedgerSum();
}

void QueueBench::Serve(int status, std::string_view body) {
  ServeLogins([status, text = std::string(body)](const auto&) {
    FakeHttpClient::Reply reply;
    reply.status = status;
    reply.body = text;
    return reply;
  });
}

}  // namespace idkiosk
