#include "app/session/visit/visit_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/visit/visit_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

CallSummary Done(Verdict verdict, OutcomeKind outcome) {
  CallSummary call;
  call.state = CallState::kDone;
  call.verdict = verdict;
  call.last_outcome = outcome;
  return call;
}

Hold HoldFor(HoldReason reason) {
  Hold hold;
  hold.reason = reason;
  return hold;
}

TEST(SessionControllerTest, WalksAPersonFromTheWelcomeToTheAnswer) {
  VisitFixture bench;
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.Do("start", R"("language": "yo")");
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  EXPECT_EQ(bench.view().language, "yo");
  bench.Do("agree");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  for (const char digit : kNin) bench.Do("digit", fmt::format(R"("digit": "{}")", digit));
  EXPECT_EQ(bench.view().number->digits, kNin);
  bench.Do("next");
  EXPECT_EQ(bench.screen(), Screen::kReason);
  EXPECT_THAT(bench.view().reasons->list, SizeIs(2));
  bench.Do("reason", R"("code": "KYC")");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Step({.prompt = Prompt::kTurnLeft, .pictures = 1, .held = 0.5});
  EXPECT_EQ(bench.view().camera->prompt, Prompt::kTurnLeft);
  EXPECT_EQ(bench.view().camera->step, 1);
  bench.camera.Deliver();
  EXPECT_EQ(bench.screen(), Screen::kLook);
  bench.Do("send");
  EXPECT_EQ(bench.screen(), Screen::kWaiting);
  ASSERT_THAT(bench.queue.accepted, SizeIs(1));
  EXPECT_EQ(bench.queue.accepted[0].nin.text(), kNin);
  EXPECT_EQ(bench.queue.accepted[0].reason, "KYC");
  EXPECT_EQ(bench.queue.accepted[0].pictures.selfie.size(), 600U);

  bench.queue.summary = Done(Verdict::kVerified, OutcomeKind::kVerified);
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.screen(), Screen::kAnswer);
  EXPECT_EQ(bench.view().answer->kind, AnswerKind::kVerified);
  EXPECT_EQ(bench.view().answer->reference, kReference);
  const std::string session = bench.view().session;
  bench.Do("finish");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_NE(bench.view().session, session);
  EXPECT_EQ(bench.runner.pending_timers(), 0U);
}

TEST(SessionControllerTest, AsksForNoReasonWhereThereIsOne) {
  Settings settings;
  settings.ui.reasons = {"KYC", "UNKNOWN_TO_THE_SERVICE"};
  VisitFixture bench(settings);
  bench.WalkToNumber();
  bench.Do("number", R"("digits": "123 4567 8901")");
  bench.Do("next");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
}

TEST(SessionControllerTest, TurnsPeopleAwayWhileNoReasonIsKnown) {
  VisitFixture bench;
  bench.session.SetReasons({});
  bench.Do("start");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kNotReady);
  EXPECT_FALSE(bench.TryDo("retry"));
}

TEST(SessionControllerTest, TurnsPeopleAwayBeforeTheCameraOpensWhenTheQueueIsFull) {
  VisitFixture bench;
  bench.queue.room = Fail(ErrorCode::kExhausted, "the queue is full");
  bench.Do("start");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kQueueFull);
  EXPECT_EQ(bench.camera.starts, 0);
}

TEST(SessionControllerTest, TurnsPeopleAwayBeforeTheCameraOpensWhenNothingWouldBeSent) {
  const std::pair<HoldReason, StopReason> cases[] = {
      {HoldReason::kSpendCap, StopReason::kSpendCap},
      {HoldReason::kAccess, StopReason::kHeld},
      {HoldReason::kCredentials, StopReason::kHeld},
      {HoldReason::kMissingSecret, StopReason::kHeld},
      {HoldReason::kBreaker, StopReason::kHeld}};
  for (const auto& [hold, why] : cases) {
    VisitFixture bench;
    bench.queue.hold = HoldFor(hold);
    bench.Do("start");
    ASSERT_EQ(bench.screen(), Screen::kStopped);
    EXPECT_EQ(bench.view().stopped->why, why);
    EXPECT_FALSE(bench.view().stopped->can_retry);
  }
}

