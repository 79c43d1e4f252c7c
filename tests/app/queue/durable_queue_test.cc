#include "app/queue/durable_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;

class DurableQueueTest : public testing::Test {
 protected:
  DurableQueueTest() { bench_.Open(); }

  Result<std::variant<DurableQueue::Claimed, DurableQueue::Idle>> Claim() {
    return bench_.queue->Claim();
  }
  // The reference of the next call, or "" if there is none.
  CallReference NextCall() {
    auto claim = Claim();
    EXPECT_TRUE(claim) << claim.error().message;
    const auto* claimed = std::get_if<DurableQueue::Claimed>(&*claim);
    return claimed == nullptr ? "" : claimed->reference;
  }
  DurableQueue::Idle IdleNow() {
    auto claim = Claim();
    EXPECT_TRUE(claim && std::holds_alternative<DurableQueue::Idle>(*claim));
    return std::get<DurableQueue::Idle>(std::move(*claim));
  }

  QueueBench bench_;
};

TEST_F(DurableQueueTest, AnAcceptedCallComesBackWholeAfterARestart) {
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.Restart();
  auto claim = Claim();
  ASSERT_TRUE(claim);
  const auto& claimed = std::get<DurableQueue::Claimed>(*claim);
  EXPECT_EQ(claimed.reference, reference);
  EXPECT_EQ(claimed.attempt, 1);
  const VerificationCall expected = FacialCall();
  EXPECT_EQ(claimed.call.nin.text(), expected.nin.text());
  EXPECT_EQ(claimed.call.reason, expected.reason);
  EXPECT_EQ(claimed.call.pictures.selfie.text(), expected.pictures.selfie.text());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(claimed.call.pictures.liveness[i].text(), expected.pictures.liveness[i].text());
  }
}

TEST_F(DurableQueueTest, ReferencesAreForPeople) {
  std::set<CallReference> all;
  for (int i = 0; i < 200; ++i) {
    const CallReference reference = bench_.Accept(LookupCall(i));
    EXPECT_EQ(reference.size(), 6U);
    EXPECT_EQ(reference.find_first_of("0O1ILS5BZU8G"), reference.find_first_of("58"));
    EXPECT_TRUE(all.insert(reference).second);
    EXPECT_EQ(ParseReference(reference), reference);
  }
  EXPECT_EQ(ParseReference(" kd7-q2m "), "KD7Q2M");
  EXPECT_FALSE(ParseReference("KD7Q2"));
  EXPECT_FALSE(ParseReference("KD7Q2O"));
}

TEST_F(DurableQueueTest, OldestFirstButAWaitingPersonBeforeAll) {
  const CallReference first = bench_.Accept(LookupCall(1));
  bench_.clock.Advance(seconds(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  bench_.clock.Advance(seconds(1));
  const CallReference urgent = bench_.Accept(FacialCall(), true);
  EXPECT_EQ(NextCall(), urgent);
  ASSERT_TRUE(bench_.queue->NobodyWaits(urgent));
  EXPECT_EQ(NextCall(), first);
  ASSERT_TRUE(bench_.queue->Cancel(first));
  EXPECT_EQ(NextCall(), second);
  ASSERT_TRUE(bench_.queue->Cancel(second));
  EXPECT_EQ(NextCall(), urgent);
}

TEST_F(DurableQueueTest, AnAttemptIsOnTheDiskBeforeItIsSent) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  ASSERT_TRUE(bench_.queue->BeginAttempt(reference));
  EXPECT_EQ(bench_.StateOf(reference), "sending");
  // Whoever sends a second time is stopped here.
  EXPECT_EQ(bench_.queue->BeginAttempt(reference).error().code, ErrorCode::kFailedPrecondition);
  bench_.disk.FailPowerAtStep(1);
  bench_.Close();
  bench_.disk.Restart(FakeSqliteDisk::Unsynced::kLost);
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  ASSERT_EQ(bench_.Ledger().size(), 1U);
  EXPECT_EQ(bench_.Ledger()[0].rule, "interrupted");
  EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kMaybe);
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("a call was on the way")));
}

