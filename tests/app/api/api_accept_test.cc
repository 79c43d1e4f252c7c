#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "platform/base/bytes.h"
#include "tests/app/api/api_bench.h"

// Another program asks about a person.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr const char* kLookup =
    R"({"endpoint":"lookup_nin","nin":"00000000001","reason":"ACCOUNT_OPENING"})";
constexpr const char* kOther =
    R"({"endpoint":"lookup_nin","nin":"00000000002","reason":"ACCOUNT_OPENING"})";

std::string Key(std::string_view key) { return fmt::format("Idempotency-Key: {}\r\n", key); }

class ApiAcceptTest : public ApiBench {
 protected:
  std::string Accepted(const std::string& body, const std::string& more = "") {
    const std::string answer = Post("/v1/checks", body, more);
    EXPECT_EQ(StatusOf(answer), 202) << answer;
    return TextAt(answer, "/reference");
  }
  size_t Calls() {
    return OnStorage([&] { return queue->List(false)->size(); });
  }
  void Deliver() {
    OnStorage([&] {
      StepUntilIdle();
      return 0;
    });
  }
  int Billed() {
    return OnStorage([&] { return posts(); });
  }
};

TEST_F(ApiAcceptTest, KeepsACheckAndWakesTheDelivery) {
  Serve();
  const std::string answer = Post(
      "/v1/checks",
      R"({"endpoint":"lookup_nin","nin":"0000 000 0001","reason":"ACCOUNT_OPENING","case":"B-17","operator":"anna"})");
  ASSERT_EQ(StatusOf(answer), 202) << answer;
  const std::string reference = TextAt(answer, "/reference");
  EXPECT_THAT(answer, HasSubstr("Location: /v1/checks/" + reference));
  EXPECT_EQ(woken_, 1);
  EXPECT_THAT(
      audit_.entries,
      ElementsAre(HasSubstr(fmt::format("call.asked {}, by api, uid {}", reference, geteuid()))));
  const std::string shown = Get("/v1/checks/" + reference);
  EXPECT_EQ(TextAt(shown, "/case"), "B-17");
  EXPECT_EQ(TextAt(shown, "/operator"), "anna");
  QueueBench::Serve(200);
  Deliver();
  EXPECT_EQ(TextAt(Get("/v1/checks/" + reference), "/verdict"), "verified");
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ApiAcceptTest, RefusesWhatTheServiceWouldBillAsABadRequest) {
  Serve();
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"endpoint":"lookup_nin","nin":"123","reason":"ACCOUNT_OPENING"})", "invalid-question"},
      {R"({"endpoint":"lookup_nin","nin":"00000000001","reason":"FUN"})", "invalid-question"},
      {R"({"endpoint":"lookup_nin","nin":"00000000001"})", "invalid-question"},
      {R"({"endpoint":"lookup_phone","phone":"12"})", "invalid-question"},
      {R"({"endpoint":"check","id_number":"00000000001","type":"shoe"})", "invalid-question"},
      {R"({"endpoint":"lookup_nin","nin":11111111111,"reason":"ACCOUNT_OPENING"})", "bad-request"},
      {R"({"endpoint":"lookup_nin","phone":"08031234567","reason":"ACCOUNT_OPENING"})",
       "bad-request"},
      {R"({"endpoint":"lookup_nin","nin":"00000000001","reason":"ACCOUNT_OPENING","x":1})",
       "bad-request"},
      {R"({"endpoint":"login"})", "bad-request"},
      {R"({"endpoint":"nothing"})", "bad-request"},
      {R"({})", "bad-request"},
      {R"({"endpoint":"check","id_number":"00000000001","case":"08031234567"})", "bad-request"},
      {R"({"endpoint":"check","id_number":"00000000001","operator":"a b"})", "bad-request"},
      {R"({"endpoint":"check","id_number":"00000000001","ask_again":"yes"})", "bad-request"},
  };
  for (const auto& [body, problem] : wrong) {
    const std::string answer = Post("/v1/checks", body);
    EXPECT_EQ(ProblemIn(answer), problem) << body << answer;
    for (const char* number : {"00000000001", "11111111111", "08031234567"}) {
      EXPECT_THAT(answer, Not(HasSubstr(number))) << "a number is repeated";
    }
  }
  EXPECT_THAT(Post("/v1/checks", R"({"endpoint":"lookup_nin","nin":"00000000001"})"),
              HasSubstr("lookup_nin takes reason, a text: one of the codes of /v1/reasons"));
  EXPECT_EQ(Calls(), 0U);
  EXPECT_THAT(audit_.entries, SizeIs(0));
}

