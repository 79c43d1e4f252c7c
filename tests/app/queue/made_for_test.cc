#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/made_for.h"
#include "app/settings/credential_store.h"
#include "tests/app/queue/queue_fixture.h"

// A call is sent to the service that it was made for, and to no other one: whatever is provisioned
// between its acceptance and its sending, and while the kiosk runs. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kSecond = "https://second.example:8443";
constexpr const char* kDatabase = "/state/queue.db";

TEST(MadeForTest, IsStoredAsTextAndReadBack) {
  const MadeFor known{{Environment::kProduction, "https://a.example"}, "0011"};
  const MadeFor nobody{{Environment::kProduction, "https://a.example"}, ""};
  for (const MadeFor& each : {known, nobody}) EXPECT_EQ(ParseMadeFor(ToText(each)), each);
  EXPECT_EQ(ToText(known), "production https://a.example 0011");
  EXPECT_FALSE(ParseMadeFor(""));
  EXPECT_TRUE(IsSameService(known, nobody)) << "an account that is not known tells nothing apart";
  MadeFor other = known;
  other.account = "0022";
  EXPECT_FALSE(IsSameService(known, other));
  EXPECT_EQ(DescribeMadeFor(ToText(known), nobody), "made for https://a.example (production)");
  EXPECT_EQ(DescribeMadeFor(ToText(known), other),
            "made for https://a.example (production), another account");
  EXPECT_EQ(DescribeMadeFor("", known), "made for an address that is not known");
}

class OtherAddressTest : public testing::Test {
 protected:
  OtherAddressTest() {
    for (QueueBench* each : {&first_, &second_}) each->Serve(200);
    first_.Open();
  }

  void Accept(int calls) {
    for (int i = 0; i < calls; ++i) references_.push_back(first_.Accept(LookupCall(i)));
  }
  // The kiosk of the first address ends, is provisioned at the second one, and starts.
  void MoveToSecond() { Move(first_, second_, kSecond, "other-user"); }
  void MoveBack() { Move(second_, first_, kTestBaseUrl, "user-id"); }
  static void Move(QueueBench& from, QueueBench& to, std::string_view base_url,
                   std::string_view user_id) {
    const DiskImage image = DiskImage::Of(from);
    from.Close();
    to.clock.Advance(from.clock.Now() - to.clock.Now());
    image.PutOn(to);
    Provision(to, base_url, user_id);
    to.Open();
  }
  // As another process does it.
  static void Provision(QueueBench& at, std::string_view base_url, std::string_view user_id) {
    ASSERT_TRUE(TakeCredentialsOf(at.storage, AddressOf(at.options.environment, base_url)));
    for (const std::string_view each : {kApiKeySecret, kLoginSecret, kPasswordSecret}) {
      at.storage.Set(each, fmt::format("new {}", each));
    }
    at.storage.Set(kUserIdSecret, user_id);
  }

  QueueBench first_;
  QueueBench second_{2, SandboxProfile(), Environment::kSandbox, kSecond};
  std::vector<CallReference> references_;
};

TEST_F(OtherAddressTest, WaitingCallsAreHeldEachWithItsAddressAndNeverSent) {
  Accept(3);
  MoveToSecond();
  second_.RunFor(hours(2));
  EXPECT_THAT(second_.http.seen(), IsEmpty());
  for (const CallReference& each : references_) {
    const CallSummary call = second_.Show(each);
    EXPECT_EQ(StateWord(call), "held");
    ASSERT_TRUE(call.hold);
    EXPECT_EQ(call.hold->reason, HoldReason::kOtherAddress);
    EXPECT_EQ(call.hold->detail, "made for https://customer.example (sandbox)");
    EXPECT_TRUE(call.other_address);
  }
  const auto stats = second_.queue->Stats();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->held, 3);
  ASSERT_EQ(stats->holds.size(), 1U);
  EXPECT_EQ(HoldId(stats->holds[0]), "lookup_nin:other_address");
  EXPECT_EQ(stats->holds[0].detail, "3 calls are made for https://customer.example (sandbox)");
  EXPECT_FALSE(second_.queue->Lift("lookup_nin:other_address"));
}

