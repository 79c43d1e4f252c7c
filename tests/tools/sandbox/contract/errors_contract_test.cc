// The sentences of the specification's sections Errors and Limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/sandbox/contract/curl.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ErrorsContractTest : public ContractTest {
 protected:
  Customer customer_ = Onboard();

  Answer Verify(const std::string& json) { return Post(kVerify, json, customer_.Headers()); }
};

TEST_F(ErrorsContractTest, Status200IsARequestThatWasSuccessful) {
  const Answer answer = Verify(FaceJson(kTestNin));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Text("/status"), "success");
}

TEST_F(ErrorsContractTest, Status201IsAResourceThatWasCreated) {
  const Answer answer =
      Post(kRegister,
           Json({{"email", "new@example.org"}, {"password", "Correct-horse-7"}, {"name", "New"}}));
  EXPECT_EQ(answer.status, 201);
  EXPECT_THAT(answer.Text("/data/userId"), HasSubstr("USR-"));
}

TEST_F(ErrorsContractTest, Status400IsForInvalidRequestParameters) {
  EXPECT_EQ(Verify("{\"nin\":").status, 400);
  EXPECT_EQ(Verify("[]").status, 400);
  EXPECT_EQ(Verify(FaceJson("7012345678")).status, 400);
  EXPECT_EQ(Post(kDetails, R"({"nin":70123456789,"requestReason":"TENANCY"})", customer_.Headers())
                .status,
            400);
}

TEST_F(ErrorsContractTest, Status401IsForAnInvalidOrExpiredToken) {
  customer_.token = "made-up";
  EXPECT_EQ(Verify(FaceJson(kTestNin)).status, 401);
}

TEST_F(ErrorsContractTest, Status403IsForInsufficientPermissions) {
  const Customer standard = Onboard({{"level", "standard"}});
  const Answer answer = Post(kVerify, FaceJson(kTestNin), standard.Headers());
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.message(), HasSubstr("standard"));
  EXPECT_THAT(answer.message(), HasSubstr(kVerify));
}

TEST_F(ErrorsContractTest, Status404IsForAnEndpointOrResourceThatDoesNotExist) {
  EXPECT_EQ(Get("/api/v1/nothing", customer_.Headers()).status, 404);
  EXPECT_EQ(Get(kVerify, customer_.Headers()).status, 404);
  EXPECT_EQ(Post(kDetails, Json({{"nin", kUnknownNin}, {"requestReason", "TENANCY"}}),
                 customer_.Headers())
                .status,
            404);
}

TEST_F(ErrorsContractTest, Status413IsForImagesTooLargeOrTooMany) {
  EXPECT_EQ(Verify(FaceJson(kTestNin, 2, 4)).status, 413);
  EXPECT_EQ(Verify(FaceJson(kTestNin, 1, 5)).status, 413);
  const std::string large = sandbox_.scratch() / "large.jpg";
  ASSERT_TRUE(WritePrivateFile(large, std::string(3 << 20, 'x')));
  std::vector<std::string> form = FaceForm(kTestNin, 0, 4);
  form.insert(form.end(), {"--form", "selfieImage=@" + large});
  const std::vector<std::string> headers = customer_.Headers();
  form.insert(form.end(), headers.begin(), headers.end());
  EXPECT_EQ(Curl(kVerify, form).status, 413);
}

TEST_F(ErrorsContractTest, Status429IsForARateLimitThatIsExceeded) {
  EXPECT_EQ(Admin("POST", "/sandbox/settings", R"({"rate_limit":3})").status, 200);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
  const Answer answer = Get(kReasons, customer_.Headers());
  EXPECT_EQ(answer.status, 429);
  // Of the 20 s some may have passed.
  EXPECT_THAT(answer.headers, ContainsRegex("Retry-After: (1?[0-9]|20)\r\n"));
  PassTime(20);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
}

TEST_F(ErrorsContractTest, Status500IsForAServerSideFailure) {
  EXPECT_EQ(Admin("POST", "/sandbox/faults", R"({"kind":"status","status":500})").status, 201);
  const Answer answer = Verify(FaceJson(kTestNin));
  EXPECT_EQ(answer.status, 500);
  EXPECT_NE(answer.message(), "");
}

TEST_F(ErrorsContractTest, ErrorResponsesCarryADescriptiveMessage) {
  for (const Answer& answer :
       {Verify("{}"), Verify(FaceJson(kTestNin, 0, 4)), Get("/nothing"), Get(kReasons),
        Curl(kReasons, {"--header", "Content-Length: 9000000000"}),
        Curl("/" + std::string(3000, 'x')), Curl(kVerify, {"--request", "POST"})}) {
    EXPECT_GE(answer.status, 400);
    EXPECT_EQ(answer.Text("/status"), "error") << answer.body;
    EXPECT_THAT(answer.message(), HasSubstr(" ")) << answer.body;
    EXPECT_THAT(answer.headers, HasSubstr("Content-Type: application/json"));
  }
}

