#include "app/service/service_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using How = FakeHttpClient::Reply::How;

FakeHttpClient::Reply Reply(int status, std::string_view body = "{}") {
  FakeHttpClient::Reply reply;
  reply.status = status;
  reply.body = body;
  return reply;
}

Status Approve() { return {}; }

VerificationCall CheckById() {
  VerificationCall call;
  call.endpoint = Endpoint::kCheck;
  call.id_number = SecretBytes::CopyOf("12345678901");
  return call;
}

TEST(ServiceClientTest, AServiceThatRepeatsWhatOpensItIsNotQuoted) {
  for (const char* secret : {"api-key", "token-1", "of this kiosk"}) {
    ServiceBench bench;
    bench.ServeLogins([secret](const auto&) {
      return Reply(403, fmt::format(R"({{"message":"no: {}"}})", secret));
    });
    const auto refused = bench.client.Deliver(FacialCall(), Approve);
    EXPECT_EQ(Name(refused.outcome.kind), "forbidden");
    const bool is_secret = std::string_view(secret) != "of this kiosk";
    EXPECT_EQ(refused.outcome.service_message.text(), is_secret ? "" : "no: of this kiosk");
  }
}

// The answer itself may come behind a refusal that is free, and would be billed once more.
TEST(ServiceClientTest, IsWatchedForMoreBehindARefusalThatWouldBeSentAgain) {
  ServiceBench bench;
  bench.profile.billed_by_status = {{402, Billed::kNo}, {413, Billed::kMaybe}};
  bench.ServeLogins([](const auto&) { return Reply(429); });
  (void)bench.client.Deliver(FacialCall(), Approve);
  ASSERT_EQ(bench.http.seen().size(), 2U);
  EXPECT_FALSE(bench.http.seen().front().watch_behind) << "a login costs nothing";
  const auto& patience = bench.http.seen().back().watch_behind;
  ASSERT_TRUE(patience);
  for (const int status : {401, 402, 403, 429, 503}) EXPECT_GT(patience(status), Duration());
  for (const int status : {200, 201, 302, 400, 404, 409, 413, 500}) {
    EXPECT_EQ(patience(status), Duration()) << status;
  }
}

TEST(ServiceClientTest, EveryCallButLoginAndRegistrationCarriesThreeHeaders) {
  ServiceBench bench;
  bench.ServeLogins([](const auto&) { return Reply(200, kVerifiedAnswer); });
  const auto delivery = bench.client.Deliver(FacialCall(), Approve);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified);
  EXPECT_EQ(delivery.answer.text(), kVerifiedAnswer);
  ASSERT_EQ(bench.http.seen().size(), 2U);
  const FakeHttpClient::Seen& verify = bench.http.seen().back();
  EXPECT_EQ(verify.header("X-API-KEY"), "api-key");
  EXPECT_EQ(verify.header("X-USER-ID"), "user-id");
  EXPECT_EQ(verify.header("Authorization"), "Bearer token-1");
  EXPECT_EQ(verify.header("Content-Type"), "application/json");
}

TEST(ServiceClientTest, GenericVerificationSendsTheApiKeyAsBearerAndNothingElse) {
  ServiceBench bench;
  bench.http.Answer(200, std::string(kVerifiedAnswer));
  EXPECT_EQ(bench.client.Deliver(CheckById(), Approve).outcome.kind, OutcomeKind::kVerified);
  const FakeHttpClient::Seen& seen = bench.http.seen().front();
  EXPECT_EQ(seen.header("Authorization"), "Bearer api-key");
  EXPECT_EQ(seen.header("X-API-KEY"), "");
  EXPECT_EQ(seen.header("X-USER-ID"), "");
  EXPECT_EQ(seen.body, R"({"type":"nin","id_number":"12345678901"})");
}

TEST(ServiceClientTest, ProfileMaySwitchGenericVerificationToThreeHeaders) {
  ServiceBench bench(SandboxProfile(R"("auth": "api_key_bearer")", R"("auth": "three_headers")"));
  bench.ServeLogins([](const auto&) { return Reply(200, kVerifiedAnswer); });
  (void)bench.client.Deliver(CheckById(), Approve);
  EXPECT_EQ(bench.http.seen().back().header("X-USER-ID"), "user-id");
}

