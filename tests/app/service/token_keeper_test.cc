#include "app/service/token_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

class TokenKeeperTest : public testing::Test {
 protected:
  std::string Token() {
    auto token = bench_.tokens.Token();
    return token ? std::string(token->text()) : std::string(Name(token.error().disposition));
  }

  // The next login answers with this expiry, as JSON, and these headers.
  void GrantWith(std::string_view expires_at, std::vector<HttpAnswer::Header> headers = {}) {
    bench_.http.Answer(
        200, fmt::format(R"({{"data":{{"accessToken":"granted","expires_at":{}}}}})", expires_at),
        std::move(headers));
  }

  int logins() { return bench_.http.CountSeen("/auth/login"); }

  ServiceBench bench_;
};

TEST_F(TokenKeeperTest, LogsInOnceAndKeepsTheToken) {
  bench_.ServeLogins({});
  EXPECT_EQ(Token(), "token-1");
  EXPECT_EQ(Token(), "token-1");
  EXPECT_EQ(logins(), 1);
  EXPECT_EQ(bench_.http.seen().front().body,
            R"({"email":"kiosk@customer.example","password":"pass\"word"})");
  EXPECT_EQ(bench_.http.seen().front().header("X-API-KEY"), "");
}

TEST_F(TokenKeeperTest, RenewsBeforeExpiryInAllThreeForms) {
  for (std::string_view expires_at : {R"("2026-11-20T02:00:00Z")", "1795140000", "1795140000000"}) {
    ServiceBench bench;
    bench.settings.token_idle = hours(24);
    bench.http.Answer(
        200, fmt::format(R"({{"data":{{"accessToken":"a","expires_at":{}}}}})", expires_at));
    bench.http.Answer(200, R"({"data":{"accessToken":"b"}})");
    EXPECT_EQ(bench.tokens.Token()->text(), "a");
    bench.clock.Advance(minutes(58));
    EXPECT_EQ(bench.tokens.Token()->text(), "a") << expires_at;
    bench.clock.Advance(minutes(1));
    EXPECT_EQ(bench.tokens.Token()->text(), "b") << expires_at;
  }
}

TEST_F(TokenKeeperTest, RenewsAfterInactivity) {
  bench_.ServeLogins({});
  bench_.settings.token_idle = minutes(20);
  EXPECT_EQ(Token(), "token-1");
  bench_.clock.Advance(minutes(19));
  EXPECT_EQ(Token(), "token-1");
  bench_.clock.Advance(minutes(19));
  EXPECT_EQ(Token(), "token-1");
  bench_.clock.Advance(minutes(20));
  EXPECT_EQ(Token(), "token-2");
}

TEST_F(TokenKeeperTest, AWallClockThatJumpsChangesNothing) {
  bench_.ServeLogins({});
  EXPECT_EQ(Token(), "token-1");
  bench_.clock.JumpWall(hours(24 * 365));
  EXPECT_EQ(Token(), "token-1");
  bench_.clock.JumpWall(-hours(24 * 3650));
  EXPECT_EQ(Token(), "token-1");
}

TEST_F(TokenKeeperTest, LifetimeIsMeasuredByTheServersClock) {
  bench_.clock.JumpWall(-hours(5));
  bench_.settings.token_idle = hours(24);
  GrantWith(R"("2026-11-20T02:00:00Z")", {{"date", "Fri, 20 Nov 2026 01:00:00 GMT"}});
  EXPECT_EQ(Token(), "granted");
  bench_.clock.Advance(minutes(58));
  EXPECT_EQ(Token(), "granted");
  bench_.clock.Advance(minutes(2));
  EXPECT_EQ(Token(), "retry");  // refused connection: it did try to log in
}

TEST_F(TokenKeeperTest, ATokenWithAnExpiryThatMakesNoSenseIsUsedUntilItIsIdle) {
  for (std::string_view expires_at : {"\"2020-01-01T00:00:00Z\"", "\"later\"", "null"}) {
    ServiceBench bench;
    bench.http.Answer(
        200, fmt::format(R"({{"data":{{"accessToken":"a","expires_at":{}}}}})", expires_at));
    EXPECT_EQ(bench.tokens.Token()->text(), "a");
    EXPECT_EQ(bench.tokens.Token()->text(), "a");
    EXPECT_EQ(bench.http.attempts(), 1) << expires_at;
  }
}