TEST_F(ErrorsContractTest, NoMessageRepeatsWhatWasSent) {
  const std::string nin = "7012345670x";
  EXPECT_THAT(Verify(FaceJson(nin)).body, Not(HasSubstr(nin)));
  EXPECT_THAT(Get(std::string("/ninAuth/") + kMatchingNin).body, Not(HasSubstr(kMatchingNin)));
  const Answer requests = Admin("GET", "/sandbox/requests");
  EXPECT_THAT(requests.body, Not(HasSubstr("70123456")));
}

TEST_F(ErrorsContractTest, AFailedVerificationIsBilledLikeASuccessfulOne) {
  EXPECT_EQ(Verify(FaceJson(kTestNin)).status, 200);
  EXPECT_EQ(Billed(), 1);
  EXPECT_EQ(Verify(FaceJson(kDifferingNin)).Text("/message"), "The face does not match.");
  EXPECT_EQ(Billed(), 2);
  EXPECT_EQ(Post(kDetails, Json({{"nin", kUnknownNin}, {"requestReason", "TENANCY"}}),
                 customer_.Headers())
                .status,
            404);
  EXPECT_EQ(Billed(), 3);
}

TEST_F(ErrorsContractTest, AVerificationThatReturns400IsBilled) {
  EXPECT_EQ(Verify("{\"nin\":").status, 400);
  EXPECT_EQ(Verify(FaceJson("123")).status, 400);
  EXPECT_EQ(Verify(FaceJson(kTestNin, 1, 3)).status, 400);
  EXPECT_EQ(Billed(), 3);
}

TEST_F(ErrorsContractTest, WhatWasNeverVerifiedIsNotBilled) {
  const Customer standard = Onboard({{"level", "standard"}});
  EXPECT_EQ(Post(kVerify, FaceJson(kTestNin), standard.Headers()).status, 403);
  EXPECT_EQ(Post(kVerify, FaceJson(kTestNin)).status, 401);
  EXPECT_EQ(Verify(FaceJson(kTestNin, 1, 5)).status, 413);
  EXPECT_EQ(Admin("POST", "/sandbox/faults", R"({"kind":"status","status":429})").status, 201);
  EXPECT_EQ(Verify(FaceJson(kTestNin)).status, 429);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
  EXPECT_EQ(Billed(), 0);
}

TEST_F(ErrorsContractTest, AConnectionRefusalMeansThatTheServerIsUnavailable) {
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  EXPECT_EQ(Get(kReasons).curl_exit, 7);
  sandbox_.StartAgain({});
}

TEST_F(ErrorsContractTest, AServerThatStartsAgainIsFoundAtTheSameAddressAndKnowsItsCustomers) {
  const std::string address = sandbox_.base_url();
  EXPECT_EQ(sandbox_.Stop(SIGINT), 0);
  sandbox_.StartAgain({});
  EXPECT_EQ(sandbox_.base_url(), address);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 401);
  customer_.token = LogIn(customer_);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
}

class LimitsContractTest : public ContractTest {
 protected:
  LimitsContractTest() : ContractTest({"--max-body", "50000", "--token-lifetime", "100"}) {}
  const Customer customer_ = Onboard();
};

TEST_F(LimitsContractTest, ExactlyOneSelfieAndFourLivenessImages) {
  const auto status_of = [&](size_t selfies, size_t liveness) {
    return Post(kVerify, FaceJson(kTestNin, selfies, liveness), customer_.Headers()).status;
  };
  EXPECT_EQ(status_of(1, 4), 200);
  EXPECT_EQ(status_of(0, 4), 400);
  EXPECT_EQ(status_of(1, 3), 400);
  EXPECT_EQ(status_of(1, 0), 400);
  EXPECT_EQ(status_of(2, 4), 413);
  EXPECT_EQ(status_of(1, 5), 413);
}

TEST_F(LimitsContractTest, ARequestPayloadAboveTheMaximumReturns413) {
  const std::string large = "{\"nin\":\"" + std::string(60'000, '7') + "\"}";
  EXPECT_EQ(Post(kVerify, large, customer_.Headers()).status, 413);
  std::vector<std::string> chunked = customer_.Headers();
  chunked.insert(chunked.end(), {"--header", "Transfer-Encoding: chunked"});
  EXPECT_EQ(Post(kVerify, large, chunked).status, 413);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
  EXPECT_EQ(Billed(), 0);
}

TEST_F(LimitsContractTest, TheTokenLifetimeIsWhatTheServerWasToldItIs) {
  PassTime(80);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 200);
  PassTime(120);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 401);
}

}  // namespace
}  // namespace idkiosk::sandbox