// Something has come between the welcome and the camera.
TEST(SessionControllerTest, LooksOnceMoreBeforeTheCameraOpens) {
  VisitFixture bench;
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  bench.queue.hold = HoldFor(HoldReason::kSpendCap);
  bench.Do("reason", R"("code": "KYC")");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kSpendCap);
  EXPECT_EQ(bench.camera.starts, 0);
}

// The same at every way to the camera: it takes a minute to get there.
TEST(SessionControllerTest, OpensTheCameraNoSecondTimeWhileNothingWouldBeSent) {
  const std::pair<const char*, std::function<void(VisitFixture&)>> ways[] = {
      {"go_on", [](VisitFixture& bench) { bench.queue.earlier = CallSummary(); }},
      {"retake", [](VisitFixture&) {}},
      {"retry", [](VisitFixture&) {}}};
  for (const auto& [command, begin] : ways) {
    VisitFixture bench;
    begin(bench);
    bench.WalkToCamera();
    if (command == std::string_view("retake")) bench.camera.Deliver();
    if (command == std::string_view("retry")) bench.camera.Fail(ErrorCode::kTimeout);
    const int starts = bench.camera.starts;
    bench.queue.hold = HoldFor(HoldReason::kSpendCap);
    bench.Do(command);
    ASSERT_EQ(bench.screen(), Screen::kStopped) << command;
    EXPECT_EQ(bench.view().stopped->why, StopReason::kSpendCap) << command;
    EXPECT_EQ(bench.camera.starts, starts) << command;
  }
}

TEST(SessionControllerTest, SaysWhatHasComeBetweenTheCameraAndTheQueue) {
  const std::pair<Obstacle::Kind, StopReason> cases[] = {
      {Obstacle::Kind::kNoRoom, StopReason::kQueueFull},
      {Obstacle::Kind::kHeld, StopReason::kHeld},
      {Obstacle::Kind::kSpendCap, StopReason::kSpendCap}};
  for (const auto& [kind, why] : cases) {
    VisitFixture bench;
    bench.queue.holds_accepts = true;
    bench.WalkToWaiting();
    bench.queue.AnswerAccept(
        std::unexpected(Obstacle{{ErrorCode::kFailedPrecondition, "by the test"}, kind}));
    ASSERT_EQ(bench.screen(), Screen::kStopped);
    EXPECT_EQ(bench.view().stopped->why, why);
  }
}

// It is kept until the clock is right.
TEST(SessionControllerTest, AClockThatIsNotRightYetTurnsNobodyAway) {
  VisitFixture bench;
  bench.queue.hold = HoldFor(HoldReason::kClock);
  bench.WalkToCamera();
  EXPECT_EQ(bench.screen(), Screen::kCamera);
}

TEST(SessionControllerTest, PointsOutWhatWasAskedBeforeAndTellsNothingOfIt) {
  VisitFixture bench;
  bench.queue.earlier = Done(Verdict::kVerified, OutcomeKind::kVerified);
  bench.queue.earlier->reference = kReference;
  bench.WalkToCamera();
  EXPECT_EQ(bench.screen(), Screen::kRepeated);
  EXPECT_EQ(bench.camera.starts, 0);
  EXPECT_EQ(bench.queue.asked.nin.text(), kNin);
  EXPECT_EQ(bench.queue.asked.reason, "KYC");
  const SecretBytes json = ToJson(bench.view(), 1, bench.settings);
  EXPECT_THAT(std::string(json.text()), Not(HasSubstr(kReference)));
  EXPECT_THAT(std::string(json.text()), Not(HasSubstr("verified")));
  EXPECT_THAT(std::string(json.text()), Not(HasSubstr(kNin)));
  bench.Do("go_on");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Deliver();
  // Who takes the pictures again was asked already.
  bench.Do("retake");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Deliver();
  bench.Do("send");
  EXPECT_TRUE(bench.queue.confirmed);
}

