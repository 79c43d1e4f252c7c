#include "app/workers/threaded_operator_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "app/settings/credentials.h"
#include "app/settings/load_settings.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using Check = OperatorBackend::Check;

constexpr std::string_view kMessage = R"({"base_url": "https://new.example", "api_key": "K-new",
    "user_id": "U-new", "login": {"email": "new@example.ng", "password": "a new password"}})";

// A kiosk that knows its service: the storage thread's and the delivery's work is done by the
// test's hand.
class ThreadedSourcesTest : public testing::Test {
 protected:
  ThreadedSourcesTest() {
    bench_.files.Put("/etc/sandbox.jsonc",
                     AsBytes(ReadRepositoryFile("config/profiles/sandbox.jsonc")));
    bench_.files.Put("/etc/kiosk.jsonc",
                     AsBytes(R"({"state_folder": "/state", "service": {"profile": "sandbox.jsonc",
                                 "base_url": "https://old.example"}})"));
    settings_.state_folder = "/state";
  }

  DeliveryLoop::Dependencies Delivery() {
    return {.worker = *bench_.worker,
            .clock = bench_.clock,
            .heartbeat = heartbeat_,
            .longest_exchange = 60s,
            .report = [](const DeliveryWorker::Step&) {},
            .chore = [this] { return bench_.clock.Now() + 10min; },
            .give_up = [] {}};
  }
  ThreadedOperatorBackend::Dependencies Dependencies(
      const ThreadedOperatorBackend::Service* service) {
    return {.files = bench_.files,
            .clock = bench_.clock,
            .crypto = crypto_,
            .storage = bench_.storage,
            .audit = audit_,
            .staff = staff_,
            .user = user_,
            .operator_lock = lock_,
            .storage_runner = storage_runner_,
            .control = control_,
            .settings = settings_,
            .config_path = "/etc/kiosk.jsonc",
            .facts =
                [] {
                  SupportFacts facts;
                  facts.version = "1.2.3";
                  return facts;
                },
            .start_anew = [this] { ++started_anew_; },
            .erase_keys = [this]() -> Status {
              ++keys_erased_;
              written_before_keys_ = LedgersWrittenOut();
              return {};
            },
            .start_erased = [this] { ++started_erased_; },
            .try_out =
                [this](const Onboarding& onboarding, const Settings& after, const ServiceProfile&) {
                  tried_.push_back(after.service.base_url + " " +
                                   std::string(onboarding.credentials.back().value.text()));
                  return trial_;
                },
            .service = service};
  }
  void RunAll() {
    for (int i = 0; i < 3; ++i) {
      storage_runner_.RunUntilIdle();
      control_.RunUntilIdle();
    }
  }
  // What `ask` was answered, once the storage and control threads have had their turn.
  template <typename T, typename Ask>
  T AnswerTo(Ask ask) {
    std::optional<T> answer;
    ask([&answer](T told) { answer.emplace(std::move(told)); });
    EXPECT_FALSE(answer) << "answered before anybody could listen";
    RunAll();
    (void)delivery_.StepOnce();
    RunAll();
    EXPECT_TRUE(answer);
    return std::move(*answer);
  }
  Findings Look(Check check) {
    return AnswerTo<Findings>([&](auto then) { sources_.Look(check, std::move(then)); });
  }
  Status SetUpBy(OperatorBackend& sources, std::string_view message,
                 const std::string& second = "") {
    return AnswerTo<Status>([&](auto then) {
      sources.SetUp(SecretBytes::CopyOf(message), {}, second, std::move(then));
    });
  }
  void IsSetUpAtTheOldAddress() {
    settings_.service.base_url = "https://old.example";
    bench_.storage.Set("service.address", "sandbox https://old.example");
  }
  // A message of the same account with another password.
  std::string SameAccount(const std::string& key, const std::string& more = "") {
    return fmt::format(
        R"({{"base_url": "https://old.example", "api_key": "{}", "user_id": "{}",
            "login": {{"email": "{}", "password": "another one"}}{}}})",
        key, Secret(kUserIdSecret), Secret(kLoginSecret), more);
  }
  std::vector<std::string> LedgersWrittenOut() {
    auto names = bench_.files.List("/state").value_or(std::vector<std::string>());
    std::erase_if(names, [](const std::string& each) { return !each.ends_with(".jsonl"); });
    return names;
  }
  Status EraseBy(const std::string& second) {
    return AnswerTo<Status>([&](auto then) { sources_.Erase(second, std::move(then)); });
  }
  void AddOperator(const std::string& name, std::string_view pin) {
    (void)PutMember(
        bench_.storage,
        {name, Staff::kOperator, MakePinRecord(SecretBytes::CopyOf(pin), 2, crypto_, entropy_)});
    PinTries tries({bench_.storage, bench_.files, crypto_}, Staff::kOperator, "/state");
    (void)tries.Read(std::array{name});
    (void)tries.Write({});
    RunAll();
  }
  std::string Secret(std::string_view name) {
    const auto secret = bench_.storage.Get(name);
    return secret ? std::string(secret->text()) : "";
  }

  std::vector<std::string> tried_;  // address and API key of each onboarding
  Status trial_;
  OpenBench bench_;
  FakeTaskRunner control_{bench_.clock};
  FakeTaskRunner storage_runner_{bench_.clock};
  FakeAuditLog audit_;
  Heartbeat heartbeat_{bench_.clock};
  Settings settings_;
  MbedtlsCrypto crypto_;
  FakeEntropy entropy_;
  StaffDirectory staff_{{bench_.storage, bench_.clock, storage_runner_, control_}};
  PageUser user_;
  PinLock lock_{
      {bench_.storage, bench_.files, crypto_, bench_.clock, audit_, storage_runner_, control_},
      Staff::kOperator,
      "/state"};
  PreviewSlot preview_;
  CaptureWorker capture_{[](CaptureObserver&, const std::stop_token&) -> Result<CaptureResult> {
                           return Fail(ErrorCode::kCancelled, "not here");
                         },
                         control_, bench_.clock, preview_, heartbeat_};
  DeliveryLoop delivery_{Delivery()};
  ThreadedQueueClient queue_{{*bench_.queue, bench_.profile, bench_.clock, audit_, storage_runner_,
                              control_, user_, [this] { delivery_.Wake(); }}};
  const ThreadedOperatorBackend::Service service_{
      queue_, bench_.client, delivery_, capture_, preview_, heartbeat_, [] {
        return Fail(ErrorCode::kNotFound, "no camera here");
      }};
  int started_anew_ = 0;
  int started_erased_ = 0;
  int keys_erased_ = 0;
  std::vector<std::string> written_before_keys_;
  ThreadedOperatorBackend sources_{Dependencies(&service_)};
};

