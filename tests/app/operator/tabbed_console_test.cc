#include "app/operator/tabbed_console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/operator/fake_office_backend.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Check = OperatorBackend::Check;

// Keeps every question until the test answers it.
class FakeSources final : public OperatorBackend {
 public:
  bool provisioned() const override { return is_provisioned; }
  void Look(Check check, Then<Findings> then) override { looks.emplace(check, std::move(then)); }
  void ReadQueue(Then<Result<QueueView>> then) override { queue.push_back(std::move(then)); }
  void ReadLedger(Then<Result<LedgerView>> then) override { ledger.push_back(std::move(then)); }
  void ReadVault(Then<Result<SecureStorage::Info>> then) override {
    vault.push_back(std::move(then));
  }
  std::vector<LogLine> ReadLog() override { return log; }
  void Decide(const CallReference& reference, Decision decision, int seen,
              Then<Status> then) override {
    seen_attempts = seen;
    decisions.emplace_back(reference, decision);
    decided.push_back(std::move(then));
  }
  void LiftHold(const std::string& id, Then<Status> then) override {
    lifted.push_back(id);
    decided.push_back(std::move(then));
  }
  void WatchCamera(CameraListener& listener) override { watcher = &listener; }
  void LetCameraGo() override { watcher = nullptr; }
  StaffView ReadStaff() override { return staff; }
  void Confirm(const std::string& name, SecretBytes pin, AuditEvent event,
               Then<CommandReply> then) override {
    confirmed.push_back(fmt::format("{} {} {}", name, pin.text(), idkiosk::Name(event)));
    confirming.push_back(std::move(then));
  }
  void ScanMessage(Then<Result<SecretBytes>> then) override { scanned.push_back(std::move(then)); }
  void StopScan() override { ++scans_stopped; }
  void SetUp(SecretBytes message, Typed typed, const std::string& second,
             Then<Status> then) override {
    messages.emplace_back(message.text());
    for (const auto& [name, value] : typed) typed_in.emplace_back(name, value.text());
    seconds.push_back(second);
    set_up.push_back(std::move(then));
  }
  void Erase(const std::string& second, Then<Status> then) override {
    seconds.push_back(second);
    erasing.push_back(std::move(then));
  }
  void StartAnew() override { ++started_anew; }
  void KeepBundle(Findings findings, Then<Result<std::string>> then) override {
    bundled = std::move(findings);
    bundle.push_back(std::move(then));
  }

  void AnswerLooks() {
    for (auto& [check, then] : std::exchange(looks, {})) {
      then({{PartOf(check), FindingState::kGood, "fine", ""}});
    }
  }

  bool is_provisioned = true;
  std::multimap<Check, Then<Findings>> looks;
  std::vector<Then<Result<QueueView>>> queue;
  std::vector<Then<Result<LedgerView>>> ledger;
  std::vector<Then<Result<SecureStorage::Info>>> vault;
  std::vector<LogLine> log;
  int seen_attempts = 0;
  std::vector<std::pair<CallReference, Decision>> decisions;
  std::vector<std::string> lifted;
  std::vector<Then<Status>> decided;
  CameraListener* watcher = nullptr;
  std::vector<std::string> messages;
  std::vector<std::pair<std::string, std::string>> typed_in;
  std::vector<Then<Result<SecretBytes>>> scanned;
  int scans_stopped = 0;
  std::vector<Then<Status>> set_up;
  StaffView staff;
  std::vector<std::string> confirmed;
  std::vector<Then<CommandReply>> confirming;
  std::vector<std::string> seconds;
  std::vector<Then<Status>> erasing;
  int started_anew = 0;
  Findings bundled;
  std::vector<Then<Result<std::string>>> bundle;
};