TEST(ServiceClientTest, NothingLeavesThatWasNotApproved) {
  ServiceBench bench;
  bench.ServeLogins([](const auto&) { return Reply(200, kVerifiedAnswer); });
  const auto delivery = bench.client.Deliver(
      FacialCall(), [] { return Fail(ErrorCode::kExhausted, "the cap is reached"); });
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kNotApproved);
  EXPECT_EQ(delivery.outcome.billed, Billed::kNo);
  EXPECT_EQ(delivery.outcome.engineer, "the cap is reached");
  EXPECT_EQ(bench.http.CountSeen("verifyNINWithFace"), 0);
}

TEST(ServiceClientTest, ATransportThatAsksTwiceHasLostTheCallOnce) {
  ServiceBench bench;
  FakeHttpClient::Reply repeat;
  repeat.how = How::kRepeat;
  bench.http.Answer(200, std::string(kLoginAnswer));
  bench.http.Play(repeat);
  int asked = 0;
  const auto delivery = bench.client.Deliver(FacialCall(), [&]() -> Status {
    if (++asked > 1) return Fail(ErrorCode::kFailedPrecondition, "it is on its way already");
    return {};
  });
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kLost);
  EXPECT_EQ(delivery.outcome.billed, Billed::kMaybe);
  EXPECT_EQ(bench.http.CountSeen("verifyNINWithFace"), 1);
}

TEST(ServiceClientTest, A401DropsTheTokenAndNothingElse) {
  ServiceBench bench;
  int verifications = 0;
  bench.ServeLogins([&](const auto&) { return ++verifications == 1 ? Reply(401) : Reply(403); });
  EXPECT_EQ(bench.client.Deliver(FacialCall(), Approve).outcome.disposition, Disposition::kLogin);
  EXPECT_EQ(bench.logins, 1);
  EXPECT_EQ(bench.client.Deliver(FacialCall(), Approve).outcome.disposition, Disposition::kHold);
  EXPECT_EQ(bench.logins, 2);
  EXPECT_EQ(bench.http.seen().back().header("Authorization"), "Bearer token-2");
}

// The attempt is unknown, and its token may be worth nothing all the same.
TEST(ServiceClientTest, A401ThatEndsWithTheConnectionDropsTheTokenToo) {
  ServiceBench bench;
  bench.ServeLogins([](const auto&) {
    FakeHttpClient::Reply reply = Reply(401);
    reply.ended_by_close = true;
    return reply;
  });
  for (int i = 1; i <= 2; ++i) {
    const auto delivery = bench.client.Deliver(FacialCall(), Approve);
    EXPECT_EQ(delivery.outcome.disposition, Disposition::kUnknown);
    EXPECT_EQ(bench.logins, i);
  }
}

TEST(ServiceClientTest, AMissingSecretIsNamedAndSendsNothing) {
  ServiceBench bench;
  (void)bench.storage.Remove(kApiKeySecret);
  const auto delivery = bench.client.Deliver(FacialCall(), Approve);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kMissingSecret);
  EXPECT_THAT(delivery.outcome.engineer, HasSubstr("vault set api_key"));
  EXPECT_EQ(bench.http.attempts(), 0);
}

TEST(ServiceClientTest, ProductionRefusesAssumedEndpointsBeforeAnythingIsSent) {
  ServiceBench bench(SandboxProfile(), Environment::kProduction);
  const auto delivery = bench.client.Deliver(FacialCall(), Approve);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kNotDelivered);
  EXPECT_THAT(delivery.outcome.engineer, HasSubstr("endpoints.verify"));
  EXPECT_EQ(bench.http.attempts(), 0);
}

// Delivers a call. Returns whether a connection was made for it.
bool HadOwnConnection(ServiceBench& bench) {
  (void)bench.client.Deliver(FacialCall(), Approve);
  return bench.http.seen().back().fresh_connection;
}

