#include "app/headquarters/headquarters.h"

#include <gmock/gmock.h>

#include "tests/app/headquarters/headquarters_bench.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class HeadquartersTest : public HeadquartersBench {};

TEST_F(HeadquartersTest, HoldsAndReleasesWhatWaits) {
  const auto held =
      Take(SignedBy(Next({{"action", "\"hold_sending\""}, {"why", "\"audit\""}}), {&alice_}));
  EXPECT_EQ(held.state, CommandState::kDone) << held.reason;
  EXPECT_EQ(held.signed_by, "alice");
  ASSERT_THAT(queue->Stats()->holds, SizeIs(1));
  EXPECT_EQ(HoldId(queue->Stats()->holds[0]), "all:headquarters");
  EXPECT_THAT(queue->Stats()->holds[0].detail, HasSubstr("audit"));
  EXPECT_THAT(last_line(), HasSubstr("fleet.command hold_sending, revision 101, by headquarters "
                                     "(alice)"));
  // What comes is taken in, and not sent; whoever wants one call does not lift it.
  QueueBench::Serve(200, kVerifiedAnswer);
  const auto call = Accept(LookupCall(1));
  StepUntilIdle();
  EXPECT_EQ(posts(), 0);
  EXPECT_TRUE(queue->Retry(call, queue->Show(call)->attempts));
  StepUntilIdle();
  EXPECT_EQ(posts(), 0);

  EXPECT_EQ(Take(SignedBy(Next({{"action", "\"release_sending\""}}), {&bob_})).state,
            CommandState::kDone);
  EXPECT_THAT(queue->Stats()->holds, IsEmpty());
  EXPECT_EQ(woken_, 1);
  // Nothing is held any more.
  EXPECT_EQ(Take(SignedBy(Next({{"action", "\"release_sending\""}}), {&bob_})).state,
            CommandState::kFailed);
  EXPECT_THAT(last_line(), HasSubstr("not_done fleet.command"));
}

TEST_F(HeadquartersTest, RestartsAndSendsItsLog) {
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kDone);
  EXPECT_EQ(started_anew_, 1);
  const std::string log = SignedBy(Next({{"action", "\"send_log\""}}), {&alice_});
  EXPECT_THAT(Take(log).log, ElementsAre("a line"));
  EXPECT_THAT(Take(log).log, ElementsAre("a line"));
  EXPECT_EQ(Take(SignedBy(Next({{"kiosk", ""}, {"group", "\"lagos\""}}), {&alice_})).state,
            CommandState::kDone);
  EXPECT_EQ(Take(SignedBy(Next({{"action", "\"retry_holds\""}}), {&alice_})).state,
            CommandState::kDone);
  EXPECT_EQ(woken_, 1);
}

// Each lift may pay for a call that comes to nothing.
TEST_F(HeadquartersTest, RetryingHoldsLeavesTheBreakerToWhoIsThere) {
  options.billing.breaker_after = 2;
  Restart();
  Start();
  for (int i = 0; i < 2; ++i) (void)Accept(LookupCall(i));
  Serve(500, "{}");
  RunFor(hours(1));
  ASSERT_EQ(queue->Stats()->holds.size(), 1U);
  ASSERT_EQ(queue->Stats()->holds[0].reason, HoldReason::kBreaker);
  EXPECT_EQ(Take(SignedBy(Next({{"action", "\"retry_holds\""}}), {&alice_})).state,
            CommandState::kDone);
  EXPECT_EQ(queue->Stats()->holds.size(), 1U);
}

TEST_F(HeadquartersTest, HowLongAnAnswerIsWaitedForNeedsTwoPeople) {
  const auto reply = Take(SignedBy(
      Next({{"action", "\"settings\""}, {"settings", R"({"service.total_timeout":"1 s"})"}}),
      {&alice_}));
  EXPECT_EQ(reply.state, CommandState::kRefused);
  EXPECT_THAT(reply.reason, HasSubstr("needs 2 signatures"));
}