class TabbedConsoleTest : public testing::Test {
 protected:
  void Open() {
    console_.Open([this] { ++changes_; });
  }
  // The reply, or nothing while there is none.
  std::optional<CommandReply> Do(std::string_view command, const std::string& arguments = "{}") {
    const auto document = JsonDocument::Parse(arguments);
    EXPECT_TRUE(document) << arguments;
    reply_.reset();
    console_.Do(command, document->root(), [this](CommandReply reply) { reply_ = reply; });
    return reply_;
  }
  void ChooseTab(const std::string& tab) {
    const auto reply = Do("operator.tab", fmt::format(R"({{"tab": "{}"}})", tab));
    ASSERT_TRUE(reply && reply->status);
  }
  JsonDocument Snapshot() {
    auto document = JsonDocument::Parse(console_.Snapshot());
    EXPECT_TRUE(document) << console_.Snapshot();
    return document ? std::move(*document) : JsonDocument();
  }
  std::string Text(std::string_view pointer) {
    const JsonDocument document = Snapshot();
    return std::string(document.root().At(pointer).AsString().value_or("nothing"));
  }

  FakeClock clock_;
  FakeTaskRunner control_{clock_};
  FakeSources sources_;
  FakeOfficeBackend office_;
  TabbedConsole console_{sources_, office_, control_, clock_};
  std::optional<CommandReply> reply_;
  int changes_ = 0;
};

TEST_F(TabbedConsoleTest, EachPartIsCheckedAndComesAsItIsDone) {
  Open();
  EXPECT_EQ(sources_.looks.size(), OperatorBackend::kChecks.size());
  EXPECT_EQ(Text("/ready/parts/3/name"), "camera");
  EXPECT_EQ(Text("/ready/parts/3/state"), "checking");
  auto camera = sources_.looks.extract(Check::kCamera);
  camera.mapped()({{KioskPart::kCamera, FindingState::kBad, "it is away", "Plug it in."}});
  EXPECT_EQ(Text("/ready/parts/3/state"), "bad");
  EXPECT_EQ(Text("/ready/parts/3/mend"), "Plug it in.");
  EXPECT_EQ(Text("/ready/parts/0/state"), "checking");
  EXPECT_EQ(changes_, 1);
}

TEST_F(TabbedConsoleTest, NoteIsAWarningOnThePage) {
  Open();
  auto vault = sources_.looks.extract(Check::kVault);
  vault.mapped()({{KioskPart::kVault, FindingState::kGood, "a", ""},
                  {KioskPart::kVault, FindingState::kNote, "b", "c"}});
  EXPECT_EQ(Text("/ready/parts/1/state"), "good");
  EXPECT_EQ(Text("/ready/parts/2/state"), "warning");
}

TEST_F(TabbedConsoleTest, AnswersOfAnEarlierOpeningAreForgotten) {
  Open();
  console_.Close();
  sources_.AnswerLooks();
  EXPECT_EQ(changes_, 0);
  Open();
  EXPECT_EQ(Text("/ready/parts/0/state"), "checking");
}

TEST_F(TabbedConsoleTest, ReadsOnlyWhatTheOpenTabShows) {
  Open();
  EXPECT_THAT(sources_.queue, IsEmpty());
  ChooseTab("queue");
  EXPECT_THAT(sources_.queue, SizeIs(1));
  EXPECT_THAT(sources_.ledger, IsEmpty());
  // Nothing is there before the answer.
  EXPECT_FALSE(Snapshot().root()["queue"].exists());
  sources_.queue[0](OperatorBackend::QueueView{});
  EXPECT_TRUE(Snapshot().root()["queue"].exists());
  ChooseTab("ledger");
  clock_.Advance(10s);
  EXPECT_THAT(sources_.queue, SizeIs(1));
}

TEST_F(TabbedConsoleTest, QueueIsReadAnewWhileItIsShown) {
  Open();
  ChooseTab("queue");
  clock_.Advance(10s);
  EXPECT_THAT(sources_.queue, SizeIs(1)) << "asked again before it was answered";
  sources_.queue[0](OperatorBackend::QueueView{});
  clock_.Advance(2s);
  EXPECT_THAT(sources_.queue, SizeIs(2));
  console_.Close();
  clock_.Advance(10s);
  EXPECT_THAT(sources_.queue, SizeIs(2));
  EXPECT_EQ(control_.pending_timers(), 0U);
}

TEST_F(TabbedConsoleTest, WhatCannotBeReadIsSaid) {
  Open();
  ChooseTab("ledger");
  sources_.ledger[0](Fail(ErrorCode::kCorrupt, "the file is damaged"));
  EXPECT_EQ(Text("/problem"), "the file is damaged");
  ChooseTab("vault");
  EXPECT_EQ(Text("/problem"), "");
}