TEST(SessionControllerTest, AYesToAskingAgainIsForOneNumber) {
  VisitFixture bench;
  bench.queue.earlier = CallSummary();
  bench.WalkToCamera();
  bench.Do("go_on");
  bench.Do("back");
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  EXPECT_EQ(bench.screen(), Screen::kRepeated);
}

TEST(SessionControllerTest, PointsOutWhatWasAskedWhileThePicturesWereTaken) {
  VisitFixture bench;
  bench.queue.holds_accepts = true;
  bench.WalkToWaiting();
  EXPECT_FALSE(bench.queue.confirmed);
  bench.queue.AnswerAccept(std::unexpected(
      Obstacle{{ErrorCode::kFailedPrecondition, "by the test"}, Obstacle::Kind::kAskedBefore}));
  EXPECT_EQ(bench.screen(), Screen::kRepeated);
  bench.Do("go_on");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
}

TEST(SessionControllerTest, WhoDoesNotAskAgainGoesBackOrIsErased) {
  VisitFixture bench;
  bench.queue.earlier = CallSummary();
  bench.WalkToCamera();
  bench.Do("back");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  EXPECT_EQ(bench.screen(), Screen::kRepeated);
  bench.Do("stop");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_EQ(bench.camera.starts, 0);
}

// The disk takes its time, and the person goes on meanwhile.
TEST(SessionControllerTest, AnAnswerAboutAnotherNumberOpensNoCamera) {
  Settings settings;
  settings.ui.reasons = {"KYC"};
  VisitFixture bench(settings);
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.queue.holds_obstacles = true;
  bench.Do("next");
  bench.Do("delete");
  bench.queue.AnswerObstacle();
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  bench.Do("digit", R"("digit": "1")");
  bench.Do("next");
  bench.Do("next");
  bench.queue.AnswerObstacle();
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  bench.queue.AnswerObstacle();
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_EQ(bench.camera.starts, 1);
}

// An erasure asks for it: nothing of the person is in the queue before they send.
TEST(SessionControllerTest, TellsWhoseNumberIsAtTheScreenUntilTheyLeave) {
  VisitFixture bench;
  EXPECT_FALSE(bench.at_screen.Is(kNin));
  bench.WalkToLook();
  EXPECT_TRUE(bench.at_screen.Is(kNin));
  EXPECT_FALSE(bench.at_screen.Is("00000000001"));
  EXPECT_FALSE(bench.at_screen.Is(""));
  bench.queue.holds_accepts = true;
  bench.Do("send");
  EXPECT_TRUE(bench.at_screen.Is(kNin)) << "it is on its way to the queue";
  bench.Do("finish");
  EXPECT_FALSE(bench.at_screen.Is(kNin));
}

