#include "app/settings/provisioning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "app/settings/credentials.h"
#include "app/settings/load_settings.h"
#include "app/settings/local_settings.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kConfig = "/etc/kiosk.jsonc";
constexpr std::string_view kMessage = R"({
  "base_url": "https://first.example/",
  "environment": "sandbox",
  "login": {"email": "clerk@example.ng", "password": "a long password"},
  "user_id": "U-1",
  "api_key": "K-1-very-recognisable",
  "ca_file": "ca.pem",
  "test_nin": "70123456789"
})";

class ProvisioningTest : public testing::Test {
 protected:
  ProvisioningTest() {
    files_.Put("/etc/profile.jsonc", AsBytes("{}"));
    files_.Put("/media/ca.pem", AsBytes(kAuthorityInPem));
    files_.Put(std::string(kConfig),
               AsBytes(R"({"state_folder": "/state", "service": {"profile": "profile.jsonc"}})"));
    EXPECT_TRUE(Vault().Init());
  }

  FileVault Vault() { return FileVault(files_, entropy_, crypto_, "/state"); }

  Result<Onboarding> Read(std::string_view text) {
    files_.Put("/media/onboarding.json", AsBytes(text));
    return ReadOnboarding(files_, "/media/onboarding.json");
  }
  std::string Problems(std::string_view text) {
    const auto onboarding = Read(text);
    if (onboarding) return "none";
    EXPECT_EQ(onboarding.error().code, ErrorCode::kInvalid);
    return onboarding.error().message;
  }

  Status Provision(const Onboarding& onboarding) {
    auto vault = Vault();
    return idkiosk::Provision(files_, vault, std::string(kConfig), onboarding);
  }
  std::string Secret(std::string_view name) {
    auto vault = Vault();
    const auto secret = vault.Get(name);
    return secret ? std::string(secret->text()) : std::string(Name(secret.error().code));
  }
  Settings Load() {
    const auto settings = LoadSettings(files_, std::string(kConfig));
    EXPECT_TRUE(settings) << settings.error().message;
    return settings.value_or(Settings());
  }

  // The same message from another operator.
  static std::string Other() {
    return R"({"base_url": "https://second.example", "user_id": "U-2", "api_key": "K-2",
               "login": {"email": "other@example.ng", "password": "another password"}})";
  }

  FakeFileSystem files_;
  FakeEntropy entropy_;
  MbedtlsCrypto crypto_;
};

TEST_F(ProvisioningTest, BringsAMessageIntoConfigurationAndVault) {
  const auto onboarding = Read(kMessage);
  ASSERT_TRUE(onboarding) << onboarding.error().message;
  const auto provisioned = Provision(*onboarding);
  ASSERT_TRUE(provisioned) << provisioned.error().message;
  const Settings settings = Load();
  EXPECT_EQ(settings.service.base_url, "https://first.example");
  EXPECT_EQ(settings.environment, Environment::kSandbox);
  EXPECT_EQ(settings.service.ca_file, "/media/ca.pem");
  EXPECT_EQ(settings.service.test_nin, "70123456789");
  EXPECT_EQ(Secret(kLoginSecret), "clerk@example.ng");
  EXPECT_EQ(Secret(kPasswordSecret), "a long password");
  EXPECT_EQ(Secret(kUserIdSecret), "U-1");
  EXPECT_EQ(Secret(kApiKeySecret), "K-1-very-recognisable");
}

// The next stick may have another file of that name.
TEST_F(ProvisioningTest, KeepsACopyOfAnAuthorityThatCameOnAStick) {
  files_.Put(LocalSettingsPath(std::string(kConfig)),
             AsBytes(R"({"staff": {"sticks": "/media"}})"));
  const Bytes first = files_.Content("/media/ca.pem");
  const Status done = Provision(*Read(kMessage));
  ASSERT_TRUE(done) << done.error().message;
  const std::string kept = Load().service.ca_file;
  EXPECT_THAT(kept, testing::StartsWith("/etc/"));
  EXPECT_EQ(files_.Content(kept), first);
  const Status again = Provision(*Read(kMessage));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(Load().service.ca_file, kept) << "the same certificates are no change";
  Bytes second = first;
  second.push_back('\n');
  files_.Put("/media/ca.pem", second);
  EXPECT_EQ(files_.Content(kept), first);
  const auto other = Read(kMessage);
  EXPECT_NE(SettingsAfter(files_, std::string(kConfig), *other)->service.ca_file, kept)
      << "two operators agree";
  ASSERT_TRUE(Provision(*other));
  EXPECT_EQ(files_.Content(Load().service.ca_file), second);
  EXPECT_EQ(files_.Content(kept), first);
}

