#include "app/assembly/components.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/secure_storage/file_vault.h"
#include "tests/app/assembly/components_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

using Role = DurableQueue::Role;

auto Fails(ExitCode code, const std::string& words) {
  return AllOf(Field(&Failure::code, code), Field(&Failure::message, HasSubstr(words)));
}

class ComponentsTest : public testing::Test {
 protected:
  ComponentsFixture kiosk_;
  Components parts_{kiosk_.drivers, kiosk_.options};
};

TEST_F(ComponentsTest, MakesEachPartOnceAndInTheOrderTheyNeedOneAnother) {
  EXPECT_THAT(kiosk_.made, IsEmpty());
  const auto worker = parts_.worker();
  ASSERT_TRUE(worker) << worker.error().message;
  EXPECT_THAT(kiosk_.made, ElementsAre("vault", "network"));

  EXPECT_EQ(*parts_.worker(), *worker);
  EXPECT_EQ(*parts_.queue(Role::kDeliver), *parts_.queue(Role::kOperate));
  EXPECT_EQ(*parts_.service(), *parts_.service());
  EXPECT_EQ(*parts_.vault(), *parts_.vault());
  EXPECT_EQ(*parts_.profile(), *parts_.profile());
  EXPECT_EQ(*parts_.settings(), *parts_.settings_before_provisioning());
  EXPECT_EQ(*parts_.capture_settings(), *parts_.capture_settings());
  EXPECT_EQ(*parts_.analyzer(), *parts_.analyzer());
  EXPECT_THAT(kiosk_.made, ElementsAre("vault", "network"));
}

TEST_F(ComponentsTest, AKioskThatDoesNotKnowItsServiceHasAVaultAndNoMore) {
  kiosk_.Configure("", R"("profile": "sandbox.jsonc")");
  EXPECT_TRUE(parts_.settings_before_provisioning());
  EXPECT_TRUE(parts_.vault());
  const std::string missing = "service.base_url";
  EXPECT_THAT(parts_.settings().error(), Fails(ExitCode::kConfiguration, missing));
  EXPECT_THAT(parts_.profile().error(), Fails(ExitCode::kConfiguration, missing));
  EXPECT_THAT(parts_.queue(Role::kDeliver).error(), Fails(ExitCode::kConfiguration, missing));
  EXPECT_THAT(parts_.service().error(), Fails(ExitCode::kConfiguration, missing));
  EXPECT_THAT(parts_.worker().error(), Fails(ExitCode::kConfiguration, missing));
  EXPECT_THAT(kiosk_.made, ElementsAre("vault"));
}

TEST_F(ComponentsTest, AConfigurationIsRefusedByNameOfWhatIsWrong) {
  kiosk_.Configure(R"(, "camera": {"source": "nonsense"})");
  EXPECT_THAT(parts_.settings().error(),
              Fails(ExitCode::kConfiguration, "kiosk.jsonc:2: camera.source: must be auto"));
  kiosk_.options.config = kiosk_.folder / "none.jsonc";
  EXPECT_THAT(parts_.settings().error(), Fails(ExitCode::kConfiguration, "none.jsonc"));
}

TEST_F(ComponentsTest, AStateFolderThatCannotBeMadeIsNamed) {
  ASSERT_TRUE(kiosk_.files.WriteDurably(kiosk_.folder / "state", {}, FileAccess::kOwnerOnly));
  EXPECT_THAT(parts_.settings().error(), Fails(ExitCode::kConfiguration, "state_folder"));
}

