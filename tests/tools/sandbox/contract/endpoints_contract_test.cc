// The sentences of the specification's sections Environments, Resources and Endpoints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/bytes.h"
#include "tests/tools/sandbox/contract/curl.h"
#include "tools/sandbox/service/image.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class EndpointsContractTest : public ContractTest {
 protected:
  Customer customer_ = Onboard();

  Answer PostAs(const Customer& customer, const std::string& path, const std::string& json) {
    return Post(path, json, customer.Headers());
  }
  std::vector<std::string> AsForm(const std::vector<std::string>& form) {
    std::vector<std::string> arguments = customer_.Headers();
    arguments.insert(arguments.end(), form.begin(), form.end());
    return arguments;
  }
};

TEST_F(EndpointsContractTest, GenericVerificationTakesATypeAndAnIdNumber) {
  const std::vector<std::string> key = {"--header", "Authorization: Bearer " + customer_.api_key};
  const Answer answer = Post(kCheck, Json({{"type", "nin"}, {"id_number", kMatchingNin}}), key);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), true);
  EXPECT_EQ(answer.Text("/data/fullName"), "Amina Sample");
  EXPECT_THAT(Post(kCheck, Json({{"id_number", kMatchingNin}}), key).message(), HasSubstr("type"));
  EXPECT_THAT(Post(kCheck, Json({{"type", "nin"}}), key).message(), HasSubstr("id_number"));
  EXPECT_EQ(Post(kCheck, Json({{"type", "passport"}, {"id_number", "1"}}), key).status, 400);
  const Answer nobody = Post(kCheck, Json({{"type", "nin"}, {"id_number", kUnknownNin}}), key);
  EXPECT_EQ(nobody.status, 200);
  EXPECT_EQ(nobody.json.root().At("/data/verified").AsBool(), false);
}

TEST_F(EndpointsContractTest, GetRequestReasonsReturnsAListOfValidReasonCodes) {
  const Answer answer = Get(kReasons, customer_.Headers());
  ASSERT_EQ(answer.status, 200);
  const std::vector<JsonView> reasons = answer.json.root()["data"].children();
  ASSERT_GE(reasons.size(), 4U);
  for (const JsonView reason : reasons) {
    const std::string code(reason["code"].AsString().value_or(""));
    EXPECT_NE(reason["label"].AsString().value_or(""), "");
    EXPECT_EQ(PostAs(customer_, kVerify, FaceJson(kTestNin, 1, 4, code)).status, 200) << code;
  }
  EXPECT_EQ(Admin("POST", "/sandbox/settings", R"({"reasons":"strings"})").status, 200);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).Text("/data/0"), "ACCOUNT_OPENING");
}

TEST_F(EndpointsContractTest, FacialVerificationTakesTheNinOneSelfieAndFourLivenessImages) {
  const Answer answer = PostAs(customer_, kVerify, FaceJson(kMatchingNin));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), true);
  EXPECT_THAT(answer.Text("/data/reference"), HasSubstr("SBX-"));
  const auto photo = FromBase64(answer.Text("/data/photo"));
  ASSERT_TRUE(photo);
  EXPECT_TRUE(InspectImage(*photo));
}

TEST_F(EndpointsContractTest, FacialVerificationTakesMultipartAsWellAsJson) {
  const Answer answer = Curl(kVerify, AsForm(FaceForm(kMatchingNin)));
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), true);
  EXPECT_EQ(Curl(kVerify, AsForm(FaceForm(kMatchingNin, 1, 3))).status, 400);
  EXPECT_EQ(Curl(kVerify, AsForm(FaceForm(kMatchingNin, 1, 5))).status, 413);
  EXPECT_EQ(Curl(kVerify, AsForm(FaceForm(kMatchingNin, 2, 4))).status, 413);
}

TEST_F(EndpointsContractTest, FacialVerificationRefusesWhatIsNoPicture) {
  const std::string broken = sandbox_.scratch() / "broken.jpg";
  ASSERT_TRUE(WritePrivateFile(broken, "no picture"));
  std::vector<std::string> form = FaceForm(kMatchingNin, 0, 4);
  form.insert(form.end(), {"--form", "selfieImage=@" + broken});
  const Answer answer = Curl(kVerify, AsForm(form));
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.message(), HasSubstr("selfieImage 1 is neither a JPEG nor a PNG"));
  const std::string text = R"({"nin":"70123456701","requestReason":"TENANCY",)"
                           R"("selfieImage":"not base64!","livenessImages":["a","b","c","d"]})";
  EXPECT_THAT(PostAs(customer_, kVerify, text).message(), HasSubstr("base64"));
}

TEST_F(EndpointsContractTest, PicturesOfSomebodyElseAreNotVerified) {
  for (const char* nin : {kDifferingNin, kUnknownNin}) {
    const Answer answer = PostAs(customer_, kVerify, FaceJson(nin));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), false);
    EXPECT_FALSE(answer.json.root().At("/data/fullName").exists());
  }
}

TEST_F(EndpointsContractTest, VerifyPhoneNumberTakesAPhoneAndASearchType) {
  const auto look_up = [&](const std::string& query) {
    return Get(std::string(kPhone) + query, customer_.Headers());
  };
  const Answer answer = look_up("?phone=07000000002&searchtype=advance");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Text("/data/fullName"), "Chidi Example");
  EXPECT_EQ(look_up("?phone=%2B2347000000002&searchtype=advance").status, 200);
  EXPECT_EQ(look_up("?searchtype=advance").status, 400);
  EXPECT_EQ(look_up("?phone=07000000002").status, 400);
  EXPECT_EQ(look_up("?phone=07000000002&searchtype=guess").status, 400);
  EXPECT_EQ(look_up("?phone=07099999999&searchtype=advance").status, 404);
  EXPECT_EQ(Billed(), 6);
}

