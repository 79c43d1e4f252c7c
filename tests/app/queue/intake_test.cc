#include "app/queue/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;
using Kind = Obstacle::Kind;

Hold HoldFor(HoldReason reason) {
  Hold hold;
  hold.reason = reason;
  hold.detail = "what holds it";
  return hold;
}

std::optional<Kind> KindOf(const std::optional<Obstacle>& obstacle) {
  return obstacle ? std::optional(obstacle->kind) : std::nullopt;
}

IntakeFacts EverythingInTheWay() {
  CallSummary before;
  before.reference = "KD7Q2M";
  before.state = CallState::kDone;
  return {.room = Fail(ErrorCode::kExhausted, "the disk is full"),
          .holds = {HoldFor(HoldReason::kClock), HoldFor(HoldReason::kSpendCap),
                    HoldFor(HoldReason::kAccess)},
          .before = before,
          .confirmed = false};
}

TEST(IntakeTest, LooksInOneOrder) {
  IntakeFacts facts = EverythingInTheWay();
  EXPECT_EQ(KindOf(Intake(facts)), Kind::kNoRoom);
  facts.room = {};
  EXPECT_EQ(KindOf(Intake(facts)), Kind::kHeld);
  facts.holds.pop_back();
  EXPECT_EQ(KindOf(Intake(facts)), Kind::kSpendCap);
  facts.holds.pop_back();
  EXPECT_EQ(KindOf(Intake(facts)), Kind::kAskedBefore);
  facts.confirmed = true;
  EXPECT_EQ(KindOf(Intake(facts)), std::nullopt);
}

TEST(IntakeTest, AYesToAskingAgainOpensNoOtherDoor) {
  IntakeFacts facts = EverythingInTheWay();
  facts.room = {};
  facts.confirmed = true;
  EXPECT_EQ(KindOf(Intake(facts)), Kind::kHeld);
}

TEST(IntakeTest, SaysWhatItFound) {
  IntakeFacts facts = EverythingInTheWay();
  auto found = Intake(facts);
  EXPECT_EQ(found->code, ErrorCode::kExhausted);
  EXPECT_EQ(found->message, "the disk is full");
  facts.room = {};
  found = Intake(facts);
  EXPECT_EQ(found->message, "what holds it");
  ASSERT_TRUE(found->hold);
  EXPECT_EQ(found->hold->reason, HoldReason::kAccess);
  EXPECT_FALSE(found->before);
  facts.holds.clear();
  found = Intake(facts);
  EXPECT_EQ(found->message,
            "the same was asked before: KD7Q2M is done; asking again is billed again");
  EXPECT_EQ(found->before->reference, "KD7Q2M");
  EXPECT_FALSE(found->hold);
}

TEST(IntakeTest, KnowsUnderWhichHoldsACallMayWait) {
  const std::pair<HoldReason, std::optional<Kind>> cases[] = {
      {HoldReason::kAccess, Kind::kHeld},        {HoldReason::kWrongAddress, Kind::kHeld},
      {HoldReason::kUnexpected, Kind::kHeld},    {HoldReason::kNotDelivered, Kind::kHeld},
      {HoldReason::kMissingSecret, Kind::kHeld}, {HoldReason::kCredentials, Kind::kHeld},
      {HoldReason::kBreaker, Kind::kHeld},       {HoldReason::kSpendCap, Kind::kSpendCap},
      {HoldReason::kClock, std::nullopt}};
  for (const auto& [reason, kind] : cases) {
    IntakeFacts facts;
    facts.holds = {HoldFor(reason)};
    EXPECT_EQ(KindOf(Intake(facts)), kind) << Name(reason);
  }
}

TEST(IntakeTest, TakesCallsInWhileTheBreakerTriesByItself) {
  IntakeFacts facts;
  facts.holds = {HoldFor(HoldReason::kBreaker)};
  facts.holds[0].until = WallTime() + std::chrono::minutes(1);
  EXPECT_EQ(KindOf(Intake(facts)), std::nullopt) << "nobody has to mend anything after an outage";
}

