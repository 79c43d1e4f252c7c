#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/app/session/page_controller_fixture.h"

// A branch: the clerk's desk behind its PIN, and whoever sits down at it.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kAskNin =
    R"("question": "nin", "nin": "12345678901", "reason": "KYC", "consent": true)";
constexpr std::string_view kAskVerify =
    R"("question": "verify", "nin": "123 4567 8901", "reason": "KYC")";

CallSummary Summary(CallState state, Verdict verdict = Verdict::kNone) {
  CallSummary call;
  call.reference = kReference;
  call.state = state;
  call.verdict = verdict;
  call.endpoint = Endpoint::kLookupNin;
  call.has_payload = state == CallState::kUnknown;
  call.has_answer = state == CallState::kDone;
  call.resend_price = 5000;
  return call;
}

std::vector<Endpoint> EndpointsOf(const UiSnapshot& shown) {
  std::vector<Endpoint> endpoints;
  for (const ClerkView::Task& each : shown.desk->tasks) endpoints.push_back(each.endpoint);
  return endpoints;
}

TEST(ClerkConsoleTest, IsLockedUntilTheClerksPinWasRight) {
  Settings settings;
  settings.mode = Mode::kBranch;
  PageControllerFixture bench(settings);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.view().language, "en");
  EXPECT_FALSE(bench.Ask("ask", kAskNin).status);
  EXPECT_FALSE(bench.Ask("start").status);
  EXPECT_EQ(bench.Try("unlock", kWrongPin).problem, CommandProblem::kWrong);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_TRUE(bench.Try("unlock", kPin).status);
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_THAT(bench.view().reasons->list, SizeIs(2));
}

TEST(ClerkConsoleTest, CountsDownWhileItIsLockedOut) {
  Settings settings;
  settings.mode = Mode::kBranch;
  PageControllerFixture bench(settings);
  EXPECT_EQ(bench.view().locked_seconds, 0);
  for (int i = 0; i < 3; ++i) (void)bench.Try("unlock", kWrongPin);
  EXPECT_EQ(bench.view().locked_seconds, 30);
  bench.clock.Advance(12s);
  EXPECT_EQ(bench.view().locked_seconds, 18);
  bench.clock.Advance(18s);
  EXPECT_EQ(bench.view().locked_seconds, 0);
  EXPECT_EQ(bench.runner.pending_timers(), 0U);
}

TEST(ClerkConsoleTest, ShowsAtOnceThatItWasLockedOutBeforeARestart) {
  Settings settings;
  settings.mode = Mode::kBranch;
  PageControllerFixture bench(settings, SandboxProfile(), "pin-tries/1 4\n");
  EXPECT_EQ(bench.view().locked_seconds, 60);
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.view().locked_seconds, 59);
}

TEST(ClerkConsoleTest, OffersWhatTheProfileAllowsHere) {
  PageControllerFixture sandbox(Mode::kBranch);
  std::vector<Endpoint> all;
  std::ranges::copy_if(kEndpoints, std::back_inserter(all),
                       [](Endpoint each) { return !TaskOf(each).empty(); });
  EXPECT_EQ(EndpointsOf(sandbox.view()), all);
  EXPECT_EQ(sandbox.view().desk->tasks.front().price,
            FormatPrice(sandbox.profile.at(Endpoint::kVerify).price, sandbox.profile.currency));
  EXPECT_EQ(all.front(), Endpoint::kVerify) << "the face first: what a branch is for";
  Settings settings;
  settings.mode = Mode::kBranch;
  settings.environment = Environment::kProduction;
  PageControllerFixture production(settings);
  production.Do("unlock", fmt::format(R"("pin": "{}")", kPin));
  EXPECT_THAT(EndpointsOf(production.view()),
              ElementsAre(Endpoint::kCheck, Endpoint::kLookupPhone));
  EXPECT_EQ(production.Ask("ask", kAskNin).status.error().code, ErrorCode::kInvalid);
}

