#include "app/results/webhook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/results/spool.h"
#include "app/results/webhook_signature.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_http_client.h"
#include "tests/fakes/fake_secure_storage.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

// The example of standardwebhooks.com's own libraries.
constexpr std::string_view kKey = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr std::string_view kOtherKey = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

SecretBytes Secret(std::string_view text) { return SecretBytes::CopyOf(text); }

class WebhookTest : public testing::Test {
 protected:
  WebhookTest() { vault_.Set(kWebhookKey, kKey); }

  Delivery Deliver() {
    const ResultMessage message{.id = "res_1",
                                .place = 12,
                                .reference = "KD7Q2M",
                                .body = Secret(R"({"type":"check.ended"})"),
                                .is_personal = false};
    return webhook_.Deliver(message);
  }

  FakeClock clock_;
  FakeHttpClient http_{clock_};
  FakeSecureStorage vault_;
  MbedtlsCrypto crypto_;
  Webhook webhook_{{.address = "https://bank.example/results",
                    .http = http_,
                    .vault = vault_,
                    .crypto = crypto_,
                    .clock = clock_}};
};

TEST_F(WebhookTest, SignsAsStandardWebhooksDescribes) {
  const auto signature = SignWebhook(vault_, crypto_, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                                     Secret(R"({"test": 2432232314})"));
  EXPECT_EQ(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_F(WebhookTest, PostsTheMessageWithItsSignature) {
  http_.Answer(204, "");
  EXPECT_EQ(Deliver().kind, Delivery::Kind::kDone);
  const FakeHttpClient::Seen& seen = http_.seen().at(0);
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.url, "https://bank.example/results");
  EXPECT_EQ(seen.body, R"({"type":"check.ended"})");
  EXPECT_EQ(seen.header("Content-Type"), "application/json");
  EXPECT_EQ(seen.header("webhook-id"), "res_1");
  const int64_t seconds = std::stoll(seen.header("webhook-timestamp"));
  EXPECT_EQ(seconds, clock_.WallNow().time_since_epoch().count() / 1000);
  EXPECT_EQ(seen.header("webhook-signature"),
            *SignWebhook(vault_, crypto_, "res_1", seconds, Secret(seen.body)));
}

TEST_F(WebhookTest, SignsWithBothKeysWhileTheyAreChanged) {
  ASSERT_EQ(PutWebhookKey(vault_, Secret(kOtherKey)), true);
  const auto both = SignWebhook(vault_, crypto_, "res_1", 1, Secret("{}"));
  ASSERT_TRUE(both);
  EXPECT_EQ(std::ranges::count(*both, ' '), 1);
  EXPECT_THAT(*both, testing::MatchesRegex("v1,[^ ]+ v1,[^ ]+"));
  // The same once more ends it.
  ASSERT_EQ(PutWebhookKey(vault_, Secret(kOtherKey)), false);
  EXPECT_EQ(both->substr(0, both->find(' ')),
            *SignWebhook(vault_, crypto_, "res_1", 1, Secret("{}")));
}

TEST_F(WebhookTest, TakesNoKeyOfAnotherForm) {
  for (const std::string_view bad :
       {"", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!"}) {
    EXPECT_FALSE(PutWebhookKey(vault_, Secret(bad))) << bad;
  }
  EXPECT_EQ(vault_.Get(kWebhookKey)->text(), kKey);
}

TEST_F(WebhookTest, SendsNothingWithoutAKey) {
  ASSERT_TRUE(vault_.Remove(kWebhookKey));
  const Delivery delivery = Deliver();
  EXPECT_EQ(delivery.kind, Delivery::Kind::kLater);
  EXPECT_THAT(delivery.why, HasSubstr("idkiosk vault set webhook-key"));
  EXPECT_EQ(http_.attempts(), 0);
}

TEST_F(WebhookTest, KnowsWhatAnAnswerMeans) {
  for (const int status : {200, 201, 202, 204, 299}) {
    http_.Answer(status, "<html>whatever</html>");
    EXPECT_EQ(Deliver().kind, Delivery::Kind::kDone) << status;
  }
  for (const int status : {302, 400, 401, 404, 409, 429, 500, 503}) {
    http_.Answer(status, "", {{"retry-after", "120"}, {"location", "https://bank.example/"}});
    const Delivery delivery = Deliver();
    EXPECT_EQ(delivery.kind, Delivery::Kind::kLater) << status;
    EXPECT_THAT(delivery.why, HasSubstr(std::to_string(status)));
    const bool asks = status == 429 || status == 503;
    EXPECT_EQ(delivery.retry_after,
              asks ? std::optional<Duration>(std::chrono::seconds(120)) : std::nullopt)
        << status;
  }
  http_.Answer(410, "");
  EXPECT_EQ(Deliver().kind, Delivery::Kind::kGone);
  for (const auto how : {FakeHttpClient::Reply::How::kRefuse, FakeHttpClient::Reply::How::kDistrust,
                         FakeHttpClient::Reply::How::kCut}) {
    FakeHttpClient::Reply reply;
    reply.how = how;
    http_.Play(reply);
    EXPECT_EQ(Deliver().kind, Delivery::Kind::kLater);
  }
}

// Of some receivers it is what lets somebody in, and why a result waits is put into files.
TEST_F(WebhookTest, SaysNothingOfThePath) {
  for (const int status : {302, 400, 410, 429, 500}) {
    http_.Answer(status, "");
    EXPECT_THAT(Deliver().why, testing::StartsWith("https://bank.example/... answered "));
  }
  FakeHttpClient::Reply reply;
  reply.how = FakeHttpClient::Reply::How::kRefuse;
  http_.Play(reply);
  EXPECT_THAT(Deliver().why, testing::StartsWith("https://bank.example/...: "));
}

TEST_F(WebhookTest, NamesARetryAfterThatItDoesNotUnderstand) {
  const std::pair<std::string, std::string_view> cases[] = {
      {"soon", "; its Retry-After is neither whole seconds nor a date, and passed over"},
      {"", "; its Retry-After is empty, and passed over"},
      {"7200", "; its Retry-After is more than an hour, so an hour is kept"},
      {"120", ""}};
  for (const auto& [said, named] : cases) {
    for (const int status : {429, 503}) {
      http_.Answer(status, "", {{"retry-after", said}});
      EXPECT_EQ(Deliver().why,
                fmt::format("https://bank.example/... answered {}{}", status, named));
    }
  }
  http_.Answer(400, "", {{"retry-after", "soon"}});
  EXPECT_EQ(Deliver().why, "https://bank.example/... answered 400");
}

// A large body that never ends must not bring the same message again and again.
TEST_F(WebhookTest, NeedsOfAnAnswerItsHeadAlone) {
  http_.Answer(200, "");
  EXPECT_EQ(Deliver().kind, Delivery::Kind::kDone);
  EXPECT_TRUE(http_.seen().at(0).needs_head_alone);
}

TEST_F(WebhookTest, NeverWaitsLongerThanItsDeadline) {
  FakeHttpClient::Reply reply;
  reply.delay = std::chrono::hours(1);
  http_.Play(reply);
  const MonotonicTime before = clock_.Now();
  EXPECT_EQ(Deliver().kind, Delivery::Kind::kLater);
  EXPECT_LE(clock_.Now() - before, Webhook::kDeadline);
}

// The service's own settings would be loosened for it.
TEST(WebhookKeysTest, AreNamedInASentenceOfTheTransport) {
  EXPECT_EQ(
      WithWebhookKeys("it is not signed by an authority of ca.pem, which service.ca_file names"),
      "it is not signed by an authority of ca.pem, which results.webhook_ca names");
  EXPECT_EQ(WithWebhookKeys("the certificate of h does not match service.pins"),
            "the certificate of h does not match results.webhook_pins");
  EXPECT_EQ(WithWebhookKeys("it is for another name than h, which service.base_url names"),
            "it is for another name than h, which results.webhook names");
}

TEST(SpoolTest, PutsAFileForEachMessageUnderANameThatSortsByOrder) {
  FakeFileSystem files;
  Spool spool("/spool", "/state", files);
  ASSERT_TRUE(files.CreateFolder("/spool"));
  for (const uint64_t place : {4096, 40960, 8192, 8192}) {
    EXPECT_EQ(spool
                  .Deliver({.id = "res_1",
                            .place = place,
                            .reference = "KD7Q2M",
                            .body = Secret("{}"),
                            .is_personal = false})
                  .kind,
              Delivery::Kind::kDone);
  }
  EXPECT_THAT(files.List("/spool").value_or(std::vector<std::string>()),
              testing::ElementsAre("0000000000004096-KD7Q2M.json", "0000000000008192-KD7Q2M.json",
                                   "0000000000040960-KD7Q2M.json"));
  files.FailStep(1, ErrorCode::kExhausted);
  EXPECT_EQ(spool
                .Deliver({.id = "res_2",
                          .place = 5,
                          .reference = "KD7Q2M",
                          .body = Secret("{}"),
                          .is_personal = false})
                .kind,
            Delivery::Kind::kLater);
}

// As doctor says it, and as long as it is so.
TEST(SpoolTest, SaysInOneWayWhatIsWrongWithItsFolder) {
  const ScratchFolder folder;
  PosixFileSystem files;
  const ResultMessage message{
      .id = "res_1", .place = 1, .reference = "KD7Q2M", .body = Secret("{}"), .is_personal = false};
  Spool missing(folder / "nowhere", folder / "state", files);
  EXPECT_THAT(missing.Deliver(message).why,
              testing::StartsWith("results.spool: there is no folder"));
  EXPECT_EQ(missing.Deliver(message).why, missing.Check().error().message);
  ASSERT_TRUE(files.WriteDurably(folder / "file", Bytes(1), FileAccess::kOwnerOnly));
  Spool file(folder / "file", folder / "state", files);
  EXPECT_THAT(file.Deliver(message).why, testing::HasSubstr("is no folder that can be read"));
  EXPECT_EQ(file.Deliver(message).why, file.Check().error().message);
}

// However a link was bent since the settings were read.
TEST(SpoolTest, PutsNothingAmongTheQueuesOwnFiles) {
  const ScratchFolder folder;
  const std::string state = folder / "state";
  std::filesystem::create_directory(state);
  std::filesystem::create_directory_symlink(state, folder / "spool");
  PosixFileSystem files;
  Spool spool(folder / "spool", state, files);
  const Delivery tried = spool.Deliver({.id = "res_1",
                                        .place = 1,
                                        .reference = "KD7Q2M",
                                        .body = Secret("{}"),
                                        .is_personal = false});
  EXPECT_EQ(tried.kind, Delivery::Kind::kLater);
  EXPECT_THAT(tried.why, testing::HasSubstr("lies in the state folder"));
  EXPECT_TRUE(std::filesystem::is_empty(state));
}

}  // namespace
}  // namespace idkiosk
