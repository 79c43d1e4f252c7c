#include "app/service/answer_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<AnswerParts> Read(std::string_view body, const ServiceProfile& profile = SandboxProfile()) {
  return ReadAnswer(profile.at(Endpoint::kVerify), AsBytes(body));
}

TEST(AnswerCodecTest, PointersFindNamePhotoAndReference) {
  const auto parts = Read(kVerifiedAnswer);
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_TRUE(parts->verified);
  EXPECT_EQ(parts->name.text(), "Ada Obi");
  EXPECT_EQ(parts->photo.text(), "\xff\xd8\xff");
  EXPECT_EQ(parts->reference.text(), "R-1");
}

TEST(AnswerCodecTest, PhotoMayBeADataAddressAndMustBeBase64) {
  const auto parts = Read(R"({"data":{"verified":true,"photo":"data:image/jpeg;base64,/9j/"}})");
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->photo.text(), "\xff\xd8\xff");
  EXPECT_FALSE(Read(R"({"data":{"verified":true,"photo":"no base64!"}})"));
}

TEST(AnswerCodecTest, ProfileSaysWhichValuesMeanYes) {
  const ServiceProfile profile =
      SandboxProfile(R"("photo": "/data/photo",)",
                     R"("photo": "/data/photo", "verified_values": ["MATCH", 1],
                        "not_verified_values": ["NO_MATCH", 0],)");
  EXPECT_TRUE(Read(R"({"data":{"verified":"MATCH"}})", profile)->verified);
  EXPECT_TRUE(Read(R"({"data":{"verified":1}})", profile)->verified);
  EXPECT_FALSE(Read(R"({"data":{"verified":"NO_MATCH"}})", profile)->verified);
  EXPECT_FALSE(Read(R"({"data":{"verified":true}})", profile).has_value());
  EXPECT_FALSE(Read(R"({"data":{"verified":"match"}})", profile).has_value());
}

TEST(AnswerCodecTest, WithoutAVerdictTheAnswerItselfIsTheYes) {
  const ServiceProfile profile = SandboxProfile(
      R"("verified": "/data/verified",
        "name": "/data/fullName",
        "photo")",
      R"("name": "/data/fullName", "photo")");
  EXPECT_TRUE(Read(R"({"data":{"fullName":"Ada Obi"}})", profile)->verified);
  EXPECT_FALSE(Read(R"({"data":{}})", profile).has_value());
}

TEST(AnswerCodecTest, ANameThatIsThereTwiceMakesAnAnswerUnreadable) {
  for (const std::string_view body :
       {R"({"data":{"verified":true,"verified":false}})", R"({"data":{"verified":true},"data":1})",
        R"({"data":{"verified":true},"more":[{"a":1,"b":2,"a":1}]})"}) {
    const auto parts = Read(body);
    ASSERT_FALSE(parts) << body;
    EXPECT_THAT(parts.error().message, HasSubstr("a name twice"));
  }
  EXPECT_TRUE(Read(R"({"data":{"verified":true},"more":{"verified":true}})"));
}

TEST(AnswerCodecTest, FaultsNeverRepeatTheAnswer) {
  for (std::string_view body : {"", "12345678901", "[\"12345678901\"", "{\"a\":12345678901}"}) {
    const auto parts = Read(body);
    ASSERT_FALSE(parts) << body;
    EXPECT_EQ(parts.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(parts.error().message, Not(HasSubstr("12345678901")));
  }
}

std::vector<std::string> CodesOf(std::string_view body) {
  const auto reasons = ReadReasons(SandboxProfile().at(Endpoint::kReasons), AsBytes(body));
  std::vector<std::string> codes;
  if (!reasons) return codes;
  for (const RequestReason& each : *reasons) codes.push_back(each.code + "=" + each.label);
  return codes;
}

TEST(AnswerCodecTest, ReasonsAreStringsOrObjects) {
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(CodesOf(R"({"data":["KYC","LOAN"]})"), ElementsAre("KYC=KYC", "LOAN=LOAN"));
  EXPECT_THAT(CodesOf(R"({"data":[{"code":"KYC","label":"Know your customer"}]})"),
              ElementsAre("KYC=Know your customer"));
  EXPECT_THAT(CodesOf(R"({"data":[{"code":7}]})"), ElementsAre("7=7"));
  EXPECT_THAT(CodesOf(R"({"data":[{"name":"KYC"}]})"), IsEmpty());
  EXPECT_THAT(CodesOf(R"({"data":[]})"), IsEmpty());
  EXPECT_THAT(CodesOf(R"({"data":"KYC"})"), IsEmpty());
  EXPECT_THAT(CodesOf(R"({"data":["Compte (ouverture) é"]})"),
              ElementsAre("Compte (ouverture) é=Compte (ouverture) é"));
  for (const std::string& no :
       {std::string("A\\u001b[2J"), std::string("a\\nb"), std::string(65, 'A')}) {
    EXPECT_THAT(CodesOf(fmt::format(R"({{"data":["KYC","{}"]}})", no)), IsEmpty()) << no;
  }
}

std::optional<WallTime> ExpiryOf(std::string_view value) {
  const std::string body =
      fmt::format(R"({{"data":{{"accessToken":"t","expires_at":{}}}}})", value);
  const auto login = ReadLogin(SandboxProfile().at(Endpoint::kLogin), AsBytes(body));
  EXPECT_TRUE(login) << login.error().message;
  return login->expires_at;
}

TEST(AnswerCodecTest, ExpiryHasThreeForms) {
  const WallTime expected =
      std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} + std::chrono::hours(2);
  EXPECT_EQ(ExpiryOf(R"("2026-11-20T02:00:00Z")"), expected);
  EXPECT_EQ(ExpiryOf(R"("2026-11-20T03:00:00.000+01:00")"), expected);
  EXPECT_EQ(ExpiryOf("1795140000"), expected);
  EXPECT_EQ(ExpiryOf("\"1795140000\""), expected);
  EXPECT_EQ(ExpiryOf("1795140000000"), expected);
  EXPECT_EQ(ExpiryOf("\"1795140000000\""), expected);
  for (std::string_view bad : {"\"tomorrow\"", "0", "-1", "null", "1e300", "\"\"", "{}"}) {
    EXPECT_EQ(ExpiryOf(bad), std::nullopt) << bad;
  }
}

