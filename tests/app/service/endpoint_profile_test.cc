#include "app/service/endpoint_profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/settings/credentials.h"
#include "platform/base/text/letter_case.h"
#include "tests/app/service/service_fixture.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The sandbox's profile with one place changed; the error it gives.
std::string FaultOf(std::string_view from, std::string_view to) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto profile = ParseProfile(text, "p.jsonc");
  EXPECT_FALSE(profile);
  return profile ? "" : profile.error().message;
}

TEST(EndpointProfileTest, SandboxProfileIsComplete) {
  const ServiceProfile profile = SandboxProfile();
  for (const EndpointProfile& each : profile.endpoints) {
    EXPECT_THAT(each.missing, IsEmpty()) << Name(each.endpoint);
    EXPECT_TRUE(CheckCallable(profile, each.endpoint, Environment::kSandbox));
  }
  EXPECT_EQ(profile.currency, "NGN");
  EXPECT_EQ(profile.at(Endpoint::kVerify).price, 10000);
  EXPECT_EQ(profile.at(Endpoint::kCheck).authentication, Authentication::kApiKeyBearer);
}

TEST(EndpointProfileTest, ProductionSendsNothingThatIsNotDelivered) {
  const auto profile =
      ParseProfile(ReadRepositoryFile("config/profiles/production.jsonc"), "production.jsonc");
  ASSERT_TRUE(profile) << profile.error().message;
  for (const EndpointProfile& each : profile->endpoints) {
    const Status callable = CheckCallable(*profile, each.endpoint, Environment::kProduction);
    ASSERT_FALSE(callable) << Name(each.endpoint);
    EXPECT_EQ(callable.error().code, ErrorCode::kFailedPrecondition);
  }
  const Status verify = CheckCallable(*profile, Endpoint::kVerify, Environment::kProduction);
  EXPECT_THAT(verify.error().message, HasSubstr("endpoints.verify.path"));
  EXPECT_THAT(verify.error().message, HasSubstr("production.jsonc"));
}

// Filled in for an idkiosk that knew fewer endpoints: an update must not refuse the whole of it.
TEST(EndpointProfileTest, AnEndpointThatItDoesNotNameIsNotDelivered) {
  for (const char* with : {"{}", R"({"lookup_nin": null})"}) {
    const auto profile = ParseProfile(
        fmt::format(R"({{"name": "of before", "currency": "NGN", "error_message": ["/message"],
                         "keep_alive": "5s", "endpoints": {}}})",
                    with),
        "p.jsonc");
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_THAT(profile->at(Endpoint::kLookupNin).missing, ElementsAre("endpoints.lookup_nin"));
    const Status callable = CheckCallable(*profile, Endpoint::kLookupNin, Environment::kSandbox);
    ASSERT_FALSE(callable);
    EXPECT_THAT(callable.error().message,
                AllOf(HasSubstr("p.jsonc"), HasSubstr("fill in endpoints.lookup_nin")));
  }
  EXPECT_THAT(FaultOf(R"("endpoints": {)", R"("endpoints": 5, "x": {)"),
              HasSubstr("x: no such key"));
}

TEST(EndpointProfileTest, ProductionKeepsWhatTheDocumentShows) {
  const auto profile =
      ParseProfile(ReadRepositoryFile("config/profiles/production.jsonc"), "production.jsonc");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->at(Endpoint::kCheck).path, "/v1/verify");
  EXPECT_EQ(profile->at(Endpoint::kReasons).path, "/api/v1/ninAuth/getRequestReasons");
  EXPECT_EQ(profile->at(Endpoint::kLookupPhone).path, "/verify/verifyPhoneNumber");
  EXPECT_EQ(profile->at(Endpoint::kLookupNin).path, "/ninAuth/getNINDetails");
  EXPECT_EQ(profile->at(Endpoint::kLookupNinPhone).path, "/ninAuth/getNINDetailsWithPhone");
}

TEST(EndpointProfileTest, ProductionRefusesWhatIsOnlyAssumed) {
  const ServiceProfile profile = SandboxProfile();
  const Status verify = CheckCallable(profile, Endpoint::kVerify, Environment::kProduction);
  ASSERT_FALSE(verify);
  EXPECT_THAT(verify.error().message, HasSubstr("endpoints.verify.documented"));
  EXPECT_TRUE(CheckCallable(profile, Endpoint::kCheck, Environment::kProduction));
}

TEST(EndpointProfileTest, NullIsListedAsMissing) {
  const ServiceProfile profile = SandboxProfile(R"("path": "/v1/verify")", R"("path": null)");
  EXPECT_THAT(profile.at(Endpoint::kCheck).missing, ElementsAre("endpoints.check.path"));
}