TEST_F(DurableQueueTest, OnlyOneProcessDelivers) {
  const Error second = bench_.TryOpen().error();
  EXPECT_EQ(second.code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.message, testing::HasSubstr("only one program at a time may send"));
  EXPECT_THAT(second.message, testing::HasSubstr("systemctl stop idkiosk"));
  EXPECT_THAT(second.message, testing::Not(testing::HasSubstr("process")))
      << "no person's business";
  const CallReference reference = bench_.Accept(LookupCall(1));
  ASSERT_TRUE(bench_.queue->BeginAttempt(reference));
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  // Somebody else may be sending it right now.
  EXPECT_EQ(bench_.StateOf(reference), "sending");
  EXPECT_EQ(Claim().error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(bench_.queue->BeginAttempt(reference).error().code, ErrorCode::kFailedPrecondition);
  EXPECT_TRUE(bench_.queue->Accept(LookupCall(2), {}));
}

TEST_F(DurableQueueTest, AnotherVaultDoesNotMakeTheCallsLookDamaged) {
  bench_.Accept(LookupCall(1));
  bench_.Close();
  FakeSecureStorage other(2);
  DurableQueue::Options options = bench_.options;
  options.role = DurableQueue::Role::kDeliver;
  const auto opened = DurableQueue::Open(options, bench_.profile, bench_.clock, bench_.crypto,
                                         bench_.entropy, other, bench_.files);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kUnauthenticated);
  EXPECT_THAT(opened.error().message, HasSubstr("another vault"));
}

TEST_F(DurableQueueTest, TheSameQuestionAboutTheSamePersonIsPointedOut) {
  const auto duplicate_of = [this](const VerificationCall& call) {
    const auto found = bench_.queue->FindObstacle(call, false);
    return found ? found->before.value().reference : "";
  };
  EXPECT_EQ(duplicate_of(LookupCall(1)), "");
  const CallReference first = bench_.Accept(LookupCall(1));
  EXPECT_EQ(duplicate_of(LookupCall(1)), first);
  EXPECT_EQ(duplicate_of(LookupCall(2)), "");
  EXPECT_EQ(duplicate_of(FacialCall("00000000001")), "");
  VerificationCall other_reason = LookupCall(1);
  other_reason.reason = "LOAN";
  EXPECT_EQ(duplicate_of(other_reason), first);
  // Also when it was answered, and after a restart; not when the window is over.
  bench_.Serve(200);
  bench_.StepUntilIdle();
  bench_.Restart();
  EXPECT_EQ(duplicate_of(LookupCall(1)), first);
  bench_.clock.Advance(hours(25));
  EXPECT_EQ(duplicate_of(LookupCall(1)), "");
}

TEST_F(DurableQueueTest, WithoutATrustedClockCallsAreKeptAndNotSent) {
  bench_.Close();
  bench_.clock.set_wall_is_trusted(false);
  bench_.clock.JumpWall(-hours(24 * 365 * 56));
  bench_.Open();
  const CallReference reference = bench_.Accept(LookupCall(1));
  const DurableQueue::Idle idle = IdleNow();
  ASSERT_TRUE(idle.hold);
  EXPECT_EQ(idle.hold->reason, HoldReason::kClock);
  EXPECT_EQ(bench_.StateOf(reference), "held");
  EXPECT_EQ(bench_.queue->Expire(), 0);
  bench_.Restart();
  EXPECT_EQ(bench_.queue->Expire(), 0);
  // The time server answers: the call is as old as that, not 56 years.
  bench_.clock.JumpWall(hours(24 * 365 * 56));
  bench_.clock.set_wall_is_trusted(true);
  EXPECT_EQ(NextCall(), reference);
  EXPECT_EQ(bench_.queue->Expire(), 0);
  EXPECT_EQ(bench_.Show(reference).accepted_at, bench_.clock.WallNow());
}

TEST_F(DurableQueueTest, AClockThatJumpsWhileRunningChangesNoAge) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.clock.JumpWall(hours(24 * 365));
  EXPECT_EQ(bench_.queue->Expire(), 0);
  bench_.clock.JumpWall(-hours(24 * 365 * 3));
  EXPECT_EQ(NextCall(), reference);
}

TEST_F(DurableQueueTest, ABackoffStoredByAClockThatWasAheadIsBounded) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.Step();  // refused: a backoff is stored
  bench_.Close();
  bench_.clock.JumpWall(-hours(24));
  bench_.Open();
  const auto next = bench_.Show(reference).next_attempt;
  ASSERT_TRUE(next);
  EXPECT_LE(*next - bench_.clock.WallNow(), minutes(15));
}