// Its operator is asked by a list that does not say where an attempt went.
TEST_F(OtherAddressTest, ThatItNeverArrivedIsNoWordOfAnotherServicesOperator) {
  Accept(1);
  const CallReference call = references_[0];
  first_.Serve(500, "");
  first_.StepUntilIdle();
  ASSERT_EQ(first_.StateOf(call), "unknown");
  MoveToSecond();
  const Status told = second_.queue->Settle(call, 1, Settlement::kNotReceived);
  ASSERT_FALSE(told);
  EXPECT_THAT(told.error().message, HasSubstr("made for https://customer.example (sandbox)"));
  MoveBack();
  first_.Serve(200);
  first_.RunFor(hours(2));
  EXPECT_EQ(first_.posts(), 1);
  EXPECT_TRUE(first_.queue->Settle(call, 1, Settlement::kNotReceived)) << "its own may say so";
}

TEST_F(OtherAddressTest, TheyGoOutOnceTheirAddressIsProvisionedAgain) {
  Accept(3);
  MoveToSecond();
  second_.RunFor(hours(2));
  MoveBack();
  first_.StepUntilIdle();
  EXPECT_EQ(first_.posts(), 3);
  for (const CallReference& each : references_) EXPECT_EQ(first_.StateOf(each), "done");
}

// A path is no other service: who mends a wrong one wants what waits to go out.
TEST_F(OtherAddressTest, WhereThePathAloneIsAnotherOneCallGoesFirst) {
  Accept(4);
  first_.Close();
  first_.options.base_url = "https://customer.example/another";
  first_.Open();
  EXPECT_THAT(first_.queue->notices(), testing::Contains(testing::HasSubstr("(lookup_nin)")));
  first_.Serve(400);
  first_.StepUntilIdle();
  EXPECT_EQ(first_.posts(), 1);
  EXPECT_EQ(first_.queue->Stats()->held, 3);
  first_.Restart();
  EXPECT_THAT(first_.queue->notices(), IsEmpty());
  ASSERT_TRUE(first_.queue->Lift("lookup_nin:breaker"));
  first_.Serve(200);
  first_.StepUntilIdle();
  EXPECT_EQ(first_.posts(), 4);
}

TEST_F(OtherAddressTest, TheyHoldNobodyElseUp) {
  Accept(2);
  MoveToSecond();
  const CallReference fresh = second_.Accept(LookupCall(9));
  second_.StepUntilIdle();
  EXPECT_EQ(second_.StateOf(fresh), "done");
  EXPECT_EQ(second_.posts(), 1);
  EXPECT_EQ(second_.queue->Stats()->held, 2);
}

TEST_F(OtherAddressTest, APersonHasThemAskedAnewOneByOne) {
  Accept(3);
  MoveToSecond();
  const Status retried =
      second_.queue->Retry(references_[1], AttemptsOf(*second_.queue, references_[1]));
  ASSERT_FALSE(retried) << "not by the same word";
  EXPECT_THAT(retried.error().message, HasSubstr("made for https://customer.example (sandbox)"));
  ASSERT_TRUE(second_.queue->AskAnew(references_[1], AttemptsOf(*second_.queue, references_[1]),
                                     "somebody"));
  second_.RunFor(minutes(5));
  EXPECT_EQ(second_.posts(), 1);
  EXPECT_EQ(second_.StateOf(references_[1]), "done");
  EXPECT_EQ(second_.StateOf(references_[0]), "held");
  const auto decisions = second_.queue->Decisions(std::nullopt);
  ASSERT_TRUE(decisions);
  ASSERT_THAT(*decisions, SizeIs(1));
  EXPECT_EQ((*decisions)[0].by, "somebody");
  EXPECT_EQ((*decisions)[0].what,
            fmt::format("the call {}, made for https://customer.example (sandbox), is asked at "
                        "https://second.example:8443 (sandbox) instead",
                        references_[1]));
  EXPECT_EQ(
      second_.queue->AskAnew(references_[1], AttemptsOf(*second_.queue, references_[1]), "somebody")
          .error()
          .code,
      ErrorCode::kFailedPrecondition);
}