TEST_F(ThreadedSourcesTest, ChecksAnswerFromTheirThreads) {
  bench_.Serve(200, R"({"data":[{"code":"KYC","label":"Know"}]})");
  EXPECT_THAT(Look(Check::kConfiguration),
              Contains(Field(&Finding::text, HasSubstr("old.example"))));
  EXPECT_THAT(Look(Check::kVault), Contains(Field(&Finding::text, HasSubstr("fake"))));
  EXPECT_THAT(Look(Check::kQueue), Contains(Field(&Finding::part, KioskPart::kQueue)));
  EXPECT_THAT(Look(Check::kClock), Contains(Field(&Finding::part, KioskPart::kClock)));
  EXPECT_THAT(Look(Check::kService), Contains(Field(&Finding::part, KioskPart::kService)));
  EXPECT_EQ(bench_.posts(), 0);
}

TEST_F(ThreadedSourcesTest, QueueAndLedgerAreReadOnTheKeepersThread) {
  bench_.Serve(500, "");
  bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  const auto queue = AnswerTo<Result<OperatorBackend::QueueView>>(
      [&](auto then) { sources_.ReadQueue(std::move(then)); });
  ASSERT_TRUE(queue) << queue.error().message;
  EXPECT_EQ(queue->stats.In(CallState::kUnknown), 1);
  ASSERT_THAT(queue->calls, SizeIs(1));
  EXPECT_EQ(queue->currency, bench_.profile.currency);
  const auto ledger = AnswerTo<Result<OperatorBackend::LedgerView>>(
      [&](auto then) { sources_.ReadLedger(std::move(then)); });
  ASSERT_TRUE(ledger) << ledger.error().message;
  EXPECT_THAT(ledger->hours, SizeIs(24));
}

