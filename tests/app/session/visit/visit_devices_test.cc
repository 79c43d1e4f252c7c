// What a person does with a kiosk's devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/visit/visit_fixture.h"

namespace idkiosk {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class SessionReceiptTest : public testing::Test {
 protected:
  void WalkToAnswer() {
    bench_.WalkToWaiting();
    bench_.queue.summary.state = CallState::kDone;
    bench_.queue.summary.verdict = Verdict::kVerified;
    bench_.session.OnCallChanged(kReference);
    ASSERT_EQ(bench_.screen(), Screen::kAnswer);
  }
  void Print() {
    bench_.printing.RunUntilIdle();
    bench_.runner.RunUntilIdle();
  }

  VisitFixture bench_;
};

TEST_F(SessionReceiptTest, IsPrintedWithoutTheControlThreadWaiting) {
  WalkToAnswer();
  EXPECT_EQ(bench_.view().answer->receipt, std::nullopt);
  bench_.Do("receipt");
  EXPECT_EQ(bench_.view().answer->receipt, ReceiptState::kPrinting);
  EXPECT_THAT(bench_.printer.jobs, IsEmpty());
  Print();
  EXPECT_EQ(bench_.view().answer->receipt, ReceiptState::kPrinted);
  ASSERT_THAT(bench_.printer.jobs, SizeIs(1));
  EXPECT_THAT(bench_.printer.jobs[0], Contains(PrintPart{PrintPart::Kind::kLetters, "KD7 Q2M"}));
  EXPECT_FALSE(bench_.TryDo("receipt"));
  for (const PrintPart& part : bench_.printer.jobs[0]) {
    EXPECT_THAT(part.text, Not(testing::HasSubstr(kNin)));
  }
}

TEST_F(SessionReceiptTest, APrinterThatFailsTakesNothingFromTheAnswer) {
  WalkToAnswer();
  bench_.printer.answer = Fail(ErrorCode::kTimeout, "no paper");
  bench_.Do("receipt");
  Print();
  EXPECT_EQ(bench_.view().answer->receipt, ReceiptState::kFailed);
  EXPECT_EQ(bench_.view().answer->reference, kReference);
  EXPECT_EQ(bench_.view().answer->kind, AnswerKind::kVerified);
  bench_.printer.answer = {};
  bench_.Do("receipt");
  Print();
  EXPECT_EQ(bench_.view().answer->receipt, ReceiptState::kPrinted);
}

TEST_F(SessionReceiptTest, WhatBecameOfItIsNotToldToTheNextPerson) {
  WalkToAnswer();
  bench_.Do("receipt");
  bench_.Do("finish");
  const size_t shown = bench_.shown.size();
  Print();
  EXPECT_EQ(bench_.shown.size(), shown);
  EXPECT_THAT(bench_.printer.jobs, SizeIs(1)) << "the person takes it all the same";
}

TEST_F(SessionReceiptTest, GivesTimeToTakeIt) {
  WalkToAnswer();
  const int all = bench_.view().answer->seconds_left;
  bench_.clock.Advance(std::chrono::seconds(5));
  bench_.runner.RunUntilIdle();
  ASSERT_LT(bench_.view().answer->seconds_left, all);
  bench_.Do("receipt");
  EXPECT_EQ(bench_.view().answer->seconds_left, all);
}

class SessionSlipTest : public testing::Test {
 protected:
  void Scan() {
    bench_.WalkToNumber();
    bench_.Do("scan", R"("on": true)");
    ASSERT_TRUE(bench_.view().number->scanning);
    ASSERT_TRUE(bench_.slips.looking());
  }