TEST(ClerkConsoleTest, AsksAndShowsTheAnswerWithItsPhoto) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskNin);
  EXPECT_TRUE(bench.view().desk->asking);
  ASSERT_THAT(bench.queue.accepted, SizeIs(1));
  EXPECT_EQ(bench.queue.accepted[0].endpoint, Endpoint::kLookupNin);
  EXPECT_EQ(bench.queue.accepted[0].nin.text(), "12345678901");
  EXPECT_FALSE(bench.Ask("ask", kAskNin).status) << "one after the other";
  bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
  bench.pages.OnCallChanged(kReference);
  const ClerkView& desk = *bench.view().desk;
  EXPECT_FALSE(desk.asking);
  ASSERT_TRUE(desk.answer);
  EXPECT_EQ(desk.answer->kind, AnswerKind::kVerified);
  EXPECT_EQ(desk.answer->question, "nin");
  EXPECT_EQ(desk.answer->fields[0].value, "Amina Sample");
  EXPECT_TRUE(desk.answer->photo);
  EXPECT_EQ(bench.pages.AnswerPhoto(bench.view().session)->size(), 700U);
  EXPECT_FALSE(bench.pages.AnswerPhoto("another"));
  bench.Do("dismiss");
  EXPECT_FALSE(bench.view().desk->answer);
  EXPECT_FALSE(bench.pages.AnswerPhoto(bench.view().session));
}

// The head of a PNG of so many pixels a side.
SecretBytes PngOf(uint32_t side) {
  Bytes png(AsBytes("\x89PNG\r\n\x1a\n").begin(), AsBytes("\x89PNG\r\n\x1a\n").end());
  AppendUint32(png, 13);
  for (const char each : std::string_view("IHDR")) png.push_back(static_cast<uint8_t>(each));
  AppendUint32(png, side);
  AppendUint32(png, side);
  return SecretBytes::CopyOf(png);
}

// The browser would make ten gigabytes of it.
TEST(ClerkConsoleTest, ShowsNoPhotoOfTooManyPixels) {
  for (const uint32_t side : {1000U, 60'000U}) {
    PageControllerFixture bench(Mode::kBranch);
    bench.queue.photo = PngOf(side);
    bench.Do("ask", kAskNin);
    bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
    bench.pages.OnCallChanged(kReference);
    ASSERT_TRUE(bench.view().desk->answer);
    EXPECT_EQ(bench.view().desk->answer->photo, side == 1000) << side;
    EXPECT_EQ(bench.pages.AnswerPhoto(bench.view().session).has_value(), side == 1000) << side;
  }
}

TEST(ClerkConsoleTest, SaysWhatIsWrongBeforeAnythingIsAsked) {
  Settings settings;
  settings.mode = Mode::kBranch;
  settings.service.test_nin = kNin;
  PageControllerFixture bench(settings);
  bench.Do("unlock", fmt::format(R"("pin": "{}")", kPin));
  const auto problem = [&](std::string_view arguments) {
    const CommandReply reply = bench.Ask("ask", arguments);
    EXPECT_FALSE(reply.status) << arguments;
    return reply.problem;
  };
  EXPECT_EQ(problem(R"("question": "nin", "nin": "1234", "reason": "KYC")"),
            CommandProblem::kNumber);
  EXPECT_EQ(problem(R"("question": "nin", "nin": "12345678901", "reason": "")"),
            CommandProblem::kReason);
  EXPECT_EQ(problem(R"("question": "nin", "nin": "12345678901", "reason": "FUN")"),
            CommandProblem::kReason);
  EXPECT_EQ(problem(R"("question": "phone", "phone": "12345")"), CommandProblem::kPhone);
  EXPECT_EQ(problem(R"("question": "nin-phone", "phone": "", "reason": "KYC")"),
            CommandProblem::kPhone);
  EXPECT_EQ(problem(R"("question": "check", "type": "nin", "id_number": "12")"),
            CommandProblem::kNumber);
  EXPECT_EQ(problem(R"("question": "check", "type": "passport", "id_number": "A00000001")"),
            CommandProblem::kIdNumber);
  EXPECT_FALSE(bench.Ask("ask", R"("question": "fly")").status);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
  EXPECT_EQ(bench.queue.looked_up, 0);
  bench.pages.SetReasons({});
  EXPECT_EQ(problem(kAskNin), CommandProblem::kNotReady);
}

TEST(ClerkConsoleTest, RefusesTheTestNumberInProduction) {
  Settings settings;
  settings.mode = Mode::kBranch;
  settings.environment = Environment::kProduction;
  settings.service.test_nin = kNin;
  PageControllerFixture bench(settings);
  bench.Do("unlock", fmt::format(R"("pin": "{}")", kPin));
  EXPECT_EQ(
      bench.Ask("ask", R"("question": "check", "type": "nin", "id_number": "12345678901")").problem,
      CommandProblem::kTestNumber);
}

TEST(ClerkConsoleTest, PointsOutWhatWasAskedBeforeAndAsksOnlyWhenToldSo) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.earlier = Summary(CallState::kDone, Verdict::kVerified);
  bench.queue.earlier->accepted_at = bench.clock.WallNow() - 10min;
  const CommandReply reply = bench.Ask("ask", kAskNin);
  EXPECT_EQ(reply.problem, CommandProblem::kAskedBefore);
  EXPECT_EQ(reply.reference, kReference);
  EXPECT_EQ(reply.seconds, 600);
  EXPECT_FALSE(bench.view().desk->asking);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
  bench.Do("ask", fmt::format(R"({}, "confirmed": true)", kAskNin));
  EXPECT_THAT(bench.queue.accepted, SizeIs(1));
}

