#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// Holds: what the service refused is not asked again by a mere start, but once what it waits for
// was changed, or a person says so.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

constexpr std::string_view kProxyPage = "<html>nginx</html>";

class HoldTest : public testing::Test {
 protected:
  void Start(int status, std::string_view body, int calls = 4) {
    bench_.options.base_url = "https://customer.example/a";
    bench_.Open();
    bench_.Serve(status, body);
    for (int i = 0; i < calls; ++i) calls_.push_back(bench_.Accept(LookupCall(i)));
    bench_.RunFor(minutes(10));
  }
  // The same, with a login that is answered like this.
  void StartWithoutLogin(int status, std::string_view body) {
    bench_.Open();
    bench_.tokens.Forget();
    bench_.http.set_server([=](const auto&) {
      FakeHttpClient::Reply reply;
      reply.status = status;
      reply.body = body;
      return reply;
    });
    calls_.push_back(bench_.Accept(LookupCall(1)));
    bench_.RunFor(minutes(10));
  }
  void StartAnew() {
    bench_.Restart();
    bench_.RunFor(minutes(10));
  }

  QueueBench bench_;
  std::vector<CallReference> calls_;
};

struct Refusal {
  int status;
  std::string_view body;
  std::string_view id;
  int posts;
};

class RefusalTest : public HoldTest, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusalTest, OutlivesEachStart) {
  Start(GetParam().status, GetParam().body);
  for (int start = 0; start < 6; ++start) StartAnew();
  EXPECT_EQ(bench_.posts(), GetParam().posts);
  ASSERT_EQ(bench_.queue->Stats()->holds.size(), 1U);
  EXPECT_EQ(HoldId(bench_.queue->Stats()->holds[0]), GetParam().id);
}

TEST_P(RefusalTest, IsLiftedByAnotherPathAndOneCallGoesFirst) {
  Start(GetParam().status, GetParam().body);
  bench_.options.base_url = "https://customer.example/b";
  StartAnew();
  EXPECT_EQ(bench_.posts(), GetParam().posts + (GetParam().status == 401 ? 2 : 1));
  EXPECT_FALSE(bench_.queue->Stats()->holds.empty());
  bench_.options.base_url = "https://customer.example/c";
  bench_.Serve(200);
  StartAnew();
  EXPECT_TRUE(bench_.queue->Stats()->holds.empty());
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 0);
}

TEST_P(RefusalTest, IsLiftedByAPersonAndOneCallGoesFirst) {
  Start(GetParam().status, GetParam().body);
  ASSERT_TRUE(bench_.queue->Lift(GetParam().id));
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), GetParam().posts + (GetParam().status == 401 ? 2 : 1));
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Lift(GetParam().id));
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 0);
}

INSTANTIATE_TEST_SUITE_P(Statuses, RefusalTest,
                         testing::Values(Refusal{401, kErrorAnswer, "all:credentials", 2},
                                         Refusal{402, kErrorAnswer, "lookup_nin:unexpected_answer",
                                                 1},
                                         Refusal{403, kErrorAnswer, "lookup_nin:access", 1},
                                         Refusal{404, kProxyPage, "lookup_nin:wrong_address", 1}));

TEST_F(HoldTest, TellsWhatTheServiceSaysOfTheAccountWithoutNumbersKeysAndNames) {
  Start(403, R"({"message":"Wallet of acct-77 is EMPTY for Eve Okafor, 00000000001: top up"})");
  const auto forbidden = bench_.queue->Stats();
  ASSERT_EQ(forbidden->holds.size(), 1U);
  EXPECT_THAT(forbidden->holds[0].detail, HasSubstr(": Wallet of ... is EMPTY for ... top up"));
}

