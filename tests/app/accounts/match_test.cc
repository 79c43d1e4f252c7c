#include "app/accounts/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/accounts/match_report.h"
#include "tests/app/accounts/match_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(MatchTest, EachAttemptIsFoundByWhatNamesItBest) {
  Ledger(Attempt("AAAAAA", "01T10:00:00"));
  Ledger(Attempt("BBBBBB", "01T10:00:10"));
  Ledger(Attempt("CCCCCC", "01T10:00:20"));
  Ledger(Attempt("DDDDDD", "01T10:00:30"));
  EXPECT_THAT(Invoice("time,endpoint,reference,attempt_id,price,currency\n"
                      "2026-11-01T10:00:21Z,verify,,,100.00,NGN\n"  // by time: DDDDDD is left to it
                      "2026-11-01T10:00:21Z,verify,,id-CCCCCC,100,NGN\n"
                      "2026-11-01T10:00:21Z,verify,VN-BBBBBB,,100.00,NGN\n"
                      "2026-11-01T10:00:21Z,verify,AAAAAA,,100.00,NGN\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre());
  EXPECT_TRUE(match_.all_match());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 4);
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 40'000);
  EXPECT_EQ(match_.sums().at("NGN").billed, 40'000);
}

TEST_F(MatchTest, EachDifferenceIsNamed) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD"}) {
    Ledger(Attempt(each, "02T10:00:00"));
  }
  Ledger(Attempt("EEEEEE", "02T10:00:00", "no"));
  Ledger(Attempt("FFFFFF", "02T10:00:00", "maybe"));
  Ledger(Attempt("HHHHHH", "02T10:00:00", "maybe"));
  EXPECT_THAT(Invoice("attempt_id;price;currency\r\n"
                      "id-AAAAAA;100,00;NGN\r\n"
                      "id-AAAAAA;100,00;NGN\r\n"
                      "id-BBBBBB;100,01;NGN\r\n"
                      "id-CCCCCC;100,00;USD\r\n"
                      "id-EEEEEE;100,00;NGN\r\n"
                      "id-ZZZZZZ;100,00;NGN\r\n"
                      "id-HHHHHH;100,00;NGN\r\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("3 invoiced twice AAAAAA", "4 different price BBBBBB",
                                   "5 other currency CCCCCC", "6 invoiced, but free here EEEEEE",
                                   "7 invoiced, but unknown here -",
                                   "0 billed here, but not invoiced DDDDDD",
                                   "0 perhaps billed here, and not invoiced FFFFFF"));
  EXPECT_FALSE(match_.all_match());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 60'001);
  EXPECT_EQ(match_.sums().at("USD").invoiced, 10'000);
  EXPECT_EQ(match_.sums().at("NGN").billed, 40'000);
  EXPECT_EQ(match_.sums().at("NGN").maybe, 20'000);
}

TEST_F(MatchTest, WhatTurnedOutToBeFreeLeavesNothingToDo) {
  Ledger(Attempt("AAAAAA", "02T10:00:00", "maybe"));
  EXPECT_THAT(Invoice("attempt_id,price\n"), ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMaybeNotInvoiced), 1);
  EXPECT_TRUE(match_.all_match());
}

TEST_F(MatchTest, TimesMayDifferByTheToleranceAndNoMore) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T12:00:00"));
  EXPECT_THAT(Invoice("time,endpoint,price\n2026-11-02 10:02:00,verify,100\n"
                      "2026-11-02 12:02:01,verify,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("3 invoiced, but unknown here -",
                                   "0 billed here, but not invoiced BBBBBB"));
}

TEST_F(MatchTest, AnotherEndpointOfTheSameTimeIsNotTaken) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("time,endpoint,price\n2026-11-02 10:00:00,check,100\n"), ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kUnknownHere), 1);
}

// Sent on the last day of October, and invoiced in November: it is found, and October misses it.
TEST_F(MatchTest, AnAttemptOutsideTheMonthIsFoundAndNotMissed) {
  LedgerLine october = Attempt("AAAAAA", "01T00:00:00");
  october.at -= seconds(1);
  Ledger(october);
  LedgerLine december = Attempt("BBBBBB", "30T23:59:59");
  december.at += seconds(1);
  Ledger(december);
  EXPECT_THAT(Invoice("attempt_id,price\nid-AAAAAA,100\n"), ElementsAre());
  EXPECT_THAT(Found(),
              ElementsAre("2 matched, though it was sent just outside this period AAAAAA"));
  EXPECT_TRUE(match_.all_match());
  // What matched is in both sums, or the invoice would be said to be above the ledger.
  EXPECT_EQ(match_.sums().begin()->second.billed, match_.sums().begin()->second.invoiced);
}

