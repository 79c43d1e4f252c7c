#include "app/cli/access/queue_access.h"

#include <algorithm>

#include "app/api/api_client.h"
#include "app/cli/call_report.h"
#include "app/operator/books.h"
#include "app/operator/operators_reply.h"

namespace idkiosk {
namespace {

using Role = DurableQueue::Role;

// The files of the state folder.
class QueueFiles final : public QueueAccess {
 public:
  QueueFiles(DurableQueue& queue, AuditLog& audit, ConsentLog& consents, const Clock& clock,
             bool delivers)
      : queue_(queue), audit_(audit), consents_(consents), clock_(clock), delivers_(delivers) {}

  [[nodiscard]] bool delivers() const override { return delivers_; }
  [[nodiscard]] Result<std::vector<CallSummary>> List(bool only_open) override {
    return queue_.List(only_open);
  }
  [[nodiscard]] Result<std::vector<CallReference>> Lost() override { return queue_.Lost(); }
  [[nodiscard]] Result<CallSummary> Show(const CallReference& reference) override {
    return queue_.Show(reference);
  }
  [[nodiscard]] Result<std::vector<LedgerRow>> Attempts(const CallReference& reference) override {
    return queue_.Attempts(reference);
  }
  [[nodiscard]] Result<SecretBytes> Answer(const CallReference& reference) override {
    return audit_.Do(AuditEvent::kAnswerOpened, UserName(), reference,
                     [&] { return queue_.Answer(reference); });
  }
  [[nodiscard]] Result<std::vector<std::string>> Unnamed() override {
    const auto unnamed = queue_.Unnamed();
    if (!unnamed) return std::unexpected(unnamed.error());
    std::vector<std::string> names;
    for (const UnnamedCalls& each : *unnamed) names.push_back(NameOf(each));
    return names;
  }
  [[nodiscard]] Result<QueueStats> Stats() override { return queue_.Stats(); }
  [[nodiscard]] Result<bool> IsVisit() override { return false; }
  [[nodiscard]] Result<std::vector<LedgerRow>> Ledger(std::optional<WallTime> since) override {
    return queue_.Ledger(since);
  }
  [[nodiscard]] Result<std::vector<LedgerDecision>> Decisions(
      std::optional<WallTime> since) override {
    return queue_.Decisions(since);
  }
  [[nodiscard]] Result<LedgerState> Verify() override {
    const JournalVerdict verdict = queue_.LedgerVerdict();
    return LedgerState{Describe(verdict), verdict.state == JournalState::kGenuine,
                       queue_.IsHeldForLedger(), MissingFrom(queue_)};
  }
  [[nodiscard]] Result<ConsentLog::Contents> Consents() override { return consents_.Read(); }

  [[nodiscard]] Status Resend(const CallSummary& call) override {
    return audit_.Do(AuditEvent::kCallSentAgain, UserName(), call.reference, [&] {
      return call.other_address ? queue_.AskAnew(call.reference, call.attempts, UserName())
                                : queue_.Retry(call.reference, call.attempts);
    });
  }
  [[nodiscard]] Status GiveUp(const CallReference& reference) override {
    return audit_.Do(AuditEvent::kCallGivenUp, UserName(), reference,
                     [&] { return queue_.GiveUp(reference); });
  }
  [[nodiscard]] Status Cancel(const CallReference& reference) override {
    return audit_.Do(AuditEvent::kCallCancelled, UserName(), reference,
                     [&] { return queue_.Cancel(reference); });
  }
  [[nodiscard]] Status Settle(const CallReference& reference, int attempt,
                              Settlement settlement) override {
    return SettleInName(UserName(), queue_, audit_, reference, attempt, settlement);
  }
  [[nodiscard]] Status Lift(const std::string& hold_id) override {
    const auto stats = queue_.Stats();
    if (!stats) return std::unexpected(stats.error());
    const auto lift = [&] { return queue_.Lift(hold_id); };
    // What was typed is put down only where it is the name of a hold.
    const bool is_held = std::ranges::find(stats->holds, hold_id, &HoldId) != stats->holds.end();
    return is_held ? audit_.Do(AuditEvent::kHoldLifted, UserName(), hold_id, lift) : lift();
  }
  [[nodiscard]] Result<ErasureReceipt> Erase(const ErasureRequest& request) override {
    return ErasePerson(request, UserName(), queue_, consents_, audit_, clock_);
  }

 private:
  DurableQueue& queue_;
  AuditLog& audit_;
  ConsentLog& consents_;
  const Clock& clock_;
  const bool delivers_;
};

}  // namespace

CommandResult<std::unique_ptr<ApiClient>> RunningKiosk(Components& components) {
  const auto settings = components.settings();
  if (!settings) return std::unexpected(settings.error());
  auto kiosk = ApiClient::Connect(**settings);
  if (!kiosk) return StopWith(ExitCode::kConfiguration, kiosk.error());
  return std::move(*kiosk);
}

CommandResult<ExitCode> SayWhetherGenuine(Components& components, QueueAccess& queue) {
  const auto ledger = queue.Verify();
  if (!ledger) return StopWith(ExitCode::kConfiguration, ledger.error());
  if (ledger->genuine) return ExitCode::kDone;
  components.terminal().Say(WhyAttemptsMayBeMissing(ledger->found));
  return ledger->held ? ExitCode::kNeedsPerson : ExitCode::kDone;
}

void SayWhatIsInDoubt(Components& components, QueueAccess& queue) {
  const auto decisions = queue.Decisions(std::nullopt);
  const auto is_doubt = [](const LedgerDecision& each) { return each.by.empty(); };
  if (!decisions || std::ranges::none_of(*decisions, is_doubt)) return;
  components.terminal().Say(
      "It goes on from one that had lost records, which somebody accepted: 'idkiosk ledger list' "
      "names the calls that may have been billed, and have no attempt here.");
}

CommandResult<std::unique_ptr<QueueAccess>> OpenQueue(Components& components, QueueNeed need) {
  auto kiosk = RunningKiosk(components);
  if (!kiosk) return std::unexpected(kiosk.error());
  if (*kiosk) return AccessBySocket(std::move(*kiosk), components);
  const Role first = need == QueueNeed::kLook ? Role::kOperate : Role::kDeliver;
  auto queue = components.queue(first);
  const bool delivers = queue.has_value() && first == Role::kDeliver;
  // This process holds the queue's file against the ledger before anybody decides by it, and writes
  // the decision into the ledger; another one that delivers does both.
  if (!queue && need == QueueNeed::kDecide) queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  const auto audit = components.audit();
  if (!audit) return std::unexpected(audit.error());
  const auto consents = components.consents();
  if (!consents) return std::unexpected(consents.error());
  return std::make_unique<QueueFiles>(**queue, **audit, **consents, components.drivers().clock,
                                      delivers);
}

}  // namespace idkiosk
