#include "app/service/request_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/json.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

ServiceSettings GatewaySettings() {
  ServiceSettings settings;
  settings.base_url = "https://customer.example/gateway";
  return settings;
}

BuiltRequest Build(const EndpointProfile& profile, const VerificationCall& call) {
  auto built = BuildRequest(profile, GatewaySettings(), ValuesOf(call));
  EXPECT_TRUE(built) << built.error().message;
  return std::move(*built);
}

std::string ReadInPieces(HttpBody& body, size_t piece_size) {
  std::string text;
  std::string piece(piece_size, '\0');
  while (const size_t count = body.Read(piece)) text.append(piece, 0, count);
  return text;
}

// The endpoint "verify" with these lines instead of the sandbox's.
EndpointProfile VerifyWith(std::string_view body, std::string_view fields) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  const size_t begin = text.find(R"("body": "json",)", text.find("verifyNINWithFace"));
  const size_t end = text.find(R"("answer")", begin);
  text.replace(begin, end - begin, fmt::format("\"body\": \"{}\", \"fields\": {},", body, fields));
  auto profile = ParseProfile(text, "p.jsonc");
  EXPECT_TRUE(profile) << profile.error().message;
  return profile->at(Endpoint::kVerify);
}

TEST(RequestCodecTest, FacialCallIsJsonWithFivePicturesInBase64) {
  const VerificationCall call = FacialCall();
  const ServiceProfile profile = SandboxProfile();
  BuiltRequest built = Build(profile.at(Endpoint::kVerify), call);
  EXPECT_EQ(built.request.method, "POST");
  EXPECT_EQ(built.request.url.text(),
            "https://customer.example/gateway/api/v1/ninAuth/verifyNINWithFace");
  const std::string text = ReadInPieces(*built.body, 4096);
  EXPECT_EQ(text.size(), built.body->size());
  const auto json = JsonDocument::Parse(text);
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->root()["nin"].AsString(), "12345678901");
  EXPECT_EQ(json->root()["requestReason"].AsString(), "KYC");
  EXPECT_EQ(json->root()["selfieImage"].AsString(), ToBase64(call.pictures.selfie.view()));
  const auto liveness = json->root()["livenessImages"].children();
  ASSERT_EQ(liveness.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(liveness[i].AsString(), ToBase64(call.pictures.liveness[i].view()));
  }
}

TEST(RequestCodecTest, BodyIsTheSameInPiecesOfAnySize) {
  const VerificationCall call = FacialCall();
  const ServiceProfile profile = SandboxProfile();
  const std::string whole = ReadInPieces(*Build(profile.at(Endpoint::kVerify), call).body, 1 << 20);
  for (const size_t size : {1U, 2U, 3U, 4U, 5U, 7U, 64U, 1000U, 1024U}) {
    BuiltRequest built = Build(profile.at(Endpoint::kVerify), call);
    EXPECT_EQ(ReadInPieces(*built.body, size), whole) << size;
  }
}

TEST(RequestCodecTest, TemplateMayNestAddConstantsAndMakeDataAddresses) {
  const EndpointProfile profile = VerifyWith("json", R"({
    "consent": true, "channel": "kiosk", "count": 5,
    "person": { "id": "NIN-{nin}", "why": "{request_reason}" },
    "images": [ { "front": "data:image/jpeg;base64,{selfie}" },
                "{liveness_1}", "{liveness_2}", "{liveness_3}", "{liveness_4}" ],
    "none": [], "empty": {} })");
  const VerificationCall call = FacialCall();
  BuiltRequest built = Build(profile, call);
  const auto json = JsonDocument::Parse(ReadInPieces(*built.body, 77));
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->root()["consent"].AsBool(), true);
  EXPECT_EQ(json->root()["count"].AsInteger(), 5);
  EXPECT_EQ(json->root().At("/person/id").AsString(), "NIN-12345678901");
  EXPECT_EQ(json->root().At("/images/0/front").AsString(),
            "data:image/jpeg;base64," + ToBase64(call.pictures.selfie.view()));
  EXPECT_TRUE(json->root()["none"].IsArray());
  EXPECT_TRUE(json->root()["empty"].IsObject());
}