TEST_F(ThreadedSourcesTest, ResendIsSentOnceAndGivingUpEndsACall) {
  bench_.Serve(500, "");
  const CallReference first = bench_.Accept(LookupCall(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 2);
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(second, OperatorBackend::Decision::kGiveUp, 0, std::move(then));
  }));
  EXPECT_EQ(bench_.StateOf(second), "done");
  EXPECT_EQ(bench_.posts(), 2);
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, 1, std::move(then));
  }));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 3);
  // It is unknown no more once it was answered: nothing is sent for a second press.
  bench_.Serve(200);
  EXPECT_FALSE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, 1, std::move(then));
  })) << "by the yes to the attempt before";
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, 2, std::move(then));
  }));
  const Status twice = AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, 2, std::move(then));
  });
  EXPECT_FALSE(twice);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 4);
}

TEST_F(ThreadedSourcesTest, NothingIsStoredThatTheServiceDidNotTake) {
  trial_ = Fail(ErrorCode::kUnauthenticated, "the service refused the login");
  const Status refused = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("refused the login"));
  EXPECT_THAT(tried_, testing::ElementsAre("https://new.example K-new"));
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(reference), "done") << "the kiosk goes on with what it had";
}

TEST_F(ThreadedSourcesTest, WhatAMessageLacksIsTyped) {
  constexpr std::string_view kLacking = R"({"base_url": "https://new.example", "user_id": "U-new",
      "login": {"email": "new@example.ng", "password": "a new password"}})";
  EXPECT_FALSE(SetUpBy(sources_, kLacking));
  EXPECT_THAT(tried_, SizeIs(0));
  const Status done = AnswerTo<Status>([&](auto then) {
    OperatorBackend::Typed typed;
    typed.emplace_back(kApiKeySecret, SecretBytes::CopyOf("K-typed"));
    sources_.SetUp(SecretBytes::CopyOf(kLacking), std::move(typed), "", std::move(then));
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(Secret(kApiKeySecret), "K-typed");
}

TEST_F(ThreadedSourcesTest, SetUpWritesEverythingAndNothingIsSentAnyMore) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  std::optional<Status> done;
  sources_.SetUp(SecretBytes::CopyOf(kMessage), {}, "", [&done](Status status) { done = status; });
  EXPECT_EQ(Secret(kApiKeySecret), "api-key") << "written while an exchange could be under way";
  (void)delivery_.StepOnce();
  RunAll();
  ASSERT_TRUE(done && *done) << done->error().message;
  EXPECT_EQ(Secret(kApiKeySecret), "K-new");
  const auto settings = LoadSettings(bench_.files, "/etc/kiosk.jsonc");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->service.base_url, "https://new.example");
  // New credentials, and a client that still knows the old address.
  for (int i = 0; i < 5; ++i) (void)delivery_.StepOnce();
  EXPECT_THAT(bench_.http.seen(), SizeIs(0));
}

// --- Two operators ---

TEST_F(ThreadedSourcesTest, PointingElsewhereTakesTwoWhereThereAreTwo) {
  AddOperator("Amina", "602841");
  user_.SignIn("Amina", "");
  ASSERT_TRUE(SetUpBy(sources_, kMessage)) << "one alone decides alone";
  EXPECT_THAT(audit_.entries.back(), HasSubstr("by page, Amina"));
}

TEST_F(ThreadedSourcesTest, PointingElsewhereWaitsForTheSecond) {
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  const Status alone = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(tried_, SizeIs(0)) << "another service was asked before both agreed";
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
  EXPECT_EQ(started_anew_, 0);
  ASSERT_TRUE(SetUpBy(sources_, kMessage, "Bello"));
  EXPECT_THAT(audit_.entries.back(), AllOf(HasSubstr("service.set https://new.example"),
                                           HasSubstr("by page, Amina and Bello")));
}

// The page asks for a second one only where the vault will.
TEST_F(ThreadedSourcesTest, ThePinWithoutANameIsNoSecondOperator) {
  bench_.storage.Set(PinSecret(Staff::kOperator), "a record");
  AddOperator("Amina", "602841");
  bench_.clock.Advance(std::chrono::seconds(5));
  staff_.Look();
  RunAll();
  ASSERT_EQ(staff_.people().size(), 2U);
  EXPECT_FALSE(sources_.ReadStaff().two_persons);
  user_.SignIn("Amina", "");
  EXPECT_TRUE(EraseBy("")) << "one alone decides alone";
}

