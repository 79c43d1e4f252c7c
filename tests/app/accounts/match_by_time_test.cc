// Lines that name nothing, or nothing that the ledger knows.
#include "app/accounts/match_by_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/app/accounts/match_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

// Not the second one's line, which then would be one too many.
TEST_F(MatchTest, ALineThatIsThereTwiceIsThatAttemptsAndNotTheNextOnes) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:01:00"));
  EXPECT_THAT(Invoice("time,endpoint,price\n"
                      "2026-11-02T10:00:01Z,verify,100\n"
                      "2026-11-02T10:00:01Z,verify,100\n"
                      "2026-11-02T10:01:01Z,verify,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("3 invoiced twice AAAAAA"));
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 2);
}

// Another kiosk's, of the very same second.
TEST_F(MatchTest, ALineWithANumberThatNobodyHereKnowsIsNoOtherLineOnceMore) {
  LedgerLine lost = Attempt("AAAAAA", "02T10:00:00", "maybe");
  lost.service_reference.clear();
  Ledger(lost);
  EXPECT_THAT(Invoice("time,reference,price\n"
                      "2026-11-02T10:00:01Z,SVC-1,100\n"
                      "2026-11-02T10:00:01Z,SVC-2,100\n"
                      "2026-11-02T10:00:01Z,SVC-1,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("3 invoiced, but unknown here -", "4 invoiced twice AAAAAA"));
}

// Two people at once are two, however near in time.
TEST_F(MatchTest, TwoLinesOfOneSecondAreTwoAttemptsWhereThereAreTwo) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:00:10"));
  EXPECT_THAT(Invoice("time,price\n2026-11-02T10:00:05Z,100\n2026-11-02T10:00:05Z,100\n"),
              ElementsAre());
  EXPECT_TRUE(match_.all_match());
  EXPECT_THAT(Found(), ElementsAre());
}

class TwoPricesTest : public MatchTest {
 protected:
  TwoPricesTest() {
    LedgerLine cheap = Attempt("AAAAAA", "02T10:00:00");
    cheap.price = 2'000;
    Ledger(cheap);
    Ledger(Attempt("BBBBBB", "02T10:00:30"));
  }
};

TEST_F(TwoPricesTest, ALineThatNamesNothingTakesAnAttemptOfItsPriceFirst) {
  LedgerLine dollars = Attempt("CCCCCC", "02T10:00:40");
  dollars.currency = "USD";
  Ledger(dollars);
  EXPECT_THAT(Invoice("time,price,currency\n"
                      "2026-11-02T10:00:01Z,100,NGN\n"
                      "2026-11-02T10:00:31Z,100,USD\n"
                      "2026-11-02T10:00:41Z,20,NGN\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre());
}

TEST_F(TwoPricesTest, ALineOfAWrongPriceTakesTheAttemptThatTheOthersLeave) {
  EXPECT_THAT(Invoice("time,price\n"
                      "2026-11-02T10:00:30Z,30\n"
                      "2026-11-02T10:00:01Z,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 different price AAAAAA"));
}

// Minutes of work where each line is compared with each attempt.
TEST_F(MatchTest, AnInvoiceThatNamesWholeDaysOfManyAttemptsIsMatched) {
  constexpr int kAttempts = 30'000;
  InvoiceMatch match(*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::hours(24));
  for (int i = 0; i < kAttempts; ++i) {
    LedgerLine line = Attempt(fmt::format("{:06}", i), "20T00:00:00", i % 10 == 0 ? "no" : "yes");
    line.at += seconds(i);
    ASSERT_TRUE(match.Add(std::move(line)));
  }
  for (int i = 0; i < kAttempts; ++i) {
    InvoiceLine line;
    line.line = i + 2;
    line.at = At("20T00:00:00");
    line.price = 10'000;
    ASSERT_TRUE(match.Add(std::move(line)));
  }
  match.Finish();
  EXPECT_EQ(match.Count(MatchFinding::kMatched), kAttempts / 10 * 9);
  EXPECT_EQ(match.Count(MatchFinding::kNotBilledHere), kAttempts / 10);
}

// The nearest of each line is then the attempt before its own, and the first finds none.
TEST_F(MatchTest, ASteadyDifferenceOfTheClocksLeavesNoLineOver) {
  constexpr int kAttempts = 5'000;
  std::vector<InvoiceLine> lines;
  for (int i = 0; i < kAttempts; ++i) {
    LedgerLine attempt = Attempt(fmt::format("{:06}", i), "02T00:00:00");
    attempt.at += seconds(90) * i;
    Ledger(attempt);
    InvoiceLine line;
    line.line = i + 2;
    line.at = attempt.at - seconds(110);
    line.price = 10'000;
    lines.push_back(line);
  }
  for (const InvoiceLine& each : lines) ASSERT_TRUE(match_.Add(each));
  match_.Finish();
  EXPECT_THAT(Found(), ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), kAttempts);
}

// One that costs something else takes none that a line of the right price needs, nor is it moved.
TEST_F(MatchTest, ALineOfAnotherPriceTakesWhatIsLeftOnceTheOthersHaveMoved) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:01:30"));
  Ledger(Attempt("CCCCCC", "02T10:03:00"));
  EXPECT_THAT(Invoice("time,price\n"
                      "2026-11-02T09:58:10Z,100\n"
                      "2026-11-02T09:59:40Z,100\n"
                      "2026-11-02T10:02:00Z,70\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("4 different price CCCCCC"));
}

// Minutes of work where each search begins anew.
TEST_F(MatchTest, ManyLinesThatAllHaveToMoveAreMatchedWhicheverClockIsAhead) {
  constexpr int kAttempts = 20'000;
  for (const seconds off : {seconds(3'500), seconds(-3'500), seconds(3'599), seconds(-3'599)}) {
    InvoiceMatch match(*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::hours(1));
    for (int i = 0; i < kAttempts; ++i) {
      LedgerLine attempt = Attempt(fmt::format("{:06}", i), "02T12:00:00");
      attempt.at += seconds(i);
      ASSERT_TRUE(match.Add(attempt));
    }
    for (int i = 0; i < kAttempts; ++i) {
      InvoiceLine line;
      line.line = i + 2;
      line.at = At("02T12:00:00") + seconds(i) + off;
      line.price = 10'000;
      ASSERT_TRUE(match.Add(line));
    }
    match.Finish();
    EXPECT_EQ(match.Count(MatchFinding::kMatched), kAttempts) << off.count();
  }
}

// Else a wrong price would be an attempt that is unknown here, and another that was not invoiced.
TEST_F(MatchTest, ALineOfAnotherPriceFindsItsAttemptThoughTheClocksDiffer) {
  constexpr int kAttempts = 400;
  constexpr int kEach = 20;  // of so many one is too dear
  for (int i = 0; i < kAttempts; ++i) {
    LedgerLine attempt = Attempt(fmt::format("{:06}", i), "02T00:00:00");
    attempt.at += seconds(60) * i;
    Ledger(attempt);
  }
  for (int i = 0; i < kAttempts; ++i) {
    InvoiceLine line;
    line.line = i + 2;
    line.at = At("02T00:00:00") + seconds(60) * i + seconds(90);
    line.price = i % kEach == 7 ? 12'000 : 10'000;
    ASSERT_TRUE(match_.Add(line));
  }
  match_.Finish();
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), kAttempts - kAttempts / kEach);
  EXPECT_EQ(match_.Count(MatchFinding::kDifferentPrice), kAttempts / kEach);
  EXPECT_EQ(match_.Count(MatchFinding::kUnknownHere), 0);
  EXPECT_EQ(match_.Count(MatchFinding::kNotInvoiced), 0);
}

// As many pairs as there can be, by the plainest way to count them.
class ManyPairs {
 public:
  ManyPairs(std::vector<LedgerLine> attempts, std::vector<InvoiceLine> lines)
      : attempts_(std::move(attempts)), lines_(std::move(lines)), of_(attempts_.size()) {}

  int Count() {
    int pairs = 0;
    for (size_t line = 0; line < lines_.size(); ++line) {
      tried_.assign(attempts_.size(), false);
      if (Find(line)) ++pairs;
    }
    return pairs;
  }

 private:
  bool Find(size_t line) {
    for (size_t at = 0; at < attempts_.size(); ++at) {
      const auto distance = std::chrono::abs(attempts_[at].at - *lines_[line].at);
      const bool fits =
          lines_[line].endpoint.empty() || lines_[line].endpoint == attempts_[at].endpoint;
      if (tried_[at] || !fits || distance > std::chrono::minutes(2)) continue;
      tried_[at] = true;
      if (of_[at] && !Find(*of_[at])) continue;
      of_[at] = line;
      return true;
    }
    return false;
  }

  const std::vector<LedgerLine> attempts_;
  const std::vector<InvoiceLine> lines_;
  std::vector<std::optional<size_t>> of_;
  std::vector<bool> tried_;
};

TEST_F(MatchTest, AsManyLinesAsPossibleFindAnAttempt) {
  std::mt19937 random(7);  // NOLINT(*-msc51-cpp): the same rounds each time
  const auto any = [&](int below) { return static_cast<int>(random() % below); };
  for (int round = 0; round < 300; ++round) {
    InvoiceMatch match(*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::minutes(2));
    std::vector<LedgerLine> attempts;
    std::vector<InvoiceLine> lines;
    const int spread = 1 + any(1200);
    for (int i = any(25); i > 0; --i) {
      LedgerLine attempt = Attempt(fmt::format("{:06}", i), "02T10:00:00");
      attempt.at += seconds(any(spread));
      if (any(3) == 0) attempt.endpoint = "check";
      ASSERT_TRUE(match.Add(attempt));
      attempts.push_back(attempt);
    }
    for (int i = any(25); i > 0; --i) {
      InvoiceLine line;
      line.line = i;
      line.at = At("02T10:00:00") + seconds(any(spread));
      line.price = 10'000;
      line.endpoint = std::array{"", "verify", "check"}[any(3)];
      ASSERT_TRUE(match.Add(line));
      lines.push_back(line);
    }
    match.Finish();
    EXPECT_EQ(match.Count(MatchFinding::kMatched), ManyPairs(attempts, lines).Count())
        << "round " << round;
  }
}

}  // namespace
}  // namespace idkiosk
