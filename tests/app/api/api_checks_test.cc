#include <gmock/gmock.h>

#include "tests/app/api/api_bench.h"

// Checks that are there: shown, listed and decided about.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class ApiChecksTest : public ApiBench {
 protected:
  CallReference Kept(int number) {
    return OnStorage([&] { return Accept(LookupCall(number)); });
  }
  CallReference Answered(int number) {
    ServeAnswers(200);
    const CallReference reference = Kept(number);
    OnStorage([&] {
      StepUntilIdle();
      return 0;
    });
    return reference;
  }
  void ServeAnswers(int status) { QueueBench::Serve(status); }
  CallReference Unknown(int number) {
    ServeLogins([](const auto&) {
      FakeHttpClient::Reply lost;
      lost.how = FakeHttpClient::Reply::How::kDrop;
      return lost;
    });
    const CallReference reference = Kept(number);
    OnStorage([&] {
      StepUntilIdle();
      return 0;
    });
    return reference;
  }
  std::string Path(const CallReference& reference, const std::string& behind = "") {
    return fmt::format("/v1/checks/{}{}", reference, behind);
  }
};

TEST_F(ApiChecksTest, ShowsHowACheckStandsAndWhatItCost) {
  ApiBench::Serve();
  const auto reference = Answered(1);
  const std::string answer = Get(Path(reference));
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_EQ(TextAt(answer, "/state"), "done");
  EXPECT_EQ(TextAt(answer, "/verdict"), "verified");
  EXPECT_EQ(TextAt(answer, "/tries/0/billed"), "yes");
  EXPECT_THAT(TextAt(answer, "/cost/price"), Not(HasSubstr("0.00 NGN "))) << answer;
  EXPECT_THAT(answer, Not(HasSubstr("00000000001")));
}

// A bank's program shows it as it comes, and knows none of the service's codes.
TEST_F(ApiChecksTest, SaysWhatAnEndMeans) {
  ApiBench::Serve();
  const auto verified = Answered(1);
  ServeAnswers(400);
  const auto refused = Kept(2);
  OnStorage([&] {
    StepUntilIdle();
    return 0;
  });
  const auto unknown = Unknown(3);
  const auto cancelled = Kept(4);
  EXPECT_EQ(StatusOf(Post(Path(cancelled, ":cancel"))), 200);
  const auto means = [&](const CallReference& reference) {
    return TextAt(Get(Path(reference)), "/means");
  };
  EXPECT_EQ(means(verified), ClerkSentence(OutcomeKind::kVerified));
  EXPECT_EQ(means(refused), ClerkSentence(OutcomeKind::kRejected));
  EXPECT_EQ(means(unknown), ClerkSentence(OutcomeKind::kLost));
  EXPECT_THAT(means(cancelled), HasSubstr("Ended by a person"));
  EXPECT_EQ(StatusOf(Post(Path(unknown, ":give-up"))), 200);
  EXPECT_THAT(means(unknown), HasSubstr("Given up by a person"));
  EXPECT_EQ(TextAt(Get("/v1/checks?state=done&limit=1"), "/checks/0/means"), means(unknown));
}

TEST_F(ApiChecksTest, ListsPageByPageWithoutLeavingAnyOut) {
  ApiBench::Serve();
  std::vector<std::string> all;
  for (int i = 1; i <= 5; ++i) all.insert(all.begin(), Kept(i));
  std::vector<std::string> seen;
  std::string next;
  int pages = 0;
  do {
    const std::string page = Get("/v1/checks?limit=2" + (next.empty() ? "" : "&page=" + next));
    ASSERT_EQ(StatusOf(page), 200);
    const JsonDocument document = JsonOf(page);
    for (const JsonView each : document.root()["checks"].children()) {
      seen.emplace_back(*each["reference"].AsString());
    }
    next = document.root()["next"].AsString().value_or("");
    ++pages;
  } while (!next.empty());
  EXPECT_EQ(seen, all);
  EXPECT_EQ(pages, 3);
}

TEST_F(ApiChecksTest, ListsByStateAndTime) {
  ApiBench::Serve();
  const auto done = Answered(1);
  const auto unknown = Unknown(2);
  EXPECT_THAT(TextAt(Get("/v1/checks?state=done"), "/checks/0/reference"), done);
  EXPECT_THAT(TextAt(Get("/v1/checks?state=unknown"), "/checks/0/reference"), unknown);
  const std::string later = FormatRfc3339(clock.WallNow() + std::chrono::hours(1));
  EXPECT_EQ(BodyOf(Get("/v1/checks?since=" + later)), R"({"checks":[]})");
  EXPECT_EQ(StatusOf(Get("/v1/checks?since=yesterday")), 400);
  EXPECT_EQ(StatusOf(Get("/v1/checks?state=lost")), 400);
}