// The intake as the queue is asked it, and once more by Accept.
class QueueIntakeTest : public QueueBench, public testing::Test {
 protected:
  void Begin() {
    Open();
    Serve(200);
  }
  std::optional<Kind> Ask(const VerificationCall& call) {
    return KindOf(queue->FindObstacle(call, false));
  }
  // Returns what Accept finds in the way.
  std::optional<Kind> TryAccept(const VerificationCall& call, bool confirmed = false) {
    const Accepted accepted = queue->Accept(call, {.operator_id = {}, .confirmed = confirmed});
    return accepted ? std::nullopt : std::optional(accepted.error().kind);
  }
};

TEST_F(QueueIntakeTest, TakesNothingInWithoutRoom) {
  options.queue.max_calls = 1;
  Begin();
  EXPECT_EQ(Ask(LookupCall(1)), std::nullopt);
  EXPECT_EQ(TryAccept(LookupCall(1)), std::nullopt);
  EXPECT_EQ(Ask(LookupCall(2)), Kind::kNoRoom);
  EXPECT_EQ(TryAccept(LookupCall(2)), Kind::kNoRoom);
  StepUntilIdle();
  EXPECT_EQ(TryAccept(LookupCall(2)), std::nullopt);
  files.set_capacity(8192);
  EXPECT_EQ(TryAccept(LookupCall(3)), Kind::kNoRoom);
}

TEST_F(QueueIntakeTest, TakesNothingInWhileASpendCapHolds) {
  options.billing.calls_per_hour = 1;
  Begin();
  EXPECT_EQ(TryAccept(LookupCall(1)), std::nullopt);
  // Nothing was spent yet: what is asked now waits for its turn.
  EXPECT_EQ(TryAccept(LookupCall(2)), std::nullopt);
  StepUntilIdle();
  const auto obstacle = queue->FindObstacle(LookupCall(3), false);
  ASSERT_EQ(KindOf(obstacle), Kind::kSpendCap);
  EXPECT_EQ(obstacle->message, "billing.calls_per_hour = 1 is reached");
  EXPECT_EQ(obstacle->hold->until, clock.WallNow() + hours(1));
  // Between the question and the answer.
  EXPECT_EQ(TryAccept(LookupCall(3)), Kind::kSpendCap);
  EXPECT_EQ(TryAccept(LookupCall(3), true), Kind::kSpendCap);
  EXPECT_EQ(queue->List(true)->size(), 1U);
  clock.Advance(hours(1) + minutes(1));
  EXPECT_EQ(TryAccept(LookupCall(3)), std::nullopt);
}

TEST_F(QueueIntakeTest, AHoldOfOneEndpointIsNoneOfTheOthers) {
  Begin();
  Serve(403, "{}");
  (void)Accept(LookupCall(1));
  StepUntilIdle();
  EXPECT_EQ(Ask(LookupCall(2)), Kind::kHeld);
  EXPECT_EQ(TryAccept(LookupCall(2)), Kind::kHeld);
  EXPECT_EQ(Ask(FacialCall()), std::nullopt);
  EXPECT_EQ(TryAccept(FacialCall()), std::nullopt);
}

// Of rejected calls none is left that could be tried again.
TEST_F(QueueIntakeTest, APersonLiftsTheBreakerWhereNothingWaits) {
  options.billing.breaker_after = 2;
  Begin();
  Serve(400, R"({"message":"because"})");
  for (int i = 0; i < 2; ++i) (void)Accept(LookupCall(i));
  StepUntilIdle();
  EXPECT_EQ(TryAccept(LookupCall(2)), Kind::kHeld);
  Restart();
  EXPECT_EQ(TryAccept(LookupCall(2)), Kind::kHeld);
  ASSERT_TRUE(queue->Lift("lookup_nin:breaker"));
  EXPECT_EQ(TryAccept(LookupCall(2)), std::nullopt);
  Serve(200);
  RunFor(minutes(1));
  EXPECT_EQ(TryAccept(LookupCall(3)), std::nullopt);
}