TEST(EndpointProfileTest, FaultsNameFileLineAndKey) {
  EXPECT_THAT(
      FaultOf(R"("auth": "api_key_bearer")", R"("auth": "basic")"),
      testing::ContainsRegex("^p.jsonc:[0-9]+: endpoints.check.auth: \"basic\" is none of"));
  EXPECT_THAT(FaultOf(R"("path": "/v1/verify",)", R"("pfad": "/v1/verify",)"),
              HasSubstr("endpoints.check.pfad: no such key"));
  EXPECT_THAT(FaultOf(R"("path": "/v1/verify",)", ""), HasSubstr("\"path\" is missing"));
  EXPECT_THAT(FaultOf(R"("/v1/verify")", R"("v1/verify")"), HasSubstr("begin with a slash"));
  EXPECT_THAT(FaultOf(R"("/v1/verify")", R"("/v1/verify?x=1")"), HasSubstr("no query"));
  EXPECT_THAT(FaultOf(R"("price": 25.0)", R"("price": 25.001)"), HasSubstr("two decimals"));
  EXPECT_THAT(FaultOf(R"("price": 25.0)", R"("price": 9999999999)"),
              HasSubstr("no more than 1000000000"));
  EXPECT_THAT(FaultOf(R"("price": 25.0)", R"("price": "25")"), HasSubstr("check.price"));
  EXPECT_THAT(FaultOf(R"("documented": true)", R"("documented": "yes")"),
              HasSubstr("must be true or false"));
  EXPECT_THAT(FaultOf(R"("verified": "/data/verified")", R"("verified": "data.verified")"),
              HasSubstr("JSON pointer"));
  EXPECT_THAT(FaultOf(R"("check": {)", R"("chekc": {)"),
              HasSubstr("endpoints.chekc: no endpoint; did you mean check?"));
  EXPECT_THAT(FaultOf(R"("currency": "NGN")", R"("currency": "NAIRA")"),
              HasSubstr("must be three capital letters"));
  EXPECT_THAT(FaultOf(R"("name": "sandbox",)", R"("name": 7,)"), HasSubstr("p.jsonc"));
  EXPECT_THAT(FaultOf("\"currency\"", "currency"), HasSubstr("p.jsonc: not JSON at line"));
}

// With each of them an answer would be read that nobody meant, and be paid for.
TEST(EndpointProfileTest, AVerdictIsToldByAPlaceAndByValuesThatDiffer) {
  const std::string verified = R"("verified": "/data/verified",)";
  EXPECT_THAT(FaultOf(verified, R"("verified_values": ["Y"], "not_verified_values": ["N"],)"),
              HasSubstr("check.answer.verified_values: is of \"verified\", which is missing"));
  EXPECT_THAT(FaultOf(verified, verified + R"("verified_values": [],)"),
              HasSubstr("must name a value"));
  EXPECT_THAT(FaultOf(verified, verified + R"("verified_values": ["Y"],)" +
                                    R"("not_verified_values": ["N", "Y"],)"),
              HasSubstr("\"Y\" says yes, too"));
  EXPECT_THAT(FaultOf(verified, verified + R"("verified_values": [false],)"),
              HasSubstr("false says yes, too"));
  EXPECT_THAT(FaultOf(R"("/v1/verify")", R"("/v1/verify/{id_number}")"),
              HasSubstr("check.path: is sent as it stands"));
}

