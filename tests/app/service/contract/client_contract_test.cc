// The sentences of the specification, each spoken by the product's own client to the sandbox. The
// same sentences are spoken to the sandbox by the curl program in tests/tools/sandbox/contract.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/app/service/contract/sandbox_fixture.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;

using ClientContractTest = SandboxFixture;

// ---- Environments

TEST_F(ClientContractTest, TheTestNinAlwaysSucceedsInFacialVerificationWhateverImagesAreSent) {
  for (int i = 0; i < 3; ++i) {
    VerificationCall call = Call(Endpoint::kVerify, kTestNin);
    call.pictures.selfie = DrawJpeg(2000, static_cast<char>('a' + i));
    EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kVerified);
  }
}

TEST_F(ClientContractTest, ProductionIsNeverSentTheTestNin) {
  const CallRules rules = {Environment::kProduction, std::string(kTestNin), {"LOAN_APPLICATION"}};
  EXPECT_FALSE(CheckCall(Call(Endpoint::kVerify, kTestNin), rules));
  EXPECT_EQ(Requests("verify"), 0);
}

// ---- Endpoints

TEST_F(ClientContractTest, GenericVerificationTakesATypeAndAnIdNumber) {
  const auto found = Deliver(Call(Endpoint::kCheck, kMatchingNin));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kCheck, found.answer).name.text(), "Amina Sample");
  EXPECT_EQ(Deliver(Call(Endpoint::kCheck, kUnknownNin)).outcome.kind, OutcomeKind::kNotVerified);
  VerificationCall passport = Call(Endpoint::kCheck, "A1234567");
  passport.id_type = "passport";
  EXPECT_EQ(Deliver(passport).outcome.kind, OutcomeKind::kRejected);
  EXPECT_EQ(Requests("login"), 0);
}

TEST_F(ClientContractTest, GetRequestReasonsReturnsAListOfValidReasonCodes) {
  for (const char* form : {"objects", "strings"}) {
    Admin("POST", "/sandbox/settings", fmt::format(R"({{"reasons":"{}"}})", form));
    const auto reasons = client_->FetchReasons();
    ASSERT_TRUE(reasons) << reasons.error().message;
    ASSERT_GE(reasons->size(), 4U);
    for (const RequestReason& each : *reasons) {
      VerificationCall call = Call(Endpoint::kLookupNin, kMatchingNin);
      call.reason = each.code;
      EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kVerified) << each.code;
    }
  }
}

TEST_F(ClientContractTest, FacialVerificationTakesTheNinOneSelfieAndFourLivenessImages) {
  const auto verified = Deliver(Call(Endpoint::kVerify, kMatchingNin));
  EXPECT_EQ(verified.outcome.kind, OutcomeKind::kVerified);
  const AnswerParts parts = PartsOf(Endpoint::kVerify, verified.answer);
  EXPECT_EQ(parts.name.text(), "Amina Sample");
  EXPECT_THAT(std::string(parts.reference.text()), HasSubstr("SBX-"));
  EXPECT_GT(parts.photo.size(), 100U);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kDifferingNin)).outcome.kind,
            OutcomeKind::kNotVerified);
}

TEST_F(ClientContractTest, FacialVerificationInAMultipartBody) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  const size_t begin = text.find(R"("body": "json",)", text.find("verifyNINWithFace"));
  text.replace(begin, 15, R"("body": "multipart",)");
  auto profile = ParseProfile(text, "multipart.jsonc");
  ASSERT_TRUE(profile) << profile.error().message;
  Use(std::move(*profile));
  const auto delivery = Deliver(Call(Endpoint::kVerify, kMatchingNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified) << delivery.answer.text();
}

