// Prints what the program can send to its page, for page_contract_test.mjs:
// {"names": {TYPE: [NAME, ...]}, "snapshots": [...]}. The names belong to other folders than the
// snapshot; the snapshots hold every member, and every word that is not a name.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "app/capture/challenges.h"
#include "app/capture/measures.h"
#include "app/operator/tabbed_console.h"
#include "app/session/model/ui_snapshot.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

// Whether the value is one of its type's enumerators: GCC and clang write any other as a number.
template <auto kValue>
consteval bool IsEnumerator() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text[text.find("kValue = ") + 9] != '(';
}

template <auto kValue>
void WriteNameOf(JsonWriter& json) {
  if constexpr (IsEnumerator<kValue>()) {
    if (!Name(kValue).empty()) json.Value(Name(kValue));
  }
}

// Writes the name of each enumerator below 64 that has one. Does not count up to the first number
// that is none: clang finds no end to a template that does.
template <typename Enum, int... kNumbers>
void WriteNames(JsonWriter& json, std::integer_sequence<int, kNumbers...>) {
  (WriteNameOf<static_cast<Enum>(kNumbers)>(json), ...);
}

template <typename Enum>
void WriteNames(JsonWriter& json, std::string_view type, std::string_view besides = "") {
  json.Key(type).BeginArray();
  WriteNames<Enum>(json, std::make_integer_sequence<int, 64>());
  if (!besides.empty()) json.Value(besides);
  json.EndArray();
}

void WriteTasks(JsonWriter& json) {
  json.Key("Task").BeginArray();
  for (const Endpoint each : kEndpoints) {
    if (const std::string_view task = TaskOf(each); !task.empty()) json.Value(task);
  }
  json.EndArray();
}

CallSummary UnknownCall() {
  CallSummary call;
  call.reference = "KD7Q2M";
  call.state = CallState::kUnknown;
  call.verdict = Verdict::kVerified;
  call.engineer = "the connection broke";
  call.has_payload = true;
  return call;
}

// Answers at once, with something in every place.
class FilledBackend final : public OperatorBackend {
 public:
  [[nodiscard]] bool provisioned() const override { return true; }
  void Look(Check check, Then<Findings> then) override {
    if (check == Check::kService) return;  // has not answered yet
    then({{KioskPart::kCamera, FindingState::kGood, "a", "b"},
          {KioskPart::kCamera, FindingState::kNote, "a", "b"},
          {KioskPart::kCamera, FindingState::kBad, "a", "b"}});
  }
  void ReadQueue(Then<Result<QueueView>> then) override {
    QueueStats stats;
    stats.holds.push_back({HoldReason::kAccess, Endpoint::kVerify, {}, {}, "a"});
    CallSummary ended = UnknownCall();
    ended.state = CallState::kDone;
    CallSummary bare;
    bare.state = CallState::kExpired;
    then(QueueView{stats, {ended, bare}, {}, "NGN"});
  }
  void ReadLedger(Then<Result<LedgerView>> then) override {
    then(LedgerView{{BilledHour()}, "NGN"});
  }
  void ReadVault(Then<Result<SecureStorage::Info>> then) override {
    then(SecureStorage::Info{.protection = "a", .names = {"api_key"}});
  }
  [[nodiscard]] std::vector<LogLine> ReadLog() override { return {LogLine()}; }
  void Decide(const CallReference&, Decision, int, Then<Status>) override {}
  void LiftHold(const std::string&, Then<Status>) override {}
  void WatchCamera(CameraListener& listener) override { listener.OnMeasures({Measure()}); }
  void LetCameraGo() override {}
  [[nodiscard]] StaffView ReadStaff() override {
    return {{{"a", Staff::kClerk, ""}, {"b", Staff::kOperator, ""}}, "b", true};
  }
  void Confirm(const std::string&, SecretBytes, AuditEvent, Then<CommandReply>) override {}
  void SetUp(SecretBytes, Typed, const std::string&, Then<Status>) override {}
  void ScanMessage(Then<Result<SecretBytes>>) override {}
  void StopScan() override {}
  void Erase(const std::string&, Then<Status>) override {}
  void StartAnew() override {}
  void KeepBundle(Findings, Then<Result<std::string>> then) override { then("support.json"); }
};