// By the word that each check says itself.
TEST_F(ApiChecksTest, ListsThoseThatAreHeld) {
  ApiBench::Serve();
  QueueBench::Serve(403, "{}");
  const auto first = Kept(1);
  const auto second = Kept(2);
  OnStorage([&] {
    StepUntilIdle();
    VerificationCall other = LookupCall(3);
    other.endpoint = Endpoint::kLookupPhone;
    other.phone = SecretBytes::CopyOf("08012345678");
    return Accept(other);
  });
  const std::string page = Get("/v1/checks?state=held&limit=1");
  EXPECT_EQ(TextAt(page, "/checks/0/reference"), second);
  EXPECT_EQ(TextAt(page, "/checks/0/state"), "held");
  const std::string last = Get("/v1/checks?state=held&page=" + TextAt(page, "/next"));
  EXPECT_EQ(TextAt(last, "/checks/0/reference"), first);
  EXPECT_EQ(TextAt(last, "/checks/1/reference"), "(no text)");
}

TEST_F(ApiChecksTest, SaysWhereNoCheckIs) {
  ApiBench::Serve();
  for (const char* path : {"/v1/checks/ZZZZZZ", "/v1/checks/kd7q2m", "/v1/checks/KD7Q2M",
                           "/v1/checks/KD7Q2M/answer"}) {
    const std::string answer = Get(path);
    EXPECT_EQ(ProblemIn(answer), "not-found") << path;
  }
  EXPECT_EQ(ProblemIn(Post("/v1/checks/KD7Q2M:cancel")), "not-found");
  EXPECT_THAT(audit_.entries, SizeIs(0));
}

TEST_F(ApiChecksTest, OpensAnAnswerForWhoeverAsksAndSaysSoInTheTrail) {
  ApiBench::Serve();
  const auto reference = Answered(1);
  const std::string answer = Get(Path(reference, "/answer"));
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_EQ(JsonOf(answer).root()["answer"].Print(),
            JsonDocument::Parse(kVerifiedAnswer)->root().Print());
  EXPECT_THAT(audit_.entries, ElementsAre(HasSubstr(fmt::format("answer.opened {}, by api, uid {}",
                                                                reference, geteuid()))));
  const auto waits = Unknown(2);
  EXPECT_EQ(ProblemIn(Get(Path(waits, "/answer"))), "not-found");
  EXPECT_THAT(audit_.entries, SizeIs(1));
}

TEST_F(ApiChecksTest, GivesNoAnswerThatTheTrailCannotTellOf) {
  ApiBench::Serve();
  const auto reference = Answered(1);
  audit_.broken = Error{ErrorCode::kUnavailable, "the disk is away"};
  const std::string answer = Get(Path(reference, "/answer"));
  EXPECT_EQ(StatusOf(answer), 503);
  EXPECT_THAT(answer, Not(HasSubstr("\"answer\"")));
}

TEST_F(ApiChecksTest, SendsAgainOnlyForThePriceThatWasConfirmed) {
  ApiBench::Serve();
  const auto reference = Unknown(1);
  const int before = OnStorage([&] { return posts(); });
  const std::string price = TextAt(Get(Path(reference)), "/confirm_price");
  for (const std::string& body :
       {std::string(), std::string("{}"), std::string(R"({"confirm_price":"1.00 NGN"})")}) {
    const std::string refused = Post(Path(reference, ":resend"), body);
    EXPECT_EQ(StatusOf(refused), 409) << body;
    EXPECT_EQ(ProblemIn(refused), "price-differs");
    EXPECT_EQ(TextAt(refused, "/price"), price);
  }
  for (const char* body : {"[]", R"({"confirm_price":50})", R"({"confirm_price":"1","yes":true})",
                           R"({"confirm_price":"1","attempts":"1"})"}) {
    EXPECT_EQ(ProblemIn(Post(Path(reference, ":resend"), body)), "bad-request") << body;
  }
  const auto yes = [&](std::string_view attempts) {
    return Post(Path(reference, ":resend"),
                fmt::format(R"({{"confirm_price":"{}"{}}})", price, attempts));
  };
  for (const char* attempts : {"", R"(,"attempts":0)", R"(,"attempts":2)"}) {
    EXPECT_EQ(ProblemIn(yes(attempts)), "attempts-differ") << attempts;
  }
  EXPECT_THAT(audit_.entries, SizeIs(0));
  EXPECT_EQ(woken_, 0);

  const std::string sent = yes(R"(,"attempts":1)");
  EXPECT_EQ(StatusOf(sent), 200);
  EXPECT_EQ(TextAt(sent, "/state"), "pending");
  EXPECT_EQ(woken_, 1);
  EXPECT_THAT(audit_.entries, ElementsAre(HasSubstr("call.sent_again " + reference)));
  // The answer to that yes was lost: it is said again before the check is sent, and after.
  EXPECT_EQ(StatusOf(yes(R"(,"attempts":1)")), 200);
  ServeAnswers(500);
  OnStorage([&] {
    StepUntilIdle();
    return 0;
  });
  EXPECT_EQ(TextAt(Get(Path(reference)), "/state"), "unknown");
  EXPECT_EQ(ProblemIn(yes(R"(,"attempts":1)")), "attempts-differ");
  EXPECT_EQ(OnStorage([&] { return posts(); }), before + 1);
}