TEST(LiftedByRetryTest, IsWhatAPersonMayLiftOfThatEndpoint) {
  const auto is_lifted = [](HoldReason reason, std::optional<Endpoint> endpoint) {
    return IsLiftedByRetry({reason, endpoint, {}, {}, ""}, Endpoint::kCheck);
  };
  EXPECT_TRUE(is_lifted(HoldReason::kBreaker, Endpoint::kCheck));
  EXPECT_TRUE(is_lifted(HoldReason::kCredentials, std::nullopt));
  EXPECT_FALSE(is_lifted(HoldReason::kBreaker, Endpoint::kVerify));
  EXPECT_FALSE(is_lifted(HoldReason::kOtherAddress, Endpoint::kCheck));
  EXPECT_FALSE(is_lifted(HoldReason::kSpendCap, std::nullopt));
  EXPECT_FALSE(is_lifted(HoldReason::kHeadquarters, std::nullopt));
}

TEST_F(HoldTest, AVaultThatCannotBeReadForAMomentMendsNothing) {
  Start(403, "{}");
  const int posts = bench_.posts();
  bench_.storage.FailGet(Error{ErrorCode::kUnavailable, "the disk failed"});
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.queue->Stats()->holds.size(), 1U);
  bench_.storage.FailGet(std::nullopt);
  bench_.RunFor(minutes(10));
  EXPECT_EQ(bench_.queue->Stats()->holds.size(), 1U);
  EXPECT_EQ(bench_.posts(), posts);
}

TEST_F(HoldTest, IsInTheLog) {
  testing::internal::CaptureStderr();
  Start(404, kProxyPage, 1);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("calls are held (lookup_nin:wrong_address)"));
}

TEST_F(HoldTest, TellsNoNameInSmallLettersEither) {
  Start(403, R"({"message":"record of eve okafor is lo\u200fcked"})");
  const auto forbidden = bench_.queue->Stats();
  ASSERT_EQ(forbidden->holds.size(), 1U);
  EXPECT_THAT(forbidden->holds[0].detail, testing::EndsWith("says: record of ... is ..."));
}

TEST_F(HoldTest, TellsWhatTheServiceSaysOfItsLogin) {
  Start(401, R"({"message":"Account suspended"})");
  const auto refused = bench_.queue->Stats();
  ASSERT_EQ(refused->holds.size(), 1U);
  EXPECT_THAT(refused->holds[0].detail, HasSubstr("Account suspended"));
}

TEST_F(HoldTest, ALiftedOneTriesRefusedCredentialsOnceMore) {
  StartWithoutLogin(401, kErrorAnswer);
  const int before = bench_.http.attempts();
  ASSERT_TRUE(bench_.queue->Lift("lookup_nin:credentials"));
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.http.attempts() - before, 1) << "once, and not each minute";
  EXPECT_EQ(bench_.StateOf(calls_[0]), "held");
  bench_.Serve(200);
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.StateOf(calls_[0]), "held") << "nobody said that they are right";
  ASSERT_TRUE(bench_.queue->Lift("lookup_nin:credentials"));
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(calls_[0]), "done");
}

// What is claimed first needs no login, and does not use up the try.
TEST_F(HoldTest, ALiftedOneTriesTheLoginWithTheFirstCallThatNeedsIt) {
  StartWithoutLogin(401, kErrorAnswer);
  ASSERT_TRUE(bench_.queue->Lift("lookup_nin:credentials"));
  bench_.Serve(200);
  VerificationCall check;
  check.endpoint = Endpoint::kCheck;
  check.id_number = SecretBytes::CopyOf("12345678901");
  calls_.push_back(bench_.Accept(check, /*person_waits=*/true));
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(calls_[1]), "done");
  EXPECT_EQ(bench_.StateOf(calls_[0]), "done");
}

TEST_F(HoldTest, AFirewallsPageAtTheLoginHoldsNothing) {
  StartWithoutLogin(403, kProxyPage);
  EXPECT_EQ(bench_.StateOf(calls_[0]), "pending");
  EXPECT_TRUE(bench_.queue->Stats()->holds.empty());
  EXPECT_TRUE(bench_.Ledger().empty());
  bench_.Serve(200);
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.StateOf(calls_[0]), "done");
}

TEST_F(HoldTest, AChangedCredentialLiftsWhatItMayMendWhileTheKioskRuns) {
  Start(403, kErrorAnswer);
  bench_.Serve(200);
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), 1);
  bench_.storage.Set(kApiKeySecret, "another key");
  bench_.RunFor(minutes(2));
  EXPECT_EQ(bench_.posts(), 5);
}