// The same for lists and files. Where it is `bare`, with as little as possible.
class FilledOffice final : public OfficeBackend {
 public:
  void ReadPeople(Then<Result<PeopleView>> then) override {
    PeopleList list{.people = {{"701 **** **89", {ListedCall()}}}, .left_out = 1};
    if (!bare) {
      ListedCall full;
      full.call = UnknownCall();
      full.call.operator_id = "amina";
      full.call.case_id = "4711";
      full.answered_by = "KRXQRP";
      list.people.push_back({"", {full}});
    }
    then(PeopleView{std::move(list), {}, "NGN"});
  }
  void Decide(Decisions, Then<Status>) override {}
  void ShowNumber(const CallReference&, Then<Result<SecretBytes>> then) override {
    then(SecretBytes::CopyOf("70123456789"));
  }
  void ErasePerson(SecretBytes, Then<Result<std::string>> then) override {
    then("Erasure on request\n");
  }
  void ReadBooks(BooksQuestion, Then<Result<BooksView>> then) override {
    LedgerRow answered;
    answered.http_status = 200;
    BooksView view{{}, "NGN"};
    view.books.rows = {answered, LedgerRow()};
    view.books.operators = {"amina"};
    view.books.total["NGN"] = view.books.by_endpoint["NGN"] = {LedgerSum()};
    then(std::move(view));
  }
  void ListStick(std::string, Then<Result<std::vector<std::string>>> then) override {
    then(std::vector<std::string>{"reply.csv"});
  }
  void ReadMessage(std::string, Then<Result<SecretBytes>>) override {}
  void PutOnStick(Export, BooksQuestion, Then<Result<std::string>>) override {}
  void PutTextOnStick(std::string, std::string, Then<Result<std::string>>) override {}
  void TakeReply(std::string file, bool, Then<Result<ReplyView>> then) override {
    then(ReplyView{std::move(file), "a", {"line 2: b"}});
  }
  void HoldInvoice(std::string, BooksQuestion, Then<Result<InvoiceView>> then) override {
    then(InvoiceView{.all_match = true,
                     .bad_lines = {"line 2: b"},
                     .counts = {{"matched", 1}},
                     .sums = {{"NGN", "1.00", "1.00", "0.00"}},
                     .differences = {{"matched"}},
                     .csv = ""});
  }
  bool bare = true;
};

// The member `operator` with each tab open in turn.
std::vector<std::string> OperatorTabs() {
  std::vector<std::string> tabs;
  FakeClock clock;
  FakeTaskRunner control(clock);
  FilledBackend backend;
  FilledOffice office;
  TabbedConsole console(backend, office, control, clock);
  console.Open([] {});
  const auto ask = [&](const char* name, const char* arguments) {
    const auto command = JsonDocument::Parse(arguments);
    console.Do(name, command->root(), [](const CommandReply&) {});
    tabs.push_back(console.Snapshot());
  };
  ask("operator.tab", R"({"tab": "queue"})");
  office.bare = false;
  for (const char* tab : {"ready", "queue", "ledger", "camera", "vault", "staff", "log", "setup"}) {
    const auto command = JsonDocument::Parse(fmt::format(R"({{"tab": "{}"}})", tab));
    console.Do("operator.tab", command->root(), [](const CommandReply&) {});
    tabs.push_back(console.Snapshot());
  }
  ask("operator.tab", R"({"tab": "queue"})");
  console.ShowNumber("KD7Q2M", [](const CommandReply&) {});
  ask("operator.reply", R"({"file": "reply.csv"})");
  ask("operator.erase_person", R"({"nin": "70123456789", "confirmed": true})");
  ask("operator.tab", R"({"tab": "ledger"})");
  ask("operator.match", R"({"file": "invoice.csv"})");
  return tabs;
}

ClerkView FilledDesk() {
  ClerkView desk;
  for (const Endpoint each : kEndpoints) {
    const bool has_reason = TraitsOf(each).Takes(Placeholder::kRequestReason);
    if (!TaskOf(each).empty()) desk.tasks.push_back({each, "100.00 NGN", has_reason});
  }
  desk.types = {"nin"};
  desk.queue = {{.reference = "KD7Q2M",
                 .state = "unknown",
                 .verdict = "verified",
                 .question = "verify",
                 .price = "100.00 NGN"}};
  desk.problem = CommandProblem::kQueueFull;
  desk.answer = {.kind = AnswerKind::kVerified,
                 .reference = "KD7Q2M",
                 .reason = AnswerReason::kNetwork,
                 .question = "verify",
                 .fields = {{"name", "a"}}};
  return desk;
}

