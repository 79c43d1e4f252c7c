#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/cli/command_line.h"
#include "tests/app/assembly/components_fixture.h"
#include "tests/fakes/certificates.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ConfigCommandsTest : public testing::Test {
 protected:
  // Returns what `config check` ends with.
  CommandResult<ExitCode> Check() {
    CommandLine line({.name = "idkiosk", .summary = "", .version = "idkiosk"});
    AddConfigCommands(line);
    std::string words[] = {"idkiosk", "config", "check"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data()};
    const auto chosen = line.Parse(3, argv);
    if (!chosen) return StopWith(ExitCode::kUsage, "the command line is wrong");
    Components components{kiosk_.drivers, kiosk_.options};
    return (*chosen)(components);
  }

  ComponentsFixture kiosk_;
};

TEST_F(ConfigCommandsTest, GoodConfigurationIsGood) {
  kiosk_.Configure();
  const auto checked = Check();
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST_F(ConfigCommandsTest, CertificatesThatCannotBeReadAreNamedWithTheirKeyAndPlace) {
  kiosk_.Configure();
  kiosk_.drivers.make_http_client =
      [](const ServiceSettings&) -> Result<std::unique_ptr<HttpClient>> {
    return Fail(ErrorCode::kNotFound, "cannot read the certificates in /none");
  };
  const auto checked = Check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(checked.error().message,
              AllOf(StartsWith(kiosk_.options.config),
                    HasSubstr("service.ca_file: cannot read the certificates in /none")));
}

// Each of them, as 'idkiosk run' would name one after the other.
TEST_F(ConfigCommandsTest, WhatRunCannotUseIsNamedWithItsKey) {
  const std::string logo = kiosk_.folder / "logo.png";
  ASSERT_TRUE(kiosk_.files.WriteDurably(logo, AsBytes(std::string_view("no picture")),
                                        FileAccess::kEverybody));
  kiosk_.drivers.make_printer = [](const std::string&) -> Result<std::unique_ptr<Printer>> {
    return Fail(ErrorCode::kInvalid, "must be \"tcp:HOST\" or \"tcp:HOST:PORT\"");
  };
  kiosk_.Configure(fmt::format(R"(, "log": {{"file": "/no/folder/log"}}, "brand": {{"logo": "{}"}},
                                   "printer": {{"target": "tcp:printer:99999"}})",
                               logo));
  const auto checked = Check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("log.file: there is no folder /no/folder"), HasSubstr("brand.logo: "),
                    HasSubstr("printer.target: must be ")));
}

// Whoever wrote into it would wait for somebody who reads.
TEST_F(ConfigCommandsTest, ALogThatIsNoFileIsNamed) {
  kiosk_.Configure(R"(, "log": {"file": "/dev/null"})");
  const auto checked = Check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("log.file: /dev/null is not an ordinary file"));
}

TEST_F(ConfigCommandsTest, AnAuthorityThatOthersMayChangeIsNoGoodConfiguration) {
  const std::string folder = kiosk_.folder / "trusted";
  const std::string authority = folder + "/ca.pem";
  ASSERT_TRUE(kiosk_.files.CreateFolder(folder));
  ASSERT_TRUE(
      kiosk_.files.WriteDurably(authority, AsBytes(kAuthorityInPem), FileAccess::kEverybody));
  kiosk_.Configure("", fmt::format(R"("base_url": "http://127.0.0.1:9", "allow_plain_http": true,
                                      "profile": "sandbox.jsonc", "ca_file": "{}")",
                                   authority));
  EXPECT_TRUE(Check());
  for (const std::string& open : {authority, folder}) {
    ASSERT_EQ(chmod(open.c_str(), 0777), 0);
    const auto checked = Check();
    ASSERT_FALSE(checked) << open;
    EXPECT_EQ(checked.error().code, ExitCode::kConfiguration);
    EXPECT_THAT(checked.error().message, HasSubstr("'chmod o-w " + open + "'"));
    ASSERT_EQ(chmod(open.c_str(), 0755), 0);
  }
}

TEST_F(ConfigCommandsTest, WhatTheProgramLacksIsNoKeysFault) {
  kiosk_.Configure();
  kiosk_.drivers.make_http_client =
      [](const ServiceSettings&) -> Result<std::unique_ptr<HttpClient>> {
    return Fail(ErrorCode::kInternal, "libcurl does not start");
  };
  const auto checked = Check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ExitCode::kBug);
  EXPECT_EQ(checked.error().message, "libcurl does not start");
}

}  // namespace
}  // namespace idkiosk
