#ifndef IDKIOSK_TESTS_APP_RESULTS_OUTBOX_BENCH_H_
#define IDKIOSK_TESTS_APP_RESULTS_OUTBOX_BENCH_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "app/results/hand_over.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_power.h"

namespace idkiosk {

// A receiver that keeps what it was given, and says what the test wants.
class FakeDestination final : public Destination {
 public:
  [[nodiscard]] std::string_view name() const override { return "webhook"; }
  [[nodiscard]] Delivery Deliver(const ResultMessage& message) override {
    ++tries;
    if (!good) return {.kind = Delivery::Kind::kLater, .why = "it answered 500", .retry_after = {}};
    if (gone) return {.kind = Delivery::Kind::kGone, .why = "it answered 410", .retry_after = {}};
    taken.push_back({message.id, message.reference, std::string(message.body.text())});
    if (!says_so) {
      return {.kind = Delivery::Kind::kLater, .why = "cut", .retry_after = retry_after};
    }
    return {};
  }

  struct Taken {
    std::string id;
    CallReference reference;
    std::string body;
  };
  std::vector<Taken> taken;
  int tries = 0;
  bool good = true;
  bool gone = false;
  bool says_so = true;  // false: it takes the message, and the answer is lost
  std::optional<Duration> retry_after;
};

// A queue and an outbox on disks in memory that lose power together.
struct OutboxBench : QueueBench {
  OutboxBench() {
    files.ShareSupply(power);
    disk.ShareSupply(power);
    options.billing.breaker_after = 0;
    Open();
    Serve(200);
    OpenOutbox();
    (void)outbox->Step();
  }

  void OpenOutbox() {
    outbox = std::make_unique<Outbox>(Outbox::Dependencies{
        .queue = *queue,
        .writer = *(
            writer = std::make_unique<ResultWriter>(ResultWriter::Dependencies{.queue = *queue,
                                                                               .profile = profile,
                                                                               .settings = results,
                                                                               .crypto = crypto,
                                                                               .key = key})),
        .destination = receiver,
        .cursor = OutboxCursorFile("/state", "webhook", crypto, key, files),
        .policy = policy,
        .audit = audit,
        .clock = clock});
  }
  void CloseAll() {
    outbox.reset();
    Close();
  }
  void RestartAll() {
    CloseAll();
    tokens.Forget();
    Open();
    OpenOutbox();
  }
  void PowerComesBack(Unsynced fate) {
    CloseAll();
    power->Restore();
    disk.Restart(fate);
    files.Restart(fate);
    tokens.Forget();
    Open();
    OpenOutbox();
  }

  // A call that is answered at once.
  CallReference Verified(int number) {
    const CallReference reference = Accept(LookupCall(number));
    RunFor(std::chrono::seconds(10));
    return reference;
  }
  // Steps until it has nothing to do now.
  void HandOverAll() {
    while (outbox->Step() <= clock.Now()) {
    }
  }
  [[nodiscard]] std::vector<CallReference> Taken() const {
    std::vector<CallReference> references;
    for (const auto& each : receiver.taken) references.push_back(each.reference);
    return references;
  }

  const std::shared_ptr<FakePower> power = std::make_shared<FakePower>();
  FakeEntropy chance{7};
  SecretBytes key = *storage.DeriveKey("of a test");
  ResultsSettings results;
  RetryPolicy policy{options.queue, chance};
  FakeAuditLog audit;
  FakeDestination receiver;
  std::unique_ptr<ResultWriter> writer;
  std::unique_ptr<Outbox> outbox;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_RESULTS_OUTBOX_BENCH_H_