TEST_F(HeadquartersTest, WhatIsDangerousNeedsTwoPeople) {
  const auto call = Accept(LookupCall(1));
  for (const char* action : {"give_up", "discard", "erase"}) {
    Members members = {{"action", fmt::format("\"{}\"", action)}};
    if (action != std::string("erase")) members["reference"] = fmt::format("\"{}\"", call);
    const auto reply = Take(SignedBy(Next(members), {&alice_}));
    EXPECT_EQ(reply.state, CommandState::kRefused);
    EXPECT_THAT(reply.reason, HasSubstr("needs 2 signatures")) << action;
  }
  EXPECT_EQ(deeds(), 0);
  // It is not in a state to be given up, which is said.
  const auto failed =
      Take(SignedBy(Next({{"action", "\"give_up\""}, {"reference", fmt::format("\"{}\"", call)}}),
                    {&alice_, &bob_}));
  EXPECT_EQ(failed.state, CommandState::kFailed);
  EXPECT_THAT(failed.reason, HasSubstr("only a call that may have been sent"));
  const auto erased = Take(SignedBy(Next({{"action", "\"erase\""}}), {&bob_, &alice_}));
  EXPECT_EQ(erased.state, CommandState::kDone);
  EXPECT_EQ(erased.signed_by, "bob, alice");
  EXPECT_EQ(erased_, 1);
  EXPECT_EQ(started_erased_, 1);
}

TEST_F(HeadquartersTest, WhatCameAgainIsDoneOnceAndAnsweredTwice) {
  const std::string text = SignedBy(Next({}), {&alice_});
  const auto first = Take(text);
  clock.Advance(hours(2));  // also when it has expired by then
  const auto second = Take(text);
  EXPECT_EQ(started_anew_, 1);
  EXPECT_EQ(second.state, CommandState::kDone);
  EXPECT_EQ(second.command, first.command);
  EXPECT_THAT(last_line(), HasSubstr("fleet.refused restart, revision 101: it came again"));
}

// After a restart as before it.
TEST_F(HeadquartersTest, AReplayIsRefusedForEver) {
  const std::string old = SignedBy(Next({}), {&alice_});
  EXPECT_EQ(Take(old).state, CommandState::kDone);
  for (size_t i = 0; i < CommandRecord::kKept; ++i) {
    EXPECT_EQ(Take(SignedBy(Next({{"action", "\"send_log\""}}), {&alice_})).state,
              CommandState::kDone);
  }
  EXPECT_THAT(headquarters_->replies(), SizeIs(CommandRecord::kKept));
  Start();
  const auto reply = Take(old);
  EXPECT_EQ(reply.state, CommandState::kRefused);
  EXPECT_THAT(reply.reason, HasSubstr("revision 101 is not newer than 113"));
  // Another one of the newest revision is no newer, either.
  EXPECT_EQ(Take(SignedBy(Document({}), {&alice_})).state, CommandState::kRefused);
  EXPECT_EQ(started_anew_, 1);
}

TEST_F(HeadquartersTest, AReorderedCommandIsRefused) {
  const std::string first = SignedBy(Next({{"action", "\"release_sending\""}}), {&alice_});
  const std::string second = SignedBy(Next({{"action", "\"hold_sending\""}}), {&alice_});
  EXPECT_EQ(Take(second).state, CommandState::kDone);
  EXPECT_EQ(Take(first).state, CommandState::kRefused);
  EXPECT_THAT(queue->Stats()->holds, SizeIs(1));
}

TEST_F(HeadquartersTest, EachByteOfWhatWasSignedCounts) {
  const std::string document = Next({});
  const Bytes signature = alice_.Sign(document);
  int attacks = 0;
  for (size_t i = 0; i < document.size(); ++i) {
    std::string other = document;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_EQ(Take(Envelope(other, {{"alice", signature}})).state, CommandState::kRefused) << i;
    ++attacks;
  }
  for (size_t i = 0; i < signature.size(); ++i) {
    Bytes other = signature;
    other[i] = static_cast<uint8_t>(other[i] ^ 1);
    EXPECT_EQ(Take(Envelope(document, {{"alice", other}})).state, CommandState::kRefused) << i;
    ++attacks;
  }
  EXPECT_EQ(deeds(), 0);
  EXPECT_EQ(Take(Envelope(document, {{"alice", signature}})).state, CommandState::kDone);
  RecordProperty("attacks", attacks);
}