TEST(RequestCodecTest, MultipartSendsPicturesAsFiles) {
  const EndpointProfile profile = VerifyWith("multipart", R"({
    "nin": "{nin}", "requestReason": "{request_reason}", "selfie": "{selfie}",
    "liveness": ["{liveness_1}", "{liveness_2}", "{liveness_3}", "{liveness_4}"] })");
  const VerificationCall call = FacialCall();
  BuiltRequest built = Build(profile, call);
  const std::string type(built.request.headers.front().value.text());
  ASSERT_THAT(type, HasSubstr("multipart/form-data; boundary="));
  const std::string boundary = type.substr(type.find('=') + 1);
  const std::string text = ReadInPieces(*built.body, 13);
  EXPECT_EQ(text.size(), built.body->size());
  EXPECT_TRUE(text.starts_with("--" + boundary + "\r\n"));
  EXPECT_TRUE(text.ends_with("--" + boundary + "--\r\n"));
  EXPECT_THAT(text, HasSubstr("form-data; name=\"nin\"\r\n\r\n12345678901\r\n--"));
  EXPECT_THAT(text, HasSubstr("name=\"selfie\"; filename=\"selfie.jpg\"\r\n"
                              "Content-Type: image/jpeg\r\n\r\n" +
                              std::string(call.pictures.selfie.text()) + "\r\n--"));
  EXPECT_THAT(text, HasSubstr("name=\"liveness\"; filename=\"liveness_4.jpg\""));
}

TEST(RequestCodecTest, BoundaryNeverOccursInAPicture) {
  const EndpointProfile profile = VerifyWith("multipart", R"({
    "nin": "{nin}", "requestReason": "{request_reason}", "selfie": "{selfie}",
    "liveness": ["{liveness_1}", "{liveness_2}", "{liveness_3}", "{liveness_4}"] })");
  VerificationCall call = FacialCall();
  const std::string usual(Build(profile, call).request.headers.front().value.text());
  const std::string boundary = usual.substr(usual.find('=') + 1);
  std::ranges::copy(AsBytes(boundary), call.pictures.selfie.mutable_view().begin() + 100);
  const std::string other(Build(profile, call).request.headers.front().value.text());
  EXPECT_NE(other, usual);
}

TEST(RequestCodecTest, QueryIsPercentEncoded) {
  VerificationCall call;
  call.endpoint = Endpoint::kLookupPhone;
  call.phone = SecretBytes::CopyOf("+2348031234567");
  call.search_type = "advance & more";
  BuiltRequest built = Build(SandboxProfile().at(Endpoint::kLookupPhone), call);
  EXPECT_EQ(built.request.method, "GET");
  EXPECT_EQ(built.request.body, nullptr);
  EXPECT_EQ(built.request.url.text(),
            "https://customer.example/gateway/verify/verifyPhoneNumber"
            "?phone=%2B2348031234567&searchtype=advance%20%26%20more");
}

TEST(RequestCodecTest, ValuesAreEscapedInJson) {
  const auto built = BuildRequest(SandboxProfile().at(Endpoint::kLogin), GatewaySettings(),
                                  {{Placeholder::kLogin, AsBytes("a\"b\\c\n@x")},
                                   {Placeholder::kPassword, AsBytes("p\xc3\xa4ss")}});
  ASSERT_TRUE(built);
  const auto json = JsonDocument::Parse(ReadInPieces(*built->body, 64));
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->root()["email"].AsString(), "a\"b\\c\n@x");
  EXPECT_EQ(json->root()["password"].AsString(), "p\xc3\xa4ss");
}

TEST(RequestCodecTest, NamesWhatIsMissing) {
  VerificationCall call = FacialCall();
  call.pictures.liveness[2] = SecretBytes();
  const auto built =
      BuildRequest(SandboxProfile().at(Endpoint::kVerify), GatewaySettings(), ValuesOf(call));
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().message, HasSubstr("liveness_3"));
}

}  // namespace
}  // namespace idkiosk