TEST_F(ComponentsTest, AProfileThatIsNotThereIsNamed) {
  kiosk_.Configure("", R"("base_url": "https://a.example", "profile": "none.jsonc")");
  EXPECT_THAT(parts_.profile().error(), Fails(ExitCode::kConfiguration, "none.jsonc"));
  EXPECT_THAT(parts_.worker().error(), Fails(ExitCode::kConfiguration, "none.jsonc"));
  EXPECT_THAT(kiosk_.made, IsEmpty());
}

TEST_F(ComponentsTest, AVaultThatWasNeverMadeEndsWithTheCommandThatMakesOne) {
  kiosk_.drivers.open_vault = [this](const Settings& settings) {
    return ChosenVault{std::make_unique<FileVault>(kiosk_.files, kiosk_.entropy, kiosk_.crypto,
                                                   settings.state_folder + "/vault")};
  };
  EXPECT_THAT(parts_.queue(Role::kDeliver).error(),
              Fails(ExitCode::kConfiguration, "idkiosk vault init"));
  EXPECT_FALSE(parts_.worker());
}

TEST_F(ComponentsTest, AFaceDetectorThatIsNotThereIsNamed) {
  kiosk_.Configure(R"(, "capture": {"detector": "cascade", "cascades": "/no/such/folder"})");
  EXPECT_THAT(parts_.analyzer().error(), Fails(ExitCode::kConfiguration, "/no/such/folder"));
}

TEST_F(ComponentsTest, KeptReasonsServeOfflineAndNoneAreKeptForLater) {
  EXPECT_THAT(parts_.reasons().error(), Fails(ExitCode::kKept, "request reasons: "));
  RequestReasons kept(kiosk_.files, kiosk_.clock, kiosk_.folder / "state/request-reasons.json");
  ASSERT_TRUE(kept.Replace({{"KYC", "Know your customer"}}));
  const auto reasons = parts_.reasons();
  ASSERT_TRUE(reasons) << reasons.error().message;
  EXPECT_THAT((*reasons)->codes(), ElementsAre("KYC"));
}

// An address that nobody serves does not mend itself.
TEST_F(ComponentsTest, ReasonsThatWaitingDoesNotBringAreNotForLater) {
  const auto fetch = [this](int status) {
    kiosk_.server = [status](const auto&) {
      FakeHttpClient::Reply reply;
      reply.status = status;
      return reply;
    };
    return Components(kiosk_.drivers, kiosk_.options).fresh_reasons();
  };
  for (const int status : {400, 403, 404}) {
    EXPECT_THAT(fetch(status).error(), Fails(ExitCode::kConfiguration, "request reasons: "))
        << status;
  }
  EXPECT_THAT(fetch(503).error(), Fails(ExitCode::kKept, "request reasons: "));
}

TEST_F(ComponentsTest, ForgottenSettingsAreReadAnew) {
  EXPECT_EQ((*parts_.settings())->mode, Mode::kKiosk);
  kiosk_.Configure(R"(, "mode": "handheld")");
  EXPECT_EQ((*parts_.settings())->mode, Mode::kKiosk);
  parts_.ForgetSettings();
  EXPECT_EQ((*parts_.settings())->mode, Mode::kHandheld);
}

TEST_F(ComponentsTest, DefaultsServeOnlyWhereNoConfigurationWasNamed) {
  kiosk_.options.config = kiosk_.folder / "none.jsonc";
  EXPECT_THAT(parts_.settings_or_defaults().error(), Fails(ExitCode::kConfiguration, "none.jsonc"));
  kiosk_.options.config_given = false;
  const auto defaults = parts_.settings_or_defaults();
  ASSERT_TRUE(defaults);
  EXPECT_EQ((*defaults)->camera.source, "auto");
}

TEST_F(ComponentsTest, ASecretComesFromTheTerminalOrAFileThatOthersCannotRead) {
  kiosk_.terminal.secret = "typed";
  EXPECT_EQ(parts_.SecretFrom("", "PIN")->text(), "typed");
  const std::string file = kiosk_.folder / "secret";
  EXPECT_THAT(parts_.SecretFrom(file, "PIN").error(), Fails(ExitCode::kUsage, file));
  ASSERT_TRUE(kiosk_.files.WriteDurably(file, AsBytes(std::string_view("written\r\n")),
                                        FileAccess::kOwnerOnly));
  EXPECT_EQ(parts_.SecretFrom(file, "PIN")->text(), "written");
}

TEST(CommandResultTest, ABugStaysABugWhateverStepItIsIn) {
  const auto stopped = StopWith(ExitCode::kConfiguration, Error{ErrorCode::kInternal, "oh"});
  EXPECT_EQ(stopped.error().code, ExitCode::kBug);
  EXPECT_EQ(StopWith(ExitCode::kKept, Error{ErrorCode::kInvalid, "oh"}).error().code,
            ExitCode::kKept);
}

}  // namespace
}  // namespace idkiosk
