// The sentences of the specification's section Authentication, and of the resources it rests on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/time.h"
#include "tests/tools/sandbox/contract/curl.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;

class AuthenticationContractTest : public ContractTest {};

TEST_F(AuthenticationContractTest, EveryRequestExceptRegistrationAndLoginCarriesAllThreeHeaders) {
  const Customer customer = Onboard();
  for (const char* header : {"X-API-KEY", "X-USER-ID", "Authorization"}) {
    const std::vector<std::string> headers = customer.Headers(header);
    for (const Answer& answer :
         {Get(kReasons, headers), Get(std::string(kPhone) + "?phone=07000000001", headers),
          Post(kVerify, FaceJson(kTestNin), headers), Post(kDetails, "{}", headers),
          Post(kDetailsByPhone, "{}", headers), Post(kChangePassword, "{}", headers)}) {
      EXPECT_EQ(answer.status, 401) << header;
      EXPECT_THAT(answer.message(), HasSubstr(header));
    }
  }
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 200);
}

TEST_F(AuthenticationContractTest, EachHeaderMustBeRightAndBelongToTheOthers) {
  const Customer customer = Onboard();
  const Customer other = Onboard();
  const auto status_with = [&](void (*change)(Customer&, const Customer&)) {
    Customer changed = customer;
    change(changed, other);
    return Get(kReasons, changed.Headers()).status;
  };
  EXPECT_EQ(status_with([](Customer& c, const Customer&) { c.api_key = "sbx_made-up"; }), 401);
  EXPECT_EQ(status_with([](Customer& c, const Customer&) { c.user_id = "USR-made-up"; }), 401);
  EXPECT_EQ(status_with([](Customer& c, const Customer&) { c.token = "made-up"; }), 401);
  EXPECT_EQ(status_with([](Customer& c, const Customer& o) { c.api_key = o.api_key; }), 401);
  EXPECT_EQ(status_with([](Customer& c, const Customer& o) { c.user_id = o.user_id; }), 401);
  EXPECT_EQ(status_with([](Customer& c, const Customer& o) { c.token = o.token; }), 401);
  EXPECT_EQ(status_with([](Customer&, const Customer&) {}), 200);
}

TEST_F(AuthenticationContractTest, JsonBodiesCarryTheContentTypeApplicationJson) {
  const Customer customer = Onboard();
  std::vector<std::string> arguments = customer.Headers();
  arguments.insert(arguments.end(), {"--header", "Content-Type: text/plain", "--data", "{}"});
  const Answer answer = Curl(kDetails, arguments);
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.message(), HasSubstr("Content-Type"));
}

TEST_F(AuthenticationContractTest, TheAccessTokenIsObtainedByLoggingInWithTheDashboardCredentials) {
  const Customer customer = Onboard();
  const Answer answer =
      Post(kLogin, Json({{"email", customer.email}, {"password", customer.password}}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.Text("/data/accessToken"), "");
  EXPECT_EQ(answer.Text("/data/userId"), customer.user_id);
  EXPECT_EQ(Post(kLogin, Json({{"email", customer.email}, {"password", "Wrong-pass-1"}})).status,
            401);
}

TEST_F(AuthenticationContractTest, WhenARequestReturns401TheClientLogsInAgainToGetAFreshToken) {
  Customer customer = Onboard();
  EXPECT_EQ(Admin("DELETE", "/sandbox/tokens").status, 200);
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 401);
  customer.token = LogIn(customer);
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 200);
}

TEST_F(AuthenticationContractTest, ExpiresAtTellsWhenTheTokenEndsSoThatTheClientCanLogInBefore) {
  const Customer customer = Onboard();
  const auto before = std::chrono::system_clock::now();
  const Answer answer =
      Post(kLogin, Json({{"email", customer.email}, {"password", customer.password}}));
  const auto after = std::chrono::system_clock::now();
  const auto expires = ParseRfc3339(answer.Text("/data/expires_at"));
  ASSERT_TRUE(expires);
  EXPECT_GT(*expires, before + std::chrono::minutes(59));
  EXPECT_LT(*expires, after + std::chrono::minutes(61));
}

TEST_F(AuthenticationContractTest, ExpiresAtComesInEachFormThatAClientMayMeet) {
  const Customer customer = Onboard();
  const std::string login = Json({{"email", customer.email}, {"password", customer.password}});
  const auto expiry_as = [&](std::string_view form) {
    EXPECT_EQ(Admin("POST", "/sandbox/settings", Json({{"expires_at", form}})).status, 200);
    return Post(kLogin, login).json.root().At("/data/expires_at").AsInteger().value_or(0);
  };
  // The second login is the later one.
  const int64_t seconds = expiry_as("seconds");
  const int64_t milliseconds = expiry_as("milliseconds");
  EXPECT_GT(seconds, 1'700'000'000);
  EXPECT_LE(seconds, milliseconds / 1000);
  EXPECT_LT(milliseconds / 1000, 10'000'000'000);
}

TEST_F(AuthenticationContractTest, ATokenExpiresAfterAboutOneHourOfInactivity) {
  const Customer customer = Onboard();
  PassTime(59 * 60);
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 200);
  PassTime(59 * 60);
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 200);
  PassTime(61 * 60);
  EXPECT_EQ(Get(kReasons, customer.Headers()).status, 401);
}