// The invoice is October's, and the month that was typed November.
// Else the invoices of both months would pass with it.
TEST_F(MatchTest, AnAttemptJustBehindTheMonthIsOfTheNextUnlessTheServicesClockSaysOtherwise) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC"}) {
    LedgerLine attempt = Attempt(each, "30T23:59:59");
    attempt.at += seconds(2);
    Ledger(attempt);
  }
  EXPECT_THAT(Invoice("time,attempt_id,price\n"
                      "2026-12-01T00:00:01Z,id-AAAAAA,100\n"
                      "2026-11-30T23:59:58Z,id-BBBBBB,100\n"
                      ",id-CCCCCC,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(),
              ElementsAre("2 billed here, but not in this period AAAAAA",
                          "3 matched, though it was sent just outside this period BBBBBB",
                          "4 matched, though it was sent just outside this period CCCCCC"));
}

TEST_F(MatchTest, AnInvoiceOfAnotherMonthDoesNotMatch) {
  for (const auto& [reference, days] : {std::pair("AAAAAA", 1), {"BBBBBB", 20}}) {
    LedgerLine october = Attempt(reference, "01T00:00:00");
    october.at -= std::chrono::days(days);
    Ledger(october);
  }
  EXPECT_THAT(Invoice("attempt_id,price\nid-AAAAAA,100\nid-BBBBBB,100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 billed here, but not in this period AAAAAA",
                                   "3 billed here, but not in this period BBBBBB"));
  EXPECT_FALSE(match_.all_match());
}

// Of the same second and price, and of somebody else.
TEST_F(MatchTest, ALineThatNamesAnotherAttemptIsNotTakenForThisOne) {
  for (const char* reference : {"AAAAAA", "BBBBBB", "CCCCCC"}) {
    Ledger(Attempt(reference, "01T10:00:00"));
  }
  EXPECT_THAT(Invoice("time,reference,attempt_id,price\n"
                      "2026-11-01T10:00:00Z,VN-other,id-other,100\n"
                      "2026-11-01T10:00:00Z,,id-other2,100\n"
                      "2026-11-01T10:00:00Z,VN-other3,,100\n"),
              ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kUnknownHere), 3);
  EXPECT_EQ(match_.Count(MatchFinding::kNotInvoiced), 3);
}

// One that never left this kiosk has no number that could tell them apart.
TEST_F(MatchTest, ALineThatNamesAnAttemptIsNoFreeOnesByItsTime) {
  LedgerLine unsent = Attempt("AAAAAA", "01T10:00:00", "no");
  unsent.attempt_id.clear();
  unsent.service_reference.clear();
  Ledger(unsent);
  EXPECT_THAT(Invoice("time,reference,attempt_id,price\n"
                      "2026-11-01T10:00:00Z,,id-of-another-kiosk,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 invoiced, but unknown here -"));
}

TEST_F(MatchTest, TheSameLedgerGivenTwiceCountsOnceAndAnAlteredRowNever) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  LedgerLine altered = Attempt("BBBBBB", "02T10:00:00");
  altered.genuine = false;
  Ledger(altered);
  EXPECT_THAT(Invoice("attempt_id,price\nid-AAAAAA,100\n"), ElementsAre());
  EXPECT_TRUE(match_.all_match());
  EXPECT_EQ(match_.sums().at("NGN").billed, 10'000);
  EXPECT_EQ(match_.not_genuine(), 1);
}

// The older one did not have it yet.
TEST_F(MatchTest, ANumberOfTheNewerExportIsKnownAgainWhereASpreadsheetChangedIt) {
  LedgerLine begun = Attempt("AAAAAA", "02T10:00:00", "maybe");
  begun.rule = "in_flight";
  begun.service_reference.clear();
  LedgerLine answered = Attempt("AAAAAA", "02T10:00:00");
  answered.service_reference = "0012345678";
  answered.ended_at = At("02T10:00:01");
  Ledger(begun);
  Ledger(answered);
  EXPECT_THAT(Invoice("reference,price\n12345678,100\n"), ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 number changed by a spreadsheet -",
                                   "0 billed here, but not invoiced AAAAAA"));
}

