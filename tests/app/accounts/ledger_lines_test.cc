#include "app/accounts/ledger_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using testing::HasSubstr;

LedgerLine Line() {
  return {.at = *ParseRfc3339("2026-11-20T19:21:47.123Z"),
          .reference = "KD7Q2M",
          .attempt = 2,
          .endpoint = "verify",
          .operator_id = "=cmd|anna",
          .stage = "answered",
          .http_status = 200,
          .billed = "yes",
          .rule = "verified",
          .price = 10'005,
          .currency = "NGN",
          .attempt_id = "0123456789abcdef0123456789abcdef",
          .service_reference = "VN-1",
          .case_id = "A-7",
          .pictures = "live"};
}

TEST(LedgerLines, CsvHasOneFieldForEachNameOfItsHead) {
  EXPECT_EQ(
      LedgerCsvHead(),
      "started_at,reference,attempt,endpoint,operator,stage,http_status,billed,rule,price,currency,"
      "attempt_id,service_reference,genuine,case,pictures");
  EXPECT_EQ(LedgerCsv(Line(), Zone::kUtc),
            "2026-11-20T19:21:47.123Z,KD7Q2M,2,verify,'=cmd|anna,answered,200,yes,verified,100.05,"
            "NGN,0123456789abcdef0123456789abcdef,VN-1,yes,A-7,live");
}

TEST(LedgerLines, JsonIsReadBackAsItWas) {
  const std::string text = LedgerJson(Line(), Zone::kUtc);
  EXPECT_THAT(text, HasSubstr("\"price\":\"100.05\""));
  const auto read = ParseLedgerJson(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(LedgerJson(*read, Zone::kUtc), text);
}

TEST(LedgerLines, WhatIsNoAttemptIsNamed) {
  const auto error = [](const char* text) {
    const auto line = ParseLedgerJson(text);
    return line ? "" : line.error().message;
  };
  EXPECT_THAT(error("{}"), HasSubstr("\"started_at\""));
  EXPECT_THAT(error(R"({"started_at":"2026-11-20T19:21:47Z","price":100})"),
              HasSubstr("\"price\""));
  EXPECT_THAT(error(R"({"started_at":"2026-11-20T19:21:47Z","price":"1.00","billed":"x"})"),
              HasSubstr("\"billed\""));
  EXPECT_THAT(error(R"({"started_at":"2026-11-20T19:21:47Z","price":"1.00","billed":"no"})"),
              HasSubstr("names no attempt"));
}

}  // namespace
}  // namespace idkiosk
