#include "app/session/visit/receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace idkiosk {
namespace {

using PartKind = PrintPart::Kind;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

Receipt Kept() {
  return {.language = "en",
          .brand = "First Savings Bank",
          .environment = Environment::kProduction,
          .kind = AnswerKind::kKept,
          .reference = "KD7Q2M",
          .at = ParseRfc3339("2026-11-20T19:21:47Z")};
}

class ReceiptTest : public testing::Test {
 protected:
  ReceiptTest() {
    setenv("TZ", "<+01>-1", 1);
    tzset();
  }
  ~ReceiptTest() override {
    unsetenv("TZ");
    tzset();
  }
};

TEST_F(ReceiptTest, HoldsWhatAPersonTakesHomeAndNothingElse) {
  EXPECT_THAT(
      ToPrintJob(Kept()),
      ElementsAre(
          PrintPart{PartKind::kText, "First Savings Bank"},
          PrintPart{PartKind::kText, "Identity check"}, PrintPart{PartKind::kRule, ""},
          PrintPart{PartKind::kHeading, "Kept for later"},
          PrintPart{PartKind::kText,
                    "Your check is kept, and will be sent later. You do not need to do it again."},
          PrintPart{PartKind::kRule, ""}, PrintPart{PartKind::kText, "Your reference"},
          PrintPart{PartKind::kLetters, "KD7 Q2M"}, PrintPart{PartKind::kSquareCode, "KD7Q2M"},
          PrintPart{PartKind::kText, "2026-11-20 20:21"}));
}

TEST_F(ReceiptTest, SaysThatNothingOfTheSandboxIsReal) {
  Receipt receipt = Kept();
  receipt.environment = Environment::kSandbox;
  EXPECT_THAT(ToPrintJob(receipt),
              Contains(PrintPart{PartKind::kText, "Practice system. Nothing here is real."}));
}

TEST_F(ReceiptTest, TellsNoTimeThatIsNotKnown) {
  Receipt receipt = Kept();
  receipt.at.reset();
  EXPECT_EQ(ToPrintJob(receipt).back().kind, PartKind::kSquareCode);
}

TEST_F(ReceiptTest, SpeaksThePersonsLanguageWhereItsLettersCanBePrinted) {
  Receipt receipt = Kept();
  receipt.kind = AnswerKind::kVerified;
  receipt.language = "fr";
  EXPECT_THAT(ToPrintJob(receipt), Contains(PrintPart{PartKind::kText, "Votre référence"}));
  receipt.language = "ar";
  EXPECT_THAT(ToPrintJob(receipt), Contains(PrintPart{PartKind::kHeading, "Verified"}));
}

}  // namespace
}  // namespace idkiosk