// Every part at once, which no screen has.
UiSnapshot Everything() {
  UiSnapshot all;
  all.screen = Screen::kConsent;
  all.idle_seconds = 1;
  all.number = {.digits = "7012", .problem = NumberProblem::kTooShort};
  all.reasons = {{RequestReason()}, "KYC"};
  all.closed = StopReason::kHeld;
  all.opens_at = WallTime();
  all.camera = {.starts_in = 3,
                .trouble = CameraTrouble::kAway,
                .restarted = Restart::kNotShown,
                .light = kLightColours[0].colour};
  all.waiting = {.reference = "KD7Q2M"};
  all.cannot = {.challenges = {Prompt::kSmile}, .left_out = {Prompt::kSmile}};
  all.consent_text = "a";
  all.consent_language = "en";
  all.answer = UiSnapshot::Answer();
  all.answer->number_end = "901";
  all.answer->other_number = all.answer->new_pictures = true;
  all.answer->price = "100.00 NGN";
  all.answer->reason = AnswerReason::kNetwork;
  all.answer->receipt = ReceiptState::kFailed;
  all.stopped = UiSnapshot::Stopped();
  all.repeated = EarlierCheck::kRefused;
  all.locked_seconds = 1;
  all.clerks = all.operators = {"a", "b"};
  all.may_become_first = true;
  all.user = "a";
  all.desk = FilledDesk();
  all.agent = {.battery = 64, .minutes_since_delivery = 1, .price = "100.00 NGN"};
  return all;
}

// Every part with as little in it as possible.
UiSnapshot Least() {
  UiSnapshot least;
  least.number = UiSnapshot::Number();
  least.reasons = UiSnapshot::Reasons();
  least.camera = UiSnapshot::Camera();
  least.waiting = UiSnapshot::Waiting();
  least.answer = UiSnapshot::Answer();
  least.desk.emplace();
  least.desk->camera_away = true;
  least.desk->queue = {{.reference = "KD7Q2M",
                        .state = "pending",
                        .verdict = "",
                        .question = "verify",
                        .price = ""}};
  least.desk->answer = {.kind = AnswerKind::kKept,
                        .reference = "KD7Q2M",
                        .reason = std::nullopt,
                        .question = "verify",
                        .fields = {}};
  least.agent.emplace();
  least.locked_seconds = 0;
  least.cannot = UiSnapshot::Cannot{};
  least.screen = Screen::kConsent;  // which says more where results are handed on
  return least;
}

void WriteSnapshots(JsonWriter& json) {
  const UiEquipment equipment = {.voices = {}, .printer = true, .logo = true, .scanner = true};
  Settings settings;
  settings.results.spool = "/results";
  json.Key("snapshots").BeginArray();
  json.Raw(ToJson(Everything(), 1, settings, equipment).text());
  settings.results.include = {"nin"};
  json.Raw(ToJson(Everything(), 1, settings, equipment).text());
  settings.results = {};
  settings.environment = Environment::kProduction;
  settings.capture.light_sequence = "off";
  json.Raw(ToJson(Least(), 1, settings).text());
  UiSnapshot welcome;
  welcome.screen = Screen::kWelcome;
  json.Raw(ToJson(welcome, 1, settings, {.voices = {"en"}}).text());
  UiSnapshot idle_desk;
  idle_desk.desk.emplace();
  for (const CommandProblem problem : {CommandProblem::kHeld, CommandProblem::kSpendCap}) {
    idle_desk.desk->problem = problem;
    json.Raw(ToJson(idle_desk, 1, settings).text());
  }
  UiSnapshot again;
  for (const Restart restart : {Restart::kLost, Restart::kRecording, Restart::kNoLight}) {
    again.camera = {.restarted = restart};
    json.Raw(ToJson(again, 1, settings).text());
  }
  UiSnapshot console;
  for (const std::string& tab : OperatorTabs()) {
    console.operator_console = tab;
    json.Raw(ToJson(console, 1, settings).text());
  }
  json.EndArray();
}

}  // namespace
}  // namespace idkiosk

int main() {
  using namespace idkiosk;
  JsonWriter json;
  json.BeginObject().Key("names").BeginObject();
  WriteNames<Mode>(json, "Mode");
  WriteNames<Prompt>(json, "Prompt");
  WriteNames<Guidance>(json, "Guidance");
  WriteNames<CallState>(json, "CallState", "held");
  WriteNames<Verdict>(json, "Verdict");
  WriteNames<Billed>(json, "Billed");
  WriteTasks(json);
  json.EndObject();
  WriteSnapshots(json);
  std::puts(json.EndObject().Take().c_str());
}