TEST_F(EndpointsContractTest, GetNinDetailsReturnsDataInTheSameFormatAsOtherVerifications) {
  const Answer answer =
      PostAs(customer_, kDetails, Json({{"nin", kMatchingNin}, {"requestReason", "TENANCY"}}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), true);
  EXPECT_EQ(answer.Text("/data/fullName"), "Amina Sample");
  EXPECT_EQ(answer.Text("/data/phone"), "07000000001");
  EXPECT_NE(answer.Text("/data/photo"), "");
}

TEST_F(EndpointsContractTest, GetNinDetailsWithPhoneFindsThePersonByTheirNumber) {
  const Answer answer = PostAs(customer_, kDetailsByPhone,
                               Json({{"phone", "07000000001"}, {"requestReason", "TENANCY"}}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Text("/data/nin"), kMatchingNin);
  EXPECT_EQ(PostAs(customer_, kDetailsByPhone,
                   Json({{"phone", "07099999999"}, {"requestReason", "TENANCY"}}))
                .status,
            404);
}

TEST_F(EndpointsContractTest, EveryNinEndpointRequiresARequestReasonFromTheList) {
  for (const auto& [path, field, value] :
       std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {kDetails, "nin", kMatchingNin}, {kDetailsByPhone, "phone", "07000000001"}}) {
    EXPECT_THAT(PostAs(customer_, path, Json({{field, value}})).message(),
                HasSubstr("requestReason is missing"));
    EXPECT_EQ(PostAs(customer_, path, Json({{field, value}, {"requestReason", "BECAUSE"}})).status,
              400);
  }
  EXPECT_EQ(PostAs(customer_, kVerify, FaceJson(kTestNin, 1, 4, "BECAUSE")).status, 400);
  EXPECT_EQ(PostAs(customer_, kVerify, FaceJson(kTestNin, 1, 4, "")).status, 400);
}

TEST_F(EndpointsContractTest, RegistrationNeedsNoAuthenticationHeaders) {
  const std::string fields =
      Json({{"email", "new@example.org"}, {"password", "Correct-horse-7"}, {"name", "New"}});
  EXPECT_EQ(Post(kRegister, fields).status, 201);
  EXPECT_EQ(Post(kRegister, fields).status, 400);
  EXPECT_EQ(Post(kRegister, Json({{"email", "x@example.org"}, {"password", "weak"}, {"name", "X"}}))
                .status,
            400);
  const Answer login =
      Post(kLogin, Json({{"email", "new@example.org"}, {"password", "Correct-horse-7"}}));
  EXPECT_EQ(login.status, 200);
}

TEST_F(EndpointsContractTest, TheOnboardingMessageGoesToTheRegisteredAddressWithTheBaseAddress) {
  const Answer answer =
      Post(kRegister,
           Json({{"email", "new@example.org"}, {"password", "Correct-horse-7"}, {"name", "New"}}));
  const auto message =
      ReadTextFile(sandbox_.state() + "/outbox/" + answer.Text("/data/userId") + ".json");
  ASSERT_TRUE(message);
  EXPECT_THAT(*message, HasSubstr(sandbox_.base_url()));
  EXPECT_THAT(*message, HasSubstr("new@example.org"));
  EXPECT_THAT(*message, Not(HasSubstr("Correct-horse-7")));
}

TEST_F(EndpointsContractTest, APasswordChangeEndsTheTokensAndTheOldPassword) {
  const std::string change =
      Json({{"currentPassword", customer_.password}, {"newPassword", "Another-horse-8"}});
  EXPECT_EQ(PostAs(customer_, kChangePassword, change).status, 200);
  EXPECT_EQ(Get(kReasons, customer_.Headers()).status, 401);
  EXPECT_EQ(LogIn(customer_), "");
  customer_.password = "Another-horse-8";
  EXPECT_NE(LogIn(customer_), "");
}

TEST_F(EndpointsContractTest, APasswordChangeNeedsTheCurrentPassword) {
  const std::string change =
      Json({{"currentPassword", "Wrong-pass-1"}, {"newPassword", "Another-horse-8"}});
  EXPECT_EQ(PostAs(customer_, kChangePassword, change).status, 400);
  EXPECT_NE(LogIn(customer_), "");
}

TEST_F(EndpointsContractTest, InTheSandboxTheTestNinAlwaysSucceedsWhateverFaceImagesAreSent) {
  const std::string flip = R"({"nin":"70123456789","face_matches":false})";
  EXPECT_EQ(Admin("POST", "/sandbox/people/face", flip).status, 200);
  const Answer answer = PostAs(customer_, kVerify, FaceJson(kTestNin));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), true);
}

TEST_F(EndpointsContractTest, InProductionNobodyHasTheTestNin) {
  const Customer production = Onboard({{"environment", "production"}});
  const Answer answer = PostAs(production, kVerify, FaceJson(kTestNin));
  EXPECT_EQ(answer.json.root().At("/data/verified").AsBool(), false);
  EXPECT_EQ(
      PostAs(production, kDetails, Json({{"nin", kTestNin}, {"requestReason", "TENANCY"}})).status,
      404);
  EXPECT_EQ(
      PostAs(production, kVerify, FaceJson(kMatchingNin)).json.root().At("/data/verified").AsBool(),
      true);
}

}  // namespace
}  // namespace idkiosk::sandbox