TEST_F(ClientContractTest, VerifyPhoneNumberTakesAPhoneAndASearchType) {
  const auto found = Deliver(Call(Endpoint::kLookupPhone, "+2347000000002"));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupPhone, found.answer).name.text(), "Chidi Example");
  EXPECT_EQ(Deliver(Call(Endpoint::kLookupPhone, "07099999999")).outcome.kind,
            OutcomeKind::kNoRecord);
  VerificationCall guess = Call(Endpoint::kLookupPhone, "07000000002");
  guess.search_type = "guess";
  EXPECT_EQ(Deliver(guess).outcome.kind, OutcomeKind::kRejected);
}

TEST_F(ClientContractTest, GetNinDetails) {
  const auto found = Deliver(Call(Endpoint::kLookupNin, kMatchingNin));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupNin, found.answer).name.text(), "Amina Sample");
  EXPECT_EQ(Deliver(Call(Endpoint::kLookupNin, kUnknownNin)).outcome.kind, OutcomeKind::kNoRecord);
}

TEST_F(ClientContractTest, GetNinDetailsWithPhone) {
  const auto found = Deliver(Call(Endpoint::kLookupNinPhone, "07000000001"));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupNinPhone, found.answer).name.text(), "Amina Sample");
}

TEST_F(ClientContractTest, EveryNinEndpointRequiresAReasonFromTheList) {
  for (Endpoint endpoint : {Endpoint::kVerify, Endpoint::kLookupNin}) {
    VerificationCall call = Call(endpoint, kMatchingNin);
    call.reason = "CURIOSITY";
    EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kRejected);
    // Which is why it is not sent.
    EXPECT_FALSE(CheckCall(call, {Environment::kSandbox, "", {"LOAN_APPLICATION"}}));
  }
}

TEST_F(ClientContractTest, LoginReturnsATokenWithExpiresAtInEachForm) {
  for (const char* form : {"rfc3339", "seconds", "milliseconds"}) {
    Admin("POST", "/sandbox/settings",
          fmt::format(R"({{"expires_at":"{}","token_lifetime":3600}})", form));
    settings_.token_idle = std::chrono::hours(10);
    ASSERT_TRUE(client_->Login());
    const int before = tokens_->logins();
    clock_.Advance(minutes(55));
    ASSERT_TRUE(tokens_->Token());
    EXPECT_EQ(tokens_->logins(), before) << form;
    clock_.Advance(minutes(5));
    ASSERT_TRUE(tokens_->Token());
    EXPECT_EQ(tokens_->logins(), before + 1) << form;
  }
}

TEST_F(ClientContractTest, RegistrationNeedsNoAuthenticationHeaders) {
  for (std::string_view name : {kApiKeySecret, kUserIdSecret, kPasswordSecret}) {
    ASSERT_TRUE(storage_.Remove(name));
  }
  EXPECT_TRUE(client_->Register(SecretBytes::CopyOf("new@customer.example"),
                                SecretBytes::CopyOf("Str0ng!password"),
                                SecretBytes::CopyOf("New Customer")));
  EXPECT_EQ(Requests("login"), 0);
}

TEST_F(ClientContractTest, AWeakPasswordIsRejectedWithAValidationFailure) {
  EXPECT_EQ(client_->ChangePassword(SecretBytes::CopyOf("weak")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(Requests("change_password"), 0);
  // Good enough for us, not for this service.
  const Status changed = client_->ChangePassword(SecretBytes::CopyOf("Sh0rt!pw"));
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::kRejected);
  EXPECT_FALSE(client_->last_message().empty());
  EXPECT_TRUE(client_->ChangePassword(SecretBytes::CopyOf("Str0ng!password")));
  EXPECT_TRUE(client_->Login());
}

// ---- Authentication

TEST_F(ClientContractTest, EveryRequestCarriesAllThreeHeaders) {
  for (std::string_view name : {kApiKeySecret, kUserIdSecret}) {
    const SecretBytes right = std::move(*storage_.Get(name));
    storage_.Set(name, "wrong");
    EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kUnauthorized)
        << name;
    storage_.Set(name, right.text());
  }
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
}

