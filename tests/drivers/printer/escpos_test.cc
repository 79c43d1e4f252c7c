#include "drivers/printer/escpos.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/printer/paper.h"

namespace idkiosk {
namespace {

using namespace std::string_view_literals;
using Kind = PrintPart::Kind;

TEST(EscPosTest, WritesTheseBytes) {
  const Bytes bytes = EncodeEscPos({{Kind::kHeading, "Vérifié"}, {Kind::kSquareCode, "KD7Q2M"}});
  constexpr auto kExpected =
      "\x1B@"
      "\x1Bt\x10"
      "\x1B\x61\x01"
      "\x1D!\x11\x1B\x45\x01V\xE9rifi\xE9\n\x1B\x45\x00\x1D!\x00"
      "\x1D(k\x04\x00\x31\x41\x32\x00"
      "\x1D(k\x03\x00\x31\x43\x08"
      "\x1D(k\x03\x00\x31\x45\x32"
      "\x1D(k\x09\x00\x31\x50\x30KD7Q2M"
      "\x1D(k\x03\x00\x31\x51\x30\n"
      "\n\x1DVB\x03"sv;
  EXPECT_EQ(ToHex(bytes), ToHex(AsBytes(kExpected)));
}

TEST(EscPosTest, LooksLikeAReceipt) {
  const PrintJob job = {
      {Kind::kText, "First Savings Bank"},
      {Kind::kRule, ""},
      {Kind::kHeading, "Kept for later"},
      {Kind::kText, "Your check is kept and sent by itself. You need not do it again."},
      {Kind::kLetters, "KD7 Q2M"},
      {Kind::kSquareCode, "KD7Q2M"},
      {Kind::kText, "2026-11-20 19:21"}};
  EXPECT_EQ(PaperOf(EncodeEscPos(job)), R"(       First Savings Bank
--------------------------------
x2   Kept for later
 Your check is kept and sent by
   itself. You need not do it
             again.
x3      KD7 Q2M
          [QR KD7Q2M]
        2026-11-20 19:21

~~~~
)");
}

}  // namespace
}  // namespace idkiosk