TEST_F(ThreadedSourcesTest, ANewPasswordOfTheSameAccountTakesOne) {
  IsSetUpAtTheOldAddress();
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  const Status done = SetUpBy(sources_, SameAccount(Secret(kApiKeySecret)));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(Secret(kPasswordSecret), "another one");
  EXPECT_THAT(audit_.entries.back(), HasSubstr("https://old.example, as before"));
}

// Some profiles ask by the API key alone: then it is the account.
TEST_F(ThreadedSourcesTest, AnotherKeyAuthorityOrTestNumberTakesTwo) {
  IsSetUpAtTheOldAddress();
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  bench_.files.Put("/etc/other.pem", AsBytes(kAuthorityInPem));
  const std::string same = Secret(kApiKeySecret);
  for (const auto& [key, more] :
       std::vector<std::pair<std::string, std::string>>{{"K-theirs", ""},
                                                        {same, R"(, "ca_file": "/etc/other.pem")"},
                                                        {same, R"(, "test_nin": "70123456701")"}}) {
    const Status alone = SetUpBy(sources_, SameAccount(key, more));
    ASSERT_FALSE(alone) << key << more;
    EXPECT_EQ(alone.error().code, ErrorCode::kForbidden) << key << more;
  }
  EXPECT_EQ(Secret(kApiKeySecret), same);
  ASSERT_TRUE(SetUpBy(
      sources_,
      SameAccount("K-theirs", R"(, "ca_file": "/etc/other.pem", "test_nin": "70123456701")"),
      "Bello"));
  EXPECT_THAT(audit_.entries.back(), HasSubstr("changed: ca_file, test_nin, api_key"));
}

TEST_F(ThreadedSourcesTest, WhoIsNoOperatorAnyMoreAgreesToNothing) {
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  AddOperator("Efe", "484031");
  user_.SignIn("Efe", "");
  (void)RemoveMember(bench_.storage, {"Efe", Staff::kOperator, SecretBytes()});
  for (const Status& refused : {SetUpBy(sources_, kMessage, "Bello"), EraseBy("Bello")}) {
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("Efe is no operator any more"));
  }
  EXPECT_EQ(keys_erased_, 0);
}

TEST_F(ThreadedSourcesTest, AnotherAccountAtTheSameAddressTakesTwo) {
  IsSetUpAtTheOldAddress();
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  for (const bool other_login : {true, false}) {
    const std::string other = fmt::format(
        R"({{"base_url": "https://old.example", "api_key": "K-fresh", "user_id": "{}",
            "login": {{"email": "{}", "password": "another one"}}}})",
        other_login ? Secret(kUserIdSecret) : "U-thief",
        other_login ? "thief@example.ng" : Secret(kLoginSecret));
    const Status refused = SetUpBy(sources_, other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kForbidden);
  }
}

TEST_F(ThreadedSourcesTest, TheSecondIsAnotherOperatorWithTheirPin) {
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  const auto confirm = [&](const std::string& name, std::string_view pin) {
    std::optional<CommandReply> reply;
    sources_.Confirm(name, SecretBytes::CopyOf(pin), AuditEvent::kVaultErased,
                     [&reply](CommandReply told) { reply = std::move(told); });
    RunAll();
    return std::move(*reply);
  };
  EXPECT_EQ(confirm("Amina", "602841").problem, CommandProblem::kWrong) << "the same person";
  EXPECT_EQ(confirm("", "713952").problem, CommandProblem::kWrong);
  EXPECT_EQ(confirm("Bello", "602841").problem, CommandProblem::kWrong);
  audit_.entries.clear();
  EXPECT_TRUE(confirm("Bello", "713952").status);
  EXPECT_THAT(audit_.entries, testing::ElementsAre("staff.confirmed vault.erased, by page, Bello"));
}

TEST_F(ThreadedSourcesTest, ErasingTakesTwoAndTakesTheKeysFirst) {
  AddOperator("Amina", "602841");
  AddOperator("Bello", "713952");
  user_.SignIn("Amina", "");
  const Status alone = EraseBy("");
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::kForbidden);
  EXPECT_EQ(keys_erased_, 0);
  EXPECT_EQ(started_erased_, 0);
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  ASSERT_TRUE(EraseBy("Bello"));
  EXPECT_EQ(keys_erased_, 1);
  EXPECT_EQ(started_erased_, 1);
  EXPECT_THAT(audit_.entries.back(), HasSubstr("vault.erased , by page, Amina and Bello"));
  for (int i = 0; i < 3; ++i) (void)delivery_.StepOnce();
  EXPECT_THAT(bench_.http.seen(), SizeIs(0)) << "what is in memory goes nowhere";
}