TEST_F(HeadquartersTest, WhoseSignatureItIsCounts) {
  const std::string erase = Next({{"action", "\"erase\""}});
  const OrderSigner mallory("mallory");
  const OrderSigner another("alice");  // of the same name
  const Bytes alices = alice_.Sign(erase);
  const struct {
    std::vector<GivenSignature> signatures;
    const char* said;
  } attacks[] = {
      {{}, "signatures must be 1 to 3"},
      {{{"mallory", mallory.Sign(erase)}}, "mallory may not sign"},
      {{{"alice", mallory.Sign(erase)}}, "not that of alice"},
      {{{"alice", another.Sign(erase)}}, "not that of alice"},
      {{{"alice", alices}}, "needs 2 signatures"},
      {{{"alice", alices}, {"alice", alices}}, "alice has signed it twice"},
      {{{"alice", alices}, {"alice", alice_.Sign(erase)}}, "alice has signed it twice"},
      {{{"alice", alices}, {"bob", alices}}, "not that of bob"},
      {{{"alice", alices}, {"bob", {}}}, "not that of bob"},
      {{{"alice", alices}, {"mallory", mallory.Sign(erase)}}, "mallory may not sign"},
      {{{"alice", alices}, {"bob", bob_.Sign(Document({}))}}, "not that of bob"},
  };
  for (const auto& each : attacks) {
    const auto reply = Take(Envelope(erase, each.signatures));
    EXPECT_EQ(reply.state, CommandState::kRefused);
    EXPECT_THAT(reply.reason, HasSubstr(each.said));
    EXPECT_THAT(last_line(), HasSubstr("fleet.refused"));
    EXPECT_THAT(last_line(), HasSubstr(each.said));
  }
  EXPECT_EQ(deeds(), 0);
  RecordProperty("attacks", static_cast<int>(std::size(attacks)));
}

TEST_F(HeadquartersTest, WhatIsSignedAndNotForNowAndHereIsRefused) {
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kDone);
  const struct {
    Members members;
    const char* said;
  } refusals[] = {
      {{{"tenant", "\"other\""}}, "it is for kiosks of other"},
      {{{"kiosk", "\"k2\""}}, "it is for the kiosk k2"},
      {{{"kiosk", ""}, {"group", "\"abuja\""}}, "it is for the group abuja"},
      {{{"revision", "101"}, {"expires", At(hours(2))}}, "revision 101 is not newer than 101"},
      {{{"revision", "100"}}, "revision 100 is not newer"},
      {{{"revision", "0"}}, "revision must be"},
      {{{"revision", "-1"}}, "revision must be"},
      {{{"revision", "102.5"}}, "revision must be"},
      {{{"issued", At(-hours(3))}, {"expires", At(-hours(2))}}, "it has expired"},
      {{{"issued", At(-hours(3))}, {"expires", At({})}}, "it has expired"},
      {{{"issued", At(hours(2))}, {"expires", At(hours(3))}}, "one of the clocks is wrong"},
      {{{"expires", At(hours(24 * 40))}}, "by 31 days at most"},
      {{{"expires", At(-hours(1))}}, "expires must be after issued"},
      {{{"expires", ""}}, "expires must be a time"},
      {{{"action", "\"shell\""}}, "action is none that this kiosk knows"},
  };
  for (const auto& each : refusals) {
    ++revision_;
    const auto reply = Take(SignedBy(Document(each.members), {&alice_}));
    EXPECT_EQ(reply.state, CommandState::kRefused);
    EXPECT_THAT(reply.reason, HasSubstr(each.said));
    EXPECT_THAT(last_line(), HasSubstr("by headquarters (alice)"));
  }
  EXPECT_EQ(started_anew_, 1);
  RecordProperty("attacks", static_cast<int>(std::size(refusals)));
}

// One that may be wrong could let a command pass that has expired.
TEST_F(HeadquartersTest, AClockThatMayBeWrongLetsNothingPass) {
  clock.set_wall_is_trusted(false);
  auto reply = Take(SignedBy(Next({}), {&alice_}));
  EXPECT_THAT(reply.reason, HasSubstr("clock is not trusted"));
  clock.set_wall_is_trusted(true);
  EXPECT_EQ(started_anew_, 0);

  // Set back by hand, into the life of a command that was withheld.
  const std::string withheld = SignedBy(Next({}), {&alice_});
  clock.Advance(hours(2));
  EXPECT_THAT(Take(withheld).reason, HasSubstr("it has expired"));
  clock.JumpWall(-hours(2));
  EXPECT_THAT(Take(withheld).reason, HasSubstr("clock was changed"));
  // The service's date confirms it, but something newer was taken meanwhile.
  queue->LearnServiceTime({});
  clock.JumpWall(hours(2));
  StepUntilIdle();
  queue->LearnServiceTime({});
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kDone);
  clock.JumpWall(-hours(2));
  StepUntilIdle();
  queue->LearnServiceTime({});
  revision_ += 10;
  const std::string expired = Document({{"issued", At({})}, {"expires", At(minutes(30))}});
  EXPECT_THAT(Take(SignedBy(expired, {&alice_})).reason, HasSubstr("it has expired"));
  EXPECT_EQ(started_anew_, 1);
}