  VisitFixture bench_;
};

TEST_F(SessionSlipTest, FillsTheNumberIn) {
  Scan();
  bench_.slips.End(SecretBytes::CopyOf(kNin));
  EXPECT_FALSE(bench_.view().number->scanning);
  EXPECT_EQ(bench_.view().number->digits, kNin);
  EXPECT_EQ(bench_.view().number->problem, std::nullopt);
  bench_.Do("next");
  EXPECT_EQ(bench_.screen(), Screen::kReason);
}

TEST_F(SessionSlipTest, SaysWhatCameOfIt) {
  const std::pair<ErrorCode, NumberProblem> cases[] = {
      {ErrorCode::kNotFound, NumberProblem::kUnreadableSlip},
      {ErrorCode::kRejected, NumberProblem::kTwoNumbers},
      {ErrorCode::kTimeout, NumberProblem::kNoSlip},
      {ErrorCode::kUnavailable, NumberProblem::kNoCamera},
      {ErrorCode::kForbidden, NumberProblem::kNoCamera}};
  Scan();
  for (const auto& [code, problem] : cases) {
    if (!bench_.slips.looking()) bench_.Do("scan", R"("on": true)");
    EXPECT_EQ(bench_.view().number->problem, std::nullopt);
    bench_.slips.End(Fail(code, "by the test"));
    EXPECT_EQ(bench_.view().number->problem, problem);
    EXPECT_FALSE(bench_.view().number->scanning);
  }
}

// What a slip did not tell keeps nobody from going on with what was typed.
TEST_F(SessionSlipTest, ASlipThatCannotBeReadLeavesTheTypedNumber) {
  bench_.WalkToNumber();
  bench_.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench_.Do("scan", R"("on": true)");
  bench_.slips.End(Fail(ErrorCode::kTimeout, "by the test"));
  EXPECT_EQ(bench_.view().number->digits, kNin);
  bench_.Do("next");
  EXPECT_EQ(bench_.screen(), Screen::kReason);
}

TEST_F(SessionSlipTest, ClosesTheCameraWhateverThePersonDoesInstead) {
  for (const auto& [command, arguments] :
       {std::pair{"scan", R"("on": false)"}, std::pair{"digit", R"("digit": "7")"},
        std::pair{"delete", ""}, std::pair{"back", ""}, std::pair{"stop", ""}}) {
    VisitFixture bench;
    bench.WalkToNumber();
    bench.Do("scan", R"("on": true)");
    bench.Do(command, arguments);
    EXPECT_FALSE(bench.slips.looking()) << command;
  }
}

TEST_F(SessionSlipTest, IdlenessClosesTheCamera) {
  Scan();
  bench_.clock.Advance(bench_.settings.ui.idle + bench_.settings.ui.warning +
                       std::chrono::seconds(1));
  for (int i = 0; i < 100 && bench_.screen() != Screen::kWelcome; ++i) {
    bench_.clock.Advance(std::chrono::seconds(1));
    bench_.runner.RunUntilIdle();
  }
  EXPECT_EQ(bench_.screen(), Screen::kWelcome);
  EXPECT_FALSE(bench_.slips.looking());
}

TEST(SessionWithoutDevicesTest, ReadsNoSlip) {
  VisitFixture bench(Settings(), false);
  bench.WalkToNumber();
  EXPECT_EQ(bench.TryDo("scan", R"("on": true)").error().code, ErrorCode::kFailedPrecondition);
  const UiEquipment none;
  EXPECT_THAT(std::string(ToJson(bench.view(), 1, bench.settings, none).text()),
              Not(testing::HasSubstr("scanning")));
}

TEST(SessionWithoutDevicesTest, OffersNoReceipt) {
  VisitFixture bench(Settings(), false);
  bench.WalkToWaiting();
  bench.queue.summary.state = CallState::kDone;
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.TryDo("receipt").error().code, ErrorCode::kFailedPrecondition);
  const UiEquipment none;
  const UiEquipment some{.voices = {}, .printer = true};
  EXPECT_THAT(std::string(ToJson(bench.view(), 1, bench.settings, none).text()),
              testing::HasSubstr(R"("receipt":false)"));
  EXPECT_THAT(std::string(ToJson(bench.view(), 1, bench.settings, some).text()),
              testing::HasSubstr(R"("receipt":true)"));
}

}  // namespace
}  // namespace idkiosk