// One export was made before the service's operator told what became of it.
TEST_F(MatchTest, OfTwoExportsOfAnAttemptTheNewerCountsInWhateverOrder) {
  for (const bool newer_first : {false, true}) {
    InvoiceMatch match(*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::minutes(2));
    LedgerLine lost = Attempt("AAAAAA", "02T10:00:00", "maybe");
    lost.rule = "lost";
    lost.service_reference.clear();
    lost.ended_at = At("02T10:01:00");
    LedgerLine told = lost;
    told.billed = "no";
    told.rule = "told_not_received";
    told.ended_at = At("02T09:00:00");  // by a clock that was set back
    LedgerLine begun = Attempt("BBBBBB", "02T11:00:00", "maybe");
    begun.rule = "in_flight";
    begun.service_reference.clear();
    LedgerLine answered = Attempt("BBBBBB", "02T11:00:00");
    answered.ended_at = At("02T11:00:01");
    std::vector<LedgerLine> lines = {lost, begun, told, answered};
    if (newer_first) std::ranges::reverse(lines);
    for (const LedgerLine& each : lines) ASSERT_TRUE(match.Add(each));
    EXPECT_THAT(ReadInto(match, "reference,price\nAAAAAA,100\nVN-BBBBBB,100\n", "", 0),
                ElementsAre());
    match.Finish();
    EXPECT_EQ(match.Count(MatchFinding::kNotBilledHere), 1) << newer_first;
    EXPECT_EQ(match.Count(MatchFinding::kMatched), 1) << newer_first;
    EXPECT_EQ(match.sums().at("NGN").billed, 10'000) << newer_first;
    EXPECT_EQ(match.sums().at("NGN").maybe, 0) << newer_first;
  }
}

TEST_F(MatchTest, TwoLinesThatAreAsNewAndDoNotSayTheSameAreNamed) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  LedgerLine other = Attempt("AAAAAA", "02T10:00:00");
  other.price = 5'000;
  const Status added = match_.Add(other);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().message,
            "two lines do not say the same of attempt 1 of AAAAAA: export that kiosk's ledger "
            "anew, and give that file alone");
}

TEST_F(MatchTest, ALineWithTooFewOrTooManyColumnsStillNamesItsAttempt) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price,currency\nid-AAAAAA,1,234.50,NGN\nid-BBBBBB,100\n"),
              ElementsAre(HasSubstr("4 columns"), HasSubstr("2 columns")));
  EXPECT_THAT(Found(), ElementsAre());
}

// The first attempt found no network; a line names the call alone.
TEST_F(MatchTest, ACallsReferenceMeansItsOneBilledAttempt) {
  LedgerLine first = Attempt("AAAAAA", "02T10:00:00", "no");
  first.attempt_id = "other";
  first.service_reference = "";
  Ledger(first);
  LedgerLine second = Attempt("AAAAAA", "02T10:05:00");
  second.attempt = 2;
  Ledger(second);
  EXPECT_THAT(Invoice("reference,price\nAAAAAA,100\n"), ElementsAre());
  EXPECT_TRUE(match_.all_match());
}

TEST_F(MatchTest, AnInvoiceOfOthersIsTooLargeBeforeItFillsTheMemory) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  for (const char* id : {"id-AAAAAA", "id-ZZZZZZ"}) {
    InvoiceMatch match = match_;
    Status added;
    size_t lines = 0;
    while (added && lines < 2 * InvoiceMatch::kMostLeft) {
      InvoiceLine line;
      line.line = static_cast<int64_t>(++lines);
      line.attempt_id = id;
      added = match.Add(std::move(line));
    }
    ASSERT_FALSE(added);
    EXPECT_LE(lines, InvoiceMatch::kMostLeft + 2);
    EXPECT_THAT(added.error().message, HasSubstr("give the ledger of every kiosk"));
  }
}

