#include "app/service/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/settings/credentials.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

FakeHttpClient::Reply Answer(int status, std::string_view body = "{}") {
  FakeHttpClient::Reply reply;
  reply.status = status;
  reply.body = body;
  return reply;
}

class TrialTest : public testing::Test {
 protected:
  TrialTest() {
    after_.service.base_url = kTestBaseUrl;
    onboarding_.base_url = kTestBaseUrl;
    for (const auto& [name, value] :
         {std::pair(kLoginSecret, "new@example.ng"), std::pair(kPasswordSecret, "a new password"),
          std::pair(kUserIdSecret, "U-1"), std::pair(kApiKeySecret, "K-new")}) {
      onboarding_.credentials.push_back({name, "", SecretBytes::CopyOf(value)});
    }
  }
  // The service answers a login and the list of reasons with these.
  Status Try(int login, int reasons) {
    http_.set_server([=](const FakeHttpClient::Seen& request) {
      if (request.url.ends_with("/auth/login")) return Answer(login, kLoginAnswer);
      return Answer(reasons, R"({"data":[{"code":"KYC","label":"K"}]})");
    });
    return TryOnboarding(onboarding_, after_, SandboxProfile(), http_, clock_);
  }

  FakeClock clock_;
  FakeHttpClient http_{clock_};
  Settings after_;
  Onboarding onboarding_;
};

TEST_F(TrialTest, LogsInAndAsksForWhatCostsNothing) {
  const Status tried = Try(200, 200);
  ASSERT_TRUE(tried) << tried.error().message;
  ASSERT_EQ(http_.seen().size(), 2U);
  EXPECT_THAT(http_.seen()[0].body, HasSubstr("new@example.ng"));
  EXPECT_THAT(http_.seen()[1].url, HasSubstr("getRequestReasons"));
}

TEST_F(TrialTest, SaysWhichOfLoginAndKeyIsWrong) {
  const Status login = Try(401, 200);
  ASSERT_FALSE(login);
  EXPECT_EQ(login.error().code, ErrorCode::kUnauthenticated);
  EXPECT_THAT(login.error().message, HasSubstr("e-mail address or its password is wrong"));
  const Status key = Try(200, 403);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, ErrorCode::kUnauthenticated);
  EXPECT_THAT(key.error().message, HasSubstr("API key or the user ID"));
  EXPECT_THAT(key.error().message, Not(HasSubstr("K-new")));
}

TEST_F(TrialTest, AServiceThatIsAwayIsNoWrongKey) {
  for (const auto& [login, reasons] : {std::pair(503, 200), std::pair(200, 503)}) {
    const Status tried = Try(login, reasons);
    ASSERT_FALSE(tried);
    EXPECT_EQ(tried.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(tried.error().message, HasSubstr("nothing was changed"));
  }
}

}  // namespace
}  // namespace idkiosk
