#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/accounts/match_fixture.h"

// Times as spreadsheets write them into an invoice's column.
namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class InvoiceTimeTest : public MatchTest {
 protected:
  // What a column of these times reads, each in UTC, or what is wrong with it.
  static std::vector<std::string> Read(const std::vector<std::string>& times,
                                       DateOrder order = DateOrder::kUnknown) {
    std::string text = "time\tprice\n";
    for (const std::string& each : times) text += each + "\t100\n";
    std::istringstream in(text);
    auto reader = InvoiceReader::Open(in, "", Zone::kUtc, order);
    if (!reader) return {reader.error().message};
    std::vector<std::string> read;
    for (;;) {
      auto line = reader->Next();
      if (line && !*line) return read;
      read.push_back(line ? FormatRfc3339(*(*line)->at) : line.error().message);
    }
  }
};

TEST_F(InvoiceTimeTest, ReadsWhatCanBeReadInOneWayOnly) {
  const std::string minute = "2026-11-24T14:05:00.000Z";
  const std::string second = "2026-11-24T14:05:33.000Z";
  for (const auto& [text, time] : std::initializer_list<std::pair<std::string, std::string>>{
           {"2026-11-24 14:05", minute},
           {"2026-11-24T14:05", minute},
           {"2026-11-24 14:05:33", second},
           {"2026-11-24T15:05:33+01:00", second},
           {"2026-11-24 15:05:33 +0100", second},
           {"2026-11-24 14:05:33 UTC", second},
           {"2026-11-24 15:05:33 WAT", second},
           {"2026-11-24 15:05:33 GMT+1", second},
           {"2026-11-24 15:05:33 UTC+01:00", second},
           {"2026-11-24T15:05:33+01", second},
           {"2026-11-24 10:35:33 -3:30", second},
           {"2026/11/24 14:05:33", second},
           {"2026.11.24 14:05", minute},
           {"11/24/2026 14:05", minute},
           {"11/24/2026 2:05:33 PM", second},
           {"11/24/2026, 2:05:33\u202fPM", second},
           {"24/11/2026 2:05 PM", minute},
           {"24/11/2026 2:05pm", minute},
           {"24/11/2026 2:05 p.m.", minute},
           {"24/11/2026\u00a014:05", minute},
           {"\u00a024/11/2026  14:05:33\u00a0", second},
           {"24.11.2026 14:05:33", second},
           {"24-11-2026 14:05", minute},
           {"24-Nov-2026 14:05", minute},
           {"24-Nov-26 14:05", minute},
           {"24 November 2026 14:05:33", second},
           {"Nov 24, 2026 2:05 PM", minute},
           {"46350.5868056", "2026-11-24T14:05:00.004Z"},
           {"46350,5868056", "2026-11-24T14:05:00.004Z"},
           {"46350.5868", "2026-11-24T14:04:59.520Z"},
           {"11/11/2026 12:00 AM", "2026-11-11T00:00:00.000Z"},
           {"11/11/2026 12:30 PM", "2026-11-11T12:30:00.000Z"}}) {
    EXPECT_THAT(Read({text}), ElementsAre(time)) << text;
  }
}

TEST_F(InvoiceTimeTest, OneLineThatCanBeReadInOneWayOnlySettlesTheColumn) {
  EXPECT_THAT(Read({"03/11/2026 10:00", "24/11/2026 10:00"}),
              ElementsAre("2026-11-03T10:00:00.000Z", "2026-11-24T10:00:00.000Z"));
  EXPECT_THAT(Read({"11/03/2026 10:00", "11/24/2026 10:00", "11/4/2026 9:00 AM"}),
              ElementsAre("2026-11-03T10:00:00.000Z", "2026-11-24T10:00:00.000Z",
                          "2026-11-04T09:00:00.000Z"));
}

TEST_F(InvoiceTimeTest, SaysOnceWhereNoLineTellsTheDayFromTheMonth) {
  EXPECT_THAT(Read({"11/11/2026 10:00", "03/11/2026 10:00", "04/11/2026 10:00"}),
              ElementsAre("column 1 (time): \"03/11/2026 10:00\" on line 3 may be 2026-11-03 or "
                          "2026-03-11, and no line of the column says which: say --times day-first "
                          "or --times month-first, or write the times as 2026-11-24T14:05:00Z"));
  EXPECT_THAT(Read({"03/11/2026 10:00", "24/11/2026 10:00", "11/24/2026 10:00"}),
              ElementsAre(AllOf(HasSubstr("column 1 (time): line 3 has the day first "
                                          "(\"24/11/2026 10:00\"), line 4 the month "
                                          "(\"11/24/2026 10:00\")"),
                                HasSubstr("\"03/11/2026 10:00\" on line 2 may be either"))));
}