TEST_F(OtherAddressTest, WhatWasDecidedHoldsWhenTheFileIsLost) {
  Accept(1);
  MoveToSecond();
  ASSERT_TRUE(second_.queue->AskAnew(references_[0], AttemptsOf(*second_.queue, references_[0]),
                                     "somebody"));
  second_.Close();
  for (const char* each : {kDatabase, "/state/queue.db-wal"}) second_.disk.Replace(each, "");
  second_.Open();
  second_.StepUntilIdle();
  EXPECT_EQ(second_.posts(), 1);
}

TEST_F(OtherAddressTest, TheCopyOfACallSaysItToo) {
  Accept(2);
  first_.Close();
  for (const char* each : {kDatabase, "/state/queue.db-wal"}) first_.disk.Replace(each, "");
  MoveToSecond();
  second_.RunFor(hours(1));
  EXPECT_EQ(second_.posts(), 0);
  EXPECT_EQ(second_.Show(references_[0]).hold->detail,
            "made for https://customer.example (sandbox)");
}

TEST_F(OtherAddressTest, APersonMayEraseThem) {
  Accept(1);
  MoveToSecond();
  ASSERT_TRUE(second_.queue->Cancel(references_[0]));
  EXPECT_EQ(second_.StateOf(references_[0]), "cancelled");
}

TEST_F(OtherAddressTest, AnUnknownCallIsNotResentThereByTheRule) {
  first_.options.billing.max_billed_attempts = 3;
  first_.Restart();
  first_.ServeLogins([](const auto&) {
    FakeHttpClient::Reply reply;
    reply.status = 500;
    return reply;
  });
  Accept(1);
  first_.StepUntilIdle();
  ASSERT_EQ(first_.StateOf(references_[0]), "unknown");
  second_.options.billing.max_billed_attempts = 3;
  MoveToSecond();
  second_.RunFor(hours(2));
  EXPECT_EQ(second_.posts(), 0);
  EXPECT_EQ(second_.StateOf(references_[0]), "unknown");
  ASSERT_TRUE(second_.queue->AskAnew(references_[0], AttemptsOf(*second_.queue, references_[0]),
                                     "somebody"));
  second_.RunFor(minutes(5));
  EXPECT_EQ(second_.posts(), 1);
}

TEST_F(OtherAddressTest, AnotherEnvironmentAtTheSameAddressIsAnotherService) {
  Accept(1);
  QueueBench production(3, SandboxProfile(), Environment::kProduction);
  Move(first_, production, kTestBaseUrl, "user-id");
  production.RunFor(hours(1));
  EXPECT_THAT(production.http.seen(), IsEmpty());
  EXPECT_EQ(production.Show(references_[0]).hold->detail,
            "made for https://customer.example (sandbox)");
}

TEST_F(OtherAddressTest, AnotherAccountAtTheSameAddressIsAnotherService) {
  Accept(2);
  first_.storage.Set(kUserIdSecret, "somebody else");
  first_.RunFor(hours(1));
  EXPECT_EQ(first_.posts(), 0);
  EXPECT_EQ(first_.Show(references_[0]).hold->detail,
            "made for https://customer.example (sandbox), another account");
  first_.storage.Set(kUserIdSecret, "user-id");
  first_.RunFor(minutes(5));
  EXPECT_EQ(first_.posts(), 2);
}

TEST_F(OtherAddressTest, TheAccountIsKeptAsADigestAlone) {
  first_.storage.Set(kUserIdSecret, "USER-7531-recognisable");
  first_.Restart();
  Accept(1);
  first_.Close();
  for (const auto& [path, content] : DiskImage::Of(first_).files) {
    EXPECT_THAT(std::string(AsText(content)), testing::Not(HasSubstr("recognisable"))) << path;
  }
  const auto content = first_.disk.Content(kDatabase);
  ASSERT_TRUE(content);
  EXPECT_THAT(*content, testing::Not(HasSubstr("recognisable")));
}