TEST_F(TokenKeeperTest, ManyRefusalsOfOneTokenCostOneLogin) {
  bench_.ServeLogins({});
  const SecretBytes first = std::move(*bench_.tokens.Token());
  bench_.tokens.Refuse(first);
  EXPECT_EQ(Token(), "token-2");
  bench_.tokens.Refuse(first);
  bench_.tokens.Refuse(first);
  EXPECT_EQ(Token(), "token-2");
  EXPECT_EQ(logins(), 2);
}

TEST_F(TokenKeeperTest, ManyThreadsShareOneLogin) {
  bench_.ServeLogins({});
  std::atomic<int> same = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { same += bench_.tokens.Token()->text() == "token-1" ? 1 : 0; });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(same, 8);
  EXPECT_EQ(logins(), 1);
}

TEST_F(TokenKeeperTest, RefusedCredentialsAreNotTriedAgainUntilTheyChange) {
  for (int status : {400, 401, 403}) {
    ServiceBench bench;
    bench.http.Answer(status, R"({"message":"no"})");
    const auto refused = bench.tokens.Token();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().disposition, Disposition::kHold) << status;
    EXPECT_EQ(refused.error().kind, OutcomeKind::kUnauthorized);
    EXPECT_EQ(refused.error().endpoint, Endpoint::kLogin);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(bench.tokens.Token());
    EXPECT_EQ(bench.http.attempts(), 1);
    bench.storage.Set(kPasswordSecret, "the right one");
    bench.ServeLogins({});
    EXPECT_EQ(bench.tokens.Token()->text(), "token-1");
  }
}

TEST_F(TokenKeeperTest, RefusedCredentialsAreTriedOnceMoreWhenSomebodySaysThatTheyAreRight) {
  bench_.http.Answer(401, R"({"message":"no"})");
  EXPECT_EQ(Token(), "hold");
  bench_.tokens.TryAgain();
  bench_.http.Answer(401, R"({"message":"no"})");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Token(), "hold");
  EXPECT_EQ(logins(), 2);
  bench_.tokens.TryAgain();
  bench_.ServeLogins({});
  EXPECT_EQ(Token(), "token-1");
  bench_.tokens.TryAgain();
  EXPECT_EQ(Token(), "token-1");
  EXPECT_EQ(logins(), 3) << "the token stays good";
}

TEST_F(TokenKeeperTest, APageOfAFirewallSaysNothingOfTheCredentials) {
  for (int status : {400, 403, 405}) {
    ServiceBench bench;
    bench.http.Answer(status, "<html>blocked</html>");
    const auto blocked = bench.tokens.Token();
    ASSERT_FALSE(blocked);
    EXPECT_EQ(blocked.error().disposition, Disposition::kRetry) << status;
    EXPECT_EQ(blocked.error().kind, OutcomeKind::kUnreachable) << status;
    EXPECT_EQ(blocked.error().verdict, Verdict::kNone) << status;
    EXPECT_THAT(blocked.error().engineer, HasSubstr("not the service's"));
    bench.ServeLogins({});
    EXPECT_EQ(bench.tokens.Token()->text(), "token-1") << status;
  }
  // What may be the service's own is believed: more tries may lock the account.
  constexpr std::pair<int, std::string_view> kBelieved[] = {
      {401, "<html>"}, {401, ""}, {403, ""}, {400, ""}};
  for (const auto& [status, body] : kBelieved) {
    ServiceBench bench;
    bench.http.Answer(status, std::string(body));
    EXPECT_EQ(bench.tokens.Token().error().disposition, Disposition::kHold) << status << body;
    EXPECT_FALSE(bench.tokens.Token());
    EXPECT_EQ(bench.http.attempts(), 1) << status << body;
  }
}

