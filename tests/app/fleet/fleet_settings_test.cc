#include "app/fleet/fleet_settings.h"

#include <gmock/gmock.h>

#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr std::string_view kGood = R"({
  // Headquarters' broker.
  "broker": "mqtts://mqtt.bank.example:8883",
  "tenant": "bank",
  "kiosk": "lagos-12",
  "ca_file": "/etc/idkiosk-fleet/ca.pem",
  "certificate": "/etc/idkiosk-fleet/kiosk.pem",
  "key": "/etc/idkiosk-fleet/kiosk.key",
  "api_socket": "/run/idkiosk-api/api.sock",
  "state_folder": "/var/lib/idkiosk-fleet",
})";

std::string With(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(FleetSettingsTest, AreRead) {
  const auto settings = ParseFleetSettings(kGood, "fleet.jsonc");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->host, "mqtt.bank.example");
  EXPECT_EQ(settings->port, 8883);
  EXPECT_FALSE(settings->plain);
  EXPECT_EQ(settings->kiosk, "lagos-12");
  EXPECT_EQ(settings->state_folder, "/var/lib/idkiosk-fleet");
}

TEST(FleetSettingsTest, EachMistakeIsNamedWithItsLine) {
  const struct {
    const char* from;
    const char* to;
    const char* said;
  } mistakes[] = {
      {"mqtts://mqtt.bank.example:8883", "mqtt.bank.example",
       "fleet.jsonc:3: broker: must be like"},
      {"mqtts://mqtt.bank.example:8883", "mqtts://mqtt.bank.example:0", "must be like"},
      {"mqtts://mqtt.bank.example:8883", "mqtts://:8883", "must be like"},
      {"mqtts://mqtt.bank.example:8883", "mqtts://a@b:8883", "must be like"},
      {"mqtts://mqtt.bank.example:8883", "mqtts://a:8883x", "must be like"},
      {"mqtts://mqtt.bank.example:8883", "mqtt://mqtt.bank.example:1883", "use mqtts://"},
      {"lagos-12", "lagos/12", "fleet.jsonc:5: kiosk: must be 1 to 64"},
      {"lagos-12", "+", "kiosk: must be 1 to 64"},
      {"\"bank\"", "\"\"", "tenant: must be 1 to 64"},
      {"\"bank\"", "7", "tenant: must be a text"},
      {"/etc/idkiosk-fleet/ca.pem", "ca.pem", "ca_file: must be a whole path"},
      {"\"key\": \"/etc/idkiosk-fleet/kiosk.key\",", "", "key: is missing"},
      {"\"tenant\"", "\"tenannt\"", "tenannt: there is no such key"},
      {"\"tenant\": \"bank\"", "\"tenant\": \"bank\", \"tenant\": \"bank\"", "twice"},
      {"\"tenant\"", "\"est\": \"http://est.bank.example/\", \"tenant\"",
       "est: must be like https://"},
      {"\"tenant\"", "\"est\": \"https://a@est.bank.example/\", \"tenant\"", "without a user"},
      {"\"tenant\"", "\"est\": \"https://est.bank.example/x?y=1\", \"tenant\"", "or ?"},
      {"\"tenant\"", "\"est\": \"https://est.bank.example:x/\", \"tenant\"", "est: must be like"},
      {"\"tenant\"", "\"claim\": \"/c\", \"tenant\"", "claim: is for est, which is missing"},
      {"{", "[", "fleet.jsonc"},
  };
  for (const auto& each : mistakes) {
    const auto settings = ParseFleetSettings(With(each.from, each.to), "fleet.jsonc");
    ASSERT_FALSE(settings) << each.to;
    EXPECT_THAT(settings.error().message, HasSubstr(each.said)) << each.to;
  }
}

TEST(FleetSettingsTest, OnThisMachineTlsMayBeLeftOut) {
  const auto settings = ParseFleetSettings(
      R"({"broker":"mqtt://127.0.0.1:1883","tenant":"t","kiosk":"k","api_socket":"/a","state_folder":"/s"})",
      "f");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_TRUE(settings->plain);
}

TEST(FleetSettingsTest, EachFileForTlsIsLookedAtBeforeABrokerIsAsked) {
  const auto settings = ParseFleetSettings(kGood, "fleet.jsonc");
  ASSERT_TRUE(settings);
  FakeFileSystem files;
  ASSERT_TRUE(files.CreateFolder("/etc/idkiosk-fleet"));
  const auto write = [&files](const std::string& path, std::string_view text) {
    ASSERT_TRUE(files.WriteDurably(path, AsBytes(text), FileAccess::kOwnerOnly));
  };
  const auto trouble = [&] {
    const Status good = CheckTlsFiles(files, *settings);
    return good ? std::string() : good.error().message;
  };
  EXPECT_THAT(trouble(), HasSubstr("ca_file: "));
  write(settings->ca_file, "-----BEGIN PRIVATE KEY-----\n");
  EXPECT_THAT(trouble(), HasSubstr("ca.pem holds no certificate: it is a private key"));
  write(settings->ca_file, kAuthorityInPem);
  write(settings->certificate, "");
  EXPECT_THAT(trouble(), HasSubstr("kiosk.pem holds no certificate: it is empty"));
  auto asking = *settings;
  asking.est = "https://est.bank.example/.well-known/est";
  asking.claim = "/claim";
  EXPECT_FALSE(CheckTlsFiles(files, asking)) << "damaged, and no claim to ask for another with";
  write(asking.claim, "a:b");
  EXPECT_TRUE(CheckTlsFiles(files, asking));
  write(settings->certificate, kAuthorityInPem);
  EXPECT_THAT(trouble(), HasSubstr("key: "));
  write(settings->key, "-----BEGIN PRIVATE KEY-----\n");
  EXPECT_EQ(trouble(), "");
}

}  // namespace
}  // namespace idkiosk