TEST(ClerkConsoleTest, SeatsAPersonBeforeTheCameraAndShowsTheAnswerAtTheDesk) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("language", R"("language": "ha")");
  const std::string clerks = bench.view().session;
  bench.Do("ask", kAskVerify);
  bench.Do("agree");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_NE(bench.view().session, clerks);
  EXPECT_EQ(bench.view().language, "ha");
  EXPECT_FALSE(bench.view().desk) << "whoever sits there sees nothing of the desk";
  bench.camera.Deliver();
  EXPECT_EQ(bench.screen(), Screen::kLook);
  bench.Do("send");
  EXPECT_EQ(bench.screen(), Screen::kWaiting);
  ASSERT_THAT(bench.queue.accepted, SizeIs(1));
  EXPECT_EQ(bench.queue.accepted[0].nin.text(), "12345678901");
  EXPECT_EQ(bench.queue.accepted[0].reason, "KYC");
  EXPECT_EQ(bench.queue.consent, (Consent{std::string(kOwnConsentVersion), "ha"}));
  bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
  bench.pages.OnCallChanged(kReference);
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_EQ(bench.view().session, clerks);
  ASSERT_TRUE(bench.view().desk->answer);
  EXPECT_EQ(bench.view().desk->answer->question, "verify");
  EXPECT_EQ(bench.view().language, "ha");
}

TEST(ClerkConsoleTest, WhoeverStopsBeforeTheCameraComesBackToTheDesk) {
  for (const std::string_view way : {"back", "stop"}) {
    PageControllerFixture bench(Mode::kBranch);
    bench.Do("ask", kAskVerify);
    bench.Do("agree");
    bench.Do(way);
    EXPECT_EQ(bench.screen(), Screen::kDesk) << way;
    EXPECT_FALSE(bench.view().desk->asking);
    EXPECT_THAT(bench.queue.accepted, IsEmpty());
    bench.Do("ask", kAskVerify);
    bench.Do("agree");
    EXPECT_EQ(bench.screen(), Screen::kCamera) << "and may sit down again";
  }
}

TEST(ClerkConsoleTest, NobodyComesBeforeTheCameraWithoutAConsent) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskVerify);
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  EXPECT_EQ(bench.camera.starts, 0);
  bench.Do("decline");
  EXPECT_EQ(bench.screen(), Screen::kStopped);
  bench.Do("finish");
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_EQ(bench.camera.starts, 0);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
}

TEST(ClerkConsoleTest, AsksNothingOfWhomTheClerkDoesNotSayThatTheyAgree) {
  PageControllerFixture bench(Mode::kBranch);
  for (const std::string_view said : {"", R"(, "consent": false)", R"(, "consent": "yes")"}) {
    const CommandReply reply = bench.Ask(
        "ask", fmt::format(R"("question": "nin", "nin": "12345678901", "reason": "KYC"{})", said));
    EXPECT_EQ(reply.problem, CommandProblem::kConsent) << said;
  }
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
  bench.Do("language", R"("language": "yo")");
  bench.Do("ask", kAskNin);
  EXPECT_EQ(bench.queue.consent, (Consent{std::string(kOwnConsentVersion), "yo"}));
}

TEST(ClerkConsoleTest, WhoWalksAwayFromTheCameraIsErased) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskVerify);
  bench.Do("agree");
  bench.clock.Advance(70s);
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
}

TEST(ClerkConsoleTest, SaysThatTheCameraIsAway) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskVerify);
  bench.Do("agree");
  bench.camera.Fail(ErrorCode::kUnavailable);
  EXPECT_EQ(bench.screen(), Screen::kStopped);
  bench.Do("finish");
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_TRUE(bench.view().desk->camera_away);
}

TEST(ClerkConsoleTest, LooksForTheCameraBeforeAnybodySitsDown) {
  PageControllerFixture bench(Mode::kBranch);
  EXPECT_FALSE(bench.view().desk->camera_away);
  bench.Do("lock");
  bench.camera_is_there = false;
  (void)bench.Try("unlock", kPin);
  EXPECT_TRUE(bench.view().desk->camera_away);
}