TEST_F(DurableQueueTest, CallsThatAreTooOldExpireAndNothingOfThemStays) {
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.clock.Advance(hours(71));
  EXPECT_EQ(bench_.queue->Expire(), 0);
  bench_.clock.Advance(hours(1));
  EXPECT_EQ(bench_.queue->Expire(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "expired");
  EXPECT_FALSE(bench_.Show(reference).has_payload);
  EXPECT_EQ(NextCall(), "");
  bench_.clock.Advance(hours(24));
  EXPECT_EQ(bench_.queue->Expire(), 1);
  EXPECT_EQ(bench_.queue->Show(reference).error().code, ErrorCode::kNotFound);
}

// A program that was off for longer finds what waited due at once, and old.
TEST_F(DurableQueueTest, ACallThatIsTooOldIsNotSentBeforeSomebodyTidiesUp) {
  const CallReference one = bench_.Accept(FacialCall());
  const CallReference named = bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  bench_.clock.Advance(hours(72));
  EXPECT_EQ(NextCall(), "");
  EXPECT_TRUE(std::holds_alternative<DurableQueue::Idle>(*bench_.queue->Claim(named, true)));
  for (const CallReference& each : {one, named}) {
    EXPECT_EQ(bench_.StateOf(each), "expired");
    EXPECT_FALSE(bench_.Show(each).has_payload);
  }
  EXPECT_EQ(bench_.http.seen().size(), 0U);
}

TEST_F(DurableQueueTest, AnUnknownCallLosesItsPayloadWithTimeAndKeepsItsQuestionMark) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.Serve(500, "{}");
  bench_.Step();
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  bench_.clock.Advance(hours(72));
  EXPECT_EQ(bench_.queue->Expire(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)).error().code,
            ErrorCode::kFailedPrecondition);
  EXPECT_TRUE(bench_.queue->GiveUp(reference));
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kGivenUp);
}

TEST_F(DurableQueueTest, AnswerIsKeptSealedForItsTimeAndTheLedgerForGood) {
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.Serve(200);
  bench_.Step();
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kVerified);
  EXPECT_FALSE(bench_.Show(reference).has_payload);
  bench_.Restart();
  const auto answer = bench_.queue->Answer(reference);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text(), kVerifiedAnswer);
  bench_.clock.Advance(hours(24));
  EXPECT_GE(*bench_.queue->Expire(), 1);
  EXPECT_EQ(bench_.queue->Answer(reference).error().code, ErrorCode::kNotFound);
  bench_.clock.Advance(hours(24));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_EQ(bench_.Ledger().size(), 1U);
  EXPECT_EQ(bench_.Ledger()[0].reference, reference);
  EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kYes);
}

TEST_F(DurableQueueTest, NoNumberPictureOrTokenIsReadableOnTheDisk) {
  bench_.Accept(FacialCall("98765432109"));
  bench_.Serve(200);
  bench_.Step();
  bench_.Accept(FacialCall("98765432109"));
  for (const std::string& path : bench_.disk.paths()) {
    const std::string content = *bench_.disk.Content(path);
    for (std::string_view secret : {"98765432109", "\xff\xd8\xff", "ssssssssss", "Ada Obi",
                                    "token-1", "api-key", "pass\"word"}) {
      EXPECT_EQ(content.find(secret), std::string::npos) << path << " holds " << secret;
    }
    const auto plain = bench_.crypto.Sha256(AsBytes("98765432109"));
    EXPECT_EQ(content.find(AsText(plain)), std::string::npos) << "a plain hash can be guessed";
  }
}

TEST_F(DurableQueueTest, WhatIsErasedLeavesTheFiles) {
  bench_.Accept(FacialCall());
  bench_.Close();
  std::vector<std::string> sealed;
  {
    auto database = SqliteDatabase::Open("/state/queue.db", bench_.disk.name());
    ASSERT_TRUE(database);
    auto query =
        (*database)->Query("SELECT sealed FROM chunk UNION ALL SELECT sealed_key FROM call");
    while (query->Next().value_or(false)) sealed.emplace_back(AsText(query->Blob(0)).substr(0, 60));
  }
  ASSERT_EQ(sealed.size(), 7U);
  bench_.Open();
  bench_.Serve(200, "");
  bench_.Step();
  ASSERT_TRUE(bench_.queue->GiveUp(bench_.queue->List(true)->front().reference));
  ASSERT_TRUE(bench_.queue->Expire());
  for (const std::string& path : bench_.disk.paths()) {
    for (const std::string& each : sealed) {
      EXPECT_EQ(bench_.disk.Content(path)->find(each), std::string::npos) << path;
    }
  }
}