TEST_F(MatchTest, AnAttemptInTwoExportsIsInvoicedTwice) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T11:00:00"));
  EXPECT_THAT(Part("attempt_id,price\nid-AAAAAA,100\nid-BBBBBB,100\n", "", 0), ElementsAre());
  EXPECT_THAT(Part("reference,price\nVN-AAAAAA,100\n", "", 1), ElementsAre());
  match_.Finish();
  EXPECT_THAT(Found(), ElementsAre("2 invoiced twice AAAAAA"));
  const std::vector<std::string> files = {"a.csv", "b.csv"};
  EXPECT_EQ(MatchFields(match_.differences()[0], Zone::kUtc, files)[1], "b.csv:2");
  EXPECT_EQ(MatchFields(match_.differences()[0], Zone::kUtc)[1], "2");
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 30'000);
}

TEST_F(MatchTest, ACreditIsSetAgainstTheChargeThatItNames) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));        // invoiced twice, and credited once
  Ledger(Attempt("BBBBBB", "02T10:00:00"));        // too dear, and credited what was too much
  Ledger(Attempt("CCCCCC", "02T10:00:00", "no"));  // free, and credited
  Ledger(Attempt("DDDDDD", "02T10:00:00", "maybe"));
  Ledger(Attempt("EEEEEE", "02T10:00:00"));  // all of it was wrong, and another line is right
  EXPECT_THAT(Invoice("attempt_id,price\n"
                      "id-AAAAAA,-100\n"
                      "id-AAAAAA,100\n"
                      "id-AAAAAA,100\n"
                      "id-BBBBBB,150\n"
                      "id-BBBBBB,(20.00)\n"
                      "id-BBBBBB,30.00-\n"
                      "id-CCCCCC,100\n"
                      "id-CCCCCC,-100\n"
                      "id-DDDDDD,100\n"
                      "id-DDDDDD,-100\n"
                      "id-EEEEEE,150\n"
                      "id-EEEEEE,-150\n"
                      "id-EEEEEE,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("0 perhaps billed here, and not invoiced DDDDDD"));
  EXPECT_TRUE(match_.all_match());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 30'000);
}

TEST_F(MatchTest, ACreditThatMendsNothingIsNamed) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:00:00"));
  Ledger(Attempt("CCCCCC", "02T10:00:00"));
  EXPECT_THAT(
      Invoice("time,attempt_id,price,currency\n"
              ",id-AAAAAA,100,NGN\n"
              ",id-AAAAAA,-100,NGN\n"
              ",id-BBBBBB,-100,NGN\n"
              ",id-ZZZZZZ,-100,NGN\n"
              "2026-11-02T10:00:00Z,,-100,NGN\n"
              ",id-CCCCCC,150,NGN\n"
              ",id-CCCCCC,-150,USD\n"),
      ElementsAre(HasSubstr("line 6, column 3 (price): \"-100\" is a credit, and names no")));
  EXPECT_THAT(Found(),
              ElementsAre("3 credited, but billed here AAAAAA",
                          "4 credit without its charge BBBBBB", "5 invoiced, but unknown here -",
                          "7 different price CCCCCC", "8 other currency CCCCCC"));
  EXPECT_FALSE(match_.all_match());
}

