#include "app/accounts/invoice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/accounts/match_report.h"
#include "tests/app/accounts/match_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class InvoiceTest : public MatchTest {};

TEST_F(InvoiceTest, ASumIsALineToRemoveWhereverItsWordStands) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  const std::string remove =
      "is no attempt: remove the line if it is a sum, a tax, a discount or the like";
  EXPECT_THAT(Invoice("time,endpoint,reference,attempt_id,price,currency\n"
                      "2026-11-02T10:00:00Z,verify,VN-AAAAAA,id-AAAAAA,100.00,NGN\n"
                      "TOTAL,,,,100.00,NGN\n"
                      "VAT 7.5%,,,,7.50,NGN\n"
                      "Discount:,,,,-5.00,NGN\n"
                      ",,Sub-Total,,100.00,NGN\n"
                      "2026-11-30,,grand total,,100.00,NGN\n"
                      ",,,\"Tax (7.5%)\",7.50,NGN\n"
                      "2026-11-30T00:00:00Z,Balance,,,100.00,NGN\n"
                      "Amount due,100.00\n"
                      "Total of 12 calls,,,,100.00,NGN\n"
                      ",,,Sum,100.00,NGN\n"),
              ElementsAre("line 3: \"TOTAL\" " + remove, "line 4: \"VAT 7.5%\" " + remove,
                          "line 5: \"Discount:\" " + remove, "line 6: \"Sub-Total\" " + remove,
                          "line 7: \"grand total\" " + remove, "line 8: \"Tax (7.5%)\" " + remove,
                          "line 9: \"Balance\" " + remove, "line 10: \"Amount due\" " + remove,
                          "line 11, column 1 (time): \"Total of 12 calls\" is no time: remove the "
                          "line if it is a sum, or write it as 2026-11-20 08:00:00 or "
                          "2026-11-20T08:00:00Z",
                          "line 12: \"Sum\" " + remove));
  EXPECT_THAT(Found(), ElementsAre());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 10'000);
}

TEST_F(InvoiceTest, EmptyColumnsBehindTheLastOneAreNone) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price,currency\n"
                      "id-AAAAAA,100.00,Naira,,\n"
                      "id-AAAAAA,100.00,NGN,,x\n"
                      "id-AAAAAA,,NGN\n"),
              ElementsAre("line 3: 5 columns, and the first line has 3: quote fields that hold the "
                          "separator",
                          "line 4, column 2 (price): no amount stands here: write it as 1234.50"));
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 1);
}

TEST_F(InvoiceTest, AColumnWithoutANameBehindTheLastOneIsNone) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price,,\nid-AAAAAA,100.00\n"), ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 1);
}

TEST_F(InvoiceTest, AByteOfZeroIsNamed) {
  EXPECT_THAT(Invoice(std::string("attempt_id,\0price\nid-A,100\n", 27)),
              ElementsAre("line 1: holds a byte of zero, which no text does: take the file as it "
                          "was sent"));
  EXPECT_THAT(
      Invoice(std::string("attempt_id,price\nid\0A,100\n", 26)),
      ElementsAre("line 2: holds a byte of zero, which no text does: take the file as it was "
                  "sent"));
  EXPECT_THAT(
      Invoice(std::string("attempt_id,price\n\"id-\nA\0\",100\n", 30)),
      ElementsAre("line 3: holds a byte of zero, which no text does: take the file as it was "
                  "sent"));
}

TEST_F(InvoiceTest, AWordThatIsNoTimeMayBeASumInAnyLanguage) {
  EXPECT_THAT(Invoice("time,price\nGesamt,100\n20/11/2026,100\n"),
              ElementsAre(HasSubstr("\"Gesamt\" is no time: remove the line if it is a sum, or"),
                          HasSubstr("\"20/11/2026\" is a day without a time: ")));
}