// What only this program may read would lie beside the configuration, open to everybody.
TEST(ProvisioningOnLinux, KeepsNoCopyOfWhatALinkOnAStickPointsAt) {
  namespace fs = std::filesystem;
  const ScratchFolder kiosk;
  const std::string stick = kiosk / "media/stick";
  fs::create_directories(stick + "/real");
  std::ofstream(kiosk / "private.pem") << kAuthorityInPem;
  std::ofstream(stick + "/real/ca.pem") << kAuthorityInPem;
  fs::create_symlink(kiosk / "private.pem", stick + "/ca.pem");
  fs::create_symlink(kiosk.path(), stick + "/folder");
  std::ofstream(kiosk / "profile.jsonc") << "{}";
  std::ofstream(kiosk / "kiosk.jsonc")
      << fmt::format(R"({{"state_folder": "{}", "service": {{"profile": "profile.jsonc"}},
                         "staff": {{"sticks": "{}"}}}})",
                     kiosk / "state", kiosk / "media");
  PosixFileSystem files;
  const auto after = [&](const std::string& ca_file) {
    const auto message = ParseOnboarding(
        files,
        fmt::format(R"({{"base_url": "https://one.example", "ca_file": "{}/{}"}})", stick, ca_file),
        "message");
    EXPECT_TRUE(message) << message.error().message;
    return SettingsAfter(files, kiosk / "kiosk.jsonc", *message);
  };
  const auto good = after("real/ca.pem");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_THAT(good->service.ca_file, HasSubstr("service-ca-1.pem"));
  for (const char* link : {"ca.pem", "folder/private.pem"}) {
    const auto refused = after(link);
    ASSERT_FALSE(refused) << link;
    EXPECT_THAT(refused.error().message, HasSubstr("is a symbolic link")) << link;
  }
}

TEST_F(ProvisioningTest, LeavesNoSecretInTheConfiguration) {
  ASSERT_TRUE(Provision(*Read(kMessage)));
  files_.Delete("/media/onboarding.json");
  for (const std::string& path : files_.paths()) {
    const std::string content(AsText(files_.Content(path)));
    EXPECT_THAT(content, Not(HasSubstr("recognisable"))) << path;
    EXPECT_THAT(content, Not(HasSubstr("a long password"))) << path;
    EXPECT_THAT(content, Not(HasSubstr("U-1"))) << path;
  }
}

TEST_F(ProvisioningTest, MayBeRunAgain) {
  ASSERT_TRUE(Provision(*Read(kMessage)));
  ASSERT_TRUE(Provision(*Read(kMessage)));
  EXPECT_EQ(Secret(kApiKeySecret), "K-1-very-recognisable");
  EXPECT_EQ(Load().service.base_url, "https://first.example");
}