TEST_F(TabbedConsoleTest, WhatWasNeverReadIsSaidThoughTheRestOfTheTabIsThere) {
  Open();
  ChooseTab("queue");
  sources_.queue[0](OperatorBackend::QueueView{});
  office_.people.back()(Fail(ErrorCode::kCorrupt, "the calls cannot be read"));
  EXPECT_EQ(Text("/problem"), "the calls cannot be read");
  clock_.Advance(10s);
  office_.people.back()(OfficeBackend::PeopleView{});
  EXPECT_EQ(Text("/problem"), "");
  ChooseTab("ledger");
  sources_.ledger[0](OperatorBackend::LedgerView{});
  office_.books.back()(Fail(ErrorCode::kCorrupt, "the books cannot be read"));
  EXPECT_EQ(Text("/problem"), "the books cannot be read");
}

TEST_F(TabbedConsoleTest, EndedCallIsToldWithItsStateAndSentence) {
  Open();
  ChooseTab("queue");
  OperatorBackend::QueueView view;
  view.now = clock_.WallNow();
  view.currency = "NGN";
  view.stats.In(CallState::kPending) = 3;
  view.stats.held = 1;
  view.stats.In(CallState::kUnknown) = 1;
  view.stats.In(CallState::kDamaged) = 2;
  view.stats.In(CallState::kExpired) = 1;
  CallSummary unknown;
  unknown.state = CallState::kUnknown;
  view.calls.push_back(unknown);  // stands with whom it asks about
  CallSummary ended;
  ended.reference = "KD7Q2M";
  ended.state = CallState::kExpired;
  ended.endpoint = Endpoint::kLookupNinPhone;
  ended.accepted_at = view.now - 90s;
  ended.engineer = "too old";
  view.calls.push_back(ended);
  sources_.queue[0](view);
  std::vector<std::string> open;
  const JsonDocument snapshot = Snapshot();
  for (const JsonView each : snapshot.root().At("/queue/open").children()) {
    open.push_back(fmt::format("{} {}", *each["state"].AsString(), *each["count"].AsInteger()));
  }
  EXPECT_THAT(open, ElementsAre("unknown 1", "damaged 2", "pending 2", "held 1", "sending 0"))
      << "each call once, and none that has ended";
  EXPECT_EQ(Snapshot().root().At("/queue/ended_count").AsInteger(), 1);
  EXPECT_EQ(Text("/queue/ended/0/state"), "expired");
  EXPECT_EQ(Text("/queue/ended/0/question"), "nin-phone");
  EXPECT_EQ(Text("/queue/ended/0/text"), "too old");
  EXPECT_EQ(Snapshot().root().At("/queue/ended/0/age_seconds").AsInteger(), 60);
  EXPECT_FALSE(Snapshot().root().At("/queue/ended/1").exists());
}