// A service may count by such words, and write them beside the number of the attempt.
TEST_F(InvoiceTest, AReferenceThatOnlyBeginsLikeASumIsOne) {
  for (const char* each : {"TOTAL1", "TAX-17", "VAT 000123", "BALANCE"}) {
    LedgerLine line = Attempt("AAAAAA", "02T10:00:00");
    line.reference = line.service_reference = each;
    line.attempt_id = std::string("id-") + each;
    Ledger(line);
  }
  EXPECT_THAT(Invoice("reference,attempt_id,price\n"
                      "TOTAL1,,100\n"
                      "TAX-17,,100\n"
                      "VAT 000123,,100\n"
                      "BALANCE,id-BALANCE,100\n"),
              ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 4);
  EXPECT_TRUE(match_.all_match());
}

TEST_F(InvoiceTest, AnAmountMayBeInNairaByItsLetter) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE", "FFFFFF"}) {
    Ledger(Attempt(each, "02T10:00:00"));
  }
  EXPECT_THAT(Invoice("attempt_id,price,currency\n"
                      "id-AAAAAA,N100.00,NGN\n"
                      "id-BBBBBB,=N=100.00,\n"
                      "id-CCCCCC,N 100.00,\n"
                      "id-DDDDDD,100.00N,NGN\n"
                      "id-EEEEEE,N150.00,NGN\n"
                      "id-EEEEEE,-N50.00,NGN\n"
                      "id-FFFFFF,100,=N=\n"
                      "id-ZZZZZZ,N100.00,USD\n"
                      "id-ZZZZZZ,N$100.00,\n"),
              ElementsAre(HasSubstr("line 9, column 2 (price): \"N100.00\" is in NGN, and the "
                                    "line's currency is USD"),
                          HasSubstr("line 10, column 2 (price): \"N$100.00\" is no amount")));
  EXPECT_THAT(Found(), ElementsAre());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 60'000);
}

TEST_F(InvoiceTest, AGuardAgainstSpreadsheetsIsNoPartOfTheCell) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:00:00"));
  EXPECT_THAT(Invoice("=\"time\",=\"endpoint\",=\"attempt_id\",=\"price\",=\"currency\"\n"
                      "=\"2026-11-02T10:00:00Z\",=\"verify\",=\"id-AAAAAA\",=\"100\",=\"NGN\"\n"
                      ",,\"=\"\"id-BBBBBB\"\"\",100,\n"),
              ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 2);
  EXPECT_THAT(Found(), ElementsAre());
}

TEST_F(InvoiceTest, AServicesOwnWordForAnEndpointIsNamedWithTheMend) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("time,endpoint,price\n2026-11-02 10:00:00,NIN Verification,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre(HasSubstr("unknown here"), HasSubstr("not invoiced AAAAAA")));
  EXPECT_EQ(
      EndpointTrouble(match_),
      "Line 2 is about \"NIN Verification\", and what is not invoiced is called verify here: "
      "write that word in the column, or give the column another name, so that lines are found by "
      "their time alone.");
  InvoiceMatch unknown(*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::minutes(2));
  ASSERT_TRUE(unknown.Add(Attempt("AAAAAA", "02T10:00:00")));
  ReadInto(unknown, "time,endpoint,price\n2026-11-09 10:00:00,verify,100\n", "", 0);
  unknown.Finish();
  EXPECT_EQ(EndpointTrouble(unknown), "");
}

TEST_F(InvoiceTest, APriceWithoutADigitIsQuotedAsItStands) {
  EXPECT_THAT(Invoice("attempt_id,price\nid-1,-\nid-2,NGN -\nid-3,()\nid-4,N\nid-5,\n"),
              ElementsAre(HasSubstr("(price): \"-\" is no amount: write it as"),
                          HasSubstr("(price): \"NGN -\" is no amount: write it as"),
                          HasSubstr("(price): \"()\" is no amount: write it as"),
                          HasSubstr("(price): \"N\" is no amount: write it as"),
                          HasSubstr("(price): no amount stands here: write it as")));
}

}  // namespace
}  // namespace idkiosk
