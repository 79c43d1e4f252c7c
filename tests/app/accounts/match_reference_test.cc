// A reference of the service's that the ledger does not know, because no answer came.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/accounts/match.h"
#include "tests/app/accounts/match_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;

LedgerLine InDoubt(const std::string& reference, const std::string& time = "02T10:00:00") {
  LedgerLine line = Attempt(reference, time, "maybe");
  line.service_reference.clear();
  return line;
}

// Of the lost attempt the ledger has no reference of the service's, and of another that never
// arrived neither: that one must not take the second line of the first by its time.
TEST_F(MatchTest, AReferenceThatIsThereTwiceIsInvoicedTwiceThoughUnknownHere) {
  Ledger(InDoubt("AAAAAA", "02T10:00:00"));
  Ledger(InDoubt("BBBBBB", "02T10:00:10"));
  Ledger(InDoubt("CCCCCC", "02T10:00:20"));
  const InvoiceMatch unmatched = match_;
  const std::string first = "2026-11-02T10:00:00Z,verify,SBX-1,id-AAAAAA,100\n";
  const std::string plain = "2026-11-02T10:00:00Z,verify,SBX-1,,100\n";
  const std::string spaced = "2026-11-02T10:00:11Z,verify,sbx -1,,100\n";
  for (const std::string& lines : {first + plain, plain + plain, first + spaced}) {
    InvoiceMatch match = unmatched;
    ReadInto(match, "time,endpoint,reference,attempt_id,price\n" + lines, "", 0);
    match.Finish();
    EXPECT_THAT(Found(match), ElementsAre("3 invoiced twice AAAAAA",
                                          "0 perhaps billed here, and not invoiced BBBBBB",
                                          "0 perhaps billed here, and not invoiced CCCCCC"))
        << lines;
    EXPECT_FALSE(match.all_match()) << lines;
  }
}

TEST_F(MatchTest, AReferenceThatIsThereTwiceIsInvoicedTwiceWithoutAColumnOfAttempts) {
  Ledger(InDoubt("AAAAAA"));
  Ledger(InDoubt("BBBBBB"));
  EXPECT_THAT(Invoice("time,reference,price\n"
                      "2026-11-02T10:00:00Z,SBX-1,100\n"
                      "2026-11-02T10:00:30Z,SBX-1,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("3 invoiced twice AAAAAA",
                                   "0 perhaps billed here, and not invoiced BBBBBB"));
}

TEST_F(MatchTest, ACreditIsFoundByAReferenceThatTheInvoiceAloneKnows) {
  Ledger(InDoubt("AAAAAA"));
  Ledger(InDoubt("BBBBBB"));
  EXPECT_THAT(Invoice("time,reference,attempt_id,price\n"
                      ",SBX-1,,-100\n"
                      "2026-11-02T10:00:00Z,SBX-1,id-AAAAAA,100\n"
                      "2026-11-02T10:00:00Z,SBX-1,,100\n"
                      "2026-11-02T10:00:00Z,SBX-2,,100\n"
                      ",SBX-2,,-100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("0 perhaps billed here, and not invoiced BBBBBB"));
  EXPECT_TRUE(match_.all_match());
}

// Its attempt counts as invoiced, and so does its reference.
TEST_F(MatchTest, ALineThatIsThereTwiceIsSoThoughTheFirstCannotBeRead) {
  Ledger(InDoubt("AAAAAA"));
  Ledger(InDoubt("BBBBBB"));
  InvoiceLine unread;
  unread.attempt_id = "id-AAAAAA";
  unread.reference = "SBX-1";
  match_.AddUnread(unread);
  EXPECT_THAT(Invoice("time,reference,price\n2026-11-02T10:00:00Z,SBX-1,100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 invoiced twice AAAAAA",
                                   "0 perhaps billed here, and not invoiced BBBBBB"));
}

// Two attempts of one call, in an invoice that names the call; and a number of the contract that
// stands on each line, beside what names the attempt.
TEST_F(MatchTest, AReferenceOfSeveralAttemptsIsNotInvoicedTwice) {
  for (const int attempt : {1, 2}) {
    LedgerLine line = Attempt("AAAAAA", "02T10:00:00");
    line.attempt = attempt;
    line.attempt_id = fmt::format("id-{}", attempt);
    line.service_reference.clear();
    Ledger(line);
    line.at += std::chrono::hours(1);
    line.reference = "BBBBBB";
    line.attempt_id = fmt::format("id-B{}", attempt);
    Ledger(line);
  }
  EXPECT_THAT(Invoice("time,reference,attempt_id,price\n"
                      "2026-11-02T10:00:00Z,AAAAAA,,100\n"
                      "2026-11-02T10:00:00Z,AAAAAA,,100\n"
                      ",CONTRACT,id-B1,100\n"
                      ",CONTRACT,id-B2,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre());
}

// A call of two attempts, one of them in doubt, and an invoice that names calls and no times.
class TwoAttemptsTest : public MatchTest {
 protected:
  TwoAttemptsTest() {
    LedgerLine line = InDoubt("AAAAAA");
    line.attempt_id = "id-1";
    Ledger(line);
    line = Attempt("AAAAAA", "02T10:05:00");
    line.attempt = 2;
    line.attempt_id = "id-2";
    line.service_reference.clear();
    Ledger(line);
  }
};

TEST_F(TwoAttemptsTest, ALineForEachMatches) {
  EXPECT_THAT(Invoice("reference,price\nAAAAAA,100\nAAAAAA,100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre());
}

// That which was surely billed is on it, and the other one was free.
TEST_F(TwoAttemptsTest, OneLineIsOfTheOneThatIsNotInDoubt) {
  EXPECT_THAT(Invoice("reference,price\nAAAAAA,100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("0 perhaps billed here, and not invoiced AAAAAA"));
  EXPECT_TRUE(match_.all_match());
}

TEST_F(TwoAttemptsTest, AThirdLineIsInvoicedTwiceAndIsNotOnceItIsTakenBack) {
  InvoiceMatch credited = match_;
  const std::string three = "reference,price\nAAAAAA,100\nAAAAAA,100\nAAAAAA,100\n";
  EXPECT_THAT(Invoice(three), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("4 invoiced twice AAAAAA"));
  EXPECT_THAT(ReadInto(credited, three + "AAAAAA,-100\n", "", 0), ElementsAre());
  credited.Finish();
  EXPECT_THAT(Found(credited), ElementsAre());
}

// The service says by it that the one in doubt was free.
TEST_F(TwoAttemptsTest, ACreditIsOfTheOneInDoubt) {
  EXPECT_THAT(Invoice("reference,price\nAAAAAA,100\nAAAAAA,100\nAAAAAA,-100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("0 perhaps billed here, and not invoiced AAAAAA"));
  EXPECT_TRUE(match_.all_match());
}

// Two attempts of two prices, and an invoice that names neither attempts nor calls.
}  // namespace
}  // namespace idkiosk