TEST(ClerkConsoleTest, SeatsNobodyWhenTheQueueIsFull) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.room = Fail(ErrorCode::kExhausted, "the queue is full");
  EXPECT_EQ(bench.Ask("ask", kAskVerify).problem, CommandProblem::kQueueFull);
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_EQ(bench.view().desk->problem, CommandProblem::kQueueFull);
  EXPECT_EQ(bench.camera.starts, 0);
}

TEST(ClerkConsoleTest, AsksAndSeatsNobodyWhileNothingWouldBeSent) {
  const std::pair<HoldReason, CommandProblem> cases[] = {
      {HoldReason::kSpendCap, CommandProblem::kSpendCap},
      {HoldReason::kAccess, CommandProblem::kHeld}};
  for (const auto& [reason, problem] : cases) {
    for (const std::string_view question : {kAskVerify, kAskNin}) {
      PageControllerFixture bench(Mode::kBranch);
      bench.queue.hold.emplace().reason = reason;
      bench.queue.hold->until = bench.clock.WallNow() + 10min;
      const CommandReply reply =
          bench.Ask("ask", fmt::format(R"({}, "confirmed": true)", question));
      EXPECT_EQ(reply.problem, problem);
      EXPECT_EQ(reply.seconds, 600);
      EXPECT_EQ(bench.screen(), Screen::kDesk);
      EXPECT_EQ(bench.view().desk->problem, problem);
      EXPECT_FALSE(bench.view().desk->asking);
      EXPECT_EQ(bench.camera.starts, 0);
      EXPECT_THAT(bench.queue.accepted, IsEmpty());
    }
  }
}

TEST(ClerkConsoleTest, SaysWhatHasComeBetweenTheQuestionAndTheQueue) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.holds_accepts = true;
  std::optional<CommandReply> reply;
  bench.Send("ask", kAskNin, reply);
  bench.queue.AnswerAccept(std::unexpected(
      Obstacle{{ErrorCode::kFailedPrecondition, "by the test"}, Obstacle::Kind::kSpendCap}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->problem, CommandProblem::kSpendCap);
  EXPECT_FALSE(bench.view().desk->asking);
}

TEST(ClerkConsoleTest, AYesToAskingAgainHoldsUntilThePicturesAreSent) {
  for (const bool confirmed : {false, true}) {
    PageControllerFixture bench(Mode::kBranch);
    bench.Do("ask", fmt::format("{}{}", kAskVerify, confirmed ? R"(, "confirmed": true)" : ""));
    bench.Do("agree");
    bench.camera.Deliver();
    bench.Do("send");
    EXPECT_EQ(bench.queue.confirmed, confirmed);
  }
}

TEST(ClerkConsoleTest, SendsAnUnknownCallAgainOnlyWithAYesToItsPrice) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.overview = {{Summary(CallState::kUnknown)}, 3, 15000};
  bench.pages.OnCallChanged(kReference);
  ASSERT_THAT(bench.view().desk->queue, SizeIs(1));
  EXPECT_EQ(bench.view().desk->queue[0].price, "50.00 NGN");
  EXPECT_EQ(bench.view().desk->calls_today, 3);
  EXPECT_EQ(bench.view().desk->spent_today, "150.00");
  const std::string call = fmt::format(R"("reference": "{}")", kReference);
  const CommandReply unasked = bench.Ask("resend", call);
  EXPECT_EQ(unasked.status.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(unasked.status.error().message, HasSubstr("50.00 NGN"));
  EXPECT_THAT(bench.queue.resent, IsEmpty());
  EXPECT_FALSE(bench.Ask("resend", call + R"(, "confirmed": true)").status);
  bench.Do("resend", call + R"(, "attempts": 1, "confirmed": true)");
  EXPECT_THAT(bench.queue.resent, ElementsAre(kReference));
  EXPECT_FALSE(
      bench.Ask("resend", R"("reference": "AAAAAA", "attempts": 1, "confirmed": true)").status);
  bench.Do("give_up", call);
  EXPECT_THAT(bench.queue.given_up, ElementsAre(kReference));
  bench.queue.decided = Fail(ErrorCode::kFailedPrecondition, "it is done");
  EXPECT_EQ(bench.Ask("give_up", call).problem, CommandProblem::kNotPossible);
}

TEST(ClerkConsoleTest, OpensTheAnswerOfACallThatWasDeliveredLater) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.overview.calls = {Summary(CallState::kDone, Verdict::kNotVerified)};
  bench.pages.OnCallChanged(kReference);
  EXPECT_TRUE(bench.view().desk->queue[0].answered);
  const std::string call = fmt::format(R"("reference": "{}")", kReference);
  bench.Do("show", call);
  EXPECT_THAT(bench.queue.opened, ElementsAre(kReference));
  EXPECT_EQ(bench.view().desk->answer->kind, AnswerKind::kNotVerified);
  bench.Do("dismiss");
  bench.queue.no_answer = Error{ErrorCode::kNotFound, "its time was up"};
  EXPECT_EQ(bench.Ask("show", call).problem, CommandProblem::kNoAnswer);
  EXPECT_FALSE(bench.view().desk->answer);
}