TEST_F(ProvisioningTest, LeavesOutWhatHasToBeAskedFor) {
  auto onboarding = Read(R"({"base_url": "https://h", "login": {"email": "e"}, "api_key": null})");
  ASSERT_TRUE(onboarding);
  std::vector<std::string_view> missing;
  for (Onboarding::Credential& each : onboarding->credentials) {
    if (each.value.empty()) missing.push_back(each.name);
  }
  EXPECT_THAT(missing, testing::ElementsAre(kPasswordSecret, kUserIdSecret, kApiKeySecret));

  const auto refused = Provision(*onboarding);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(refused.error().message, HasSubstr("password: must not be empty"));
  for (Onboarding::Credential& each : onboarding->credentials) {
    if (each.value.empty()) each.value = SecretBytes::CopyOf("typed");
  }
  ASSERT_TRUE(Provision(*onboarding));
  EXPECT_EQ(Secret(kApiKeySecret), "typed");
}

TEST_F(ProvisioningTest, KeepsWhatAMessageOfTheSameAddressDoesNotSay) {
  ASSERT_TRUE(Provision(*Read(kMessage)));
  ASSERT_TRUE(Provision(*Read(R"({"base_url": "https://first.example", "user_id": "U-9",
      "api_key": "K-9", "login": {"email": "e", "password": "p"}})")));
  EXPECT_EQ(Load().service.ca_file, "/media/ca.pem");
  EXPECT_EQ(Load().service.test_nin, "70123456789");
  EXPECT_EQ(Secret(kApiKeySecret), "K-9");
}

TEST_F(ProvisioningTest, ForgetsTheCertificateFileOfTheOldAddress) {
  ASSERT_TRUE(Provision(*Read(kMessage)));
  const Settings before = Load();
  EXPECT_TRUE(NoLongerSet(before, before).empty());
  ASSERT_TRUE(Provision(*Read(Other())));
  EXPECT_EQ(Load().service.ca_file, "");
  EXPECT_EQ(Load().service.test_nin, "");
  EXPECT_THAT(NoLongerSet(before, Load()),
              testing::ElementsAre("service.ca_file", "service.test_nin"));
}

TEST_F(ProvisioningTest, NeverJoinsAnAddressWithTheCredentialsOfAnother) {
  ASSERT_TRUE(Provision(*Read(kMessage)));
  const auto onboarding = Read(Other());
  const FakeFileSystem start = files_;
  bool done = false;
  for (size_t step = 1; !done; ++step) {
    files_ = start;
    files_.FailPowerAtStep(step);
    done = Provision(*onboarding).has_value();
    files_.Restart(FakeFileSystem::Unsynced::kKept);
    const bool moved = Load().service.base_url == "https://second.example";
    for (const std::string_view name : {kApiKeySecret, kUserIdSecret}) {
      const std::string first = name == kApiKeySecret ? "K-1-very-recognisable" : "U-1";
      const std::string second = name == kApiKeySecret ? "K-2" : "U-2";
      EXPECT_THAT(Secret(name), AnyOf("not_found", moved ? second : first)) << "step " << step;
    }
    if (!done) {
      EXPECT_TRUE(Provision(*onboarding)) << "step " << step;
      EXPECT_EQ(Secret(kApiKeySecret), "K-2");
    }
  }
}

TEST_F(ProvisioningTest, SaysByLineWhatIsWrongWithAMessage) {
  EXPECT_EQ(Problems("{\n\"base_url\": \"ftp://h\",\n\"environment\": \"test\",\n\"user_id\": 7,\n"
                     "\"login\": {\"email\": \"a\\nb\", \"pass\": \"\"},\n\"apikey\": \"k\",\n"
                     "\"ca_file\": \"gone.pem\", \"test_nin\": \"123\"}"),
            "/media/onboarding.json:2: base_url: must begin with https://\n"
            "/media/onboarding.json:3: environment: must be \"sandbox\" or \"production\"\n"
            "/media/onboarding.json:7: test_nin: must be a number of 11 digits, in quotes\n"
            "/media/onboarding.json:5: login.email: holds a line break or another control "
            "character\n"
            "/media/onboarding.json:4: user_id: must be a text in quotes\n"
            "/media/onboarding.json:6: there is no field of that name; did you mean api_key?\n"
            "/media/onboarding.json:5: there is no field of that name; there are base_url, "
            "environment, ca_file, test_nin, login.email, login.password, user_id, api_key\n"
            "/media/onboarding.json:7: ca_file: names a file that is not there; a relative name is "
            "looked up beside this one");
}

// Whoever reads it by another reader would see the other one.
TEST_F(ProvisioningTest, RefusesAMessageThatSaysAFieldTwice) {
  EXPECT_EQ(Problems("{\n\"base_url\": \"https://a\",\n\"base_url\": \"https://b\",\n\"login\": "
                     "{\"password\": \"one\",\n\"password\": \"other\"}, \"login\": {}}"),
            "/media/onboarding.json:3: base_url: is there already, in line 2: keep one of them\n"
            "/media/onboarding.json:5: login: is there already, in line 4: keep one of them\n"
            "/media/onboarding.json:5: login.password: is there already, in line 4: keep one of "
            "them");
}

TEST_F(ProvisioningTest, RefusesAnAuthorityWithoutACertificate) {
  files_.Put("/media/ca.pem", AsBytes("hunter2"));
  const std::string problems = Problems("{\"base_url\": \"https://h\",\n\"ca_file\": \"ca.pem\"}");
  EXPECT_THAT(problems, HasSubstr("/media/onboarding.json:2: ca_file: names a file that holds no "
                                  "certificate: it is something else; name a file that"));
  EXPECT_THAT(problems, Not(HasSubstr("hunter2")));
}

TEST_F(ProvisioningTest, RefusesAMessageThatOthersMayRead) {
  files_.Put("/media/onboarding.json", AsBytes("{\"base_url\": \"https://h\"}"),
             FileAccess::kEverybody);
  const auto onboarding = ReadOnboarding(files_, "/media/onboarding.json");
  ASSERT_FALSE(onboarding);
  EXPECT_EQ(onboarding.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(onboarding.error().message, HasSubstr("chmod 600 /media/onboarding.json"));
}

TEST_F(ProvisioningTest, NeverRepeatsASecretThatLostItsName) {
  const std::string problems = Problems(
      "{\"base_url\": \"https://h\",\n\"login\": {\"hunter2\": \"a\"},\n\"K-hunter2\": 1,"
      "\"ca_file\": \"hunter2\"}");
  EXPECT_THAT(problems, HasSubstr("onboarding.json:2: there is no field of that name"));
  EXPECT_THAT(problems, HasSubstr("onboarding.json:3: there is no field of that name"));
  EXPECT_THAT(problems, Not(HasSubstr("hunter2")));
}

TEST_F(ProvisioningTest, SaysWhatIsMissingOrNoMessageAtAll) {
  EXPECT_THAT(Problems("{}"), HasSubstr("onboarding.json: base_url: must be given"));
  EXPECT_THAT(Problems("{\"base_url\": \"\"}"), HasSubstr("base_url: must be given"));
  EXPECT_THAT(Problems("{\"base_url\": \"https://h\", \"login\": \"me\"}"),
              HasSubstr("login: must be an object"));
  EXPECT_THAT(Problems("{\"base_url\": "), HasSubstr("onboarding.json: not JSON at line 1"));
  EXPECT_THAT(Problems("[]"), HasSubstr("must be one object"));
  EXPECT_EQ(ReadOnboarding(files_, "/gone.json").error().code, ErrorCode::kNotFound);
}

TEST_F(ProvisioningTest, RefusesACredentialThatWouldBreakAHeaderAndNeverRepeatsIt) {
  const auto check = [](std::string_view name, std::string_view value) {
    const auto checked = CheckCredential(name, SecretBytes::CopyOf(value));
    return checked ? "good" : checked.error().message;
  };
  EXPECT_EQ(check(kApiKeySecret, "sk_live_abc-DEF.123=="), "good");
  EXPECT_EQ(check(kPasswordSecret, "p\xc3\xa4ss word!"), "good");
  EXPECT_EQ(check("operator_pin", "12 \n34"), "good");
  const std::vector<std::string> refused = {check(kApiKeySecret, "key\r\nX-Other: 1"),
                                            check(kApiKeySecret, "key\n"),
                                            check(kApiKeySecret, "ke y"),
                                            check(kUserIdSecret, "key\xc3\xa4"),
                                            check(kPasswordSecret, "key\n"),
                                            check(kPasswordSecret, " key"),
                                            check(kLoginSecret, std::string(5000, 'k')),
                                            check(kApiKeySecret, "")};
  EXPECT_THAT(refused, Each(Not("good")));
  EXPECT_THAT(refused, Each(Not(HasSubstr("key"))));
}

TEST_F(ProvisioningTest, SaysThatTheVaultMustBeMadeFirst) {
  const auto onboarding = Read(kMessage);
  ASSERT_TRUE(Vault().Erase());
  EXPECT_EQ(Provision(*onboarding).error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(ProvisioningTest, ReportsAFullDisk) {
  const auto onboarding = Read(kMessage);
  files_.set_capacity(0);
  EXPECT_EQ(Provision(*onboarding).error().code, ErrorCode::kExhausted);
  files_.set_capacity(100000);
  EXPECT_TRUE(Provision(*onboarding));
}

TEST_F(ProvisioningTest, TextThatWasHandedInIsReadLikeAFile) {
  std::string text(kMessage);
  text.replace(text.find("ca.pem"), 6, "/media/ca.pem");
  const auto onboarding = ParseOnboarding(files_, text, "the message");
  ASSERT_TRUE(onboarding) << onboarding.error().message;
  EXPECT_EQ(onboarding->ca_file, "/media/ca.pem");
  EXPECT_EQ(MissingCredentials(*onboarding), "");
  ASSERT_TRUE(Provision(*onboarding));
  EXPECT_EQ(Secret(kApiKeySecret), "K-1-very-recognisable");
}

TEST_F(ProvisioningTest, TextThatWasHandedInStandsInNoFolder) {
  const auto relative = ParseOnboarding(files_, kMessage, "the message");
  ASSERT_FALSE(relative);
  EXPECT_THAT(relative.error().message, HasSubstr("the message:7: ca_file: must be the full path"));
}

TEST_F(ProvisioningTest, SaysWhichCredentialsAreToBeAdded) {
  const auto onboarding = ParseOnboarding(
      files_, R"({"base_url": "https://a.example", "user_id": "U"})", "the message");
  ASSERT_TRUE(onboarding) << onboarding.error().message;
  const std::string missing = MissingCredentials(*onboarding);
  EXPECT_THAT(missing, HasSubstr("login.email"));
  EXPECT_THAT(missing, HasSubstr("login.password"));
  EXPECT_THAT(missing, HasSubstr("api_key (the API key (the dashboard shows it once))"));
  EXPECT_THAT(missing, Not(HasSubstr("user_id")));
}

TEST_F(ProvisioningTest, TextThatIsNoJsonIsNamedByItsLineAndNotRepeated) {
  const auto broken = ParseOnboarding(files_, "{\"api_key\": \"K-secret\",\n oops", "the message");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("the message: not JSON at line 2"));
  EXPECT_THAT(broken.error().message, Not(HasSubstr("K-secret")));
}

TEST_F(ProvisioningTest, WhatItWouldMakeOfTheConfigurationIsKnownBefore) {
  const auto onboarding = Read(kMessage);
  ASSERT_TRUE(onboarding);
  const auto paths = files_.paths();
  const auto after = SettingsAfter(files_, std::string(kConfig), *onboarding);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->service.base_url, "https://first.example");
  EXPECT_EQ(files_.paths(), paths) << "something was written";
  EXPECT_FALSE(LoadSettings(files_, std::string(kConfig)));
}

// Whoever may write it, or put another into its place, says whom this kiosk trusts.
TEST_F(ProvisioningTest, AnAuthorityThatOthersMayChangeIsRefusedAndLeavesEverythingAsItWas) {
  const ScratchFolder folder;
  const std::string authority = folder / "ca.pem";
  std::ofstream(authority) << kAuthorityInPem;  // its mode is the real one
  files_.Put(authority, AsBytes(kAuthorityInPem));
  std::string text(kMessage);
  text.replace(text.find("ca.pem"), 6, authority);
  const auto onboarding = Read(text);
  ASSERT_TRUE(onboarding) << onboarding.error().message;
  const auto paths = files_.paths();
  for (const std::string& open : {authority, folder.path()}) {
    ASSERT_EQ(chmod(open.c_str(), 0777), 0);
    const Status refused = Provision(*onboarding);
    ASSERT_FALSE(refused) << open;
    EXPECT_EQ(refused.error().code, ErrorCode::kForbidden);
    EXPECT_THAT(refused.error().message, HasSubstr("ca_file: " + open));
    EXPECT_THAT(refused.error().message, HasSubstr("'chmod o-w " + open + "'"));
    EXPECT_EQ(files_.paths(), paths);
    ASSERT_EQ(chmod(open.c_str(), 0755), 0);
  }
  EXPECT_TRUE(Provision(*onboarding));
}

TEST_F(ProvisioningTest, ProductionWithTheSandboxsProfileIsKnownBefore) {
  files_.Put("/etc/profile.jsonc", AsBytes(R"({"name": "sandbox"})"));
  std::string text(kMessage);
  text.replace(text.find(R"("sandbox")"), 9, R"("production")");
  const auto onboarding = Read(text);
  ASSERT_TRUE(onboarding) << onboarding.error().message;
  const auto after = SettingsAfter(files_, std::string(kConfig), *onboarding);
  ASSERT_FALSE(after);
  EXPECT_THAT(after.error().message, HasSubstr("profiles/production.jsonc"));
}

}  // namespace
}  // namespace idkiosk
