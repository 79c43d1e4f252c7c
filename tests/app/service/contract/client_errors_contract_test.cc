// What the specification says of errors and limits, spoken by the product's own client to the
// sandbox. The curl program speaks the same sentences to it in tests/tools/sandbox/contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/app/service/contract/sandbox_fixture.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;

using ClientErrorsContractTest = SandboxFixture;

struct StatusRow {
  const char* fault;
  std::string_view state;
  OutcomeKind outcome;
};

TEST_F(ClientErrorsContractTest, EachResultEndsInItsStateAndBothLedgersAgree) {
  const StatusRow rows[] = {
      {R"({"kind":"status","status":400})", "done", OutcomeKind::kRejected},
      {R"({"kind":"status","status":404})", "done", OutcomeKind::kNotFound},
      {R"({"kind":"status","status":500})", "unknown", OutcomeKind::kServerFailure},
      {R"({"kind":"status","status":503})", "unknown", OutcomeKind::kServerFailure},
      {R"({"kind":"drop-after-body"})", "unknown", OutcomeKind::kLost},
      {R"({"kind":"reset"})", "unknown", OutcomeKind::kLost},
      {R"({"kind":"cut"})", "unknown", OutcomeKind::kLost},
      {R"({"kind":"html"})", "unknown", OutcomeKind::kUnreadable},
      {R"({"kind":"wrong-type"})", "unknown", OutcomeKind::kUnreadable},
      {R"({"kind":"status","status":401})", "done", OutcomeKind::kVerified},
      {R"({"kind":"status","status":413})", "done", OutcomeKind::kVerified},
      {R"({"kind":"status","status":429,"retry_after":30})", "done", OutcomeKind::kVerified},
      {R"({"kind":"status","status":503,"retry_after":30})", "done", OutcomeKind::kVerified},
      {R"({"kind":"status","status":429,"retry_after":30,"retry_after_as_date":true})", "done",
       OutcomeKind::kVerified},
  };
  options_.billing.breaker_after = 0;
  OpenQueue();
  ASSERT_TRUE(client_->Login());
  for (const StatusRow& row : rows) {
    SCOPED_TRACE(row.fault);
    std::string fault = row.fault;
    fault.insert(1, R"("endpoint":"verify",)");
    AddFault(fault);
    VerificationCall call = Call(Endpoint::kVerify, kTestNin);
    call.pictures.selfie = DrawJpeg(20'000, 's');
    for (SecretBytes& each : call.pictures.liveness) each = DrawJpeg(8'000, 'l');
    const CallSummary ended = DeliverQueued(call);
    EXPECT_EQ(StateWord(ended), row.state) << ended.engineer;
    ASSERT_TRUE(ended.last_outcome);
    EXPECT_EQ(Name(*ended.last_outcome), Name(row.outcome));
    const LedgerSum ours = queue_->Sum(LedgerBy::kTotal, std::nullopt)->front();
    EXPECT_EQ(ours.billed_yes + ours.billed_maybe, Billed());
  }
}

TEST_F(ClientErrorsContractTest, ErrorResponsesCarryADescriptiveMessage) {
  VerificationCall call = Call(Endpoint::kLookupNin, kMatchingNin);
  call.reason = "CURIOSITY";
  const auto delivery = Deliver(call);
  EXPECT_EQ(delivery.outcome.http_status, 400);
  EXPECT_THAT(std::string(delivery.outcome.service_message.text()), HasSubstr("requestReason"));
}

TEST_F(ClientErrorsContractTest, AFailedVerificationIsBilledLikeASuccessfulOne) {
  Deliver(Call(Endpoint::kVerify, kMatchingNin));
  Deliver(Call(Endpoint::kVerify, kDifferingNin));
  VerificationCall bad = Call(Endpoint::kVerify, kMatchingNin);
  bad.reason = "CURIOSITY";
  EXPECT_EQ(Deliver(bad).outcome.billed, Billed::kYes);
  EXPECT_EQ(Billed(), 3);
}

TEST_F(ClientErrorsContractTest, AConnectionRefusalMeansThatTheServerIsUnavailable) {
  ASSERT_TRUE(client_->Login());
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  const CallSummary kept = DeliverQueued(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(kept.state, CallState::kPending);
  EXPECT_EQ(kept.http_status, 0);
  EXPECT_EQ(kept.last_outcome, OutcomeKind::kUnreachable);
  sandbox_.StartAgain({});
  const auto attempts = worker_->DeliverAll(clock_.Now(), [](MonotonicTime) { return false; });
  ASSERT_TRUE(attempts) << attempts.error().message;
  EXPECT_EQ(queue_->Show(kept.reference)->verdict, Verdict::kVerified);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientErrorsContractTest, ExactlyOneSelfieAndFourLivenessImages) {
  VerificationCall call = Call(Endpoint::kVerify, kTestNin);
  call.pictures.liveness[3] = SecretBytes();
  EXPECT_FALSE(CheckCall(call, {Environment::kSandbox, "", {"LOAN_APPLICATION"}}));
  // Whoever skips the check is stopped by the codec.
  EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kNotDelivered);
  EXPECT_EQ(Requests("verify"), 0);
}

class ClientSmallPayloadTest : public SandboxFixture {
 protected:
  ClientSmallPayloadTest() : SandboxFixture({"--max-body", "40000"}) {}
};

TEST_F(ClientSmallPayloadTest, ARequestPayloadAboveTheMaximumReturns413) {
  VerificationCall call = Call(Endpoint::kVerify, kTestNin);
  call.pictures.selfie = DrawJpeg(60'000, 's');
  const CallSummary ended = DeliverQueued(call);
  EXPECT_EQ(ended.verdict, Verdict::kVerified) << ended.engineer;
  EXPECT_EQ(shrinker_.remembered, 1);
  EXPECT_EQ(Billed(), 1);
}

class ClientRateLimitTest : public SandboxFixture {
 protected:
  ClientRateLimitTest() : SandboxFixture({"--rate-limit", "5"}) {}
};

TEST_F(ClientRateLimitTest, ExceedingTheRateIsAnsweredByAPause) {
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(queue_->Accept(Call(Endpoint::kCheck, kMatchingNin), {}));
  }
  const auto wait = [this](MonotonicTime time) {
    const Duration pause = time - clock_.Now();
    clock_.Advance(pause);
    PassServerTime(std::chrono::ceil<std::chrono::seconds>(pause).count());
    return true;
  };
  ASSERT_TRUE(worker_->DeliverAll(clock_.Now() + minutes(30), wait));
  EXPECT_EQ(queue_->Stats()->In(CallState::kDone), 8);
  EXPECT_EQ(Billed(), 8);
  EXPECT_GE(Requests("check"), 9);
}

TEST_F(ClientErrorsContractTest, ServerTimeIsMeasured) {
  PassServerTime(3600);
  Deliver(Call(Endpoint::kCheck, kMatchingNin));
  const auto one_hour_on = client_->clock_skew();
  ASSERT_TRUE(one_hour_on);
  PassServerTime(3600);
  Deliver(Call(Endpoint::kCheck, kMatchingNin));
  const Duration difference = *client_->clock_skew() - *one_hour_on;
  EXPECT_GE(difference, std::chrono::hours(1));
  EXPECT_LT(difference, std::chrono::hours(1) + minutes(1));
}

TEST_F(ClientErrorsContractTest, Status200IsARequestThatWasSuccessful) {
  const auto delivery = Deliver(Call(Endpoint::kVerify, kMatchingNin));
  EXPECT_EQ(delivery.outcome.http_status, 200);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified);
}

TEST_F(ClientErrorsContractTest, Status201IsAResourceThatWasCreated) {
  const auto twice = [this] {
    return client_->Register(SecretBytes::CopyOf("new@customer.example"),
                             SecretBytes::CopyOf("Str0ng!password"),
                             SecretBytes::CopyOf("New Customer"));
  };
  EXPECT_TRUE(twice());
  EXPECT_FALSE(twice());
}

TEST_F(ClientErrorsContractTest, Status400IsForInvalidRequestParameters) {
  VerificationCall call = Call(Endpoint::kLookupNin, kMatchingNin);
  call.reason = "CURIOSITY";
  const auto delivery = Deliver(call);
  EXPECT_EQ(delivery.outcome.http_status, 400);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kRejected);
}