TEST(EndpointProfileTest, TemplatesAskForAllThatTheEndpointNeedsAndNothingElse) {
  EXPECT_THAT(FaultOf(R"("{selfie}")", R"("{portrait}")"),
              HasSubstr("\"{portrait}\" is not a value"));
  EXPECT_THAT(FaultOf(R"("{selfie}")", R"("{phone}")"), HasSubstr("\"{selfie}\" must stand"));
  EXPECT_THAT(FaultOf(R"("{liveness_2}")", R"("{liveness_1}")"), HasSubstr("\"{liveness_1}\""));
  EXPECT_THAT(FaultOf(R"("{id_number}" })", R"("{id_number}", "n": "{nin}" })"),
              HasSubstr("does not know \"{nin}\""));
  EXPECT_THAT(FaultOf(R"("{phone}", "searchtype")", R"("{phone", "searchtype")"),
              HasSubstr("brace"));
}

TEST(EndpointProfileTest, OnlyANumberThatIsSentIsRepeated) {
  constexpr const char* kReference = R"("reference": "/data/reference")";
  constexpr const char* kBoth = R"("reference": "/data/reference", "attempt_id": "/data/id")";
  EXPECT_EQ(SandboxProfile(kReference, kBoth).at(Endpoint::kCheck).answer.attempt_id, "/data/id");
  EXPECT_THAT(FaultOf(R"("reference": "/data/userId")", R"("attempt_id": "/data/id")"),
              HasSubstr("answer.attempt_id: the request carries no {attempt_id}"));
}

TEST(EndpointProfileTest, NoRecordIsAMessageOrAValueAtAPointer) {
  const auto fault = [](std::string_view value) {
    return FaultOf(R"("documented": true,)",
                   fmt::format(R"("documented": true, "no_record": {},)", value));
  };
  for (const char* bad :
       {"{}", R"("no record")", R"({"pointer":"/a"})", R"({"values":["x"]})", R"({"message":""})",
        R"({"pointer":"/a","values":[]})", R"({"message":"x","pointer":"/a","values":["y"]})"}) {
    EXPECT_THAT(fault(bad), HasSubstr("check.no_record")) << bad;
  }
  EXPECT_THAT(fault(R"({"pointer":"a","values":["x"]})"), HasSubstr("JSON pointer"));
  EXPECT_THAT(FaultOf(R"("documented": true,)", R"("documented": true, "not_found": "no_record",)"),
              HasSubstr("is now \"no_record\""));
}

TEST(EndpointProfileTest, WhatAnErrorCostsIsSaidByStatus) {
  const auto fault = [](std::string_view value) {
    return FaultOf(R"("currency": "NGN",)",
                   fmt::format(R"("currency": "NGN", "billed_by_status": {},)", value));
  };
  EXPECT_THAT(fault(R"({"200":"no"})"), HasSubstr("from 400 to 599"));
  EXPECT_THAT(fault(R"({"4xx":"no"})"), HasSubstr("from 400 to 599"));
  EXPECT_THAT(fault(R"({"404":"perhaps"})"), HasSubstr("is none of yes, maybe, no"));
  EXPECT_THAT(fault("[]"), HasSubstr("an object of statuses"));
}

TEST(EndpointProfileTest, AnAttemptsNumberTakesNoHeaderThatRequestsHave) {
  std::vector<std::string> taken = {"Host", "Authorization", "authorization"};
  for (const CredentialTraits& each : kAllCredentials) {
    if (each.header.empty()) continue;
    taken.emplace_back(each.header);
    taken.push_back(LowerCase(each.header));
  }
  EXPECT_EQ(taken.size(), 7U);
  for (const std::string& each : taken) {
    EXPECT_THAT(FaultOf(R"("X-Attempt-Id")", fmt::format(R"("{}")", each)),
                HasSubstr("attempt_id_header: is a header that requests have already"))
        << each;
  }
}

TEST(EndpointProfileTest, KeepAliveIsATime) {
  EXPECT_EQ(SandboxProfile(R"("1 s")", R"("5 s")").keep_alive, std::chrono::seconds(5));
  EXPECT_EQ(SandboxProfile(R"("keep_alive": "1 s",)").keep_alive, Duration());
  for (const char* bad : {"5", R"("soon")", R"("11 min")"}) {
    EXPECT_THAT(FaultOf(R"("1 s")", bad), HasSubstr("keep_alive: must be a time"));
  }
}

TEST(EndpointProfileTest, KindsAreThoseOfTheDocumentUnlessTheProfileKnowsMore) {
  constexpr const char* kBilled = R"("documented": true,
      "method": "POST",
      "path": "/v1/verify",)";
  const auto with = [&](const char* kinds) { return std::string(kBilled) + kinds; };
  const ServiceProfile as_shown = SandboxProfile();
  EXPECT_THAT(as_shown.at(Endpoint::kCheck).kinds, ElementsAre("nin"));
  EXPECT_THAT(as_shown.at(Endpoint::kLookupPhone).kinds, ElementsAre("advance"));
  EXPECT_THAT(as_shown.at(Endpoint::kVerify).kinds, IsEmpty());
  const ServiceProfile more = SandboxProfile(kBilled, with(R"("kinds": ["nin", "bvn"],)"));
  EXPECT_THAT(more.at(Endpoint::kCheck).kinds, ElementsAre("nin", "bvn"));
  for (const char* bad : {R"("kinds": [],)", R"("kinds": "nin",)", R"("kinds": [1],)"}) {
    EXPECT_THAT(FaultOf(kBilled, with(bad)), HasSubstr("check.kinds: must be a list of words"));
  }
  EXPECT_THAT(FaultOf(R"("path": "/ninAuth/getNINDetails",)",
                      R"("path": "/ninAuth/getNINDetails", "kinds": ["x"],)"),
              HasSubstr("lookup_nin.kinds: this endpoint has no kinds"));
}

TEST(EndpointProfileTest, ItsFileIsReadAndNamed) {
  FakeFileSystem files;
  const auto missing = LoadProfile(files, "/etc/p.jsonc");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message,
              AllOf(HasSubstr("service.profile"), HasSubstr("/etc/p.jsonc")));
  files.Put("/etc/p.jsonc", AsBytes(R"({"name": 5})"));
  const auto wrong = LoadProfile(files, "/etc/p.jsonc");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("/etc/p.jsonc"));
  files.Put("/etc/p.jsonc", AsBytes(ReadRepositoryFile("config/profiles/sandbox.jsonc")));
  const auto good = LoadProfile(files, "/etc/p.jsonc");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->file, "/etc/p.jsonc");
}

}  // namespace
}  // namespace idkiosk
