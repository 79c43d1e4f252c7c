#include <algorithm>

#include "app/api/api_client.h"
#include "app/api/api_reading.h"
#include "app/assembly/stop_deadline.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"

namespace idkiosk {
namespace {

// A kiosk that says it is busy is asked again.
constexpr int kTriesWhileBusy = 20;
constexpr Duration kBetweenTries = std::chrono::milliseconds(500);
constexpr int kPage = 200;

// The running kiosk, asked through its socket.
class SocketAccess final : public QueueAccess {
 public:
  SocketAccess(std::unique_ptr<ApiClient> kiosk, Components& components)
      : kiosk_(std::move(kiosk)), components_(components), soon_(components, ExitCode::kKept) {}

  [[nodiscard]] ApiClient* kiosk() override { return kiosk_.get(); }
  [[nodiscard]] bool delivers() const override { return false; }

  // All states together: a call that changes its own between two pages is in one of them, once.
  [[nodiscard]] Result<std::vector<CallSummary>> List(bool only_open) override {
    std::vector<CallSummary> calls;
    for (std::string next;;) {
      const auto page = Get(fmt::format("/v1/checks?limit={}{}", kPage, next));
      if (!page) return std::unexpected(page.error());
      for (const JsonView each : page->root()["checks"].children()) {
        auto call = ReadCheck(each);
        if (!call) return std::unexpected(call.error());
        if (!only_open || !HasEnded(call->state)) calls.push_back(std::move(*call));
      }
      const std::string more = Text(page->root(), "next");
      if (more.empty()) break;
      next = "&page=" + more;
    }
    std::ranges::reverse(calls);
    return calls;
  }
  [[nodiscard]] Result<std::vector<CallReference>> Lost() override { return Names("lost"); }
  [[nodiscard]] Result<std::vector<std::string>> Unnamed() override { return Names("unnamed"); }
  [[nodiscard]] Result<CallSummary> Show(const CallReference& reference) override {
    const auto check = Get("/v1/checks/" + reference);
    if (!check) return std::unexpected(check.error());
    return ReadCheck(check->root());
  }
  [[nodiscard]] Result<std::vector<LedgerRow>> Attempts(const CallReference& reference) override {
    auto rows = Ledger(std::nullopt);
    if (rows) std::erase_if(*rows, [&](const auto& row) { return row.reference != reference; });
    return rows;
  }
  [[nodiscard]] Result<SecretBytes> Answer(const CallReference& reference) override {
    const auto answer = Get(fmt::format("/v1/checks/{}/answer", reference));
    if (!answer) return std::unexpected(answer.error());
    if (const auto unreadable = answer->root()["unreadable_base64"].AsString()) {
      const auto bytes = FromBase64(*unreadable);
      return SecretBytes::CopyOf(AsText(bytes.value_or(Bytes())));
    }
    std::string text = answer->root()["answer"].Print();
    SecretBytes copy = SecretBytes::CopyOf(text);
    Wipe(text);
    return copy;
  }
  [[nodiscard]] Result<QueueStats> Stats() override {
    const auto queue = Get("/v1/queue");
    if (!queue) return std::unexpected(queue.error());
    return ReadStats(queue->root());
  }
  [[nodiscard]] Result<bool> IsVisit() override {
    const auto health = kiosk_->Get("/v1/health");
    // A kiosk that is not ready answers so with the same document.
    const JsonView told = health ? health->root() : health.error().whole.root();
    const auto visit = told["visit"].AsBool();
    if (!visit && !health) return std::unexpected(ErrorOf(health.error()));
    return visit.value_or(false);
  }
  [[nodiscard]] Result<std::vector<LedgerRow>> Ledger(std::optional<WallTime> since) override {
    const auto list = Get("/v1/attempts" + Since(since));
    if (!list) return std::unexpected(list.error());
    std::vector<LedgerRow> rows;
    for (const JsonView each : list->root()["attempts"].children()) {
      auto row = ReadAttempt(each);
      if (!row) return std::unexpected(row.error());
      row->id = static_cast<int64_t>(rows.size()) + 1;
      rows.push_back(std::move(*row));
    }
    return rows;
  }
  [[nodiscard]] Result<std::vector<LedgerDecision>> Decisions(
      std::optional<WallTime> since) override {
    const auto list = Get("/v1/decisions" + Since(since));
    if (!list) return std::unexpected(list.error());
    std::vector<LedgerDecision> decisions;
    for (const JsonView each : list->root()["decisions"].children()) {
      decisions.push_back({ParseRfc3339(Text(each, "at")).value_or(WallTime()), Text(each, "by"),
                           Text(each, "decision")});
    }
    return decisions;
  }
  [[nodiscard]] Result<LedgerState> Verify() override {
    const auto queue = Get("/v1/queue");
    if (!queue) return std::unexpected(queue.error());
    const JsonView ledger = queue->root()["ledger"];
    return LedgerState{Text(ledger, "found"), ledger["genuine"].AsBool().value_or(false),
                       ledger["held"].AsBool().value_or(true), Text(ledger, "missing")};
  }
  [[nodiscard]] Result<ConsentLog::Contents> Consents() override {
    const auto list = Get("/v1/consents");
    if (!list) return std::unexpected(list.error());
    ConsentLog::Contents contents;
    contents.verdict.state =
        Text(list->root(), "record") == "genuine" ? JournalState::kGenuine : JournalState::kAltered;
    for (const JsonView each : list->root()["damaged_before"].children()) {
      contents.damage.emplace_back(each.AsString().value_or(""));
    }
    for (const JsonView each : list->root()["consents"].children()) {
      contents.entries.push_back(
          {.number = static_cast<uint64_t>(each["number"].AsInteger().value_or(0)),
           .at = ParseRfc3339(Text(each, "at")).value_or(WallTime()),
           .reference = Text(each, "reference"),
           .consent = {Text(each, "version"), Text(each, "language")},
           .operator_id = Text(each, "operator")});
    }
    return contents;
  }