TEST_F(ClientErrorsContractTest, Status401IsForAnInvalidOrExpiredToken) {
  ASSERT_TRUE(client_->Login());
  Admin("DELETE", "/sandbox/tokens");
  const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(delivery.outcome.http_status, 401);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kUnauthorized);
  EXPECT_EQ(Billed(), 0);
}

TEST_F(ClientErrorsContractTest, Status403IsForInsufficientPermissions) {
  Onboard(R"({"level":"basic"})");
  const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(delivery.outcome.http_status, 403);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kForbidden);
  EXPECT_EQ(Billed(), 0);
}

TEST_F(ClientErrorsContractTest, Status404IsForAnEndpointOrResourceThatDoesNotExist) {
  const auto nobody = Deliver(Call(Endpoint::kLookupNin, kUnknownNin));
  EXPECT_EQ(nobody.outcome.http_status, 404);
  EXPECT_EQ(nobody.outcome.kind, OutcomeKind::kNoRecord);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientErrorsContractTest, Status413IsForImagesTooLargeOrTooMany) {
  AddFault(R"({"endpoint":"verify","kind":"status","status":413})");
  const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kTooLarge);
  EXPECT_EQ(delivery.outcome.billed, Billed::kNo);
}

TEST_F(ClientErrorsContractTest, Status429IsForARateLimitThatIsExceeded) {
  AddFault(R"({"endpoint":"verify","kind":"status","status":429,"retry_after":7})");
  const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kBusy);
  EXPECT_EQ(delivery.outcome.billed, Billed::kNo);
}

