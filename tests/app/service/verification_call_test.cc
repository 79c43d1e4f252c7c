#include "app/service/verification_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

CallRules Rules() {
  CallRules rules;
  rules.test_nin = "00000000000";
  rules.reasons = {"KYC", "LOAN"};
  return rules;
}

VerificationCall PhoneCall(std::string_view phone) {
  VerificationCall call;
  call.endpoint = Endpoint::kLookupPhone;
  call.phone = SecretBytes::CopyOf(phone);
  return call;
}

TEST(VerificationCallTest, GoodCallsPass) {
  EXPECT_TRUE(CheckCall(FacialCall(), Rules()));
  for (std::string_view phone : {"08031234567", "+2348031234567", "2347012345678", "09112345678"}) {
    EXPECT_TRUE(CheckCall(PhoneCall(phone), Rules())) << phone;
  }
  VerificationCall check;
  check.endpoint = Endpoint::kCheck;
  check.id_number = SecretBytes::CopyOf("12345678901");
  EXPECT_TRUE(CheckCall(check, Rules()));
  check.id_type = "passport";
  check.id_number = SecretBytes::CopyOf("A-1234567");
  EXPECT_TRUE(CheckCall(check, Rules()));
}

TEST(VerificationCallTest, KindsThatTheServiceIsNotKnownToTakeAreRefused) {
  EndpointProfile profile;
  profile.kinds = {"nin", "passport"};
  VerificationCall call;
  call.endpoint = Endpoint::kCheck;
  call.id_type = "passport";
  EXPECT_TRUE(CheckKind(call, profile));
  call.id_type = "nim";
  const Status typo = CheckKind(call, profile);
  ASSERT_FALSE(typo);
  EXPECT_THAT(typo.error().message, HasSubstr("'nim' is not a type of number"));
  EXPECT_THAT(typo.error().message, HasSubstr("it takes nin, passport"));
  EXPECT_THAT(typo.error().message, HasSubstr("endpoints.check.kinds"));
  call = PhoneCall("08031234567");
  EXPECT_FALSE(CheckKind(call, profile));
  profile.kinds = {"advance"};
  EXPECT_TRUE(CheckKind(call, profile));
  EXPECT_TRUE(CheckKind(FacialCall(), {}));
}

TEST(VerificationCallTest, NinHasElevenDigitsAndIsNeverRepeated) {
  for (std::string_view nin : {"1234567890", "123456789012", "1234567890x", ""}) {
    const Status checked = CheckCall(FacialCall(nin), Rules());
    ASSERT_FALSE(checked) << nin;
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(checked.error().message, HasSubstr("11 digits"));
    EXPECT_THAT(checked.error().message, Not(HasSubstr("123456789")));
  }
}

TEST(VerificationCallTest, QuestionIsCheckedBeforeThereArePictures) {
  VerificationCall call = FacialCall();
  call.pictures = {};
  EXPECT_TRUE(CheckQuestion(call, Rules()));
  EXPECT_FALSE(CheckCall(call, Rules()));
  call.reason = "NO-SUCH-REASON";
  EXPECT_FALSE(CheckQuestion(call, Rules()));
}

TEST(VerificationCallTest, PhoneMustLookNigerian) {
  for (std::string_view phone : {"", "07112345678", "0803123456", "080312345678", "06031234567",
                                 "08231234567", "+448031234567", "0803123456a", "8031234567"}) {
    const Status checked = CheckCall(PhoneCall(phone), Rules());
    ASSERT_FALSE(checked) << phone;
    EXPECT_THAT(checked.error().message, Not(HasSubstr("0803123")));
  }
}

TEST(VerificationCallTest, ReasonComesFromTheServicesOwnList) {
  VerificationCall call = FacialCall();
  call.reason = "CURIOSITY";
  const Status checked = CheckCall(call, Rules());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("KYC, LOAN"));

  CallRules unknown = Rules();
  unknown.reasons.clear();
  const Status without_list = CheckCall(FacialCall(), unknown);
  ASSERT_FALSE(without_list);
  EXPECT_EQ(without_list.error().code, ErrorCode::kFailedPrecondition);
}