TEST_F(DurableQueueTest, PeopleDecideOnlyWhatIsTheirs) {
  bench_.Serve(500, "{}");
  const CallReference unknown = bench_.Accept(LookupCall(1));
  bench_.Step();
  const CallReference pending = bench_.Accept(LookupCall(2));
  const auto code = [](const Status& status) {
    return status ? std::string("good") : std::string(Name(status.error().code));
  };
  EXPECT_EQ(code(bench_.queue->Cancel(unknown)), "failed_precondition");
  EXPECT_EQ(code(bench_.queue->GiveUp(pending)), "failed_precondition");
  EXPECT_EQ(code(bench_.queue->Cancel("KD7Q2M")), "not_found");
  EXPECT_EQ(code(bench_.queue->Cancel(pending)), "good");
  EXPECT_EQ(code(bench_.queue->Retry(pending, AttemptsOf(*bench_.queue, pending))),
            "failed_precondition");
  EXPECT_EQ(code(bench_.queue->Retry(unknown, AttemptsOf(*bench_.queue, unknown))), "good");
  EXPECT_EQ(bench_.StateOf(unknown), "pending");
  // It may have been sent: that cannot be cancelled any more, only given up.
  EXPECT_EQ(code(bench_.queue->Cancel(unknown)), "failed_precondition");
  EXPECT_EQ(code(bench_.queue->GiveUp(unknown)), "good");
}