TEST(AnswerCodecTest, ATokenFitsIntoAHeader) {
  const EndpointProfile profile = SandboxProfile().at(Endpoint::kLogin);
  EXPECT_FALSE(ReadLogin(profile, AsBytes(R"({"data":{"accessToken":"a\r\nX-Evil: 1"}})")));
  EXPECT_FALSE(ReadLogin(profile, AsBytes(R"({"data":{"accessToken":""}})")));
  EXPECT_FALSE(ReadLogin(profile, AsBytes(R"({"data":{}})")));
}

// Each of its texts may come to a screen, a terminal or a log.
TEST(AnswerCodecTest, NothingThatIsShownTurnsLettersRoundOrHides) {
  const auto answer =
      Read(R"({"data":{"verified":true,"fullName":"A\u200fda","reference":"R\u202e\u200b"}})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->name.text(), "A?da");
  EXPECT_EQ(answer->reference.text(), "R??");
  constexpr std::string_view kReasons = R"({"data":[{"code":"LOAN","label":"Lo\u202ean\u001b"}]})";
  const auto reasons = ReadReasons(SandboxProfile().at(Endpoint::kReasons), AsBytes(kReasons));
  ASSERT_TRUE(reasons) << reasons.error().message;
  EXPECT_EQ(reasons->at(0).label, "Lo?an?");
}

std::string MessageOf(std::string_view body) {
  return std::string(ReadErrorMessage(SandboxProfile(), AsBytes(body)).text());
}

// A screen is sent it whole, each time that it changes.
TEST(AnswerCodecTest, ANameOfMegabytesIsCut) {
  std::string name;
  while (name.size() < 3'000'000) name += "Ọ";
  const auto parts = Read(fmt::format(R"({{"data":{{"verified":true,"fullName":"{}"}}}})", name));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->name.text(), name.substr(0, 300));
}

TEST(AnswerCodecTest, ErrorMessageIsFoundAndMadeHarmless) {
  EXPECT_EQ(MessageOf(R"({"message":"too large"})"), "too large");
  EXPECT_EQ(MessageOf(R"({"error":{"message":"too large"}})"), "too large");
  EXPECT_EQ(MessageOf(R"({"error":"too large"})"), "too large");
  EXPECT_EQ(MessageOf(R"({"message":"a\nb\u001b[31m"})"), "a b [31m");
  EXPECT_EQ(MessageOf(R"({"message":"a\u200fb\u202ec\u200bd"})"), "a?b?c?d");
  EXPECT_EQ(MessageOf("<html>"), "");
  EXPECT_EQ(MessageOf(R"({"message":7})"), "");
  EXPECT_EQ(MessageOf("{\"message\":\"" + std::string(5000, 'x') + "\"}").size(), 300U);
  // Cut between characters, not within one.
  std::string accents;
  for (int i = 0; i < 200; ++i) accents += "\xc3\xa4";
  EXPECT_EQ(MessageOf("{\"message\":\"x" + accents + "\"}").size(), 299U);
}

}  // namespace
}  // namespace idkiosk