// Whoever bills may write a number in capitals, or as a UUID.
TEST_F(MatchTest, AnAttemptIsTheSameInCapitalsAndWithOrWithoutHyphens) {
  const std::pair<const char*, const char*> numbers[] = {
      {"AAAAAA", "0123456789abcdef0123456789abcdef"},
      {"BBBBBB", "1123456789abcdef0123456789abcdef"},
      {"CCCCCC", "21234567-89ab-cdef-0123-456789abcdef"}};
  for (const auto& [reference, number] : numbers) {
    LedgerLine line = Attempt(reference, "02T10:00:00");
    line.attempt_id = number;
    Ledger(line);
  }
  EXPECT_THAT(Invoice("time,attempt_id,price\n"
                      "2026-11-02T10:00:00Z,0123456789ABCDEF0123456789ABCDEF,100\n"
                      "2026-11-02T10:00:00Z,11234567-89ab-cdef-0123-456789abcdef,100\n"
                      "2026-11-02T10:00:00Z,2123456789AbCdEf0123456789abcdef,100\n"
                      "2026-11-02T10:00:00Z,01234567-89AB-CDEF-0123-456789ABCDEF,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("5 invoiced twice AAAAAA"));
}

// The number and the price decide; what else the line says of the attempt is told.
TEST_F(MatchTest, ALineOfAnotherEndpointOrTimeMatchesAndIsNamed) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC"}) Ledger(Attempt(each, "02T10:00:00"));
  EXPECT_THAT(Invoice("time,endpoint,attempt_id,price\n"
                      "2026-11-02T10:00:00Z,check,id-AAAAAA,100\n"
                      "2026-11-02T10:02:01Z,verify,id-BBBBBB,100\n"
                      "2026-11-02T10:02:00Z,VERIFY,id-CCCCCC,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 matched, though its endpoint is another one AAAAAA",
                                   "3 matched, though its time is another one BBBBBB"));
  EXPECT_TRUE(match_.all_match()) << "the sums are right";
}

TEST_F(MatchTest, ALineOfTwoAttemptsMatchesNeither) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC"}) Ledger(Attempt(each, "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,reference,price\n"
                      "id-AAAAAA,VN-BBBBBB,100\n"
                      "id-CCCCCC,the-services-other-word,100\n"),
              ElementsAre());
  EXPECT_THAT(Found(), ElementsAre("2 its attempt_id and its reference are of two attempts AAAAAA",
                                   "0 billed here, but not invoiced BBBBBB"));
  EXPECT_FALSE(match_.all_match());
}

TEST_F(MatchTest, ACurrencyIsTheSameInAnyCase) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price,currency\nid-AAAAAA,100, ngn\n"), ElementsAre());
  EXPECT_TRUE(match_.all_match());
  EXPECT_EQ(match_.sums().size(), 1u);
}

TEST_F(MatchTest, AnAmountTooLargeOrTooFineIsABadLine) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price\n"
                      "id-AAAAAA,9223372036854775808\n"
                      "id-AAAAAA,\"1,234.567\"\n"
                      "id-AAAAAA,100.505\n"),
              ElementsAre(HasSubstr("line 2, column 2 (price): \"9223372036854775808\" is more"),
                          HasSubstr("line 3, column 2 (price): \"1,234.567\" has more than two"),
                          HasSubstr("line 4, column 2 (price): \"100.505\" may mean two")));
}

// Each of them fits, and their sum would not.
TEST_F(MatchTest, AnAmountMayBringItsCurrencyAlong) {
  for (const char* each : {"AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE", "FFFFFF"}) {
    LedgerLine line = Attempt(each, "02T10:00:00");
    line.price = 123'450;
    Ledger(line);
  }
  EXPECT_THAT(Invoice("attempt_id,price,currency\n"
                      "id-AAAAAA,\"NGN 1,234.50\",NGN\n"
                      "id-BBBBBB,\"\xE2\x82\xA6"
                      "1,234.50\",\n"
                      "id-CCCCCC,\"ngn\xC2\xA0"
                      "1,234.50\",\xE2\x82\xA6\n"
                      "id-DDDDDD,\"1,234.50 NGN\",NGN\n"
                      "id-EEEEEE,\"1,234.50\xE2\x82\xA6\",\n"
                      "id-FFFFFF,\"\xE2\x82\xA6 1,234.50\",ngn\n"
                      "id-FFFFFF,\"USD 1,234.50\",NGN\n"
                      "id-FFFFFF,\"NGN\",NGN\n"
                      "id-FFFFFF,\"NGN 1,234.50 NGN\",NGN\n"
                      "id-FFFFFF,\"twelve\",NGN\n"),
              ElementsAre(HasSubstr("line 8, column 2 (price): \"USD 1,234.50\" is in USD, and the "
                                    "line's currency is NGN"),
                          HasSubstr("line 9, column 2 (price): \"NGN\" is no amount"),
                          HasSubstr("line 10, column 2 (price): \"NGN 1,234.50 NGN\" is no amount"),
                          HasSubstr("line 11, column 2 (price): \"twelve\" is no amount")));
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 6);
  EXPECT_THAT(Found(), ElementsAre());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 6 * 123'450);
}