TEST_F(AuthenticationContractTest,
       GenericVerificationTakesTheApiKeyAsBearerAloneOrAllThreeHeaders) {
  const Customer customer = Onboard();
  const std::string question = Json({{"type", "nin"}, {"id_number", kMatchingNin}});
  EXPECT_EQ(
      Post(kCheck, question, {"--header", "Authorization: Bearer " + customer.api_key}).status,
      200);
  EXPECT_EQ(Post(kCheck, question, customer.Headers()).status, 200);
  EXPECT_EQ(Post(kCheck, question, {"--header", "X-API-KEY: " + customer.api_key}).status, 401);
}

TEST_F(AuthenticationContractTest, TheThreeHeaderSchemeAppliesToAllOtherRequests) {
  const Customer customer = Onboard();
  const std::vector<std::string> key_alone = {"--header",
                                              "Authorization: Bearer " + customer.api_key};
  EXPECT_EQ(Get(kReasons, key_alone).status, 401);
  EXPECT_EQ(Post(kVerify, FaceJson(kTestNin), key_alone).status, 401);
}

TEST_F(AuthenticationContractTest, APasswordChangeCanFailWithAValidationFailure) {
  const Customer customer = Onboard();
  for (const auto& [password, lacks] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Short-7", "at least 10 characters"},
           {"no-upper-case-7", "an upper case letter"},
           {"NO-LOWER-CASE-7", "a lower case letter"},
           {"No-digit-in-here", "a digit"},
           {"NoSpecialCharacter7", "a special character"}}) {
    const Answer answer = Post(
        kChangePassword, Json({{"currentPassword", customer.password}, {"newPassword", password}}),
        customer.Headers());
    EXPECT_EQ(answer.status, 400) << password;
    EXPECT_THAT(answer.message(), HasSubstr(lacks));
  }
  EXPECT_NE(LogIn(customer), "");
}

TEST_F(AuthenticationContractTest, TheOperatorAssignsAccessLevels) {
  const Customer customer = Onboard({{"level", "basic"}});
  const std::string question = Json({{"nin", kMatchingNin}, {"requestReason", "TENANCY"}});
  EXPECT_EQ(Post(kDetails, question, customer.Headers()).status, 403);
  const std::string level = Json({{"email", customer.email}, {"level", "standard"}});
  EXPECT_EQ(Admin("POST", "/sandbox/accounts/level", level).status, 200);
  EXPECT_EQ(Post(kDetails, question, customer.Headers()).status, 200);
}

TEST_F(AuthenticationContractTest, PasswordsCannotBeTriedWithoutEnd) {
  const Customer customer = Onboard();
  const std::string wrong = Json({{"email", customer.email}, {"password", "Wrong-pass-1"}});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Post(kLogin, wrong).status, 401);
  // Another try is granted every six seconds: on a busy machine some have been by now.
  Answer answer = Post(kLogin, wrong);
  for (int more = 0; more < 50 && answer.status == 401; ++more) answer = Post(kLogin, wrong);
  EXPECT_EQ(answer.status, 429);
  EXPECT_THAT(answer.headers, HasSubstr("Retry-After: "));
  PassTime(60);
  EXPECT_NE(LogIn(customer), "");
}

TEST_F(AuthenticationContractTest, WhoeverTriesPasswordsKeepsNoOwnerOut) {
  const Customer customer = Onboard();
  const std::string wrong = Json({{"email", customer.email}, {"password", "Wrong-pass-1"}});
  Answer answer;
  for (int i = 0; i < 60 && answer.status != 429; ++i) {
    answer = Post(kLogin, wrong, {"--interface", "127.0.0.2"});
  }
  EXPECT_EQ(answer.status, 429);
  EXPECT_NE(LogIn(customer), "");
}

TEST_F(AuthenticationContractTest, TheControlApiWantsItsOwnToken) {
  const Customer customer = Onboard();
  for (const char* path : {"/sandbox/ledger", "/sandbox/faults", "/sandbox/nothing"}) {
    EXPECT_EQ(Get(path).status, 401) << path;
    EXPECT_EQ(Get(path, customer.Headers()).status, 401) << path;
  }
}

}  // namespace
}  // namespace idkiosk::sandbox
