#include "app/accounts/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> Read(const std::string& text) {
  std::istringstream in(text);
  CsvReader reader(in);
  std::vector<std::vector<std::string>> records;
  for (auto next = reader.Next(); next && *next; next = reader.Next()) {
    records.push_back((*next)->fields);
  }
  return records;
}

std::string ErrorIn(const std::string& text) {
  std::istringstream in(text);
  CsvReader reader(in);
  auto next = reader.Next();
  while (next && *next) next = reader.Next();
  return next ? "" : next.error().message;
}

TEST(Csv, IsReadAsSpreadsheetsWriteIt) {
  const auto expected = ElementsAre(ElementsAre("time", "price"), ElementsAre("1", "2,5"));
  EXPECT_THAT(Read("time,price\n1,\"2,5\"\n"), expected);
  EXPECT_THAT(Read("\xEF\xBB\xBFtime,price\r\n1,\"2,5\"\r\n"), expected);
  EXPECT_THAT(Read("time;price\r\n1;2,5"), expected);
  EXPECT_THAT(Read("time\tprice\n\n1\t2,5\n\r\n"), expected);
  EXPECT_THAT(Read("time|price\n1|2,5\n"), expected);
  EXPECT_THAT(Read(""), ElementsAre());
}

// What Excel writes, and reads, where its language has another separator.
TEST(Csv, ItsFirstLineMayNameTheSeparator) {
  const auto expected = ElementsAre(ElementsAre("a,b", "c"), ElementsAre("1", "2,5"));
  EXPECT_THAT(Read("sep=;\r\na,b;c\r\n1;2,5\r\n"), expected);
  EXPECT_THAT(Read("\xEF\xBB\xBFSEP=;\na,b;c\n1;2,5"), expected);
  EXPECT_THAT(Read("\"sep=;\"\na,b;c\n1;2,5"), expected);
  EXPECT_THAT(Read("sep=\t\na,b\tc\n1\t2,5"), expected);
  EXPECT_THAT(Read("sep=x\n1\n"), ElementsAre(ElementsAre("sep=x"), ElementsAre("1")));
  std::istringstream in("sep=;\na;b\n");
  EXPECT_EQ((*CsvReader(in).Next())->line, 2);
}

TEST(Csv, AFileOfAnotherKindIsNamedWithTheMend) {
  const std::string zeros(70'000, '\0');
  for (const std::string& rest : {std::string("x\n"), zeros}) {
    EXPECT_THAT(ErrorIn("PK\x03\x04" + rest), HasSubstr("(.xlsx, .ods), and not CSV: open it"));
    EXPECT_THAT(ErrorIn("\xD0\xCF\x11\xE0" + rest), HasSubstr("(.xls), and not CSV: open it"));
    EXPECT_THAT(ErrorIn("%PDF-1.7\n" + rest), HasSubstr("a PDF, and not CSV: ask"));
  }
}

TEST(Csv, TextThatIsNotUtf8IsNamedWithItsLine) {
  EXPECT_EQ(ErrorIn("name,price\nAnn,1\nJos\xE9,1\n"),
            "line 3: not UTF-8 text: save it as \"CSV UTF-8\" in the spreadsheet");
  EXPECT_THAT(ErrorIn("a,b\n\"Ann\nJos\xE9\",1\n"), HasSubstr("line 3: not UTF-8 text"));
  EXPECT_THAT(ErrorIn(std::string("\xFF\xFEt\0i\0\n\0", 8)), HasSubstr("line 1: not UTF-8 text"));
  EXPECT_THAT(ErrorIn(std::string("t\0i\0m\0e\0\r\0\n\0", 12)), HasSubstr("line 1: not UTF-8"));
  EXPECT_EQ(ErrorIn("name,price\nJos\u00e9,1\n"), "");
}

TEST(Csv, AQuotedFieldHoldsAnything) {
  EXPECT_THAT(
      Read("a,b\n\"x\"\"y\",\"1\r\n2\n\"\n,\n"),
      ElementsAre(ElementsAre("a", "b"), ElementsAre("x\"y", "1\r\n2\n"), ElementsAre("", "")));
}

TEST(Csv, ARecordKnowsTheLineItBeginsOn) {
  std::istringstream in("a,b\n\"1\n2\",x\n3,y\n");
  CsvReader reader(in);
  EXPECT_EQ((*reader.Next())->line, 1);
  EXPECT_EQ((*reader.Next())->line, 2);
  EXPECT_EQ((*reader.Next())->line, 4);
}

TEST(Csv, NamesLineColumnAndMend) {
  EXPECT_THAT(ErrorIn("a,b\n1,\"2\n"), HasSubstr("line 2, column 2: a quote is not closed"));
  EXPECT_THAT(ErrorIn("a,b\n\"1\"x,2\n"), HasSubstr("line 2, column 1: text behind"));
  EXPECT_THAT(ErrorIn(std::string("\xFF\xFEt\0i\0", 6)), HasSubstr("CSV UTF-8"));
  EXPECT_THAT(ErrorIn(std::string(CsvReader::kLongestRecord + 2, 'x')), HasSubstr("is this a CSV"));
  EXPECT_THAT(ErrorIn("a\n\"" + std::string(CsvReader::kLongestRecord / 2, '\n') + "\"" +
                      std::string(CsvReader::kLongestRecord, 'x')),
              HasSubstr("longer than"));
}

// What begins a formula in a spreadsheet, and must not.
TEST(Csv, NothingWrittenIsAFormula) {
  for (const char* text :
       {"=1+1", "+1", "-A1", "-1-A1", "-", "-1.", "-.5", "@SUM(A1)", "\tx", "\rx", "\nx"}) {
    const std::string field = CsvField(text);
    EXPECT_TRUE(field.starts_with("'") || field.starts_with("\"'")) << field;
  }
  for (const char* number : {"-1", "-50.00", "-1234.50"}) EXPECT_EQ(CsvField(number), number);
  EXPECT_EQ(CsvField("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

TEST(Csv, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> fields = {"plain", "a,b", "say \"x\"", "1\r\n2", "", "Adé"};
  EXPECT_THAT(Read("h,h,h,h,h,h\r\n" + CsvLine(fields) + "\r\n").at(1),
              testing::ElementsAreArray(fields));
}

}  // namespace
}  // namespace idkiosk