TEST_F(InvoiceTimeTest, WhoKnowsTheOrderSaysIt) {
  EXPECT_THAT(Read({"03/11/2026 10:00"}, DateOrder::kDayFirst),
              ElementsAre("2026-11-03T10:00:00.000Z"));
  EXPECT_THAT(Read({"03/11/2026 10:00"}, DateOrder::kMonthFirst),
              ElementsAre("2026-03-11T10:00:00.000Z"));
  EXPECT_THAT(Read({"11/24/2026 10:00"}, DateOrder::kDayFirst),
              ElementsAre(HasSubstr("line 2, column 1 (time): \"11/24/2026 10:00\" has the month "
                                    "first, and --times says day-first")));
}

TEST_F(InvoiceTimeTest, SaysWhatIsMissingWhereItIsNoTime) {
  EXPECT_THAT(
      Read({"2026-11-24 10:00", "24/11/2026", "46350", "24/11/26 14:05", "46350.59",
            "31/11/2026 10:00", "24/11/2026 14:65", "24/11/2026 14:05 PM", "14:05",
            "24/13/2026 10:00"}),
      ElementsAre(
          "2026-11-24T10:00:00.000Z",
          HasSubstr("\"24/11/2026\" is a day without a time: show the column with its time in the "
                    "spreadsheet, name a second column with --columns time=DATE+TIME, or write it "
                    "as 2026-11-20 08:00:00 or"),
          HasSubstr("\"46350\" is a day without a time"),
          HasSubstr("\"24/11/26 14:05\" has a year of two digits: show the column with four "
                    "in the spreadsheet, or write"),
          HasSubstr("\"46350.59\" is a time that a spreadsheet rounded: show the column as "
                    "yyyy-mm-dd hh:mm:ss, or write"),
          HasSubstr("\"31/11/2026 10:00\" is no time: write it as"), HasSubstr("is no time"),
          HasSubstr("is no time"), HasSubstr("is no time"), HasSubstr("is no time")));
}

TEST_F(InvoiceTimeTest, SaysOnceWhereAWholeColumnHasNoTime) {
  EXPECT_THAT(Read({"24/11/26 10:00", "24/11/26 10:00", "25/11/26 10:00", "26/11/26 11:00"}),
              ElementsAre(HasSubstr("column 1 (time): none of its 4 times can be read: "
                                    "\"24/11/26 10:00\" on line 2 has a year of two digits: ")));
  // Sums are no lines.
  EXPECT_THAT(Invoice("time,attempt_id,price\n24/11/26,id-1,100\nTotal,,1\nVAT 7%,,1\nSum,,1\n"),
              testing::SizeIs(3));
}

TEST_F(InvoiceTimeTest, MayStandInTwoColumns) {
  Ledger(Attempt("AAAAAA", "24T14:05:33"));
  EXPECT_THAT(
      Invoice("Day,Hour,endpoint,price\n24/11/2026,2:05:33 PM,verify,100\n", "time=day + HOUR"),
      IsEmpty());
  EXPECT_TRUE(match_.all_match());
  EXPECT_THAT(Invoice("Day,Hour,price\n24/11/2026,14:05,100\n", "time=Day+Minute"),
              ElementsAre("line 1: no column \"Minute\" among \"Day\", \"Hour\", \"price\", which "
                          "--columns names"));
}

// Which is the day matters to no line that names its attempt.
TEST_F(InvoiceTimeTest, ALineThatNamesItsAttemptNeedsNoTime) {
  Ledger(Attempt("AAAAAA", "03T10:00:00"));
  Ledger(Attempt("BBBBBB", "03T10:00:00"));
  EXPECT_THAT(Invoice("time,attempt_id,price\n"
                      "03/11/2026 10:00,id-AAAAAA,100\n"
                      "24/11/26,id-BBBBBB,100\n"),
              IsEmpty());
  EXPECT_EQ(match_.Count(MatchFinding::kMatched), 2);
}

TEST_F(InvoiceTimeTest, AnAttemptIsFoundByATimeOfASpreadsheet) {
  Ledger(Attempt("AAAAAA", "24T14:05:33"));
  EXPECT_THAT(Invoice("time;endpoint;price\n24.11.2026 14:05;verify;100,00\n"), IsEmpty());
  EXPECT_TRUE(match_.all_match());
}

}  // namespace
}  // namespace idkiosk