TEST(ClerkConsoleTest, LocksByItselfAndByHandAndKeepsNothing) {
  for (const bool by_hand : {true, false}) {
    PageControllerFixture bench(Mode::kBranch);
    bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
    bench.Do("ask", kAskNin);
    const std::string session = bench.view().session;
    ASSERT_TRUE(bench.view().desk->answer);
    if (by_hand) {
      bench.Do("lock");
    } else {
      bench.clock.Advance(4min);
      bench.Do("still_here");
      bench.clock.Advance(4min);
      EXPECT_EQ(bench.screen(), Screen::kDesk);
      bench.clock.Advance(1min);
    }
    EXPECT_EQ(bench.screen(), Screen::kLocked);
    EXPECT_FALSE(bench.view().desk);
    EXPECT_FALSE(bench.pages.AnswerPhoto(session));
    EXPECT_FALSE(bench.Ask("ask", kAskNin, session).status);
    EXPECT_LE(bench.runner.pending_timers(), 1U) << "that of who may sign in";
    (void)bench.Try("unlock", kPin);
    EXPECT_EQ(bench.screen(), Screen::kDesk);
    EXPECT_FALSE(bench.view().desk->answer);
    EXPECT_FALSE(bench.pages.AnswerPhoto(bench.view().session));
  }
}

TEST(ClerkConsoleTest, ACallThatIsStillAskedWhenItLocksIsKept) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskNin);
  bench.Do("lock");
  EXPECT_THAT(bench.queue.left, ElementsAre(kReference));
  bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
  bench.pages.OnCallChanged(kReference);
  (void)bench.Try("unlock", kPin);
  EXPECT_FALSE(bench.view().desk->answer) << "nobody who comes later sees it by itself";
}

TEST(ClerkConsoleTest, AnAnswerThatIsAcceptedAfterTheLockDisturbsNobody) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.holds_accepts = true;
  std::optional<CommandReply> reply;
  bench.Send("ask", kAskNin, reply);
  bench.Do("lock");
  bench.queue.AnswerAccept(kReference);
  EXPECT_TRUE(reply);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_THAT(bench.queue.left, ElementsAre(kReference));
}

TEST(ClerkConsoleTest, TheConsoleClosesTheDesk) {
  PageControllerFixture bench(Mode::kBranch);
  bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
  bench.Do("ask", kAskNin);
  (void)bench.Try("operator.unlock", kPin);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  EXPECT_FALSE(bench.view().desk);
  bench.Do("operator.close");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
}

TEST(ClerkConsoleTest, TheConsoleMayOpenOverAPersonWhoLooks) {
  PageControllerFixture bench(Mode::kBranch);
  bench.Do("ask", kAskVerify);
  bench.Do("agree");
  bench.camera.Deliver();
  const std::string session = bench.view().session;
  (void)bench.Try("operator.unlock", kPin);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  EXPECT_FALSE(bench.pages.Picture(session, 0));
  bench.Do("operator.close");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
}

TEST(ClerkConsoleTest, WritesTheDeskThatThePageReads) {
  PageControllerFixture bench(Mode::kBranch);
  bench.pages.SetOnline(false);
  bench.queue.summary = Summary(CallState::kDone, Verdict::kVerified);
  bench.queue.overview = {{Summary(CallState::kUnknown)}, 3, 15000};
  bench.Do("ask", kAskNin);
  const SecretBytes json = ToJson(bench.view(), 5, bench.settings);
  const auto document = JsonDocument::Parse(json.text());
  ASSERT_TRUE(document) << json.text();
  const JsonView desk = document->root()["desk"];
  EXPECT_EQ(document->root()["mode"].AsString(), "branch");
  EXPECT_EQ(document->root().At("/reasons/1/code").AsString(), "KYC");
  EXPECT_EQ(desk.At("/queue/0/state").AsString(), "unknown");
  EXPECT_EQ(desk.At("/today/spend").AsString(), "150.00");
  EXPECT_EQ(desk["network"].AsString(), "down");
  EXPECT_EQ(desk.At("/answer/fields/0/value").AsString(), "Amina Sample");
  EXPECT_TRUE(desk["problem"].IsNull());
}

}  // namespace
}  // namespace idkiosk