TEST(ServiceClientTest, BilledCallsReuseAConnectionOnlyRightAfterAnAnswer) {
  ServiceBench bench;
  bool close = false;
  bench.ServeLogins([&](const auto&) {
    FakeHttpClient::Reply reply = Reply(200, kVerifiedAnswer);
    if (close) reply.headers = {{"connection", "close"}};
    return reply;
  });
  EXPECT_TRUE(HadOwnConnection(bench));
  EXPECT_FALSE(HadOwnConnection(bench));
  bench.clock.Advance(milliseconds(900));
  close = true;
  EXPECT_FALSE(HadOwnConnection(bench));
  EXPECT_TRUE(HadOwnConnection(bench));
  close = false;
  EXPECT_TRUE(HadOwnConnection(bench));
  bench.clock.Advance(seconds(1));
  EXPECT_TRUE(HadOwnConnection(bench));
}

TEST(ServiceClientTest, EachBilledCallHasAConnectionOfItsOwnWhereTheProfileIsSilent) {
  ServiceBench bench(SandboxProfile(R"("keep_alive": "1 s",)"));
  bench.ServeLogins([](const auto&) { return Reply(200, kVerifiedAnswer); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(HadOwnConnection(bench));
    EXPECT_FALSE(bench.client.ready());
  }
}

TEST(ServiceClientTest, AServerThatClosesSoonerThanItShouldCostsHandshakes) {
  ServiceBench bench;
  bool drop = false;
  bench.ServeLogins([&drop](const auto&) {
    FakeHttpClient::Reply reply = Reply(200, kVerifiedAnswer);
    if (std::exchange(drop, false)) reply.how = FakeHttpClient::Reply::How::kDrop;
    return reply;
  });
  EXPECT_TRUE(HadOwnConnection(bench));
  drop = true;
  EXPECT_FALSE(HadOwnConnection(bench));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(HadOwnConnection(bench)) << "one lost call is enough";
}

TEST(ServiceClientTest, AnAnswerThatTookTooLongIsNoConnectionThatWasClosed) {
  ServiceBench bench;
  bool slow = false;
  bench.ServeLogins([&slow](const auto&) {
    FakeHttpClient::Reply reply = Reply(200, kVerifiedAnswer);
    if (std::exchange(slow, false)) reply.delay = std::chrono::hours(1);
    return reply;
  });
  EXPECT_TRUE(HadOwnConnection(bench));
  slow = true;
  EXPECT_FALSE(HadOwnConnection(bench));
  (void)HadOwnConnection(bench);
  EXPECT_FALSE(HadOwnConnection(bench)) << "the service has closed nothing";
}

// Its connection stands open, and so will the next one.
TEST(ServiceClientTest, BytesBehindAnAnswerAreNoConnectionThatWasClosed) {
  ServiceBench bench;
  bool stale = false;
  bench.ServeLogins([&stale](const auto&) {
    FakeHttpClient::Reply reply = Reply(200, kVerifiedAnswer);
    reply.met_stale_bytes = std::exchange(stale, false);
    return reply;
  });
  EXPECT_TRUE(HadOwnConnection(bench));
  stale = true;
  EXPECT_FALSE(HadOwnConnection(bench));
  EXPECT_FALSE(HadOwnConnection(bench));
}

TEST(ServiceClientTest, NothingOfAnotherAttemptsAnswerIsKept) {
  ServiceBench bench(
      SandboxProfile(R"("reference": "/data/reference")",
                     R"("reference": "/data/reference", "attempt_id": "/data/attemptId")"));
  std::string repeated = std::string(32, 'b');
  bench.http.set_server([&](const auto&) {
    return Reply(200, fmt::format(R"({{"data":{{"verified":true,"fullName":"Ada Obi",)"
                                  R"("reference":"R-1","attemptId":"{}"}}}})",
                                  repeated));
  });
  const std::string own(32, 'a');
  const auto anothers = bench.client.Deliver(CheckById(), Approve, own);
  EXPECT_EQ(Name(anothers.outcome.disposition), Name(Disposition::kUnknown));
  EXPECT_EQ(anothers.outcome.service_reference, "");
  EXPECT_TRUE(anothers.answer.empty());

  repeated = own;
  const auto ours = bench.client.Deliver(CheckById(), Approve, own);
  EXPECT_TRUE(bench.http.seen().back().fresh_connection) << "the one before is out of step";
  EXPECT_EQ(Name(ours.outcome.kind), "verified");
  EXPECT_EQ(ours.outcome.service_reference, "R-1");
  EXPECT_FALSE(ours.answer.empty());
  (void)bench.client.Deliver(CheckById(), Approve, own);
  EXPECT_FALSE(bench.http.seen().back().fresh_connection);
}

// The ledger stays for ever, and leaves this machine.
TEST(ServiceClientTest, KeepsNoReferenceThatHoldsASecretOrAName) {
  ServiceBench bench;
  bench.storage.Set(kApiKeySecret, "a-long-api-key");
  bench.storage.Set(kPasswordSecret, "A-long-passw0rd");
  for (const auto& [reference, kept] :
       std::vector<std::pair<std::string, bool>>{{"a-long-api-key", false},
                                                 {"REF-a-long-api-key", false},
                                                 {"A-long-passw0rd", false},
                                                 {"ALONGPASSW0RD-1", false},
                                                 {"ada.obi", false},
                                                 {"R-17", true}}) {
    bench.ServeLogins([&](const auto&) {
      return Reply(200, fmt::format(R"({{"data":{{"verified":true,"fullName":"Ada Obi",)"
                                    R"("reference":"{}"}}}})",
                                    reference));
    });
    const auto delivery = bench.client.Deliver(CheckById(), Approve);
    EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified) << delivery.outcome.engineer;
    EXPECT_EQ(delivery.outcome.service_reference, kept ? reference : "");
  }
}