TEST_F(MatchTest, ACreditMayBringItsCurrencyAlong) {
  Ledger(Attempt("AAAAAA", "02T10:00:00", "no"));
  EXPECT_THAT(Invoice("attempt_id,price\n"
                      "id-AAAAAA,NGN 100.00\n"
                      "id-AAAAAA,-NGN 40.00\n"
                      "id-AAAAAA,(\xE2\x82\xA6"
                      "20.00)\n"
                      "id-AAAAAA,NGN -20.00\n"
                      "id-AAAAAA,20.00 NGN-\n"),
              ElementsAre());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 0);
}

// As people copy it from a receipt, and as Excel marks what is text.
TEST_F(MatchTest, AReferenceIsTheSameInSmallLettersSpacedOrMarkedAsText) {
  for (const char* each : {"2DPC55", "2DPC56", "2DPC57", "2DPC58", "2DPC59"}) {
    Ledger(Attempt(each, "02T10:00:00"));
  }
  EXPECT_THAT(Invoice("reference,attempt_id,price\n"
                      "2dp c55,,100\n"
                      "'2DPC56,,100\n"
                      "vn-2dpc57,,100\n"
                      ",'id-2DPC58,'100\n"
                      "2DP\xC2\xA0"
                      "C59,,100\n"),
              ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 5);
  EXPECT_THAT(Found(), ElementsAre());
}

// A service may tell its references apart by their case alone: then the whole one decides.
TEST_F(MatchTest, AReferenceThatIsTheSameToTheLetterComesFirst) {
  LedgerLine small = Attempt("AAAAAA", "02T10:00:00");
  small.service_reference = "abC";
  LedgerLine large = Attempt("BBBBBB", "03T10:00:00");
  large.service_reference = "ABc";
  large.price = 20'000;
  Ledger(small);
  Ledger(large);
  EXPECT_THAT(Invoice("reference,price\nABc,200\nabC,100\nABC,100\n"), ElementsAre());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 2);
  EXPECT_THAT(Found(), ElementsAre("4 invoiced, but unknown here -")) << "it may be either";
}

TEST_F(MatchTest, ASumThatIsTooLargeIsRefusedAtItsLine) {
  std::string lines = "attempt_id,price\n";
  for (int i = 0; i < 200; ++i) lines += "id-ZZZZZZ,999999999999999.99\n";
  const auto errors = Invoice(lines);
  ASSERT_FALSE(errors.empty());
  EXPECT_THAT(errors.front(), HasSubstr("line 25: the amounts up to here add up to more than"));
  LedgerLine dear = Attempt("AAAAAA", "02T10:00:00");
  dear.price = 99'999'999'999'999'999;
  Status added;
  for (int i = 0; i < 200 && added; ++i) {
    dear.attempt = i;
    added = match_.Add(dear);
  }
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("add up to more than"));
}

TEST_F(MatchTest, WhatASpreadsheetMadeOfANumberIsNamedAndNeverMatched) {
  const std::pair<const char*, const char*> numbers[] = {
      {"AAAAAA", "000123"}, {"BBBBBB", "1234567890123456789"}, {"CCCCCC", "777"}};
  for (const auto& [reference, number] : numbers) {
    LedgerLine line = Attempt(reference, "02T10:00:00");
    line.service_reference = number;
    Ledger(line);
  }
  EXPECT_THAT(Invoice("sep=;\r\ntime;reference;price\r\n"
                      "2026-11-02T10:00:00Z;123;100\r\n"
                      "2026-11-02T10:00:00Z;1234567890123450000;100\r\n"
                      "2026-11-02T10:00:00Z;1.23457E+18;100\r\n"
                      "2026-11-02T10:00:00Z;1,23457E+018;100\r\n"
                      "2026-11-02T10:00:00Z;777;100\r\n"
                      "2026-11-02T10:00:00Z;1234567890123460000;100\r\n"),
              ElementsAre(HasSubstr("line 5, column 2 (reference): \"1.23457E+18\" is what a "
                                    "spreadsheet made of a longer number"),
                          HasSubstr("line 6, column 2 (reference): \"1,23457E+018\" is what")));
  EXPECT_THAT(
      Found(),
      ElementsAre("3 number changed by a spreadsheet -", "4 number changed by a spreadsheet -",
                  "8 number changed by a spreadsheet -", "0 billed here, but not invoiced AAAAAA",
                  "0 billed here, but not invoiced BBBBBB"));
  EXPECT_FALSE(match_.all_match());
}