TEST_F(ClientErrorsContractTest, Status500IsForAServerSideFailure) {
  AddFault(R"({"endpoint":"verify","kind":"status","status":500})");
  const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kServerFailure);
  EXPECT_EQ(delivery.outcome.billed, Billed::kMaybe);
}

TEST_F(ClientErrorsContractTest, AVerificationThatReturns400IsBilled) {
  VerificationCall bad = Call(Endpoint::kVerify, kMatchingNin);
  bad.reason = "CURIOSITY";
  EXPECT_EQ(DeliverQueued(bad).verdict, Verdict::kRejected);
  const LedgerSum ours = queue_->Sum(LedgerBy::kTotal, std::nullopt)->front();
  EXPECT_EQ(ours.billed_yes, 1);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientErrorsContractTest, WhatWasNeverVerifiedIsNotBilled) {
  ASSERT_TRUE(client_->FetchReasons());
  EXPECT_FALSE(client_->ChangePassword(SecretBytes::CopyOf("Sh0rt!pw")));
  EXPECT_EQ(Billed(), 0);
  const LedgerSum ours = queue_->Sum(LedgerBy::kTotal, std::nullopt)->front();
  EXPECT_EQ(ours.billed_yes + ours.billed_maybe, 0);
}

TEST_F(ClientErrorsContractTest,
       AServerThatStartsAgainIsFoundAtTheSameAddressAndKnowsItsCustomers) {
  ASSERT_TRUE(client_->Login());
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  sandbox_.StartAgain({});
  EXPECT_EQ(DeliverQueued(Call(Endpoint::kVerify, kTestNin)).verdict, Verdict::kVerified);
}

}  // namespace
}  // namespace idkiosk