TEST_F(OtherAddressTest, TheApprovalComparesOnceMore) {
  Accept(1);
  const auto claimed = first_.queue->Claim();
  ASSERT_TRUE(claimed);
  ASSERT_TRUE(std::holds_alternative<DurableQueue::Claimed>(*claimed));
  first_.storage.Set(kUserIdSecret, "somebody else");
  const Status begun = first_.queue->BeginAttempt(references_[0]);
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(begun.error().message, HasSubstr("another account"));
  EXPECT_THAT(first_.Ledger(), IsEmpty());
}

TEST_F(OtherAddressTest, ARunningKioskUsesNothingOfANewProvisioning) {
  Accept(2);
  Provision(first_, kSecond, "other-user");
  first_.RunFor(hours(1));
  EXPECT_THAT(first_.http.seen(), IsEmpty()) << "no login, either";
  const CallSummary call = first_.Show(references_[0]);
  ASSERT_TRUE(call.hold);
  EXPECT_EQ(call.hold->reason, HoldReason::kOtherAddress);
  const auto holds = first_.queue->Stats()->holds;
  ASSERT_FALSE(holds.empty());
  EXPECT_EQ(holds[0].reason, HoldReason::kNewProvisioning);
  EXPECT_THAT(holds[0].detail, HasSubstr("restart"));
  EXPECT_FALSE(first_.client.FetchReasons());
  EXPECT_FALSE(first_.client.Login());
  EXPECT_THAT(first_.http.seen(), IsEmpty());
  // Nothing is taken in that nobody could send.
  const auto refused = first_.queue->Accept(LookupCall(9), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Obstacle::Kind::kHeld);
}

TEST_F(OtherAddressTest, TheRunThatIsUnderWayStopsAtANewProvisioning) {
  Accept(4);
  int answered = 0;
  first_.ServeLogins([&](const auto&) {
    FakeHttpClient::Reply reply;
    reply.body = kVerifiedAnswer;
    reply.on_arrival = [&] {
      if (++answered == 2) Provision(first_, kSecond, "other-user");
    };
    return reply;
  });
  first_.RunFor(hours(1));
  EXPECT_EQ(answered, 2);
  std::vector<std::string> states;
  for (const CallReference& each : references_) states.push_back(first_.StateOf(each));
  EXPECT_THAT(states, testing::UnorderedElementsAre("done", "done", "held", "held"));
  EXPECT_EQ(first_.posts(), 2);
}

TEST_F(OtherAddressTest, ARowWhoseAddressWasChangedIsDamaged) {
  Accept(1);
  first_.Close();
  first_.DamageCopies();
  {
    auto database = SqliteDatabase::Open(kDatabase, first_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute(
        "UPDATE call SET made_for=replace(made_for, 'customer.example', 'second.example:8443')"));
  }
  MoveToSecond();
  second_.RunFor(hours(1));
  EXPECT_EQ(second_.posts(), 0);
  EXPECT_EQ(second_.StateOf(references_[0]), "damaged");
}

TEST_F(OtherAddressTest, ARowThatLostItsAddressIsDamaged) {
  Accept(1);
  first_.Close();
  first_.DamageCopies();
  {
    auto database = SqliteDatabase::Open(kDatabase, first_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        (*database)->Execute("UPDATE call SET made_for='';"
                             "DELETE FROM setting WHERE name='made_for_unnamed'"));
  }
  MoveToSecond();
  second_.RunFor(hours(1));
  EXPECT_EQ(second_.posts(), 0);
}

class OldFileTest : public OtherAddressTest, public testing::WithParamInterface<int> {};