TEST_F(QueueIntakeTest, AClockThatIsNotRightHidesNoOtherHold) {
  options.billing.calls_per_day = 1;
  Begin();
  clock.set_wall_is_trusted(false);
  EXPECT_EQ(TryAccept(LookupCall(1)), std::nullopt);
  clock.set_wall_is_trusted(true);
  StepUntilIdle();
  clock.set_wall_is_trusted(false);
  EXPECT_EQ(Ask(LookupCall(2)), Kind::kSpendCap);
}

TEST_F(QueueIntakeTest, AsksTheSameAgainOnlyAfterAYes) {
  Begin();
  ASSERT_EQ(TryAccept(LookupCall(1)), std::nullopt);
  const auto obstacle = queue->FindObstacle(LookupCall(1), false);
  ASSERT_EQ(KindOf(obstacle), Kind::kAskedBefore);
  EXPECT_THAT(obstacle->message, HasSubstr(obstacle->before->reference));
  EXPECT_EQ(TryAccept(LookupCall(1)), Kind::kAskedBefore);
  EXPECT_EQ(queue->List(false)->size(), 1U);
  EXPECT_EQ(TryAccept(LookupCall(1), true), std::nullopt);
  EXPECT_EQ(TryAccept(LookupCall(2)), std::nullopt);
  VerificationCall unnumbered = LookupCall(1);
  unnumbered.nin = SecretBytes();
  EXPECT_EQ(Ask(unnumbered), std::nullopt);
  clock.Advance(hours(25));
  EXPECT_EQ(Ask(LookupCall(1)), Kind::kAskedBefore) << "it waits, and will be billed";
  Serve(200);
  StepUntilIdle();
  clock.Advance(hours(25));
  EXPECT_EQ(Ask(LookupCall(1)), std::nullopt);
}

TEST_F(QueueIntakeTest, AClockThatIsSetMakesNobodyPayTwice) {
  Begin();
  Serve(200);
  int number = 0;
  for (const auto days : {-4000, -3, 3, 4000}) {
    const VerificationCall call = LookupCall(++number);
    ASSERT_EQ(TryAccept(call), std::nullopt);
    StepUntilIdle();
    clock.JumpWall(hours(24) * days);
    EXPECT_EQ(Ask(call), Kind::kAskedBefore) << days;
    Restart();
    EXPECT_EQ(Ask(call), Kind::kAskedBefore) << days;
  }
}

TEST_F(QueueIntakeTest, ATelephoneIsOneHoweverItsNumberIsWritten) {
  Begin();
  VerificationCall call;
  call.endpoint = Endpoint::kLookupPhone;
  call.phone = SecretBytes::CopyOf("08030000100");
  ASSERT_EQ(TryAccept(call), std::nullopt);
  for (const char* same : {"+2348030000100", "2348030000100"}) {
    call.phone = SecretBytes::CopyOf(same);
    EXPECT_EQ(Ask(call), Kind::kAskedBefore) << same;
  }
  for (const char* other : {"08030000101", "+2358030000100", "+23408030000100", "0803000010"}) {
    call.phone = SecretBytes::CopyOf(other);
    EXPECT_EQ(Ask(call), std::nullopt) << other;
  }
}

TEST_F(QueueIntakeTest, WhatWasCancelledUnsentIsNotAskedAgain) {
  Begin();
  const CallReference reference = Accept(LookupCall(1));
  ASSERT_TRUE(queue->Cancel(reference));
  EXPECT_EQ(Ask(LookupCall(1)), std::nullopt);
}

TEST_F(QueueIntakeTest, WithoutAWindowNothingWasAskedBefore) {
  options.billing.duplicate_window = Duration::zero();
  Begin();
  EXPECT_EQ(TryAccept(LookupCall(1)), std::nullopt);
  EXPECT_EQ(TryAccept(LookupCall(1)), std::nullopt);
}

}  // namespace
}  // namespace idkiosk
