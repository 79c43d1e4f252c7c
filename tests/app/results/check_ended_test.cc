#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/api/openapi_text.h"
#include "app/queue/call_meaning.h"
#include "tests/app/api/schema_check.h"
#include "tests/app/results/outbox_bench.h"

// What is handed over is what the local API's document says, in its section of webhooks.
namespace idkiosk {
namespace {

class CheckEndedTest : public OutboxBench, public testing::Test {
 protected:
  // What is wrong with the newest message; empty: nothing.
  std::string MisfitOfNewest() {
    HandOverAll();
    const auto message = JsonDocument::Parse(receiver.taken.back().body);
    EXPECT_TRUE(message) << receiver.taken.back().body;
    const JsonView schema = document_.root().At(
        "/webhooks/check.ended/post/requestBody/content/application~1json/schema");
    EXPECT_TRUE(schema.exists());
    return Misfit(message->root(), schema, document_.root());
  }

  const JsonDocument document_ = std::move(*JsonDocument::Parse(OpenApiText()));
};

TEST_F(CheckEndedTest, EachEndFitsTheDocument) {
  (void)Verified(1);
  EXPECT_EQ(MisfitOfNewest(), "");
  results.include = {"nin", "answer"};
  (void)Verified(2);
  EXPECT_EQ(MisfitOfNewest(), "");
  Serve(200, "no JSON at all");
  const auto unreadable = Accept(LookupCall(3));
  Step();
  ASSERT_TRUE(queue->GiveUp(unreadable));
  EXPECT_EQ(MisfitOfNewest(), "");
  const auto cancelled = Accept(LookupCall(4));
  ASSERT_TRUE(queue->Cancel(cancelled));
  EXPECT_EQ(MisfitOfNewest(), "");
  EXPECT_THAT(receiver.taken.back().body, testing::HasSubstr(R"("state":"cancelled")"));
  EXPECT_EQ(receiver.taken.size(), 4u);
}

TEST_F(CheckEndedTest, SaysWhatTheEndMeansInThePlainWordsOfTheCheck) {
  const auto told = [this] {
    EXPECT_EQ(MisfitOfNewest(), "");
    const auto message = JsonDocument::Parse(receiver.taken.back().body);
    return std::string(message->root().At("/data/means").AsString().value_or("(nothing)"));
  };
  (void)Verified(1);
  EXPECT_EQ(told(), ClerkSentence(OutcomeKind::kVerified));
  Serve(400);
  const auto refused = Accept(LookupCall(2));
  StepUntilIdle();
  EXPECT_EQ(told(), ClerkSentence(OutcomeKind::kRejected));
  EXPECT_EQ(told(), MeaningOf(*queue->Show(refused)));
  Serve(200, "no JSON at all");
  const auto given_up = Accept(LookupCall(3));
  Step();
  ASSERT_TRUE(queue->GiveUp(given_up));
  EXPECT_EQ(told(), MeaningOf(*queue->Show(given_up)));
  ASSERT_TRUE(queue->Settle(given_up, 1, Settlement::kNotReceived));
  const auto since = told();
  EXPECT_EQ(since, MeaningOf(*queue->Show(given_up)));
  EXPECT_THAT(since, testing::HasSubstr("was not billed"));
}

// Rejected in doubt and sent again before the receiver was told of the first.
TEST_F(CheckEndedTest, AnEndBringsNoAnswerOfAnotherAttempt) {
  results.include = {"answer"};
  Serve(413, "{}");
  const auto call = Accept(FacialCall());
  RunFor(std::chrono::minutes(10));
  const CallSummary rejected = *queue->Show(call);
  ASSERT_EQ(rejected.verdict, Verdict::kRejected);
  ASSERT_TRUE(rejected.has_payload);
  Serve(200);
  ASSERT_TRUE(queue->Retry(call, rejected.attempts));
  RunFor(std::chrono::minutes(1));
  ASSERT_EQ(queue->Show(call)->verdict, Verdict::kVerified);
  HandOverAll();
  ASSERT_EQ(receiver.taken.size(), 2u);
  EXPECT_THAT(receiver.taken[0].body, testing::Not(testing::HasSubstr(R"("answer":)")));
  EXPECT_THAT(receiver.taken[1].body, testing::HasSubstr(R"("answer":)"));
}

TEST_F(CheckEndedTest, TheCaseIsToldAlsoOfACallThatOnlyTheLedgerKnows) {
  receiver.good = false;
  DurableQueue::AcceptOptions of_case;
  of_case.case_id = "B-17";
  const auto accepted = queue->Accept(LookupCall(1), of_case);
  ASSERT_TRUE(accepted);
  StepUntilIdle();
  clock.Advance(std::chrono::days(400));
  ASSERT_TRUE(queue->Expire());
  ASSERT_FALSE(queue->Show(*accepted)) << "its row is kept no longer";
  receiver.good = true;
  EXPECT_EQ(MisfitOfNewest(), "");
  EXPECT_THAT(receiver.taken.back().body, testing::HasSubstr(R"("case":"B-17")"));
}

// The call's own members are the check's, under the same names.
TEST_F(CheckEndedTest, ItsMembersHaveTheNamesOfACheck) {
  const JsonView check = document_.root().At("/components/schemas/CheckDetails/properties");
  const JsonView data = document_.root().At("/components/schemas/CheckEnded/properties/data");
  for (const JsonView each : data["properties"].children()) {
    const bool own = each.key() == "service_reference" || each.key() == "nin" ||
                     each.key() == "answer" || each.key() == "unreadable_base64";
    EXPECT_TRUE(own || check[each.key()].exists()) << each.key();
  }
}

TEST_F(CheckEndedTest, TheDocumentNamesTheHeadersOfTheSignature) {
  std::vector<std::string> names;
  for (const JsonView each :
       document_.root().At("/webhooks/check.ended/post/parameters").children()) {
    EXPECT_EQ(each["in"].AsString(), "header");
    names.emplace_back(*each["name"].AsString());
  }
  EXPECT_THAT(names, testing::ElementsAre("webhook-id", "webhook-timestamp", "webhook-signature"));
}

}  // namespace
}  // namespace idkiosk
