// What the specification says of authentication, spoken by the product's own client to the sandbox.
// The curl program speaks the same sentences to it in tests/tools/sandbox/contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/contract/sandbox_fixture.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::minutes;

using ClientAuthenticationContractTest = SandboxFixture;

TEST_F(ClientAuthenticationContractTest,
       EveryRequestExceptRegistrationAndLoginCarriesAllThreeHeaders) {
  for (std::string_view name : {kApiKeySecret, kUserIdSecret}) {
    const SecretBytes right = std::move(*storage_.Get(name));
    storage_.Set(name, "wrong");
    EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kUnauthorized)
        << name;
    storage_.Set(name, right.text());
  }
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
}

TEST_F(ClientAuthenticationContractTest, ExpiresAtComesInEachFormThatAClientMayMeet) {
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

TEST_F(ClientAuthenticationContractTest,
       WhenARequestReturns401TheClientLogsInAgainToGetAFreshToken) {
  ASSERT_TRUE(client_->Login());
  Admin("DELETE", "/sandbox/tokens");
  EXPECT_EQ(DeliverQueued(Call(Endpoint::kVerify, kTestNin)).verdict, Verdict::kVerified);
  EXPECT_EQ(Requests("login"), 2);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientAuthenticationContractTest, ATokenExpiresAfterAboutOneHourOfInactivity) {
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  clock_.Advance(minutes(61));
  PassServerTime(61 * 60);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(Requests("login"), 2);
}

TEST_F(ClientAuthenticationContractTest, APasswordChangeCanFailWithAValidationFailure) {
  EXPECT_EQ(client_->ChangePassword(SecretBytes::CopyOf("weak")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(Requests("change_password"), 0);
  // Good enough for us, not for this service.
  const Status changed = client_->ChangePassword(SecretBytes::CopyOf("Sh0rt!pw"));
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::kRejected);
  EXPECT_THAT(changed.error().message, testing::HasSubstr("at least 10 characters"));
  EXPECT_TRUE(client_->ChangePassword(SecretBytes::CopyOf("Str0ng!password")));
  EXPECT_TRUE(client_->Login());
}

TEST_F(ClientAuthenticationContractTest, TheOperatorAssignsAccessLevels) {
  Onboard(R"({"level":"basic"})");
  const CallSummary call = DeliverQueued(Call(Endpoint::kVerify, kTestNin));
  EXPECT_EQ(StateWord(call), "held");
  ASSERT_TRUE(call.hold);
  EXPECT_EQ(call.hold->reason, HoldReason::kAccess);
  EXPECT_EQ(DeliverQueued(Call(Endpoint::kCheck, kMatchingNin)).verdict, Verdict::kVerified);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ClientAuthenticationContractTest, PasswordsCannotBeTriedWithoutEnd) {
  storage_.Set(kPasswordSecret, "Wr0ng!password");
  const VerificationCall call = Call(Endpoint::kVerify, kTestNin);
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(
        queue_->Accept(call, {.person_waits = false, .operator_id = "", .confirmed = true}));
  DeliverQueued(call, true);
  EXPECT_EQ(Requests("login"), 1);
  EXPECT_EQ(queue_->Stats()->held, 3);
  EXPECT_FALSE(queue_->Accept(call, {.person_waits = false, .operator_id = "", .confirmed = true}))
      << "nobody sits down for nothing";
  EXPECT_EQ(Requests("login"), 1);
}

TEST_F(ClientAuthenticationContractTest, AnotherServersCertificateIsNotTrusted) {
  http_ = std::move(*CurlHttpClient::Create({}));
  Use(SandboxProfile());
  const auto delivery = Deliver(Call(Endpoint::kCheck, kMatchingNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kCertificate);
  EXPECT_EQ(Requests("check"), 0);
}

TEST_F(ClientAuthenticationContractTest, JsonBodiesCarryTheContentTypeApplicationJson) {
  // The sandbox refuses a JSON body of any other type.
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.http_status, 200);
  EXPECT_EQ(Deliver(Call(Endpoint::kCheck, kMatchingNin)).outcome.http_status, 200);
}

TEST_F(ClientAuthenticationContractTest,
       TheAccessTokenIsObtainedByLoggingInWithTheDashboardCredentials) {
  EXPECT_EQ(Requests("login"), 0);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(Requests("login"), 1);
  // One login serves all that follows.
  EXPECT_EQ(Deliver(Call(Endpoint::kLookupNin, kMatchingNin)).outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(Requests("login"), 1);
}

TEST_F(ClientAuthenticationContractTest,
       ExpiresAtTellsWhenTheTokenEndsSoThatTheClientCanLogInBefore) {
  Admin("POST", "/sandbox/settings", R"({"token_lifetime":600})");
  ASSERT_TRUE(client_->Login());
  clock_.Advance(minutes(11));
  PassServerTime(11 * 60);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(Requests("login"), 2);
  EXPECT_EQ(Requests("verify"), 1);
}

TEST_F(ClientAuthenticationContractTest,
       GenericVerificationSendsOnlyABearerHeaderCarryingTheApiKey) {
  for (std::string_view name : {kUserIdSecret, kLoginSecret, kPasswordSecret}) {
    ASSERT_TRUE(storage_.Remove(name));
  }
  EXPECT_EQ(Deliver(Call(Endpoint::kCheck, kMatchingNin)).outcome.kind, OutcomeKind::kVerified);
  storage_.Set(kApiKeySecret, "wrong");
  EXPECT_EQ(Deliver(Call(Endpoint::kCheck, kMatchingNin)).outcome.kind, OutcomeKind::kUnauthorized);
  EXPECT_EQ(Requests("login"), 0);
}

TEST_F(ClientAuthenticationContractTest, TheThreeHeaderSchemeAppliesToAllOtherRequests) {
  const std::pair<Endpoint, std::string_view> calls[] = {
      {Endpoint::kVerify, kTestNin},
      {Endpoint::kLookupNin, kMatchingNin},
      {Endpoint::kLookupNinPhone, "07000000001"},
      {Endpoint::kLookupPhone, "07000000001"},
  };
  for (const auto& [endpoint, number] : calls) {
    EXPECT_EQ(Deliver(Call(endpoint, number)).outcome.kind, OutcomeKind::kVerified);
  }
  EXPECT_TRUE(client_->FetchReasons());
  storage_.Set(kUserIdSecret, "wrong");
  for (const auto& [endpoint, number] : calls) {
    EXPECT_EQ(Deliver(Call(endpoint, number)).outcome.kind, OutcomeKind::kUnauthorized);
  }
  EXPECT_FALSE(client_->FetchReasons());
}

}  // namespace
}  // namespace idkiosk