  [[nodiscard]] Status Resend(const CallSummary& call) override {
    const auto profile = components_.profile();
    if (!profile) return Fail(ErrorCode::kInvalid, "{}", profile.error().message);
    JsonWriter json;
    json.BeginObject()
        .Field("confirm_price", FormatPrice(call.resend_price, (*profile)->currency))
        .Field("attempts", call.attempts);
    if (call.other_address) json.Field("at_present_address", true);
    return Decide(call.reference, "resend", json.EndObject().Take());
  }
  [[nodiscard]] Status GiveUp(const CallReference& reference) override {
    return Decide(reference, "give-up", "{}");
  }
  [[nodiscard]] Status Cancel(const CallReference& reference) override {
    return Decide(reference, "cancel", "{}");
  }
  [[nodiscard]] Status Settle(const CallReference& reference, int attempt,
                              Settlement settlement) override {
    return Decide(reference, "settle",
                  JsonWriter()
                      .BeginObject()
                      .Field("attempt", attempt)
                      .Field("outcome", Name(settlement))
                      .EndObject()
                      .Take());
  }
  [[nodiscard]] Status Lift(const std::string& hold_id) override {
    const bool is_name = std::ranges::all_of(
        hold_id, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == ':'; });
    const auto none = Fail(ErrorCode::kNotFound,
                           "there is no such hold; 'idkiosk hold list' names those there are");
    if (!is_name) return none;
    const auto lifted =
        Ask([&] { return kiosk_->Post(fmt::format("/v1/holds/{}:lift", hold_id), "{}"); });
    if (!lifted && lifted.error().code == ErrorCode::kNotFound) return none;
    return lifted ? Status() : std::unexpected(lifted.error());
  }
  [[nodiscard]] Result<ErasureReceipt> Erase(const ErasureRequest& request) override {
    JsonWriter json;
    json.BeginObject();
    if (!request.person.nin.empty()) json.Field("nin", request.person.nin.text());
    if (!request.person.phone.empty()) json.Field("phone", request.person.phone.text());
    if (!request.person.id_number.empty()) {
      json.Field("id_number", request.person.id_number.text())
          .Field("type", request.person.id_type);
    }
    std::string body = json.EndObject().Take();
    const auto receipt = Ask([&] {
      return request.reference.empty() ? kiosk_->Post("/v1/people:erase", body)
                                       : kiosk_->Delete("/v1/people/" + request.reference);
    });
    Wipe(body);
    if (!receipt) return std::unexpected(receipt.error());
    return ReadReceipt(receipt->root());
  }

 private:
  // A list of names in /v1/queue.
  [[nodiscard]] Result<std::vector<std::string>> Names(std::string_view list) {
    const auto queue = Get("/v1/queue");
    if (!queue) return std::unexpected(queue.error());
    std::vector<std::string> names;
    for (const JsonView each : queue->root()[list].children()) {
      names.emplace_back(each.AsString().value_or(""));
    }
    return names;
  }
  static std::string Text(JsonView object, std::string_view name) {
    return std::string(object[name].AsString().value_or(""));
  }
  static std::string Since(std::optional<WallTime> since) {
    return since ? "?since=" + FormatRfc3339(*since) : "";
  }

  Result<JsonDocument> Ask(const std::function<ApiClient::Answer()>& ask) {
    for (int tries = 1;; ++tries) {
      auto answer = ask();
      if (answer) return std::move(*answer);
      const bool again = answer.error().type == "busy" && tries < kTriesWhileBusy;
      if (!again || !components_.WaitUntil(components_.drivers().clock.Now() + kBetweenTries)) {
        return std::unexpected(ErrorOf(answer.error()));
      }
    }
  }
  Result<JsonDocument> Get(const std::string& target) {
    return Ask([&] { return kiosk_->Get(target); });
  }
  Status Decide(const CallReference& reference, std::string_view what, const std::string& body) {
    const auto done =
        Ask([&] { return kiosk_->Post(fmt::format("/v1/checks/{}:{}", reference, what), body); });
    return done ? Status() : std::unexpected(done.error());
  }

  const std::unique_ptr<ApiClient> kiosk_;
  Components& components_;
  const StopDeadline soon_;
};

}  // namespace

std::unique_ptr<QueueAccess> AccessBySocket(std::unique_ptr<ApiClient> kiosk,
                                            Components& components) {
  return std::make_unique<SocketAccess>(std::move(kiosk), components);
}

}  // namespace idkiosk