TEST(SessionControllerTest, NeverGoesOnWithAWrongNumber) {
  VisitFixture bench;
  bench.WalkToNumber();
  bench.Do("number", R"("digits": "1234567")");
  EXPECT_EQ(bench.view().number->problem, std::nullopt);
  bench.Do("next");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  EXPECT_EQ(bench.view().number->problem, NumberProblem::kTooShort);
  bench.Do("digit", R"("digit": "8")");
  EXPECT_EQ(bench.view().number->problem, std::nullopt);
  EXPECT_EQ(bench.TryDo("number", R"("digits": "12345678901234")").error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(bench.TryDo("number", R"("digits": "12345a")").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(bench.TryDo("digit", R"("digit": "x")").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(bench.view().number->digits, "12345678");
}

TEST(SessionControllerTest, RefusesTheTestNumberInProductionWhileItIsTyped) {
  Settings settings;
  settings.environment = Environment::kProduction;
  settings.service.test_nin = kNin;
  VisitFixture bench(settings);
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  EXPECT_EQ(bench.view().number->problem, NumberProblem::kTestNumberInProduction);
  bench.Do("next");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
}

TEST(SessionControllerTest, DoesOnlyWhatAScreenOffers) {
  VisitFixture bench;
  for (const std::string_view command : {"send", "agree", "finish", "digit", "retake", "back"}) {
    EXPECT_EQ(bench.TryDo(command).error().code, ErrorCode::kFailedPrecondition) << command;
  }
  EXPECT_EQ(bench.TryDo("fly").error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(SessionControllerTest, HearsNoCommandOfASessionThatIsOver) {
  VisitFixture bench;
  const std::string first = bench.view().session;
  bench.Do("start");
  bench.Do("stop");
  bench.Do("start");
  EXPECT_EQ(bench.TryDo("agree", "", first).error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(bench.screen(), Screen::kConsent);
}

TEST(SessionControllerTest, GoesBackStepByStep) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.Do("back");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  EXPECT_FALSE(bench.camera.running());
  EXPECT_EQ(bench.view().number->digits, kNin);
  bench.Do("back");
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  bench.Do("back");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(SessionControllerTest, ShowsThePicturesOfThisSessionAlone) {
  VisitFixture bench;
  bench.WalkToLook();
  const std::string session = bench.view().session;
  EXPECT_EQ(bench.session.Picture(session, 0)->size(), 600U);
  EXPECT_EQ(bench.session.Picture(session, 4)->size(), 500U);
  EXPECT_FALSE(bench.session.Picture(session, 5));
  EXPECT_FALSE(bench.session.Picture("another", 0));
  bench.Do("retake");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_FALSE(bench.session.Picture(session, 0));
  bench.camera.Deliver();
  bench.Do("stop");
  EXPECT_FALSE(bench.session.Picture(session, 0));
}

TEST(SessionControllerTest, WhoDeclinesIsThankedAndForgotten) {
  VisitFixture bench;
  bench.Do("start");
  bench.Do("decline");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kDeclined);
  EXPECT_EQ(bench.view().stopped->seconds_left, 20);
  bench.clock.Advance(20s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_EQ(bench.runner.pending_timers(), 0U);
}

TEST(SessionControllerTest, WarnsWhoIsIdleAndThenErasesEverything) {
  VisitFixture bench;
  bench.WalkToLook();
  const std::string session = bench.view().session;
  bench.clock.Advance(44s);
  EXPECT_EQ(bench.view().idle_seconds, std::nullopt);
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.view().idle_seconds, 20);
  bench.clock.Advance(19s);
  EXPECT_EQ(bench.view().idle_seconds, 1);
  EXPECT_TRUE(bench.session.Picture(session, 0));
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_FALSE(bench.session.Picture(session, 0));
  EXPECT_EQ(bench.runner.pending_timers(), 0U);
}

TEST(SessionControllerTest, ATouchEndsTheWarning) {
  VisitFixture bench;
  bench.WalkToNumber();
  bench.clock.Advance(50s);
  EXPECT_EQ(bench.view().idle_seconds, 15);
  bench.Do("still_here");
  EXPECT_EQ(bench.view().idle_seconds, std::nullopt);
  bench.clock.Advance(44s);
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  EXPECT_EQ(bench.view().idle_seconds, std::nullopt);
}

TEST(SessionControllerTest, WhoStandsBeforeTheCameraIsNotIdle) {
  VisitFixture bench;
  bench.WalkToCamera();
  for (int i = 0; i < 10; ++i) {
    bench.clock.Advance(20s);
    bench.camera.Step({.face_seen = true});
  }
  EXPECT_EQ(bench.view().idle_seconds, std::nullopt);
  bench.clock.Advance(46s);
  bench.camera.Step({.guidance = Guidance::kNoFace});
  EXPECT_EQ(bench.view().idle_seconds, 19);
}

TEST(SessionControllerTest, NothingOfAPersonIsShownToTheNext) {
  VisitFixture bench;
  bench.WalkToLook();
  bench.Do("stop");
  bench.WalkToNumber();
  EXPECT_EQ(bench.view().number->digits, "");
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  EXPECT_EQ(bench.view().reasons->chosen, "");
}

TEST(SessionControllerTest, ACaptureThatFailedMayBeTriedAgain) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.camera.Fail(ErrorCode::kTimeout);
  EXPECT_EQ(bench.view().stopped->why, StopReason::kCaptureTimeout);
  bench.Do("retry");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Trouble(CameraTrouble::kFrozen);
  bench.camera.Fail(ErrorCode::kTimeout);
  EXPECT_EQ(bench.view().stopped->why, StopReason::kCameraAway);
  bench.Do("retry");
  bench.camera.Fail(ErrorCode::kNotFound);
  EXPECT_EQ(bench.view().stopped->why, StopReason::kCameraAway);
  EXPECT_EQ(bench.camera.starts, 3);
}

TEST(SessionControllerTest, TellsEachStageOfTheWaiting) {
  VisitFixture bench;
  bench.queue.holds_accepts = true;
  bench.WalkToWaiting();
  EXPECT_EQ(bench.view().waiting->stage, WaitingStage::kSealing);
  bench.queue.AnswerAccept(kReference);
  EXPECT_EQ(bench.view().waiting->stage, WaitingStage::kQueued);
  bench.queue.summary.state = CallState::kSending;
  bench.clock.Advance(400ms);
  EXPECT_EQ(bench.view().waiting->stage, WaitingStage::kSending);
  bench.clock.Advance(2s);
  EXPECT_EQ(bench.view().waiting->stage, WaitingStage::kChecking);
  EXPECT_FALSE(bench.view().waiting->is_long);
  bench.clock.Advance(6s);
  EXPECT_TRUE(bench.view().waiting->is_long);
  bench.clock.Advance(60s);
  EXPECT_EQ(bench.view().answer->kind, AnswerKind::kKept);
  EXPECT_EQ(bench.view().answer->reference, kReference);
}

TEST(SessionControllerTest, WhoLeavesWhileWaitingLosesNothing) {
  VisitFixture bench;
  bench.WalkToWaiting();
  bench.Do("finish");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_THAT(bench.queue.left, ElementsAre(kReference));
  // Also before it is sealed.
  bench.queue.holds_accepts = true;
  bench.WalkToWaiting();
  bench.Do("finish");
  bench.queue.AnswerAccept("HJK234");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_THAT(bench.queue.left, ElementsAre(kReference, "HJK234"));
}

TEST(SessionControllerTest, AnAnswerIsErasedWhenItsTimeIsUp) {
  VisitFixture bench;
  bench.WalkToWaiting();
  bench.queue.summary = Done(Verdict::kNotVerified, OutcomeKind::kNotVerified);
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.view().answer->kind, AnswerKind::kNotVerified);
  EXPECT_EQ(bench.view().answer->seconds_left, 20);
  bench.clock.Advance(19s);
  EXPECT_EQ(bench.view().answer->seconds_left, 1);
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(SessionControllerTest, AReferenceStandsLongEnoughToBeWrittenDown) {
  VisitFixture bench;
  bench.WalkToWaiting();
  bench.queue.summary.last_outcome = OutcomeKind::kUnreachable;
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.view().answer->kind, AnswerKind::kKept);
  EXPECT_EQ(bench.view().answer->reason, AnswerReason::kNetwork);
  EXPECT_EQ(bench.view().answer->seconds_left, 40);
}

TEST(SessionControllerTest, SaysWhatBecameOfTheCallInEveryCase) {
  struct Case {
    CallSummary call;
    AnswerKind kind;
    AnswerReason reason;
  };
  CallSummary held;
  held.hold.emplace().reason = HoldReason::kSpendCap;
  CallSummary unknown;
  unknown.state = CallState::kUnknown;
  unknown.last_outcome = OutcomeKind::kLost;
  const Case cases[] = {
      {Done(Verdict::kRejected, OutcomeKind::kRejected), AnswerKind::kRefused,
       AnswerReason::kNumber},
      {Done(Verdict::kRejected, OutcomeKind::kNoRecord), AnswerKind::kRefused,
       AnswerReason::kNoRecord},
      {Done(Verdict::kRejected, OutcomeKind::kPicturesRefused), AnswerKind::kRefused,
       AnswerReason::kPictures},
      {held, AnswerKind::kKept, AnswerReason::kSpendCap},
      {unknown, AnswerKind::kUnknown, AnswerReason::kServiceError},
  };
  for (const Case& each : cases) {
    VisitFixture bench;
    bench.WalkToWaiting();
    bench.queue.summary = each.call;
    bench.session.OnCallChanged(kReference);
    ASSERT_EQ(bench.screen(), Screen::kAnswer) << Name(each.reason);
    EXPECT_EQ(bench.view().answer->kind, each.kind) << Name(each.reason);
    EXPECT_EQ(bench.view().answer->reason, each.reason);
  }
}

TEST(SessionControllerTest, ACallThatCannotBeKeptEndsTheSessionWithAWord) {
  VisitFixture bench;
  bench.queue.holds_accepts = true;
  bench.WalkToWaiting();
  bench.queue.AnswerAccept(std::unexpected(Obstacle{{ErrorCode::kExhausted, "disk full"}}));
  EXPECT_EQ(bench.view().stopped->why, StopReason::kQueueFull);
  bench.clock.Advance(60s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(SessionControllerTest, TellsWhetherTheServiceIsInReachOnEveryScreen) {
  VisitFixture bench;
  bench.session.SetOnline(false);
  EXPECT_FALSE(bench.view().online);
  bench.Do("start");
  EXPECT_FALSE(bench.view().online);
}

TEST(SessionControllerTest, SaysBeforeAConsentHowLongWhatStaysAndWhoElseIsTold) {
  VisitFixture bench;
  bench.Do("start", R"("language": "en")");
  ASSERT_EQ(bench.screen(), Screen::kConsent);
  const auto consent = [&](const Settings& settings) {
    const SecretBytes json = ToJson(bench.view(), 1, settings);
    const size_t from = json.text().find(R"("consent":)");
    return std::string(json.text().substr(from, json.text().find('}', from) + 1 - from));
  };
  Settings settings;
  EXPECT_EQ(consent(settings), R"("consent":{"keep_hours":72,"answer_hours":24})");
  settings.queue.max_age = 90min;
  settings.queue.retention = 7 * 24h;
  EXPECT_EQ(consent(settings), R"("consent":{"keep_hours":2,"answer_hours":168})");
  settings.queue.retention = 0s;
  EXPECT_THAT(consent(settings), HasSubstr(R"("answer_hours":0)"));
  // Personal data goes nowhere without somebody who is told of results.
  settings.results.include = {"nin"};
  EXPECT_THAT(consent(settings), Not(HasSubstr("programs")));
  settings.results.spool = "/var/spool/results";
  EXPECT_THAT(consent(settings), HasSubstr(R"("programs":"data")"));
  settings.results = {};
  settings.results.webhook = "https://bank.example/results";
  EXPECT_THAT(consent(settings), HasSubstr(R"("programs":"result")"));
  settings.results = {};
  settings.api.socket = "/run/idkiosk-api/api.sock";
  EXPECT_THAT(consent(settings), HasSubstr(R"("programs":"data")")) << "supervisors read answers";
}

TEST(SessionControllerTest, WritesTheSnapshotThatThePageReads) {
  VisitFixture bench;
  bench.WalkToNumber();
  bench.Do("digit", R"("digit": "7")");
  const SecretBytes json = ToJson(bench.view(), 5, bench.settings);
  const auto document = JsonDocument::Parse(json.text());
  ASSERT_TRUE(document) << json.text();
  const JsonView root = document->root();
  EXPECT_EQ(root["revision"].AsInteger(), 5);
  EXPECT_EQ(root["screen"].AsString(), "number");
  EXPECT_EQ(root["mode"].AsString(), "kiosk");
  EXPECT_EQ(root["environment"].AsString(), "sandbox");
  EXPECT_EQ(root.At("/number/digits").AsString(), "7");
  EXPECT_TRUE(root.At("/number/problem").IsNull());
  EXPECT_EQ(root.At("/brand/primary").AsString(), "#0b5d3b");
  EXPECT_FALSE(root["camera"].exists());
}

}  // namespace
}  // namespace idkiosk