// No call was sent: what became of the login is not told as what became of the call.
TEST_F(TokenKeeperTest, AnOutageAtTheLoginIsOneOfTheNetwork) {
  const auto kind = [](int status, std::string_view body, bool is_lost = false) {
    ServiceBench bench;
    bench.http.set_server([&](const auto&) {
      FakeHttpClient::Reply reply;
      if (is_lost) reply.how = FakeHttpClient::Reply::How::kDrop;
      reply.status = status;
      reply.body = body;
      return reply;
    });
    const auto failed = bench.tokens.Token();
    EXPECT_EQ(failed.error().disposition, Disposition::kRetry) << status;
    return std::string(Name(failed.error().kind));
  };
  EXPECT_EQ(kind(200, "", true), "unreachable");
  EXPECT_EQ(kind(200, "<html>sign in to the network</html>"), "unreachable");
  EXPECT_EQ(kind(500, "{}"), "unreachable");
  EXPECT_EQ(kind(302, ""), "unreachable");
  EXPECT_EQ(kind(413, ""), "unreachable") << "there are no pictures to make smaller";
  EXPECT_EQ(kind(404, "<html>sign in</html>"), "unreachable");
}

TEST_F(TokenKeeperTest, NoAnswerToALoginEndsACall) {
  for (int status = 201; status < 600; ++status) {
    for (const char* body : {"", "{}", "<html>no</html>", R"({"message":"no record found"})"}) {
      ServiceBench bench;
      bench.http.Answer(status, body);
      const auto failed = bench.tokens.Token();
      if (failed) continue;
      const Disposition what = failed.error().disposition;
      EXPECT_TRUE(what == Disposition::kRetry || what == Disposition::kHold ||
                  what == Disposition::kPause)
          << status << " " << body << ": " << Name(what);
    }
  }
}

TEST_F(TokenKeeperTest, AServiceThatRepeatsTheCredentialsIsNotQuoted) {
  bench_.storage.Set(kPasswordSecret, "CorrectHorseBattery");
  bench_.http.Answer(403, R"({"message":"bad: CorrectHorseBattery"})");
  EXPECT_EQ(bench_.tokens.Token().error().service_message.text(), "");
  bench_.tokens.TryAgain();
  bench_.http.Answer(403, R"({"message":"kiosk@customer.example is locked"})");
  EXPECT_EQ(bench_.tokens.Token().error().service_message.text(), "");
  bench_.tokens.TryAgain();
  bench_.http.Answer(403, R"({"message":"account is locked"})");
  EXPECT_EQ(bench_.tokens.Token().error().service_message.text(), "account is locked");
}

TEST_F(TokenKeeperTest, OtherFailuresSayWhatToDo) {
  EXPECT_EQ(Token(), "retry");  // nobody there
  bench_.http.Answer(503, "");
  EXPECT_EQ(Token(), "retry");
  bench_.http.Answer(200, "<html>");
  EXPECT_EQ(Token(), "retry");
  bench_.http.Answer(429, "", {{"retry-after", "7"}});
  const auto busy = bench_.tokens.Token();
  EXPECT_EQ(busy.error().disposition, Disposition::kPause);
  EXPECT_EQ(busy.error().retry_after, seconds(7));
  bench_.http.Answer(404, "");
  EXPECT_EQ(Token(), "hold");
}

TEST_F(TokenKeeperTest, AMissingSecretSendsNothing) {
  (void)bench_.storage.Remove(kPasswordSecret);
  const auto token = bench_.tokens.Token();
  ASSERT_FALSE(token);
  EXPECT_EQ(token.error().kind, OutcomeKind::kMissingSecret);
  EXPECT_THAT(token.error().engineer, HasSubstr("vault set password"));
  EXPECT_EQ(bench_.http.attempts(), 0);
}

TEST_F(TokenKeeperTest, AnUndeliveredLoginSendsNothing) {
  ServiceBench bench(SandboxProfile(R"("path": "/api/v1/auth/login")", R"("path": null)"));
  const auto token = bench.tokens.Token();
  ASSERT_FALSE(token);
  EXPECT_EQ(token.error().kind, OutcomeKind::kNotDelivered);
  EXPECT_EQ(bench.http.attempts(), 0);
}

}  // namespace
}  // namespace idkiosk