// --- The one intake ---

TEST_F(ApiAcceptTest, PointsOutWhatWasAskedBeforeAndAsksAgainOnlyForAYes) {
  Serve();
  const std::string first = Accepted(kLookup);
  const std::string again = Post("/v1/checks", kLookup);
  EXPECT_EQ(ProblemIn(again), "asked-before");
  EXPECT_EQ(TextAt(again, "/reference"), first);
  EXPECT_EQ(Calls(), 1U);
  (void)Accepted(
      R"({"endpoint":"lookup_nin","nin":"00000000001","reason":"ACCOUNT_OPENING","ask_again":true})");
  EXPECT_EQ(Calls(), 2U);
}

TEST_F(ApiAcceptTest, TakesNothingInWhileItIsHeldFullOrTooDear) {
  options.billing.calls_per_hour = 1;
  Reboot();
  QueueBench::Serve(200);
  (void)Accepted(kLookup);
  Deliver();
  const std::string capped = Post("/v1/checks", kOther);
  EXPECT_EQ(ProblemIn(capped), "spend-cap");
  EXPECT_NE(TextAt(capped, "/until"), "(no text)");
  OnStorage([&] {
    files.set_capacity(0);
    disk.set_capacity(0);
    return 0;
  });
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kOther)), "no-room");
}

TEST_F(ApiAcceptTest, TakesNothingInForAnEndpointThatIsHeld) {
  Serve();
  QueueBench::Serve(403, "{}");
  (void)Accepted(kLookup);
  Deliver();
  const std::string held = Post("/v1/checks", kOther);
  EXPECT_EQ(StatusOf(held), 503);
  EXPECT_EQ(ProblemIn(held), "held");
  EXPECT_EQ(TextAt(held, "/hold"), "lookup_nin:access");
  EXPECT_EQ(Calls(), 1U);
}

TEST_F(ApiAcceptTest, KeepsNothingThatTheTrailCannotTellOf) {
  Serve();
  audit_.broken = Error{ErrorCode::kUnavailable, "the disk is away"};
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kLookup, Key("k1"))), "unavailable");
  EXPECT_EQ(Calls(), 0U);
}

// What the system does not let the kiosk do is no fault of the program that asks.
TEST_F(ApiAcceptTest, ATrailThatMayNotBeWrittenIsNoRefusal) {
  Serve();
  audit_.broken = Error{ErrorCode::kForbidden, "read-only"};
  const std::string refused = Post("/v1/checks", kLookup);
  EXPECT_EQ(StatusOf(refused), 503) << refused;
  EXPECT_EQ(ProblemIn(refused), "unavailable");
  EXPECT_THAT(refused, HasSubstr("Retry-After: 5\r\n"));
  EXPECT_EQ(Calls(), 0U);
}

// --- Idempotency-Key ---

TEST_F(ApiAcceptTest, TheSameKeyAndBodyMakeOneCheck) {
  Serve();
  const std::string first = Accepted(kLookup, Key("k1"));
  const std::string second = Post("/v1/checks", kLookup, Key("k1"));
  EXPECT_EQ(StatusOf(second), 202);
  EXPECT_EQ(TextAt(second, "/reference"), first);
  EXPECT_THAT(second, HasSubstr("Idempotency-Replayed: true"));
  EXPECT_EQ(Calls(), 1U);
  EXPECT_THAT(audit_.entries, SizeIs(1));
}

TEST_F(ApiAcceptTest, TheSameKeyWithAnotherBodyIsRefused) {
  Serve();
  (void)Accepted(kLookup, Key("k1"));
  const std::string answer = Post("/v1/checks", kOther, Key("k1"));
  EXPECT_EQ(StatusOf(answer), 422);
  EXPECT_EQ(ProblemIn(answer), "key-reused");
  EXPECT_EQ(Calls(), 1U);
}

TEST_F(ApiAcceptTest, TheSameKeyWithAnotherBodyIsRefusedOnceItIsAnswered) {
  Serve();
  QueueBench::Serve(200);
  OnStorage([&] { return queue->Expire().has_value(); });
  const std::string first = Accepted(kLookup, Key("k1"));
  Deliver();
  EXPECT_EQ(Accepted(kLookup, Key("k1")), first);
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kOther, Key("k1"))), "key-reused");
}