TEST_F(ClientContractTest, WhenARequestReturns401TheClientLogsInAgain) {
  ASSERT_TRUE(client_->Login());
  Admin("DELETE", "/sandbox/tokens");
  EXPECT_EQ(DeliverQueued(Call(Endpoint::kVerify, kTestNin)).verdict, Verdict::kVerified);
  EXPECT_EQ(Requests("login"), 2);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientContractTest, ATokenThatExpiredByInactivityIsRenewedBeforeItIsUsed) {
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  clock_.Advance(minutes(61));
  PassServerTime(61 * 60);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(Requests("login"), 2);
}

TEST_F(ClientContractTest, WrongCredentialsAreTriedOnce) {
  storage_.Set(kPasswordSecret, "Wr0ng!password");
  for (int i = 0; i < 3; ++i) DeliverQueued(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(Requests("login"), 1);
  EXPECT_EQ(queue_->Stats()->held, 3);
}

TEST_F(ClientContractTest, AccessLevelsDecideWhichEndpointsAnAccountMayUse) {
  Onboard(R"({"level":"basic"})");
  const CallSummary call = DeliverQueued(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(StateWord(call), "held");
  ASSERT_TRUE(call.hold);
  EXPECT_EQ(call.hold->reason, HoldReason::kAccess);
  EXPECT_EQ(DeliverQueued(Call(Endpoint::kCheck, kMatchingNin)).verdict, Verdict::kVerified);
  EXPECT_EQ(Billed(), 1);
}

// ---- Errors

struct StatusRow {
  const char* fault;
  std::string_view state;
  OutcomeKind outcome;
};

TEST_F(ClientContractTest, EachResultEndsInItsStateAndBothLedgersAgree) {
  const StatusRow rows[] = {
      {R"({"kind":"status","status":400})", "done", OutcomeKind::kRejected},
      {R"({"kind":"status","status":404})", "done", OutcomeKind::kNoRecord},
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

TEST_F(ClientContractTest, ErrorResponsesCarryADescriptiveMessage) {
  VerificationCall call = Call(Endpoint::kLookupNin, kMatchingNin);
  call.reason = "CURIOSITY";
  const auto delivery = Deliver(call);
  EXPECT_EQ(delivery.outcome.http_status, 400);
  EXPECT_THAT(std::string(delivery.outcome.service_message.text()), HasSubstr("requestReason"));
}

TEST_F(ClientContractTest, AFailedVerificationIsBilledLikeASuccessfulOne) {
  Deliver(Call(Endpoint::kVerify, kMatchingNin));
  Deliver(Call(Endpoint::kVerify, kDifferingNin));
  VerificationCall bad = Call(Endpoint::kVerify, kMatchingNin);
  bad.reason = "CURIOSITY";
  EXPECT_EQ(Deliver(bad).outcome.billed, Billed::kYes);
  EXPECT_EQ(Billed(), 3);
}

TEST_F(ClientContractTest, AConnectionRefusalIsANetworkFailureAndNoStatus) {
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

TEST_F(ClientContractTest, AnotherServersCertificateIsNotTrusted) {
  http_ = std::move(*CurlHttpClient::Create({}));
  Use(SandboxProfile());
  const auto delivery = Deliver(Call(Endpoint::kCheck, kMatchingNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kCertificate);
  EXPECT_EQ(Requests("check"), 0);
}

// ---- Limits

TEST_F(ClientContractTest, ExactlyOneSelfieAndFourLivenessImages) {
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

TEST_F(ClientSmallPayloadTest, APayloadTooLargeIsMadeSmallerAndTheRungRemembered) {
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
  EXPECT_EQ(queue_->Stats()->done, 8);
  EXPECT_EQ(Billed(), 8);
  EXPECT_GE(Requests("check"), 9);
}

// ---- Beyond the sentences: what the client measures

TEST_F(ClientContractTest, ServerTimeIsMeasured) {
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

}  // namespace
}  // namespace idkiosk