TEST_F(HeadquartersTest, WhereItCannotBeRememberedNothingIsDone) {
  const std::string text = SignedBy(Next({}), {&alice_});
  storage.set_put_error(Error{ErrorCode::kExhausted, "the disk is full"});
  EXPECT_EQ(Take(text).state, CommandState::kRefused);
  EXPECT_EQ(started_anew_, 0);
  storage.set_put_error({});
  EXPECT_EQ(Take(text).state, CommandState::kDone);
  EXPECT_EQ(started_anew_, 1);
}

TEST_F(HeadquartersTest, WhereItCannotBePutDownNothingIsDone) {
  audit_.broken = Error{ErrorCode::kExhausted, "the disk is full"};
  const auto reply = Take(SignedBy(Next({}), {&alice_}));
  EXPECT_EQ(reply.state, CommandState::kFailed);
  EXPECT_THAT(reply.reason, HasSubstr("nothing was done"));
  EXPECT_EQ(started_anew_, 0);
}

// Whoever kept it, such as who runs the broker, is not told what is logged for ever after.
TEST_F(HeadquartersTest, ALogThatIsAskedForAgainIsSentUntilThatHasExpired) {
  const std::string text = SignedBy(Next({{"action", "\"send_log\""}}), {&alice_});
  EXPECT_THAT(Take(text).log, SizeIs(1));
  EXPECT_THAT(Take(text).log, SizeIs(1)) << "the reply may have been lost";
  clock.Advance(std::chrono::days(32));
  EXPECT_THAT(Take(text).log, IsEmpty());
}

TEST_F(HeadquartersTest, AfterAPowerCutItIsNotDoneAgain) {
  // Between the deed and what is put down of it.
  on_log_ = [this] { storage.set_put_error(Error{ErrorCode::kUnavailable, "no power"}); };
  const std::string text = SignedBy(Next({{"action", "\"send_log\""}}), {&alice_});
  (void)Take(text);
  storage.set_put_error({});
  int deeds_after = 0;
  on_log_ = [&deeds_after] { ++deeds_after; };
  Start();
  ASSERT_THAT(headquarters_->replies(), SizeIs(1));
  EXPECT_EQ(headquarters_->replies()[0].state, CommandState::kInterrupted);
}

TEST_F(HeadquartersTest, ARecordThatIsNoneAndAKeyThatIsNoneRefuseEverything) {
  storage.Set(CommandRecord::kSecret, "\x01not what it stores");
  Start();
  EXPECT_FALSE(begun_);
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kRefused);
  EXPECT_TRUE(storage.Remove(CommandRecord::kSecret));
  // The right form, and a point that is not on the curve.
  const auto der = ParseSigningKey(alice_.line())->der;
  Bytes other = der;
  other.back() = static_cast<uint8_t>(other.back() ^ 1);
  kiosk_.headquarters.keys = {"alice " + ToBase64(other)};
  Start();
  EXPECT_THAT(begun_.error().message, HasSubstr("alice is no key"));
  kiosk_.headquarters.keys.clear();
  Start();
  EXPECT_THAT(Take(SignedBy(Next({}), {&alice_})).reason, HasSubstr("takes no commands"));
  EXPECT_EQ(started_anew_, 0);
}

// A clock that stops does not stop it from being refused, and a flood leaves a few lines.
TEST_F(HeadquartersTest, AFloodCostsFewLooksAndFewLines) {
  constexpr int kFlood = 10'000;
  const std::string forged = Envelope(Next({}), {{"alice", bob_.Sign(Document({}))}});
  int looks = 0;
  for (int i = 0; i < kFlood; ++i) {
    if (headquarters_->MayLook()) {
      ++looks;
      EXPECT_EQ(Take(forged).state, CommandState::kRefused);
    }
    clock.Advance(std::chrono::microseconds(100));
  }
  EXPECT_LE(looks, Refusals::kLooks + 2);
  clock.Advance(Refusals::kLineEvery);
  headquarters_->LookAfter();
  EXPECT_LE(audit_.entries.size(), 2 * static_cast<size_t>(looks) + 1);
  int counted = 0;
  for (const AuditEntry& each : audit_.put_down) {
    counted += each.what.contains(" more, ") ? std::stoi(each.what) : 1;
  }
  EXPECT_EQ(counted, kFlood);
  EXPECT_EQ(deeds(), 0);
  // And then it does what it is told.
  EXPECT_TRUE(headquarters_->MayLook());
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kDone);
  RecordProperty("attacks", kFlood);
}

}  // namespace
}  // namespace idkiosk