TEST_F(ApiAcceptTest, AKeyIsNotTheBeginningOfAnother) {
  Serve();
  const std::string first = Accepted(kLookup, Key("k1"));
  EXPECT_NE(Accepted(kOther, Key("k11")), first);
  EXPECT_EQ(Calls(), 2U);
}

// httplib would take "%6b" for a "k": see tools/cmake/Dependencies.cmake.
TEST_F(ApiAcceptTest, KeysOfDifferentBytesAreTwo) {
  Serve();
  const std::string first = Accepted(kLookup, Key("k1"));
  EXPECT_NE(Accepted(kOther, Key("%6b1")), first);
  EXPECT_EQ(Accepted(kLookup, Key("k1")), first);
  EXPECT_EQ(Calls(), 2U);
}

TEST_F(ApiAcceptTest, AKeyIsKnownAfterANewStart) {
  Serve();
  const std::string first = Accepted(kLookup, Key("k1"));
  Reboot();
  EXPECT_EQ(Accepted(kLookup, Key("k1")), first);
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kOther, Key("k1"))), "key-reused");
  EXPECT_EQ(Calls(), 1U);
}

TEST_F(ApiAcceptTest, AKeyIsKnownWhenTheCheckCameBackFromItsCopy) {
  Serve();
  const std::string first = Accepted(kLookup, Key("k1"));
  // SQLite's log is not what survives a power cut.
  OnStorage([&] {
    auto database = SqliteDatabase::Open("/state/queue.db", disk.name());
    return (*database)->Execute("DELETE FROM call; DELETE FROM chunk");
  });
  Reboot();
  EXPECT_EQ(Accepted(kLookup, Key("k1")), first);
  EXPECT_EQ(Calls(), 1U);
}

TEST_F(ApiAcceptTest, AKeyIsKnownForADayAfterTheEndWhateverElseIsErasedAtOnce) {
  options.queue.retention = Duration();
  options.billing.duplicate_window = Duration();
  Reboot();
  QueueBench::Serve(200);
  const std::string first = Accepted(kLookup, Key("k1"));
  Deliver();
  EXPECT_EQ(Billed(), 1);
  OnStorage([&] {
    clock.Advance(std::chrono::hours(23));
    return queue->Expire().has_value();
  });
  EXPECT_EQ(Accepted(kLookup, Key("k1")), first);
  Deliver();
  EXPECT_EQ(Billed(), 1);
}

TEST_F(ApiAcceptTest, ManyAtOnceWithOneKeyMakeOneCheck) {
  Serve();
  std::vector<std::string> references(16);
  {
    std::vector<std::jthread> programs;
    for (std::string& each : references) {
      programs.emplace_back([&each, this] {
        std::string answer;
        // Large requests are few at once: whoever was too many comes again.
        do {
          answer = Post("/v1/checks", kLookup, Key("k1"));
        } while (StatusOf(answer) == 503);
        each = TextAt(answer, "/reference");
      });
    }
  }
  EXPECT_THAT(std::set<std::string>(references.begin(), references.end()), SizeIs(1));
  EXPECT_EQ(Calls(), 1U);
}

// --- Pictures ---

TEST_F(ApiAcceptTest, TakesFivePicturesThatWereTakenElsewhere) {
  Serve();
  const std::string reference = Accepted(WithPictures(5));
  EXPECT_EQ(TextAt(Get("/v1/checks/" + reference), "/pictures"), "elsewhere");
}

// A program may say that they are worth less than it need say, never that they are worth more.
TEST_F(ApiAcceptTest, PicturesOfTheDrawnSitterAreOnRecordAsDrawn) {
  Serve();
  const auto with = [&](std::string_view means) {
    std::string body = WithPictures(5);
    body.insert(1, fmt::format(R"("pictures_are":"{}",)", means));
    return body;
  };
  const std::string reference = Accepted(with("drawn"));
  EXPECT_EQ(TextAt(Get("/v1/checks/" + reference), "/pictures"), "drawn");
  for (const char* means : {"live", "recorded", "elsewhere", ""}) {
    EXPECT_EQ(ProblemIn(Post("/v1/checks", with(means))), "bad-request") << means;
  }
}

// As curl sends a body of more than a megabyte.
TEST_F(ApiAcceptTest, ALargeBodyMayWaitToBeAskedFor) {
  Serve();
  RawClient program(socket());
  const std::string body = WithPictures(5);
  program.Send(
      fmt::format("POST /v1/checks HTTP/1.1\r\nHost: local\r\nConnection: close\r\n"
                  "Content-Type: application/json\r\nContent-Length: {}\r\n"
                  "Expect: 100-continue\r\n\r\n",
                  body.size() + 17000));
  EXPECT_THAT(program.ReadUntil("\r\n\r\n"), HasSubstr("HTTP/1.1 100 Continue"));
  program.Send(body + std::string(17000, ' '));
  EXPECT_EQ(StatusOf(program.ReadAll()), 202);
}

