#include "app/service/probe_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

FakeHttpClient::Reply Good(std::string body) {
  FakeHttpClient::Reply reply;
  reply.body = std::move(body);
  return reply;
}

class ProbeClientTest : public ServiceBench, public testing::Test {
 protected:
  std::vector<ProbeClient::Secret> Secrets() {
    std::vector<ProbeClient::Secret> secrets;
    for (const CredentialTraits& each : kAllCredentials) {
      auto value = storage.Get(each.name);
      if (value) secrets.push_back({std::string(each.name), std::move(*value)});
    }
    return secrets;
  }
  Status Probe(Endpoint endpoint, const ServiceProfile& with) {
    told_.clear();
    const ServiceProfile probed = ProfileOfProbe(with, endpoint);
    ProbeClient probe(http, Secrets(), [this](const std::string& line) { told_ += line + "\n"; });
    TokenKeeper keeper(probed, settings, Environment::kProduction, probe, storage, clock);
    ServiceClient asked(probed, settings, Environment::kProduction, probe, storage, keeper, clock);
    if (endpoint == Endpoint::kLogin) return asked.Login();
    const auto reasons = asked.FetchReasons();
    return reasons ? Status() : std::unexpected(reasons.error());
  }

  std::string told_;
};

TEST_F(ProbeClientTest, ShowsRequestAndAnswerWithoutASecret) {
  ServeLogins([](const auto&) {
    return Good(R"({"data":[{"code":"TENANCY","label":"Renting a home"}]})");
  });
  ASSERT_TRUE(Probe(Endpoint::kReasons, profile)) << told_;
  EXPECT_THAT(told_,
              AllOf(HasSubstr("> GET https://customer.example/gateway/api/v1/ninAuth"),
                    HasSubstr("> X-API-KEY: [api_key]"), HasSubstr("Bearer [token]"),
                    HasSubstr("[password]"), HasSubstr("< HTTP 200"), HasSubstr("/data/0/code"),
                    HasSubstr("\"Renting a home\""), HasSubstr("/data/expires_at"),
                    HasSubstr("\"2026-11-20T02:00:00.000Z\""), Not(HasSubstr("token-1"))));
  for (const ProbeClient::Secret& each : Secrets()) {
    EXPECT_THAT(told_, Not(HasSubstr(std::string(each.value.text())))) << each.name;
  }
}

TEST_F(ProbeClientTest, HidesALongWordOfAnAnswer) {
  http.set_server([](const auto&) {
    return Good(R"({"jwt":"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.abc","note":"good for one hour"})");
  });
  EXPECT_FALSE(Probe(Endpoint::kLogin, profile));
  EXPECT_THAT(told_, AllOf(HasSubstr("/jwt"), HasSubstr("hidden"), Not(HasSubstr("eyJh")),
                           HasSubstr("good for one hour")));
}

TEST_F(ProbeClientTest, SendsWhatNobodyKnowsHowToRead) {
  const ServiceProfile unread =
      SandboxProfile(R"("answer": { "list": "/data", "code": "/code", "label": "/label" },)",
                     R"("answer": { "list": null, "code": null, "label": null },)");
  ASSERT_FALSE(unread.at(Endpoint::kReasons).missing.empty());
  ServeLogins([](const auto&) { return Good(R"({"items":["TENANCY"]})"); });
  EXPECT_FALSE(Probe(Endpoint::kReasons, unread));
  EXPECT_THAT(told_, AllOf(HasSubstr("/items/0"), HasSubstr("TENANCY")));
}

TEST_F(ProbeClientTest, NamesWhatProductionWaitsFor) {
  ServiceProfile assumed = profile;
  for (const Endpoint each : {Endpoint::kLogin, Endpoint::kReasons}) {
    assumed.endpoints[static_cast<size_t>(each)].documented = true;
  }
  EXPECT_THAT(StillAssumed(assumed, Endpoint::kReasons), testing::IsEmpty());
  assumed.endpoints[static_cast<size_t>(Endpoint::kLogin)].documented = false;
  EXPECT_THAT(StillAssumed(assumed, Endpoint::kReasons),
              testing::ElementsAre("endpoints.login.documented"));
  EXPECT_THAT(StillAssumed(assumed, Endpoint::kLogin),
              testing::ElementsAre("endpoints.login.documented"));
}

TEST_F(ProbeClientTest, APointerThatFindsNoLabelIsSaid) {
  EXPECT_TRUE(CheckLabels(profile, {{"A", "Opening an account"}, {"B", "B"}}));
  const Status wrong = CheckLabels(profile, {{"A", "A"}, {"B", "B"}});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("endpoints.reasons.answer.label: '/label' finds"));
  const ServiceProfile codes =
      SandboxProfile(R"("answer": { "list": "/data", "code": "/code", "label": "/label" },)",
                     R"("answer": { "list": "/data", "code": "/code", "label": "/code" },)");
  EXPECT_TRUE(CheckLabels(codes, {{"A", "A"}}));
}

TEST_F(ProbeClientTest, NeverSendsABilledCallOrOneThatChangesAnAccount) {
  for (const Endpoint each : kEndpoints) {
    const bool may = each == Endpoint::kLogin || each == Endpoint::kReasons;
    const Status checked = CheckProbe(each);
    EXPECT_EQ(checked.has_value(), may) << Name(each);
    if (checked) continue;
    const char* const why = TaskOf(each).empty() ? "changes an account" : "billed";
    EXPECT_THAT(checked.error().message, HasSubstr(why)) << Name(each);
  }
}

}  // namespace
}  // namespace idkiosk