// Nobody confirms a price for what cannot be sent.
TEST_F(ApiChecksTest, OfACheckThatIsDoneItIsSaidFirstThatItCannotBeSentAgain) {
  ApiBench::Serve();
  const auto reference = Answered(1);
  for (const char* body : {"", R"({"confirm_price":"1.00 NGN","attempts":7})"}) {
    const std::string refused = Post(Path(reference, ":resend"), body);
    EXPECT_EQ(StatusOf(refused), 409) << body;
    EXPECT_EQ(ProblemIn(refused), "not-possible") << body;
  }
  EXPECT_EQ(woken_, 0);
}

TEST_F(ApiChecksTest, GivesUpWhatIsUnknownAndCancelsWhatWasNotSent) {
  ApiBench::Serve();
  const auto unknown = Unknown(1);
  const std::string health = Get("/v1/health");
  EXPECT_THAT(health, HasSubstr("1 unknown"));
  EXPECT_THAT(health, Not(HasSubstr(R"("part":"queue","state":"bad")")))
      << "one that waits for a person keeps nobody from asking";
  EXPECT_EQ(ProblemIn(Post(Path(unknown, ":cancel"))), "not-possible");
  const std::string given_up = Post(Path(unknown, ":give-up"), "{}");
  EXPECT_EQ(TextAt(given_up, "/verdict"), "given_up");
  const auto waits = Kept(2);
  EXPECT_EQ(ProblemIn(Post(Path(waits, ":give-up"))), "not-possible");
  EXPECT_EQ(TextAt(Post(Path(waits, ":cancel")), "/state"), "cancelled");
  EXPECT_EQ(ProblemIn(Post(Path(waits, ":cancel"), R"({"sure":true})")), "bad-request");
}

TEST_F(ApiChecksTest, ListsHoldsAndLiftsThem) {
  ApiBench::Serve();
  ServeAnswers(403);
  (void)Kept(1);
  OnStorage([&] {
    StepUntilIdle();
    return 0;
  });
  const std::string holds = Get("/v1/holds");
  EXPECT_EQ(TextAt(holds, "/holds/0/id"), "lookup_nin:access") << holds;
  EXPECT_EQ(ProblemIn(Post("/v1/holds/lookup_nin:breaker:lift")), "not-found");
  const std::string lifted = Post("/v1/holds/lookup_nin:access:lift");
  EXPECT_EQ(BodyOf(lifted), R"({"lifted":"lookup_nin:access"})");
  EXPECT_EQ(woken_, 1);
  EXPECT_THAT(audit_.entries, ElementsAre(HasSubstr("hold.lifted lookup_nin:access, by api, uid")));
  EXPECT_EQ(BodyOf(Get("/v1/holds")), R"({"holds":[]})");
}

TEST_F(ApiChecksTest, GivesTheLedgerOfAMonth) {
  ApiBench::Serve();
  const auto reference = Answered(1);
  const std::string month = FormatRfc3339(clock.WallNow()).substr(0, 7);
  const std::string lines = Get("/v1/ledger?month=" + month);
  EXPECT_THAT(lines, HasSubstr("Content-Type: application/jsonl"));
  EXPECT_THAT(BodyOf(lines), HasSubstr(reference));
  const std::string csv = Get("/v1/ledger?format=csv&month=" + month);
  EXPECT_THAT(BodyOf(csv), HasSubstr("started_at,reference,attempt,endpoint"));
  EXPECT_THAT(BodyOf(csv), HasSubstr("," + reference + ",1,lookup_nin,"));
  EXPECT_EQ(BodyOf(Get("/v1/ledger?month=1999-01")), "");
  for (const char* query : {"", "?month=", "?month=2026-13", "?month=2026-11&format=xls"}) {
    EXPECT_EQ(StatusOf(Get(fmt::format("/v1/ledger{}", query))), 400) << query;
  }
}

}  // namespace
}  // namespace idkiosk
