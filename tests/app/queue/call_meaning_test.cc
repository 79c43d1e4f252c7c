#include "app/queue/call_meaning.h"

#include <gmock/gmock.h>

#include <set>

#include "app/service/outcome.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr Verdict kVerdicts[] = {Verdict::kNone, Verdict::kVerified, Verdict::kNotVerified,
                                 Verdict::kRejected, Verdict::kGivenUp};

std::vector<std::optional<OutcomeKind>> EachOutcome() {
  std::vector<std::optional<OutcomeKind>> kinds = {std::nullopt};
  for (int kind = 0; kind <= static_cast<int>(OutcomeKind::kNotApproved); ++kind) {
    kinds.emplace_back(static_cast<OutcomeKind>(kind));
  }
  return kinds;
}

std::string Meaning(CallState state, Verdict verdict, std::optional<OutcomeKind> last_outcome) {
  CallSummary call;
  call.state = state;
  call.verdict = verdict;
  call.last_outcome = last_outcome;
  return std::string(MeaningOf(call));
}

TEST(CallMeaningTest, EveryStateHasWholeSentences) {
  for (const CallStateTraits& state : kCallStates) {
    for (const Verdict verdict : kVerdicts) {
      for (const auto& kind : EachOutcome()) {
        EXPECT_THAT(Meaning(state.state, verdict, kind), ContainsRegex("^[A-Z].*[.]$"))
            << state.name;
      }
    }
  }
}

TEST(CallMeaningTest, WhatIsOverPromisesNothing) {
  for (const CallStateTraits& state : kCallStates) {
    if (!HasEnded(state.state)) continue;
    for (const Verdict verdict : kVerdicts) {
      for (const auto& kind : EachOutcome()) {
        EXPECT_THAT(Meaning(state.state, verdict, kind), Not(ContainsRegex("is kept|by itself")))
            << state.name;
      }
    }
  }
}

TEST(CallMeaningTest, EachOutcomeThatEndsACallHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  size_t ends = 0;
  for (const auto& kind : EachOutcome()) {
    if (!kind || VerdictOf(*kind) == Verdict::kNone) continue;
    ++ends;
    sentences.insert(Meaning(CallState::kDone, VerdictOf(*kind), kind));
  }
  EXPECT_EQ(sentences.size(), ends);
  EXPECT_GE(ends, 6u);
}

// A reply of the service's operator, or a person, decided after the last attempt.
TEST(CallMeaningTest, TheVerdictCountsWhereTheLastAttemptSaysOtherwise) {
  EXPECT_EQ(Meaning(CallState::kDone, Verdict::kVerified, OutcomeKind::kLost), "Verified.");
  EXPECT_THAT(Meaning(CallState::kDone, Verdict::kNotVerified, std::nullopt),
              HasSubstr("Not verified"));
  EXPECT_THAT(Meaning(CallState::kDone, Verdict::kRejected, OutcomeKind::kVerified),
              HasSubstr("refused"));
  EXPECT_THAT(Meaning(CallState::kDone, Verdict::kGivenUp, OutcomeKind::kLost),
              HasSubstr("may have been billed"));
}

TEST(CallMeaningTest, AHeldCheckDoesNotGoOutByItself) {
  CallSummary call;
  EXPECT_THAT(std::string(MeaningOf(call)), HasSubstr("by itself"));
  call.hold.emplace();
  const auto says = [&call] { return std::string(MeaningOf(call)); };
  EXPECT_THAT(says(), AllOf(StartsWith("Not sent: "), HasSubstr("until what holds it is mended")));
  call.attempts = 1;
  EXPECT_THAT(says(), StartsWith("Not sent: ")) << "nobody was reached";
  call.http_status = 429;
  EXPECT_THAT(says(), AllOf(StartsWith("Sent, and not taken: "), HasSubstr("until what holds it")));
  call.billed_attempts = 1;
  EXPECT_THAT(says(), StartsWith("Sent, and perhaps billed, "));
}

}  // namespace
}  // namespace idkiosk