TEST_F(MatchTest, EachBadLineIsNamedWithColumnAndMendAndTheOthersCount) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  Ledger(Attempt("BBBBBB", "02T10:00:00"));
  EXPECT_THAT(
      Invoice("attempt_id,When,Amount\n"
              ",20/11/2026,100\n"
              "id-AAAAAA,,\"1,234\"\n"
              "id-AAAAAA,100\n"
              ",,500\n"
              "id-BBBBBB,,100\n",
              "time=when, price=AMOUNT"),
      ElementsAre(HasSubstr("line 2, column 2 (When): \"20/11/2026\" is a day without a time"),
                  HasSubstr("line 3, column 3 (Amount): \"1,234\" may mean two"),
                  "line 4: 2 columns, and the first line has 3: write the missing ones, if empty",
                  HasSubstr("line 5: no time, reference or attempt_id")));
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 1);
}

// As a spreadsheet of another country writes days, and leaves rows behind its last one.
TEST_F(MatchTest, ALineThatNamesItsAttemptNeedsNoTimeThatCanBeRead) {
  Ledger(Attempt("AAAAAA", "20T08:00:00"));
  EXPECT_THAT(Invoice("time,attempt_id,price\n20.11.26 09:00,id-AAAAAA,100.00\n,,\n , ,\n"),
              testing::IsEmpty());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 1);
  EXPECT_TRUE(match_.all_match());
}

TEST_F(MatchTest, ColumnsThatAreNotThereAreNamed) {
  EXPECT_THAT(Invoice(""), ElementsAre("the file is empty"));
  EXPECT_THAT(Invoice("a,b\n"), ElementsAre(HasSubstr("no column \"price\"")));
  EXPECT_THAT(Invoice("price\n"), ElementsAre(HasSubstr("\"attempt_id\", \"reference\" or")));
  EXPECT_THAT(Invoice("price,Price,time\n"), ElementsAre(HasSubstr("two columns \"price\"")));
  EXPECT_THAT(Invoice("price,time\n", "cost=price"), ElementsAre(HasSubstr("the names are time")));
  EXPECT_THAT(Invoice("price,time\n", "time=Day"), ElementsAre(HasSubstr("no column \"Day\"")));
  EXPECT_THAT(Invoice("a,b\n"), ElementsAre(HasSubstr("\"a\", \"b\"")));
}

TEST_F(MatchTest, ATitleAboveTheHeadsIsNamedAsOne) {
  for (const char* title :
       {"Invoice of November", "Invoice of November,,", ",Invoice of November,"}) {
    EXPECT_THAT(Invoice(fmt::format("{}\n\ntime,reference,price\n", title)),
                ElementsAre("line 1: \"Invoice of November\" stands alone, as a title does: the "
                            "first line must name the columns, so remove what is above them. If it "
                            "does name them, separate them by a comma, a semicolon, a tab or |"));
  }
}

// Where the ledger knows one currency alone, its lines are of that one, found or not.
TEST_F(MatchTest, AnInvoiceWithoutACurrencyHasOneSumWhereTheLedgerHasOne) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  EXPECT_THAT(Invoice("attempt_id,price\nid-AAAAAA,100\nid-ZZZZZZ,25\nid-ZZZZZZ,-5\n"),
              ElementsAre());
  EXPECT_EQ(match_.sums().size(), 1u);
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 12'000);
  EXPECT_EQ(match_.sums().at("NGN").billed, 10'000);
}

TEST_F(MatchTest, AnInvoiceWithoutACurrencyIsNotGuessedWhereTheLedgerHasTwo) {
  Ledger(Attempt("AAAAAA", "02T10:00:00"));
  LedgerLine other = Attempt("BBBBBB", "02T10:00:00");
  other.currency = "USD";
  Ledger(other);
  EXPECT_THAT(Invoice("attempt_id,price\nid-AAAAAA,100\nid-BBBBBB,100\nid-ZZZZZZ,25\n"),
              ElementsAre());
  EXPECT_EQ(match_.sums().at("NGN").invoiced, 10'000);
  EXPECT_EQ(match_.sums().at("USD").invoiced, 10'000);
  EXPECT_EQ(match_.sums().at("").invoiced, 2'500);
}

}  // namespace
}  // namespace idkiosk