TEST_F(ThreadedSourcesTest, ErasingWritesTheLedgerOutWhileTheKeysStillProveIt) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  (void)delivery_.StepOnce();
  ASSERT_TRUE(EraseBy(""));
  ASSERT_THAT(written_before_keys_, SizeIs(1));
  const std::string path = "/state/" + written_before_keys_[0];
  const auto lines = bench_.files.Read(path, 10'000);
  ASSERT_TRUE(lines);
  EXPECT_THAT(std::string(AsText(*lines)), HasSubstr("lookup_nin"));
  EXPECT_THAT(audit_.entries.back(), AllOf(HasSubstr("was genuine and is written out: " + path),
                                           HasSubstr(ToHex(crypto_.Sha256(*lines)))));
}

TEST_F(ThreadedSourcesTest, ALedgerThatCannotBeWrittenOutKeepsNobodyFromErasing) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  (void)delivery_.StepOnce();
  bench_.files.set_capacity(1);
  ASSERT_TRUE(EraseBy(""));
  EXPECT_EQ(keys_erased_, 1);
  EXPECT_THAT(audit_.entries.back(), HasSubstr("nothing will prove it"));
}

TEST_F(ThreadedSourcesTest, WrongMessageChangesNothingAndCallsGoOn) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  for (const char* wrong :
       {"not json", "[]", R"({"base_url": "https://a.example"})", R"({"base_url": "ftp://a"})"}) {
    const Status refused = SetUpBy(sources_, wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
  EXPECT_EQ(started_anew_, 0);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(ThreadedSourcesTest, ProfileThatTheNextStartWouldRefuseIsSaidBefore) {
  bench_.files.Put("/etc/sandbox.jsonc", AsBytes("{}"));
  const Status refused = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("sandbox.jsonc"));
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
}

TEST_F(ThreadedSourcesTest, SetUpThatIsCutShortStartsAnewInsteadOfMixingAddresses) {
  bench_.storage.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  const Status failed = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("disk full"));
  RunAll();
  EXPECT_EQ(started_anew_, 1);
  for (int i = 0; i < 3; ++i) (void)delivery_.StepOnce();
  EXPECT_THAT(bench_.http.seen(), SizeIs(0));
}

TEST_F(ThreadedSourcesTest, KioskThatIsNotSetUpSaysSoAndCanBeSetUp) {
  ThreadedOperatorBackend empty(Dependencies(nullptr));
  EXPECT_FALSE(empty.provisioned());
  for (const Check check : {Check::kQueue, Check::kCamera, Check::kService}) {
    const auto findings =
        AnswerTo<Findings>([&](auto then) { empty.Look(check, std::move(then)); });
    EXPECT_THAT(findings, Contains(Field(&Finding::mend, "Set it up.")));
  }
  const auto ledger = AnswerTo<Result<OperatorBackend::LedgerView>>(
      [&](auto then) { empty.ReadLedger(std::move(then)); });
  EXPECT_FALSE(ledger);
  ASSERT_TRUE(SetUpBy(empty, kMessage));
  EXPECT_EQ(Secret(kUserIdSecret), "U-new");
}

TEST_F(ThreadedSourcesTest, BundleIsKeptWithWhatIsKnown) {
  (void)bench_.Accept(LookupCall(1));
  const auto path = AnswerTo<Result<std::string>>([&](auto then) {
    sources_.KeepBundle({{KioskPart::kCamera, FindingState::kBad, "away", "Plug it in."}},
                        std::move(then));
  });
  ASSERT_TRUE(path) << path.error().message;
  const std::string text(AsText(bench_.files.Content(*path)));
  EXPECT_THAT(text, HasSubstr("1.2.3"));
  EXPECT_THAT(text, HasSubstr("Plug it in."));
  EXPECT_THAT(text, HasSubstr("\"pending\": 1"));
  for (const char* secret :
       {"api-key", "user-id", "kiosk@customer", "pass\\\"word", "00000000001"}) {
    EXPECT_THAT(text, Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace idkiosk