TEST_F(DurableQueueTest, RetryApprovesOneMoreBilledAttemptAndNotTwo) {
  bench_.Serve(500, "{}");
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  bench_.clock.Advance(hours(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 1);
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.StepUntilIdle();
  bench_.clock.Advance(hours(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 2);
}

TEST_F(DurableQueueTest, AFullDiskIsSaidBeforeTheCameraOpens) {
  EXPECT_TRUE(bench_.queue->CheckRoom());
  bench_.files.set_capacity(8192);
  const Status room = bench_.queue->CheckRoom();
  ASSERT_FALSE(room);
  EXPECT_EQ(room.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(room.error().message, HasSubstr("disk is full"));
}

TEST_F(DurableQueueTest, TooManyWaitingCallsAreRefusedBeforeTheCameraOpens) {
  bench_.Close();
  bench_.options.queue.max_calls = 2;
  bench_.Open();
  bench_.Accept(LookupCall(1));
  EXPECT_TRUE(bench_.queue->CheckRoom());
  bench_.Accept(LookupCall(2));
  EXPECT_THAT(bench_.queue->CheckRoom().error().message, HasSubstr("queue.max_calls"));
}

TEST_F(DurableQueueTest, AnAnswerIsStoredOnAFullDiskWithTheReserve) {
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(FacialCall());
  const auto reserve = bench_.files.Read("/state/queue.reserve", 1 << 20);
  ASSERT_TRUE(reserve);
  EXPECT_EQ(std::ranges::count(*reserve, 0xff), 0) << "a JPEG could seem to begin in it";
  auto claim = Claim();
  ASSERT_TRUE(bench_.queue->BeginAttempt(reference));
  bench_.disk.set_capacity(bench_.disk.used());
  // The fake disk knows nothing of the reserve's file: its end gives the room back.
  const auto exchange = [] {
    HttpExchange answered;
    answered.stage = SendStage::kAnswered;
    answered.answer.status = 200;
    answered.answer.body = SecretBytes::CopyOf(kVerifiedAnswer);
    return answered;
  }();
  const Outcome outcome =
      Classify(bench_.profile, Endpoint::kVerify, exchange, bench_.clock.WallNow());
  EXPECT_EQ(bench_.queue->Record(reference, outcome, exchange.answer.body.view()).error().code,
            ErrorCode::kExhausted);
  EXPECT_FALSE(bench_.files.Exists("/state/queue.reserve").value_or(true));
  bench_.disk.set_capacity(bench_.disk.used() + 262144);
  EXPECT_TRUE(bench_.queue->Record(reference, outcome, exchange.answer.body.view()));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  // With room again, the reserve comes back.
  EXPECT_TRUE(bench_.queue->CheckRoom());
  EXPECT_TRUE(bench_.files.Exists("/state/queue.reserve").value_or(false));
}

TEST_F(DurableQueueTest, AFullDiskLetsNothingBeSentAndLosesNothing) {
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.disk.set_capacity(bench_.disk.used());
  EXPECT_EQ(bench_.queue->Accept(LookupCall(2), {}).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(bench_.queue->BeginAttempt(reference).error().code, ErrorCode::kExhausted);
  bench_.disk.set_capacity(1 << 24);
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  EXPECT_EQ(bench_.queue->List(false)->size(), 1U);
}

TEST_F(DurableQueueTest, StatsCountWithoutCounting) {
  bench_.Serve(500, "{}");
  bench_.Accept(LookupCall(1));
  bench_.Step();
  bench_.Accept(LookupCall(2));
  bench_.Accept(LookupCall(3));
  ASSERT_TRUE(bench_.queue->Cancel(bench_.Accept(LookupCall(4))));
  const auto stats = bench_.queue->Stats();
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->In(CallState::kUnknown), 1);
  EXPECT_EQ(stats->In(CallState::kPending), 2);
  EXPECT_EQ(stats->In(CallState::kCancelled), 1);
  EXPECT_EQ(stats->held, 0);
  EXPECT_EQ(stats->oldest_pending, bench_.clock.WallNow());
}

TEST_F(DurableQueueTest, LedgerSumsByHourDayEndpointAndOperator) {
  bench_.Serve(200);
  bench_.Accept(FacialCall());
  bench_.Step();
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Accept(LookupCall(1), {.person_waits = false, .operator_id = "amaka"}));
  bench_.Step();
  bench_.clock.Advance(hours(24));
  bench_.Serve(500, "{}");
  ASSERT_TRUE(bench_.queue->Accept(LookupCall(2), {.person_waits = false, .operator_id = "amaka"}));
  bench_.Step();
  const auto text = [this](LedgerBy by, std::optional<WallTime> since = std::nullopt) {
    std::string all;
    const auto sums = bench_.queue->Sum(by, since);
    EXPECT_TRUE(sums);
    for (const LedgerSum& each : *sums) {
      all += fmt::format("{}: {} attempts, {} yes {}, {} maybe {}; ", each.key, each.attempts,
                         each.billed_yes, each.price_yes, each.billed_maybe, each.price_maybe);
    }
    return all;
  };
  EXPECT_EQ(text(LedgerBy::kTotal), ": 3 attempts, 2 yes 15000, 1 maybe 5000; ");
  EXPECT_EQ(text(LedgerBy::kHour),
            "2026-11-20T01:00Z: 1 attempts, 1 yes 10000, 0 maybe 0; "
            "2026-11-20T02:00Z: 1 attempts, 1 yes 5000, 0 maybe 0; "
            "2026-11-21T02:00Z: 1 attempts, 0 yes 0, 1 maybe 5000; ");
  EXPECT_EQ(text(LedgerBy::kDay),
            "2026-11-20: 2 attempts, 2 yes 15000, 0 maybe 0; "
            "2026-11-21: 1 attempts, 0 yes 0, 1 maybe 5000; ");
  EXPECT_EQ(text(LedgerBy::kEndpoint),
            "lookup_nin: 2 attempts, 1 yes 5000, 1 maybe 5000; "
            "verify: 1 attempts, 1 yes 10000, 0 maybe 0; ");
  EXPECT_EQ(
      text(LedgerBy::kOperator),
      "amaka: 2 attempts, 1 yes 5000, 1 maybe 5000; op: 1 attempts, 1 yes 10000, 0 maybe 0; ");
  EXPECT_EQ(text(LedgerBy::kTotal, bench_.clock.WallNow()),
            ": 1 attempts, 0 yes 0, 1 maybe 5000; ");
  EXPECT_EQ(text(LedgerBy::kTotal, bench_.clock.WallNow() + hours(1)),
            ": 0 attempts, 0 yes 0, 0 maybe 0; ");
}

}  // namespace
}  // namespace idkiosk