TEST(ServiceClientTest, KeepsNoReferenceWhereTheVaultCannotSayWhatItHolds) {
  ServiceBench bench;
  bench.ServeLogins([&](const auto&) {
    bench.storage.FailGet(Error{ErrorCode::kUnavailable, "the disk failed"});
    return Reply(200, R"({"data":{"verified":true,"reference":"R-17"}})");
  });
  const auto delivery = bench.client.Deliver(CheckById(), Approve);
  EXPECT_EQ(delivery.outcome.kind, OutcomeKind::kVerified) << delivery.outcome.engineer;
  EXPECT_EQ(delivery.outcome.service_reference, "");
}

TEST(ServiceClientTest, DateHeaderMeasuresTheClocksSkew) {
  ServiceBench bench;
  EXPECT_EQ(bench.client.clock_skew(), std::nullopt);
  bench.http.Answer(200, std::string(kVerifiedAnswer), {{"date", "Fri, 20 Nov 2026 01:07:00 GMT"}});
  (void)bench.client.Deliver(CheckById(), Approve);
  EXPECT_EQ(bench.client.clock_skew(), std::chrono::minutes(7));
}

TEST(ServiceClientTest, ReasonsAreFetchedAndAStaleTokenIsRenewedOnce) {
  ServiceBench bench;
  int asked = 0;
  bench.ServeLogins([&](const auto&) {
    return ++asked == 1 ? Reply(401) : Reply(200, R"({"data":[{"code":"KYC","label":"K"}]})");
  });
  const auto reasons = bench.client.FetchReasons();
  ASSERT_TRUE(reasons) << reasons.error().message;
  EXPECT_EQ(reasons->front().code, "KYC");
  EXPECT_EQ(bench.http.seen().back().method, "GET");
  EXPECT_EQ(bench.logins, 2);

  bench.ServeLogins([](const auto&) { return Reply(401); });
  const int before = bench.logins;
  EXPECT_EQ(bench.client.FetchReasons().error().code, ErrorCode::kUnauthenticated);
  EXPECT_LE(bench.logins - before, 1);
}

TEST(ServiceClientTest, UnbilledFailuresKeepTheirKind) {
  const std::pair<int, ErrorCode> cases[] = {
      {400, ErrorCode::kRejected},    {403, ErrorCode::kForbidden},   {404, ErrorCode::kNotFound},
      {429, ErrorCode::kUnavailable}, {500, ErrorCode::kUnavailable},
  };
  for (const auto& [status, code] : cases) {
    ServiceBench bench;
    bench.ServeLogins([status](const auto&) { return Reply(status, R"({"message":"because"})"); });
    const auto reasons = bench.client.FetchReasons();
    ASSERT_FALSE(reasons);
    EXPECT_EQ(reasons.error().code, code) << status;
    EXPECT_THAT(reasons.error().message, Not(HasSubstr("because"))) << "it is logged";
  }
}