TEST_F(TabbedConsoleTest, ResendMustBeConfirmed) {
  Open();
  ChooseTab("queue");
  const auto refused = Do("resend", R"({"reference": "KD7Q2M"})");
  ASSERT_TRUE(refused && !refused->status);
  EXPECT_EQ(refused->status.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(sources_.decisions, IsEmpty());
  EXPECT_FALSE(Do("resend", R"({"reference": "KD7Q2M", "confirmed": true})")->status)
      << "for how many attempts";
  EXPECT_FALSE(Do("resend", R"({"reference": "KD7Q2M", "attempts": 2, "confirmed": true})"))
      << "before it was decided";
  EXPECT_EQ(sources_.seen_attempts, 2);
  EXPECT_THAT(sources_.decisions,
              ElementsAre(std::pair("KD7Q2M", OperatorBackend::Decision::kResend)));
  sources_.decided[0](Status());
  ASSERT_TRUE(reply_ && reply_->status);
}

TEST_F(TabbedConsoleTest, DecisionThatCameTooLateSaysSo) {
  Open();
  ChooseTab("queue");
  (void)Do("give_up", R"({"reference": "KD7Q2M"})");
  sources_.decided[0](Fail(ErrorCode::kFailedPrecondition, "KD7Q2M is done"));
  ASSERT_TRUE(reply_);
  EXPECT_EQ(reply_->status.error().message, "KD7Q2M is done");
  const auto strange = Do("give_up", R"({"reference": "7012345678 9"})");
  ASSERT_TRUE(strange && !strange->status);
  EXPECT_THAT(strange->status.error().message, Not(HasSubstr("70123")));
}

TEST_F(TabbedConsoleTest, DecisionIsHeardAfterItsTabWasLeft) {
  Open();
  ChooseTab("queue");
  (void)Do("give_up", R"({"reference": "KD7Q2M"})");
  ChooseTab("setup");
  sources_.decided[0](Status());
  EXPECT_TRUE(reply_ && reply_->status);
  clock_.Advance(10s);
  EXPECT_THAT(sources_.queue, SizeIs(1));
  EXPECT_EQ(control_.pending_timers(), 0U);
}

TEST_F(TabbedConsoleTest, LedgerAddsUpItsHours) {
  Open();
  ChooseTab("ledger");
  OperatorBackend::LedgerView view;
  view.currency = "NGN";
  view.hours = {{clock_.WallNow() - 1h, 2, 20'000}, {clock_.WallNow(), 1, 5'050}};
  sources_.ledger[0](view);
  EXPECT_EQ(Text("/ledger/spend"), "250.50");
  EXPECT_EQ(Snapshot().root().At("/ledger/calls").AsInteger(), 3);
  EXPECT_EQ(Text("/ledger/hours/0/from"), "2026-11-20T00:00:00Z");
}

TEST_F(TabbedConsoleTest, CameraIsLetGoWhenItsTabIsLeft) {
  Open();
  EXPECT_EQ(sources_.watcher, nullptr);
  ChooseTab("camera");
  ASSERT_NE(sources_.watcher, nullptr);
  sources_.watcher->OnCamera("synthetic", "jpeg 1280x720", "yunet");
  sources_.watcher->OnMeasures({{"Yaw", 4, "deg", -15, 15, true, "-15 to 15"}});
  EXPECT_EQ(Text("/camera/measures/0/name"), "Yaw");
  EXPECT_EQ(Text("/camera/measures/0/limits"), "-15 to 15");
  EXPECT_EQ(Text("/camera/detector"), "yunet");
  sources_.watcher->OnCameraTrouble("unplugged");
  EXPECT_EQ(Text("/camera/trouble"), "unplugged");
  EXPECT_EQ(Text("/camera/measures/0/name"), "nothing");
  ChooseTab("log");
  EXPECT_EQ(sources_.watcher, nullptr);
  ChooseTab("camera");
  console_.Close();
  EXPECT_EQ(sources_.watcher, nullptr);
}

TEST_F(TabbedConsoleTest, VaultShowsNamesAndNeverAValue) {
  Open();
  ChooseTab("vault");
  SecureStorage::Info info;
  info.protection = "A key file.";
  info.names = {"api_key", "operator_pin", "queue.1"};
  sources_.vault[0](info);
  EXPECT_EQ(console_.Snapshot(),
            R"({"tab":"vault","problem":"","vault":{"text":"A key file.","entries":[)"
            R"({"name":"login","state":"missing"},{"name":"password","state":"missing"},)"
            R"({"name":"user_id","state":"missing"},{"name":"api_key","state":"set"}]}})");
}

TEST_F(TabbedConsoleTest, StaffShowsWhoMaySignInAndWhoHas) {
  sources_.staff = {
      {{"Amina", Staff::kOperator, "1"}, {"Bello", Staff::kClerk, "2"}}, "Amina", true};
  Open();
  ChooseTab("staff");
  EXPECT_EQ(console_.Snapshot(),
            R"({"tab":"staff","problem":"","staff":{"two_persons":true,"people":[)"
            R"({"name":"Amina","role":"operator","signed_in":true},)"
            R"({"name":"Bello","role":"clerk","signed_in":false}]}})");
  sources_.staff.people.pop_back();
  clock_.Advance(2s);
  EXPECT_EQ(Text("/staff/people/1/name"), "nothing");
}

TEST_F(TabbedConsoleTest, ErasingIsConfirmedAndMayTakeASecond) {
  Open();
  const auto unasked = Do("operator.erase");
  ASSERT_TRUE(unasked && !unasked->status);
  EXPECT_THAT(sources_.erasing, IsEmpty());
  (void)Do("operator.erase", R"({"confirmed": true})");
  ASSERT_THAT(sources_.seconds, ElementsAre(""));
  sources_.erasing[0](Fail(ErrorCode::kForbidden, "a second operator must agree"));
  ASSERT_TRUE(reply_);
  EXPECT_EQ(reply_->problem, CommandProblem::kSecondNeeded);
  (void)Do("operator.erase", R"({"confirmed": true, "second": "Bello", "pin": "713952"})");
  EXPECT_THAT(sources_.confirmed, ElementsAre("Bello 713952 vault.erased"));
  EXPECT_THAT(sources_.erasing, SizeIs(1)) << "before the PIN is judged nothing is done";
  sources_.confirming[0]({Fail(ErrorCode::kForbidden, "wrong"), CommandProblem::kWrong});
  EXPECT_EQ(reply_->problem, CommandProblem::kWrong);
  EXPECT_THAT(sources_.erasing, SizeIs(1));
  (void)Do("operator.erase", R"({"confirmed": true, "second": "Bello", "pin": "713952"})");
  sources_.confirming[1]({});
  ASSERT_THAT(sources_.seconds, ElementsAre("", "Bello"));
  sources_.erasing[1](Status());
  EXPECT_TRUE(reply_->status);
}

TEST_F(TabbedConsoleTest, ASetUpThatPointsElsewhereAsksForASecond) {
  Open();
  ChooseTab("setup");
  (void)Do("operator.provision", R"({"message": "{}"})");
  sources_.set_up[0](Fail(ErrorCode::kForbidden, "a second operator must agree"));
  EXPECT_EQ(reply_->problem, CommandProblem::kSecondNeeded);
  (void)Do("operator.provision", R"({"message": "{}", "second": "Bello", "pin": "713952"})");
  EXPECT_THAT(sources_.confirmed, ElementsAre("Bello 713952 service.set"));
  sources_.confirming[0]({});
  EXPECT_THAT(sources_.seconds, ElementsAre("", "Bello"));
  EXPECT_THAT(sources_.messages, ElementsAre("{}", "{}"));
}

TEST_F(TabbedConsoleTest, AFileOnAStickIsReadAgainForTheSecond) {
  Open();
  ChooseTab("setup");
  (void)Do("operator.provision", R"({"file": "o.json"})");
  office_.messages[0](SecretBytes::CopyOf("{}"));
  sources_.set_up[0](Fail(ErrorCode::kForbidden, "a second operator must agree"));
  EXPECT_EQ(reply_->problem, CommandProblem::kSecondNeeded);
  (void)Do("operator.provision", R"({"file": "o.json", "second": "Bello", "pin": "713952"})");
  office_.messages[1](SecretBytes::CopyOf("{}"));
  EXPECT_THAT(sources_.confirmed, ElementsAre("Bello 713952 service.set"));
  EXPECT_THAT(sources_.set_up, SizeIs(1)) << "before the PIN is judged nothing is done";
  sources_.confirming[0]({});
  EXPECT_THAT(sources_.seconds, ElementsAre("", "Bello"));
}

TEST_F(TabbedConsoleTest, ACodeThatPointsElsewhereWaitsForTheSecond) {
  Open();
  ChooseTab("setup");
  (void)Do("operator.scan", R"({"on": true})");
  sources_.scanned[0](SecretBytes::CopyOf(R"({"base_url": "https://a.example"})"));
  EXPECT_EQ(Snapshot().root().At("/setup/second_needed").AsBool(), false);
  sources_.set_up[0](Fail(ErrorCode::kForbidden, "a second operator must agree"));
  EXPECT_EQ(Snapshot().root().At("/setup/second_needed").AsBool(), true);
  EXPECT_EQ(sources_.started_anew, 0);
  (void)Do("operator.provision", R"({"second": "Bello", "pin": "713952"})");
  EXPECT_EQ(Snapshot().root().At("/setup/second_needed").AsBool(), false);
  sources_.confirming[0]({});
  EXPECT_THAT(sources_.seconds, ElementsAre("", "Bello"));
  EXPECT_EQ(sources_.messages[1], R"({"base_url": "https://a.example"})");
  EXPECT_THAT(console_.Snapshot(), Not(HasSubstr("713952")));
}

TEST_F(TabbedConsoleTest, LogShowsTheNewestFirstAndFollows) {
  sources_.log = {{clock_.WallNow(), LogLevel::kInfo, "first"},
                  {clock_.WallNow(), LogLevel::kError, "second"}};
  Open();
  ChooseTab("log");
  EXPECT_EQ(Text("/log/lines/0/text"), "second");
  EXPECT_EQ(Text("/log/lines/0/level"), "error");
  sources_.log.push_back({clock_.WallNow(), LogLevel::kInfo, "third"});
  clock_.Advance(2s);
  EXPECT_EQ(Text("/log/lines/0/text"), "third");
}

TEST_F(TabbedConsoleTest, WhatWasGivenUpIsNotToldAsAnswered) {
  Open();
  ChooseTab("queue");
  OperatorBackend::QueueView view;
  CallSummary call;
  call.state = CallState::kDone;
  call.verdict = Verdict::kGivenUp;
  view.calls.push_back(call);
  sources_.queue[0](std::move(view));
  EXPECT_EQ(Text("/queue/ended/0/state"), "done");
  EXPECT_EQ(Text("/queue/ended/0/verdict"), "given_up");
}

TEST_F(TabbedConsoleTest, AHoldIsShownAndLiftedWithAYes) {
  Open();
  ChooseTab("queue");
  OperatorBackend::QueueView view;
  view.stats.holds.push_back({HoldReason::kAccess, Endpoint::kVerify, {}, {}, "status 403"});
  sources_.queue[0](std::move(view));
  EXPECT_EQ(Text("/queue/holds/0/id"), "verify:access");
  EXPECT_THAT(Text("/queue/holds/0/text"), HasSubstr("status 403. ask the service's operator"));
  const auto unasked = Do("operator.lift", R"({"hold": "verify:access"})");
  ASSERT_TRUE(unasked && !unasked->status);
  EXPECT_THAT(sources_.lifted, IsEmpty());
  (void)Do("operator.lift", R"({"hold": "verify:access", "confirmed": true})");
  EXPECT_THAT(sources_.lifted, ElementsAre("verify:access"));
  const size_t read = sources_.queue.size();
  sources_.decided[0](Status());
  ASSERT_TRUE(reply_ && reply_->status);
  EXPECT_EQ(sources_.queue.size(), read + 1) << "the queue is shown as it is then";
}

TEST_F(TabbedConsoleTest, SetUpStartsAnewOnlyAfterItWentWell) {
  sources_.is_provisioned = false;
  Open();
  EXPECT_EQ(Text("/tab"), "setup");
  const auto empty = Do("operator.provision", R"({"message": ""})");
  ASSERT_TRUE(empty && !empty->status);
  (void)Do("operator.provision", R"({"message": "{\"api_key\": \"K-1\"}"})");
  EXPECT_THAT(sources_.messages, ElementsAre(R"({"api_key": "K-1"})"));
  sources_.set_up[0](Fail(ErrorCode::kInvalid, "the message: base_url: must be given"));
  ASSERT_TRUE(reply_ && !reply_->status);
  clock_.Advance(5s);
  EXPECT_EQ(sources_.started_anew, 0);
  EXPECT_THAT(console_.Snapshot(), Not(HasSubstr("K-1")));

  (void)Do("operator.provision", R"({"message": "{}"})");
  sources_.set_up[1](Status());
  ASSERT_TRUE(reply_ && reply_->status);
  EXPECT_EQ(sources_.started_anew, 0) << "before the page has heard of it";
  console_.Close();
  clock_.Advance(1s);
  EXPECT_EQ(sources_.started_anew, 1);
}

TEST_F(TabbedConsoleTest, SetUpThatFailsAfterThePageStoppedWaitingIsSaidOnTheScreen) {
  Open();
  ChooseTab("setup");
  (void)Do("operator.provision", R"({"message": "{}"})");
  EXPECT_EQ(Text("/setup/text"), "The login and the key are being tried at the service.");
  clock_.Advance(1s);
  sources_.set_up[0](Fail(ErrorCode::kInvalid, "no base_url"));
  EXPECT_EQ(Text("/setup/text"), "") << "the form says it already";
  (void)Do("operator.provision", R"({"message": "{}"})");
  clock_.Advance(10s);
  sources_.set_up[1](Fail(ErrorCode::kInvalid, "no base_url"));
  EXPECT_EQ(Text("/setup/text"), "no base_url");
}

TEST_F(TabbedConsoleTest, ACodeThatIsHeldUpSetsTheKioskUpAndWhatItLacksIsTyped) {
  sources_.is_provisioned = false;
  Open();
  EXPECT_TRUE(Do("operator.scan", R"({"on": true})"));
  EXPECT_EQ(Snapshot().root().At("/setup/scanning").AsBool(), true);
  sources_.scanned[0](SecretBytes::CopyOf(R"({"base_url": "https://a.example"})"));
  EXPECT_EQ(Snapshot().root().At("/setup/scanning").AsBool(), false);
  ASSERT_THAT(sources_.messages, SizeIs(1));
  sources_.set_up[0](Fail(ErrorCode::kInvalid, "the message lacks api_key"));
  EXPECT_EQ(Text("/setup/text"), "the message lacks api_key");
  (void)Do("operator.provision", R"({"api_key": "K-1", "password": ""})");
  ASSERT_THAT(sources_.messages, SizeIs(2));
  EXPECT_EQ(sources_.messages[1], R"({"base_url": "https://a.example"})");
  EXPECT_THAT(sources_.typed_in, ElementsAre(testing::Pair("api_key", "K-1")));
  sources_.set_up[1](Status());
  clock_.Advance(1s);
  EXPECT_EQ(sources_.started_anew, 1);
}

TEST_F(TabbedConsoleTest, LeavingTheTabEndsTheLookForACode) {
  Open();
  ChooseTab("setup");
  (void)Do("operator.scan", R"({"on": true})");
  ChooseTab("log");
  EXPECT_EQ(sources_.scans_stopped, 1);
  sources_.scanned[0](SecretBytes::CopyOf("{}"));
  EXPECT_THAT(sources_.messages, IsEmpty()) << "nobody sees it any more";
}

TEST_F(TabbedConsoleTest, AFileOnTheStickSetsTheKioskUp) {
  Open();
  ChooseTab("setup");
  EXPECT_THAT(office_.endings, ElementsAre(".json"));
  (void)Do("operator.provision", R"({"file": "onboarding.json"})");
  EXPECT_THAT(office_.messages_of, ElementsAre("onboarding.json"));
  office_.messages[0](Fail(ErrorCode::kNotFound, "no memory stick is there"));
  EXPECT_THAT(reply_->status.error().message, HasSubstr("no memory stick"));
  (void)Do("operator.provision", R"({"file": "onboarding.json"})");
  office_.messages[1](SecretBytes::CopyOf("{}"));
  EXPECT_THAT(sources_.messages, ElementsAre("{}"));
}

TEST_F(TabbedConsoleTest, BundleHoldsWhatEveryCheckFound) {
  Open();
  ChooseTab("setup");
  const auto taken = Do("operator.bundle");
  ASSERT_TRUE(taken && taken->status);
  EXPECT_THAT(sources_.bundle, IsEmpty()) << "before the checks were done";
  sources_.AnswerLooks();
  ASSERT_THAT(sources_.bundle, SizeIs(1));
  EXPECT_THAT(sources_.bundled, SizeIs(OperatorBackend::kChecks.size()));
  sources_.bundle[0]("/state/support/support-1.json");
  EXPECT_EQ(Text("/setup/bundle"), "/state/support/support-1.json");
  (void)Do("operator.bundle");
  ASSERT_THAT(sources_.bundle, SizeIs(2));
  sources_.bundle[1](Fail(ErrorCode::kExhausted, "disk full"));
  EXPECT_THAT(Text("/setup/text"), HasSubstr("disk full"));
  EXPECT_EQ(Text("/setup/bundle"), "nothing");
}

TEST_F(TabbedConsoleTest, UnknownCommandsAndTabsAreRefused) {
  Open();
  const auto command = Do("operator.dance");
  ASSERT_TRUE(command && !command->status);
  EXPECT_EQ(command->status.error().code, ErrorCode::kFailedPrecondition);
  const auto tab = Do("operator.tab", R"({"tab": "secrets"})");
  ASSERT_TRUE(tab && !tab->status);
  EXPECT_EQ(tab->status.error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace idkiosk
