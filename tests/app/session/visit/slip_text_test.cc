#include <gtest/gtest.h>

#include "app/session/visit/slip_reader.h"

namespace idkiosk {
namespace {

std::string Read(std::string_view text) {
  const auto nin = NinInSlip(text);
  return nin ? std::string(nin->text()) : std::string(Name(nin.error().code));
}

TEST(NinInSlipTest, FindsTheOnlyNumber) {
  EXPECT_EQ(Read("70123456788"), "70123456788");
  EXPECT_EQ(Read("AMINA SAMPLE;70123456788;1990-01-31"), "70123456788");
  EXPECT_EQ(Read("70123456788 70123456788"), "70123456788");
}

// A phone number has eleven digits too.
TEST(NinInSlipTest, TheNameBesideItDecides) {
  EXPECT_EQ(Read(R"({"phone":"08030000000","NIN":"70123456788"})"), "70123456788");
  EXPECT_EQ(Read("NIN: 70123456788 TEL: 08030000000"), "70123456788");
  EXPECT_EQ(Read("tel=08030000000&nin=70123456788"), "70123456788");
  EXPECT_EQ(Read("TRAINING 70123456788 08030000000"), "rejected");
  EXPECT_EQ(Read("BEGINNIN 70123456788 08030000000"), "rejected");
}

TEST(NinInSlipTest, NeverGuesses) {
  EXPECT_EQ(Read("70123456788 08030000000"), "rejected");
  EXPECT_EQ(Read("701234567881"), "not_found");
  EXPECT_EQ(Read("7012 3456 788"), "not_found");
  EXPECT_EQ(Read("https://example.org/1234567"), "not_found");
  EXPECT_EQ(Read(""), "not_found");
  EXPECT_EQ(Read("NIN"), "not_found");
}

TEST(NinInSlipTest, AnErrorTellsNothingOfIt) {
  const auto several = NinInSlip("70123456788 08030000000");
  EXPECT_EQ(several.error().message.find("7012"), std::string::npos);
}

}  // namespace
}  // namespace idkiosk