TEST(ServiceClientTest, RegistrationNeedsNoAuthenticationAndAStrongPassword) {
  ServiceBench bench;
  const SecretBytes login = SecretBytes::CopyOf("new@customer.example");
  const SecretBytes name = SecretBytes::CopyOf("Customer");
  EXPECT_EQ(bench.client.Register(login, SecretBytes::CopyOf("weak"), name).error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(bench.http.attempts(), 0);
  bench.http.Answer(201, "{}");
  EXPECT_TRUE(bench.client.Register(login, SecretBytes::CopyOf("Str0ng!pass"), name));
  EXPECT_EQ(bench.http.seen().front().header("Authorization"), "");
}

TEST(ServiceClientTest, ChangedPasswordIsStoredOnceTheServiceTookIt) {
  ServiceBench bench;
  bench.ServeLogins([](const auto&) { return Reply(400, R"({"message":"weak"})"); });
  const SecretBytes fresh = SecretBytes::CopyOf("Str0ng!pass");
  EXPECT_EQ(bench.client.ChangePassword(fresh).error().code, ErrorCode::kRejected);
  EXPECT_EQ(bench.storage.Get(kPasswordSecret)->text(), "pass\"word");

  bench.ServeLogins([](const auto&) { return Reply(200); });
  EXPECT_TRUE(bench.client.ChangePassword(fresh));
  EXPECT_EQ(bench.storage.Get(kPasswordSecret)->text(), "Str0ng!pass");
  EXPECT_EQ(bench.http.seen().back().body,
            R"({"currentPassword":"pass\"word","newPassword":"Str0ng!pass"})");
}

TEST(ServiceClientTest, APasswordThatTheVaultDidNotTakeIsSaid) {
  ServiceBench bench;
  bench.ServeLogins([](const auto&) { return Reply(200); });
  bench.storage.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  const Status changed = bench.client.ChangePassword(SecretBytes::CopyOf("Str0ng!pass"));
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("has changed the password"));
}

TEST(ServiceClientTest, WhoeverSitsAtATerminalReadsTheServicesOwnWords) {
  ServiceBench bench;
  bench.http.set_server([](const auto&) { return Reply(400, R"({"message":"because"})"); });
  const SecretBytes password = SecretBytes::CopyOf("Str0ng!pass");
  const SecretBytes login = SecretBytes::CopyOf("new@customer.example");
  EXPECT_THAT(bench.client.Register(login, password, login).error().message, EndsWith(": because"));
  EXPECT_THAT(bench.client.Login().error().message, EndsWith(": because"));
  bench.ServeLogins([](const auto&) { return Reply(400, R"({"message":"because"})"); });
  bench.storage.Set(kPasswordSecret, "another");
  EXPECT_THAT(bench.client.ChangePassword(password).error().message, EndsWith(": because"));
  bench.ServeLogins([](const auto&) { return Reply(500, "<html>"); });
  EXPECT_THAT(bench.client.ChangePassword(password).error().message, Not(EndsWith(": ")));
}

TEST(ServiceClientTest, PasswordPolicySaysWhatIsMissing) {
  const auto fault = [](std::string_view password) {
    const Status checked = CheckPassword(SecretBytes::CopyOf(password));
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(fault("Str0ng!pass"), "");
  EXPECT_THAT(fault("S0!a"), HasSubstr("at least 8"));
  EXPECT_THAT(fault("str0ng!pass"), HasSubstr("upper-case"));
  EXPECT_THAT(fault("STR0NG!PASS"), HasSubstr("lower-case"));
  EXPECT_THAT(fault("Strong!pass"), HasSubstr("a digit"));
  EXPECT_THAT(fault("Str0ngpass"), HasSubstr("special"));
}

TEST(ServiceClientTest, LoginTellsWhetherTheCredentialsAreGood) {
  ServiceBench bench;
  bench.http.Answer(401, "{}");
  EXPECT_EQ(bench.client.Login().error().code, ErrorCode::kUnauthenticated);
  bench.ServeLogins({});
  EXPECT_TRUE(bench.client.Login());
}

}  // namespace
}  // namespace idkiosk