TEST_F(HoldTest, AChangedCredentialMendsNoWrongAddress) {
  Start(404, kProxyPage);
  bench_.Serve(200);
  bench_.storage.Set(kApiKeySecret, "another key");
  StartAnew();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(HoldTest, IsLiftedByAProcessThatDeliversNothing) {
  Start(403, kErrorAnswer);
  bench_.Serve(200);
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  ASSERT_TRUE(bench_.queue->Lift("lookup_nin:access"));
  StartAnew();
  EXPECT_EQ(bench_.posts(), 5);
}

TEST_F(HoldTest, OnlyWhatIsThereCanBeLiftedAndNotWhatIsMeasured) {
  bench_.options.billing.calls_per_hour = 1;
  Start(200, kVerifiedAnswer, 2);
  EXPECT_EQ(bench_.queue->Lift("lookup_nin:access").error().code, ErrorCode::kNotFound);
  const Status cap = bench_.queue->Lift("all:spend_cap");
  EXPECT_EQ(cap.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(cap.error().message, HasSubstr("billing.calls_per_hour"));
}

TEST_F(HoldTest, ARejectionInDoubtIsSentAgainByAPerson) {
  QueueBench bench(1, SandboxProfile(R"("no_record": { "message": "There is no record" },
      "billed": true,
      "price": 50.0)",
                                     R"("billed": true, "price": 50.0)"));
  bench.Open();
  bench.Serve(404, kErrorAnswer);
  const CallReference nobody = bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  ASSERT_EQ(bench.StateOf(nobody), "done");
  bench.Serve(200);
  ASSERT_TRUE(bench.queue->Retry(nobody, AttemptsOf(*bench.queue, nobody)));
  bench.StepUntilIdle();
  EXPECT_EQ(bench.Show(nobody).verdict, Verdict::kVerified);
  EXPECT_EQ(bench.posts(), 2);
  // What is certain is erased, and cannot be.
  bench.Serve(400, kErrorAnswer);
  const CallReference rejected = bench.Accept(LookupCall(2));
  bench.StepUntilIdle();
  EXPECT_THAT(bench.queue->Retry(rejected, AttemptsOf(*bench.queue, rejected)).error().message,
              HasSubstr("make a new check"));
}

TEST_F(HoldTest, WhatEndedAtAnAddressThatWasWrongWaitsForAPerson) {
  QueueBench bench(1, SandboxProfile(R"("no_record": { "message": "There is no record" },
      "billed": true,
      "price": 50.0)",
                                     R"("billed": true, "price": 50.0)"));
  bench.Open();
  bench.Serve(404, kErrorAnswer);
  const CallReference nobody = bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  ASSERT_EQ(bench.StateOf(nobody), "done");
  bench.options.base_url = "https://customer.example/right";
  bench.Restart();
  EXPECT_EQ(bench.StateOf(nobody), "unknown");
  bench.Serve(200);
  bench.Accept(LookupCall(2));
  bench.StepUntilIdle();
  EXPECT_TRUE(bench.Show(nobody).has_payload) << "a success elsewhere says nothing about it";
}

// Whatever damage has made of it, nothing is sent before somebody has lifted it.
TEST_F(HoldTest, ADamagedOneHoldsAndCanBeLifted) {
  for (const char* const damage : {"reason='accesz'", "scope='lookup_nim'"}) {
    SCOPED_TRACE(damage);
    Start(403, "{}");
    const int posts = bench_.posts();
    bench_.Close();
    Meddle(kQueueFile, bench_.disk.name(), std::string("UPDATE hold SET ") + damage);
    bench_.Open();
    bench_.Serve(200);
    bench_.RunFor(minutes(10));
    EXPECT_EQ(bench_.posts(), posts);
    const auto held = bench_.queue->Stats();
    ASSERT_EQ(held->holds.size(), 1U);
    ASSERT_TRUE(bench_.queue->Lift(HoldId(held->holds[0])));
    EXPECT_TRUE(bench_.queue->Stats()->holds.empty());
    bench_.Close();
  }
}

}  // namespace
}  // namespace idkiosk