TEST_F(ApiAcceptTest, RefusesPicturesThatAreMissingUnreadableOrUnfit) {
  Serve();
  for (
      const std::string& body :
      {WithPictures(0), WithPictures(4), WithPictures(6),
       std::string(R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING"})"),
       std::string(
           R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING","pictures":["?","?","?","?","?"]})"),
       std::string(
           R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING","pictures":"webcam"})")}) {
    EXPECT_EQ(ProblemIn(Post("/v1/checks", body)), "pictures-refused") << body.substr(0, 120);
  }
  gate_refuses_ = "no face";
  const std::string unfit = Post("/v1/checks", WithPictures(5));
  EXPECT_EQ(ProblemIn(unfit), "pictures-refused");
  EXPECT_EQ(
      TextAt(unfit, "/engineer"),
      "liveness-2: no face. pictures[0] is the selfie, pictures[1] to [4] are liveness-1 to -4");
  EXPECT_EQ(Calls(), 0U);
}

TEST_F(ApiAcceptTest, NamesTheMemberThatIsWrongAndItsMend) {
  Serve();
  for (const auto& [body, says] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "the body: no JSON: the text is empty"},
           {"{'endpoint':1}", "the body: not JSON at line 1, column 2"},
           {R"({"endpoint":7})", "endpoint must be one of verify, check, lookup_phone, lookup_nin"},
           {R"({"endpoint":"lookup_nin","reason":"A"})", "lookup_nin needs nin, a text"},
           {R"({"endpoint":"lookup_nin","nin":70000000001})", "nin must be a text: write it in"},
           {R"({"endpoint":"lookup_nin","nin":"1","nin":"2"})", "has a member 'nin' twice: leave"},
           {R"({"endpoint":"lookup_nin","consent":{"version":"1","version":"1"}})",
            "has a member 'version' twice"},
           {R"({"endpoint":"lookup_nin","nin":"1","reason":"A","case":null})",
            "case must be a text, in quotes; leave it out where there is none"},
           {R"({"endpoint":"lookup_nin","nin":"1","reason":"A","ask_again":"true"})",
            "ask_again must be true or false, without quotes"},
           {R"({"endpoint":"lookup_nin","nin":"1","reason":null})",
            "reason must be a text of 1 to 64 bytes, in quotes"},
           {R"({"endpoint":"lookup_nin","nin":"１２","reason":"ACCOUNT_OPENING"})",
            "this one has 2 characters, not all of them digits from 0 to 9"}}) {
    EXPECT_THAT(TextAt(Post("/v1/checks", body), "/engineer"), HasSubstr(says)) << body;
  }
  EXPECT_EQ(Calls(), 0U);
}

// What is no name may be a number of a person, put where it does not belong.
TEST_F(ApiAcceptTest, NamesAMemberThatItDoesNotTakeAndRepeatsNothingElse) {
  Serve();
  const auto engineer = [this](std::string_view member) {
    return TextAt(
        Post(
            "/v1/checks",
            fmt::format(
                R"({{"endpoint":"lookup_nin","nin":"70000000001","reason":"ACCOUNT_OPENING","{}":1}})",
                member)),
        "/engineer");
  };
  EXPECT_THAT(engineer("askAgain"), HasSubstr("a member 'askAgain' that lookup_nin does not take"));
  EXPECT_THAT(engineer("70000000002"),
              HasSubstr("a member that lookup_nin does not take; it takes endpoint, nin, reason, "
                        "case, operator, consent, ask_again"));
  EXPECT_EQ(Calls(), 0U);
}

TEST_F(ApiAcceptTest, RefusesPicturesFromElsewhereWhereTheConfigurationDoes) {
  kiosk_.capture.allow_recorded = false;
  Serve();
  const std::string answer = Post("/v1/checks", WithPictures(5));
  EXPECT_EQ(StatusOf(answer), 403);
  EXPECT_EQ(ProblemIn(answer), "not-allowed-here");
  EXPECT_THAT(TextAt(answer, "/engineer"), HasSubstr("capture.allow_recorded"));
}

}  // namespace
}  // namespace idkiosk
