// What the specification says of endpoints and environments, spoken by the product's own client to
// the sandbox. The curl program speaks the same sentences to it in tests/tools/sandbox/contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/contract/sandbox_fixture.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

using ClientEndpointsContractTest = SandboxFixture;

TEST_F(ClientEndpointsContractTest, GenericVerificationTakesATypeAndAnIdNumber) {
  const auto found = Deliver(Call(Endpoint::kCheck, kMatchingNin));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kCheck, found.answer).name.text(), "Amina Sample");
  EXPECT_EQ(Deliver(Call(Endpoint::kCheck, kUnknownNin)).outcome.kind, OutcomeKind::kNotVerified);
  VerificationCall passport = Call(Endpoint::kCheck, "A1234567");
  passport.id_type = "passport";
  EXPECT_EQ(Deliver(passport).outcome.kind, OutcomeKind::kRejected);
  EXPECT_EQ(Requests("login"), 0);
}

TEST_F(ClientEndpointsContractTest, GetRequestReasonsReturnsAListOfValidReasonCodes) {
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

TEST_F(ClientEndpointsContractTest, FacialVerificationTakesTheNinOneSelfieAndFourLivenessImages) {
  const auto verified = Deliver(Call(Endpoint::kVerify, kMatchingNin));
  EXPECT_EQ(verified.outcome.kind, OutcomeKind::kVerified);
  const AnswerParts parts = PartsOf(Endpoint::kVerify, verified.answer);
  EXPECT_EQ(parts.name.text(), "Amina Sample");
  EXPECT_THAT(std::string(parts.reference.text()), HasSubstr("SBX-"));
  EXPECT_GT(parts.photo.size(), 100U);
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kDifferingNin)).outcome.kind,
            OutcomeKind::kNotVerified);
}

TEST_F(ClientEndpointsContractTest, FacialVerificationTakesMultipartAsWellAsJson) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  const size_t begin = text.find(R"("body": "json",)", text.find("verifyNINWithFace"));
  text.replace(begin, 15, R"("body": "multipart",)");
  auto profile = ParseProfile(text, "multipart.jsonc");
  ASSERT_TRUE(profile) << profile.error().message;
  Use(std::move(*profile));
  const auto delivery = Deliver(Call(Endpoint::kVerify, kMatchingNin));
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified) << delivery.answer.text();
}

TEST_F(ClientEndpointsContractTest, VerifyPhoneNumberTakesAPhoneAndASearchType) {
  const auto found = Deliver(Call(Endpoint::kLookupPhone, "+2347000000002"));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupPhone, found.answer).name.text(), "Chidi Example");
  EXPECT_EQ(Deliver(Call(Endpoint::kLookupPhone, "07099999999")).outcome.kind,
            OutcomeKind::kNoRecord);
  VerificationCall guess = Call(Endpoint::kLookupPhone, "07000000002");
  guess.search_type = "guess";
  EXPECT_EQ(Deliver(guess).outcome.kind, OutcomeKind::kRejected);
}

TEST_F(ClientEndpointsContractTest, GetNinDetailsReturnsDataInTheSameFormatAsOtherVerifications) {
  const auto found = Deliver(Call(Endpoint::kLookupNin, kMatchingNin));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupNin, found.answer).name.text(), "Amina Sample");
  EXPECT_EQ(Deliver(Call(Endpoint::kLookupNin, kUnknownNin)).outcome.kind, OutcomeKind::kNoRecord);
}

TEST_F(ClientEndpointsContractTest, GetNinDetailsWithPhoneFindsThePersonByTheirNumber) {
  const auto found = Deliver(Call(Endpoint::kLookupNinPhone, "07000000001"));
  EXPECT_EQ(found.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(PartsOf(Endpoint::kLookupNinPhone, found.answer).name.text(), "Amina Sample");
}

TEST_F(ClientEndpointsContractTest, EveryNinEndpointRequiresARequestReasonFromTheList) {
  for (Endpoint endpoint : {Endpoint::kVerify, Endpoint::kLookupNin}) {
    VerificationCall call = Call(endpoint, kMatchingNin);
    call.reason = "CURIOSITY";
    EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kRejected);
    // Which is why it is not sent.
    EXPECT_FALSE(CheckCall(call, {Environment::kSandbox, "", {"LOAN_APPLICATION"}}));
  }
}

TEST_F(ClientEndpointsContractTest, RegistrationNeedsNoAuthenticationHeaders) {
  for (std::string_view name : {kApiKeySecret, kUserIdSecret, kPasswordSecret}) {
    ASSERT_TRUE(storage_.Remove(name));
  }
  EXPECT_TRUE(client_->Register(SecretBytes::CopyOf("new@customer.example"),
                                SecretBytes::CopyOf("Str0ng!password"),
                                SecretBytes::CopyOf("New Customer")));
  EXPECT_EQ(Requests("login"), 0);
}

TEST_F(ClientEndpointsContractTest, InTheSandboxTheTestNinAlwaysSucceedsWhateverFaceImagesAreSent) {
  for (int i = 0; i < 3; ++i) {
    VerificationCall call = Call(Endpoint::kVerify, kTestNin);
    call.pictures.selfie = DrawJpeg(2000, static_cast<char>('a' + i));
    EXPECT_EQ(Deliver(call).outcome.kind, OutcomeKind::kVerified);
  }
}

TEST_F(ClientEndpointsContractTest, InProductionNobodyHasTheTestNin) {
  const CallRules rules = {Environment::kProduction, std::string(kTestNin), {"LOAN_APPLICATION"}};
  EXPECT_FALSE(CheckCall(Call(Endpoint::kVerify, kTestNin), rules));
  EXPECT_EQ(Requests("verify"), 0);
}

TEST_F(ClientEndpointsContractTest, PicturesOfSomebodyElseAreNotVerified) {
  const auto differing = Deliver(Call(Endpoint::kVerify, kDifferingNin));
  EXPECT_EQ(differing.outcome.kind, OutcomeKind::kNotVerified);
  EXPECT_EQ(differing.outcome.billed, Billed::kYes);
}

TEST_F(ClientEndpointsContractTest, APasswordChangeEndsTheTokensAndTheOldPassword) {
  ASSERT_TRUE(client_->Login());
  ASSERT_TRUE(client_->ChangePassword(SecretBytes::CopyOf("An0ther!password")));
  EXPECT_EQ(Deliver(Call(Endpoint::kVerify, kTestNin)).outcome.kind, OutcomeKind::kVerified);
}

}  // namespace
}  // namespace idkiosk