TEST_P(OldFileTest, ItsCallsAreMadeForTheAddressAtTheFirstStart) {
  Accept(3);
  first_.Close();
  ASSERT_NO_FATAL_FAILURE(first_.MakeOld(GetParam(), {}));
  first_.Open();
  EXPECT_EQ(first_.StateOf(references_[0]), "pending");
  first_.Restart();
  MoveToSecond();
  second_.RunFor(hours(1));
  EXPECT_EQ(second_.posts(), 0);
  EXPECT_EQ(second_.Show(references_[0]).hold->detail,
            "made for https://customer.example (sandbox)");
  MoveBack();
  first_.StepUntilIdle();
  EXPECT_EQ(first_.posts(), 3);
}

INSTANTIATE_TEST_SUITE_P(Versions, OldFileTest, testing::Values(1, 2, 3, 4, 5, 6));

// The copy as version 1, 2 or 3 of its format has it.
Bytes OldCopy(int version, const QueueBench& bench, const Bytes& copy, std::string_view made_for,
              const SecretBytes& key) {
  const size_t size = ReadUint32(ByteSpan(copy).subspan(8).first<4>());
  std::string head(AsText(ByteSpan(copy).subspan(12, size)));
  const size_t at = head.find(made_for);
  EXPECT_NE(at, std::string::npos);
  constexpr size_t kLengthOfText = 4;
  // Behind it three empty texts: it has no pictures, and so no means of theirs, and no other
  // program asked for it.
  const size_t kept = version < 3 ? 0 : 1;
  head.erase(at + made_for.size() + kept * kLengthOfText, (3 - kept) * kLengthOfText);
  if (version < 2) head.erase(at - kLengthOfText, kLengthOfText + made_for.size());
  Bytes file;
  for (const char c : fmt::format("IKCALL{}\n", version)) file.push_back(static_cast<uint8_t>(c));
  AppendUint32(file, static_cast<uint32_t>(head.size()));
  file.insert(file.end(), head.begin(), head.end());
  const Crypto::Digest mac = bench.crypto.HmacSha256(key, file);
  file.insert(file.end(), mac.begin(), mac.end());
  file.insert(file.end(), copy.begin() + static_cast<ptrdiff_t>(12 + size + mac.size()),
              copy.end());
  return file;
}

class OldCopyTest : public OtherAddressTest, public testing::WithParamInterface<int> {};

TEST_P(OldCopyTest, IsMadeForTheAddressAtTheFirstStart) {
  Accept(1);
  const std::string path = "/state/copies/" + references_[0];
  DiskImage image = DiskImage::Of(first_);
  const Bytes slot = image.TakeCopy(references_[0]);
  const size_t size = ReadUint32(ByteSpan(slot).subspan<8, 4>());
  const Bytes copy(slot.begin() + 24, slot.begin() + 24 + static_cast<ptrdiff_t>(size));
  const std::string text(
      ToText(MadeFor{AddressOf(Environment::kSandbox, kTestBaseUrl), std::string(32, '0')}));
  const std::string whole(AsText(copy));
  const std::string made_for = whole.substr(whole.find("sandbox https"), text.size());
  first_.Close();
  image.PutOn(first_);
  first_.files.Put(path, OldCopy(GetParam(), first_, copy, made_for,
                                 *first_.storage.DeriveKey("queue-copies/v1")));
  {
    auto database = SqliteDatabase::Open(kDatabase, first_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute("DELETE FROM call; DELETE FROM chunk"));
  }
  first_.Open();
  EXPECT_EQ(first_.StateOf(references_[0]), "pending");
  MoveToSecond();
  second_.RunFor(hours(1));
  EXPECT_EQ(second_.posts(), 0);
  EXPECT_EQ(second_.StateOf(references_[0]), "held");
  MoveBack();
  first_.StepUntilIdle();
  EXPECT_EQ(first_.posts(), 1);
}

INSTANTIATE_TEST_SUITE_P(Versions, OldCopyTest, testing::Values(1, 2, 3));

}  // namespace
}  // namespace idkiosk