TEST(VerificationCallTest, FivePicturesThatBeginLikeJpegAndHaveASaneSize) {
  VerificationCall missing = FacialCall();
  missing.pictures.liveness[3] = SecretBytes();
  EXPECT_THAT(CheckCall(missing, Rules()).error().message, HasSubstr("liveness picture 4"));

  VerificationCall png = FacialCall();
  png.pictures.selfie = SecretBytes::CopyOf(std::string("\x89PNG").append(2000, 'x'));
  EXPECT_THAT(CheckCall(png, Rules()).error().message, HasSubstr("the selfie is not a JPEG"));

  VerificationCall tiny = FacialCall();
  tiny.pictures.selfie = DrawJpeg(100, 'x');
  EXPECT_THAT(CheckCall(tiny, Rules()).error().message, HasSubstr("100 bytes"));

  VerificationCall huge = FacialCall();
  huge.pictures.selfie = DrawJpeg(5 << 20, 'x');
  EXPECT_FALSE(CheckCall(huge, Rules()));
}

TEST(VerificationCallTest, TestNinIsRefusedInProductionOnly) {
  CallRules rules = Rules();
  EXPECT_TRUE(CheckCall(FacialCall("00000000000"), rules));
  rules.environment = Environment::kProduction;
  EXPECT_THAT(CheckCall(FacialCall("00000000000"), rules).error().message, HasSubstr("test NIN"));
}

TEST(VerificationCallTest, AskingAboutNobodyIsRefused) {
  VerificationCall call;
  call.endpoint = Endpoint::kLogin;
  EXPECT_FALSE(CheckCall(call, Rules()));
}

TEST(VerificationCallTest, NumbersAreCleanedOfWhatPeopleTypeBetween) {
  EXPECT_EQ(CleanNumber(" 123 4567-8901\n").text(), "12345678901");
  EXPECT_EQ(CleanNumber("+234 (803) 123.4567").text(), "+2348031234567");
  EXPECT_EQ(CleanNumber("12O").text(), "12O");
}

TEST(VerificationCallTest, QuestionSurvivesSealingWithoutThePictures) {
  VerificationCall call = FacialCall();
  call.phone = SecretBytes::CopyOf("08031234567");
  call.id_number = SecretBytes::CopyOf("A-1");
  const auto parsed = ParseQuestion(SerializeQuestion(call).view());
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->endpoint, Endpoint::kVerify);
  EXPECT_EQ(parsed->nin.text(), "12345678901");
  EXPECT_EQ(parsed->phone.text(), "08031234567");
  EXPECT_EQ(parsed->id_number.text(), "A-1");
  EXPECT_EQ(parsed->reason, "KYC");
  EXPECT_EQ(parsed->search_type, "advance");
  EXPECT_TRUE(parsed->pictures.empty());
}

TEST(VerificationCallTest, DamagedQuestionIsNoticedWhereverItIsCut) {
  const SecretBytes whole = SerializeQuestion(FacialCall());
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto parsed = ParseQuestion(whole.view().first(size));
    ASSERT_FALSE(parsed) << size;
    EXPECT_EQ(parsed.error().code, ErrorCode::kCorrupt);
  }
  SecretBytes longer(whole.size() + 1);
  std::ranges::copy(whole.view(), longer.mutable_view().begin());
  EXPECT_FALSE(ParseQuestion(longer.view()));
  SecretBytes other_version = whole.Clone();
  other_version.mutable_view()[3] = 2;
  EXPECT_THAT(ParseQuestion(other_version.view()).error().message, HasSubstr("version 2"));
}

}  // namespace
}  // namespace idkiosk
