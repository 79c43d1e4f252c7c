#include "app/settings/load_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/bytes.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kGood = R"({
  "environment": "sandbox",
  "state_folder": "state",
  "service": {
    "base_url": "https://verify.example.ng/api",
    "profile": "profiles/sandbox.jsonc",
  },
})";

class LoadSettingsTest : public testing::Test {
 protected:
  LoadSettingsTest() {
    files_.Put("/etc/kiosk/profiles/sandbox.jsonc", AsBytes(R"({"name": "sandbox"})"));
    files_.Put("/etc/kiosk/profiles/production.jsonc", AsBytes(R"({"name": "production"})"));
  }

  // The configuration, and what is wrong with it.
  Settings Load(std::string_view text, std::string_view local = "") {
    const auto settings = TryLoad(text, local);
    EXPECT_TRUE(settings) << settings.error().message;
    return settings.value_or(Settings());
  }
  std::string Problems(std::string_view text, std::string_view local = "") {
    const auto settings = TryLoad(text, local);
    if (settings) return "none";
    EXPECT_EQ(settings.error().code, ErrorCode::kInvalid);
    return settings.error().message;
  }
  // Good but for these members, which begin in line 2.
  std::string ProblemsWith(std::string_view members) {
    std::string text = "{\n";
    text += members;
    text += ", \"state_folder\": \"s\"}";
    return Problems(
        text, R"({"service": {"base_url": "https://h", "profile": "profiles/sandbox.jsonc"}})");
  }

  Result<Settings> TryLoad(std::string_view text, std::string_view local) {
    files_.Put("/etc/kiosk/kiosk.jsonc", AsBytes(text));
    if (!local.empty()) files_.Put("/etc/kiosk/kiosk.local.jsonc", AsBytes(local));
    return LoadSettings(files_, "/etc/kiosk/kiosk.jsonc");
  }

  FakeFileSystem files_;
};

TEST_F(LoadSettingsTest, ReadsTheLeastThatIsNeeded) {
  const Settings settings = Load(kGood);
  EXPECT_EQ(settings.environment, Environment::kSandbox);
  EXPECT_EQ(settings.service.base_url, "https://verify.example.ng/api");
  EXPECT_EQ(settings.camera.width, 1280);
  EXPECT_TRUE(settings.capture.allow_recorded);
}

TEST_F(LoadSettingsTest, ReadsEachModeByItsName) {
  for (const auto& [text, mode] :
       {std::pair("kiosk", Mode::kKiosk), std::pair("branch", Mode::kBranch),
        std::pair("handheld", Mode::kHandheld)}) {
    EXPECT_EQ(Load(kGood, fmt::format(R"({{"mode": "{}"}})", text)).mode, mode);
    EXPECT_EQ(Name(mode), text);
  }
}

TEST_F(LoadSettingsTest, ReadsEveryKindOfValue) {
  const Settings settings = Load(R"({
    "state_folder": "/var/lib/kiosk",
    "service": {"base_url": "https://h/", "profile": "/etc/kiosk/profiles/sandbox.jsonc",
      "pins": ["sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
      "connect_timeout": "500 ms", "max_answer_bytes": 100000, "test_nin": "12345678901"},
    "camera": {"source": "images:/frames", "frames_per_second": 15, "exposure": "250"},
    "capture": {"min_face_area": 0.2, "allow_recorded": false, "timeout": "2 min"},
    "billing": {"calls_per_hour": 50}, "queue": {"max_age": "1.5 h"}, "log": {"level": "debug"}
  })");
  EXPECT_THAT(settings.service.pins,
              ElementsAre("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="));
  EXPECT_EQ(settings.service.base_url, "https://h");
  EXPECT_EQ(settings.service.connect_timeout, 500ms);
  EXPECT_EQ(settings.service.max_answer_bytes, 100000);
  EXPECT_EQ(settings.service.test_nin, "12345678901");
  EXPECT_EQ(settings.camera.source, "images:/frames");
  EXPECT_EQ(settings.camera.frames_per_second, 15);
  EXPECT_EQ(settings.camera.exposure, "250");
  EXPECT_EQ(settings.capture.min_face_area, 0.2);
  EXPECT_FALSE(settings.capture.allow_recorded);
  EXPECT_EQ(settings.capture.timeout, 2min);
  EXPECT_EQ(settings.billing.calls_per_hour, 50);
  EXPECT_EQ(settings.queue.max_age, 90min);
  EXPECT_EQ(settings.log.level, "debug");
}

TEST_F(LoadSettingsTest, TakesRelativeFilesFromTheConfigurationsFolder) {
  files_.Put("/etc/ca.pem", AsBytes(kAuthorityInPem));
  const Settings settings = Load(kGood, R"({"service": {"ca_file": "../ca.pem"}})");
  EXPECT_EQ(settings.state_folder, "/etc/kiosk/state");
  EXPECT_EQ(settings.service.profile, "/etc/kiosk/profiles/sandbox.jsonc");
  EXPECT_EQ(settings.service.ca_file, "/etc/ca.pem");
  EXPECT_EQ(settings.capture.cascades, "/usr/share/opencv4/haarcascades");
  EXPECT_EQ(settings.capture.model, "");

  files_.Put("kiosk.jsonc", AsBytes(kGood));
  files_.Put("profiles/sandbox.jsonc", {});
  const auto here = LoadSettings(files_, "kiosk.jsonc");
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(here->state_folder, "state");
}

TEST_F(LoadSettingsTest, LaysTheLocalFileOverItKeyByKey) {
  const Settings settings = Load(kGood, R"({"service": {"base_url": "https://other"},
                                            "camera": {"width": 640}})");
  EXPECT_EQ(settings.service.base_url, "https://other");
  EXPECT_EQ(settings.service.profile, "/etc/kiosk/profiles/sandbox.jsonc");
  EXPECT_EQ(settings.camera.width, 640);
}

TEST_F(LoadSettingsTest, SaysWhatToDoWhereThereIsNoConfiguration) {
  const auto settings = LoadSettings(files_, "/absent.jsonc");
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(settings.error().message, AllOf(HasSubstr("/absent.jsonc"), HasSubstr("--config")));
}

TEST_F(LoadSettingsTest, SaysWhichFileCannotBeRead) {
  Load(kGood, "{}");
  for (const size_t step : {1U, 2U}) {
    files_.FailStep(step, ErrorCode::kForbidden);
    const auto settings = LoadSettings(files_, "/etc/kiosk/kiosk.jsonc");
    ASSERT_FALSE(settings);
    EXPECT_EQ(settings.error().code, ErrorCode::kForbidden);
  }
}

TEST_F(LoadSettingsTest, NamesFileAndLineOfWhatIsNotJson) {
  EXPECT_EQ(Problems("{\n  \"environment\": sandbox\n}"),
            "/etc/kiosk/kiosk.jsonc: not JSON at line 2, column 18");
  EXPECT_THAT(Problems(""), HasSubstr("kiosk.jsonc: no JSON: the text is empty"));
  EXPECT_THAT(Problems("[]"), HasSubstr("kiosk.jsonc: must be one object"));
  EXPECT_THAT(Problems(kGood, "{\n\n\"camera\": }"),
              HasSubstr("kiosk.local.jsonc: not JSON at line 3"));
}

TEST_F(LoadSettingsTest, NamesFileLineAndKeyOfWhatIsUnknown) {
  EXPECT_EQ(ProblemsWith("\n \"camera\": {\n  \"widht\": 640}"),
            "/etc/kiosk/kiosk.jsonc:4: camera.widht: there is no such key; did you mean "
            "camera.width?");
  EXPECT_EQ(ProblemsWith("\"servcie\": {}"),
            "/etc/kiosk/kiosk.jsonc:2: servcie: there is no such key; did you mean service?");
  EXPECT_EQ(ProblemsWith("\"base_url\": \"https://h\""),
            "/etc/kiosk/kiosk.jsonc:2: base_url: there is no such key; did you mean "
            "service.base_url?");
  EXPECT_EQ(ProblemsWith("\"camera\": {\"zoom\": 2}"),
            "/etc/kiosk/kiosk.jsonc:2: camera.zoom: there is no such key");
  EXPECT_EQ(ProblemsWith("\"a/~\\nb\": 2"),
            "/etc/kiosk/kiosk.jsonc:2: a/~?b: there is no such key");
}

TEST_F(LoadSettingsTest, NamesBothLinesOfAKeyThatIsThereTwice) {
  EXPECT_EQ(
      ProblemsWith("\"camera\": {\"width\": 640,\n\n\"width\": 800}"),
      "/etc/kiosk/kiosk.jsonc:4: camera.width: is there already, in line 2: keep one of them");
  // Written in one word, or in its section.
  EXPECT_EQ(
      ProblemsWith("\"camera\": {\"width\": 640},\n\n\"camera.width\": 800"),
      "/etc/kiosk/kiosk.jsonc:4: camera.width: is there already, in line 2: keep one of them");
  EXPECT_EQ(ProblemsWith("\"log\": {},\n\"log\": {\"nonsense\": 1}"),
            "/etc/kiosk/kiosk.jsonc:3: log: is there already, in line 2: keep one of them");
}

TEST_F(LoadSettingsTest, SaysWhatAValueMustBe) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {R"("environment": "test")", R"(environment: must be "sandbox" or "production")"},
      {R"("environment": 1)", R"(environment: must be "sandbox" or "production")"},
      {R"("mode": "desk")", R"(mode: must be "kiosk", "branch" or "handheld")"},
      {R"("camera": {"width": "640"})", "camera.width: must be a whole number from 160 to 7680"},
      {R"("camera": {"width": 640.5})", "camera.width: must be a whole number from 160 to 7680"},
      {R"("camera": {"width": 159})", "camera.width: must be a whole number from 160 to 7680"},
      {R"("camera": {"width": 1e300})", "camera.width: must be a whole number from 160 to 7680"},
      {R"("camera": {"width": null})", "camera.width: must be a whole number"},
      {R"("camera": {"silence": 2})",
       R"(camera.silence: must be a duration with its unit (ms, s, min or h), in quotes, from "100 ms" to "1 min")"},
      {R"("camera": {"silence": "2"})", "camera.silence: must be a duration with its unit"},
      {R"("camera": {"silence": "61 s"})", R"(from "100 ms" to "1 min")"},
      {R"("camera": {"silence": "99 ms"})", R"(from "100 ms" to "1 min")"},
      {R"("camera": {"source": "/dev/video0"})", "camera.source: must be \"auto\" or KIND:WHERE"},
      {R"("camera": {"source": ""})", "camera.source: must not be empty"},
      {R"("state_folder": " /var/lib/idkiosk")",
       "state_folder: must not begin or end with a space"},
      {R"("log": {"file": "  "})", "log.file: must not begin or end with a space"},
      {R"("ui": {"reasons": [""]})", "ui.reasons: is a list; each item must not be empty"},
      {R"("camera": {"exposure": "long"})", "camera.exposure: must be \"auto\" or"},
      {R"("camera": {"power_line": "70hz"})",
       R"(camera.power_line: must be "off", "50hz", "60hz" or "auto")"},
      {R"("printer": {"target": "/dev/usb/lp0"})", "printer.target: must be \"tcp:HOST[:PORT]\""},
      {R"("printer": {"target": "file:receipt"})", "printer.target: must be \"tcp:HOST[:PORT]\""},
      {R"("light": {"brightness": 0})", "light.brightness: must be a whole number from 1 to 100"},
      {R"("camera": [])", "camera: must be an object, { ... }, not a list"},
      {R"("log": "info")", "log: must be an object, { ... }, not a string"},
      {R"("capture": {"min_face_area": 1.5})",
       "capture.min_face_area: must be a number from 0.01 to 1"},
      {R"("capture": {"allow_recorded": "yes"})",
       "capture.allow_recorded: must be true or false, not a string"},
      {R"("capture": {"bundle_bytes": 1})",
       "capture.bundle_bytes: must be a whole number from 20000 to 20000000"},
      {R"("log": {"level": "verbose"})", "log.level: must be \"debug\", \"info\", \"warn\" or"},
      {R"("log": {"file": 3})", "log.file: must be a text in quotes, not a number"},
      {R"("log": {"file": "a\nb"})", "log.file: holds a line break or another control character"},
  };
  for (const auto& [members, expected] : kCases) {
    EXPECT_THAT(ProblemsWith(members), HasSubstr(expected)) << members;
    EXPECT_THAT(ProblemsWith(members), HasSubstr("/etc/kiosk/kiosk.jsonc:2: ")) << members;
  }
}

TEST_F(LoadSettingsTest, TakesBothEndsOfARange) {
  EXPECT_EQ(ProblemsWith(R"("camera": {"width": 160, "height": 4320, "silence": "100 ms"})"),
            "none");
  EXPECT_EQ(ProblemsWith(R"("camera": {"width": 7680, "silence": "60 s"})"), "none");
  EXPECT_EQ(ProblemsWith(R"("capture": {"bundle_bytes": 20000000, "hold": "0 s"})"), "none");
}

TEST_F(LoadSettingsTest, SaysWhatAPinMustBeAndNeverRepeatsANumber) {
  EXPECT_THAT(Problems(kGood, R"({"service": {"pins": "sha256//x"}})"),
              HasSubstr("kiosk.local.jsonc:1: service.pins: must be a list"));
  for (const std::string_view pin : {"", "sha256//AAAA", "AAAA", "sha256//!!!!"}) {
    EXPECT_THAT(Problems(kGood, fmt::format(R"({{"service": {{"pins": ["{}"]}}}})", pin)),
                HasSubstr("service.pins: is a list; each item must be \"sha256//\""))
        << pin;
  }
  const std::string wrong = Problems(kGood, R"({"service": {"test_nin": "1234567890"}})");
  EXPECT_THAT(wrong, HasSubstr("service.test_nin: must be a number of 11 digits, in quotes"));
  EXPECT_THAT(wrong, Not(HasSubstr("1234567890")));
}

TEST_F(LoadSettingsTest, ListsEverythingThatIsWrong) {
  const std::string problems = Problems("{\n\"camera\": {\"width\": 1,\n\"zoom\": 2},\n\"log\": 3}",
                                        "{\"queue\": {\"max_calls\": 0}}");
  EXPECT_EQ(problems,
            "/etc/kiosk/kiosk.jsonc:2: camera.width: must be a whole number from 160 to 7680\n"
            "/etc/kiosk/kiosk.jsonc:3: camera.zoom: there is no such key\n"
            "/etc/kiosk/kiosk.jsonc:4: log: must be an object, { ... }, not a number\n"
            "/etc/kiosk/kiosk.local.jsonc:1: queue.max_calls: must be a whole number from 1 to "
            "1000000");
}

TEST_F(LoadSettingsTest, SaysWhatIsMissing) {
  const std::string problems = Problems("{}");
  EXPECT_THAT(problems, HasSubstr("kiosk.jsonc: state_folder: must be given"));
  EXPECT_THAT(problems, HasSubstr("kiosk.jsonc: service.base_url: must be given: the service's "
                                  "operator delivers it"));
  EXPECT_THAT(problems, HasSubstr("idkiosk provision"));
  EXPECT_THAT(problems, HasSubstr("kiosk.jsonc: service.profile: must be given"));
  EXPECT_THAT(Problems(kGood, R"({"service": {"base_url": ""}})"),
              HasSubstr("kiosk.local.jsonc:1: service.base_url: must be given"));
}

TEST_F(LoadSettingsTest, DoesWithoutTheAddressBeforeProvisioning) {
  ASSERT_FALSE(
      TryLoad(R"({"state_folder": "s", "service": {"profile": "profiles/sandbox.jsonc"}})", ""));
  EXPECT_TRUE(LoadSettingsBeforeProvisioning(files_, "/etc/kiosk/kiosk.jsonc"));
  ASSERT_FALSE(TryLoad(R"({"service": {"profile": "profiles/sandbox.jsonc"}})", ""));
  EXPECT_FALSE(LoadSettingsBeforeProvisioning(files_, "/etc/kiosk/kiosk.jsonc"))
      << "the state folder is needed all the same";
}

TEST_F(LoadSettingsTest, SaysOnceThatABaseUrlIsWrong) {
  EXPECT_EQ(Problems(kGood, R"({"service": {"base_url": "verify.example.ng"}})"),
            "/etc/kiosk/kiosk.local.jsonc:1: service.base_url: must begin with https://");
}

TEST_F(LoadSettingsTest, SpeaksPlainHttpToThisMachineAlone) {
  const auto with = [](std::string_view url, bool allowed) {
    return fmt::format(R"({{"service": {{"base_url": "{}", "allow_plain_http": {}}}}})", url,
                       allowed);
  };
  EXPECT_EQ(Problems(kGood, with("http://127.0.0.1:8080", true)), "none");
  EXPECT_THAT(Problems(kGood, with("http://127.0.0.1:8080", false)),
              HasSubstr("set service.allow_plain_http to true"));
  EXPECT_THAT(Problems(kGood, with("http://192.168.1.5", true)),
              HasSubstr("only for a sandbox on this machine"));
  EXPECT_THAT(Problems(kGood, R"({"environment": "production",
      "service": {"base_url": "http://localhost", "allow_plain_http": true,
                  "profile": "profiles/production.jsonc"}})"),
              HasSubstr("must begin with https:// in production"));
}

TEST_F(LoadSettingsTest, HandsResultsOverByHttpsAlone) {
  const auto with = [](std::string_view url, bool allowed) {
    return fmt::format(
        R"({{"service": {{"allow_plain_http": {}}}, "results": {{"webhook": "{}"}}}})", allowed,
        url);
  };
  EXPECT_EQ(Problems(kGood, with("https://bank.example:8443/results/", false)), "none");
  EXPECT_EQ(Problems(kGood, with("http://127.0.0.1:8080/results", true)), "none");
  EXPECT_THAT(
      Problems(kGood, with("http://127.0.0.1:8080/results", false)),
      HasSubstr("results.webhook: must begin with https://; for a receiver on this machine"));
  EXPECT_THAT(Problems(kGood, with("http://192.168.1.5/results", true)),
              HasSubstr("only for a receiver on this machine"));
  EXPECT_THAT(Problems(kGood, with("https://a:b@bank.example", true)),
              AllOf(HasSubstr("webhook-key"), Not(HasSubstr("a:b"))));
  EXPECT_THAT(Problems(kGood, R"({"results": {"include": ["name"]}})"),
              HasSubstr("results.include: is a list; each item must be"));
  EXPECT_THAT(Problems(kGood, R"({"results": {"webhook_ca": "none.pem"}})"),
              HasSubstr("results.webhook_ca: there is no file"));
}

TEST_F(LoadSettingsTest, RefusesTheSandboxsProfileInProduction) {
  EXPECT_THAT(Problems(kGood, "{\n\"environment\": \"production\"}"),
              AllOf(HasSubstr("kiosk.jsonc:6: service.profile: "),
                    HasSubstr("/etc/kiosk/profiles/sandbox.jsonc describes the sandbox")));
  files_.Put("/etc/kiosk/mine.jsonc", AsBytes("// a copy\n{\"name\": \"sandbox\"}"));
  EXPECT_THAT(
      Problems(kGood, R"({"environment": "production", "service": {"profile": "mine.jsonc"}})"),
      HasSubstr("mine.jsonc describes the sandbox"));
}

TEST_F(LoadSettingsTest, TakesPicturesFromElsewhereInProductionOnlyWhenItIsWrittenDown) {
  const std::string_view production =
      R"({"environment": "production", "service": {"profile": "profiles/production.jsonc"}})";
  EXPECT_FALSE(Load(kGood, production).capture.allow_recorded);
  EXPECT_TRUE(Load(kGood, R"({"environment": "production", "capture": {"allow_recorded": true},
                              "service": {"profile": "profiles/production.jsonc"}})")
                  .capture.allow_recorded);
}

TEST_F(LoadSettingsTest, WritesDebugPicturesInProductionOnlyWhenItIsWrittenDown) {
  const std::string_view production =
      R"({"environment": "production", "service": {"profile": "profiles/production.jsonc"}})";
  EXPECT_TRUE(Load(kGood, "{}").capture.debug_pictures);
  EXPECT_FALSE(Load(kGood, production).capture.debug_pictures);
  EXPECT_TRUE(Load(kGood, R"({"environment": "production", "capture": {"debug_pictures": true},
                              "service": {"profile": "profiles/production.jsonc"}})")
                  .capture.debug_pictures);
}

TEST_F(LoadSettingsTest, NamesFilesThatAreNotThere) {
  EXPECT_EQ(
      Problems(kGood, R"({"service": {"profile": "gone.jsonc", "ca_file": "gone.pem"},
"brand": {"logo": "gone.svg"}})"),
      "/etc/kiosk/kiosk.local.jsonc:1: service.ca_file: there is no file /etc/kiosk/gone.pem\n"
      "/etc/kiosk/kiosk.local.jsonc:2: brand.logo: there is no file /etc/kiosk/gone.svg\n"
      "/etc/kiosk/kiosk.local.jsonc:1: service.profile: there is no file "
      "/etc/kiosk/gone.jsonc");
}

// It would be found at the first call, with a person before the screen.
TEST_F(LoadSettingsTest, RefusesAnAuthorityWithoutACertificate) {
  files_.Put("/etc/kiosk/key.pem", AsBytes("-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n"));
  files_.Put("/etc/kiosk/empty.pem", {});
  EXPECT_EQ(
      Problems(kGood, R"({"service": {"ca_file": "key.pem"},
"results": {"webhook_ca": "empty.pem"}})"),
      "/etc/kiosk/kiosk.local.jsonc:1: service.ca_file: /etc/kiosk/key.pem holds no certificate: "
      "it "
      "is a private key; name a file that holds the authority's certificate in PEM, which begins "
      "with '-----BEGIN CERTIFICATE-----' and comes from the service's operator\n"
      "/etc/kiosk/kiosk.local.jsonc:2: results.webhook_ca: /etc/kiosk/empty.pem holds no "
      "certificate: it is empty; name a file that holds the authority's certificate in PEM, which "
      "begins with '-----BEGIN CERTIFICATE-----' and comes from the service's operator");
}

TEST_F(LoadSettingsTest, AMistypedKeyHidesNoOtherProblem) {
  const std::string problems = ProblemsWith(R"("queue": {"backof_first": "1 s",
                                                        "backoff_last": "1 s"})");
  EXPECT_THAT(problems, HasSubstr("backof_first"));
  EXPECT_THAT(problems, HasSubstr("must not be less than queue.backoff_first"));
}

TEST_F(LoadSettingsTest, SaysWhichOfTwoKeysIsTooLarge) {
  EXPECT_EQ(ProblemsWith(R"("capture": {"min_face_area": 0.6})"),
            "/etc/kiosk/kiosk.jsonc:2: capture.min_face_area: must not be more than "
            "capture.max_face_area");
  EXPECT_EQ(
      ProblemsWith(R"("queue": {"backoff_last": "1 s"})"),
      "/etc/kiosk/kiosk.jsonc:2: queue.backoff_last: must not be less than queue.backoff_first");
  EXPECT_THAT(ProblemsWith(R"("capture": {"timeout": "5 s"})"),
              HasSubstr("capture.timeout: must not be less than capture.challenge_timeout"));
}

// Of two that do not go together, it is the one that this machine wrote over the other.
TEST_F(LoadSettingsTest, NamesTheFileThatBroughtTwoKeysIntoConflict) {
  EXPECT_EQ(Problems(kGood, "{\n\n\"capture\": {\"max_face_area\": 0.01}}"),
            "/etc/kiosk/kiosk.local.jsonc:3: capture.max_face_area: must not be less than "
            "capture.min_face_area");
  const std::string both = R"({"state_folder": "s", "capture": {"max_face_area": 0.3},
      "service": {"base_url": "https://h", "profile": "profiles/sandbox.jsonc"}})";
  EXPECT_EQ(Problems(both, R"({"capture": {"min_face_area": 0.5}})"),
            "/etc/kiosk/kiosk.local.jsonc:1: capture.min_face_area: must not be more than "
            "capture.max_face_area");
}

// What a file that could not be read would have said is not missed.
TEST_F(LoadSettingsTest, SaysNothingOfWhatAnUnreadableLocalFileMayHold) {
  constexpr std::string_view kUnprovisioned =
      R"({"state_folder": "s", "service": {"profile": "profiles/sandbox.jsonc"}})";
  EXPECT_EQ(Problems(kUnprovisioned, "{\n\"service\": {\"base_url\" \"https://h\"}}"),
            "/etc/kiosk/kiosk.local.jsonc: not JSON at line 2, column 24: is a comma or a colon "
            "missing before it?");
  EXPECT_EQ(Problems(kUnprovisioned, "{\"service\": \"https://h\"}"),
            "/etc/kiosk/kiosk.local.jsonc:1: service: must be an object, { ... }, not a string");
}

TEST_F(LoadSettingsTest, RefusesATextThatIsNotReadAsItIsWritten) {
  for (const char* name : {"Bank\\u202ekiosk", "Bank\\u200b", "Ba\\u009b31mnk", "Ba\\u001bnk"}) {
    EXPECT_THAT(ProblemsWith(fmt::format(R"("brand": {{"name": "{}"}})", name)),
                HasSubstr("brand.name: holds a line break or another control character"))
        << name;
  }
  EXPECT_THAT(ProblemsWith(R"("ui": {"reasons": ["LO\u2066AN"]})"),
              HasSubstr("ui.reasons: is a list; each item holds a line break or another control"));
  EXPECT_EQ(ProblemsWith(R"("brand": {"name": "Ilé Ìfowópamọ́ – Bánkì"})"), "none");
}

TEST_F(LoadSettingsTest, RefusesABrandThatCannotBeRead) {
  EXPECT_THAT(ProblemsWith(R"("brand": {"primary": "#4caf50"})"),
              AllOf(HasSubstr("kiosk.jsonc:2: brand.primary: white text on #4caf50 has a contrast "
                              "of 2.8 to 1"),
                    HasSubstr("choose a darker colour")));
  EXPECT_THAT(ProblemsWith(R"("brand": {"accent": "#203040"})"),
              AllOf(HasSubstr("brand.accent: black text on #203040"), HasSubstr("lighter")));
  EXPECT_THAT(ProblemsWith(R"("brand": {"primary": "green"})"),
              HasSubstr("brand.primary: must be a colour, as \"#0b5d3b\""));
}

// Two signatures are those of two people.
TEST_F(LoadSettingsTest, KnowsEachSignerOnceAndByAKeyOfItsOwn) {
  // Points are not looked at here.
  const auto key = [](char of) {
    Bytes der = FromBase64("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE").value();
    der.resize(91, static_cast<uint8_t>(of));
    return ToBase64(der);
  };
  const auto with = [this](const std::string& keys) {
    return ProblemsWith(
        fmt::format(R"("headquarters": {{"tenant": "bank", "kiosk": "k1", "keys": [{}]}})", keys));
  };
  EXPECT_EQ(with(fmt::format(R"("alice {}", "bob {}")", key('a'), key('b'))), "none");
  EXPECT_THAT(with(fmt::format(R"("alice {}", "alice {}")", key('a'), key('b'))),
              HasSubstr("headquarters.keys: the name or the key of alice is there twice"));
  EXPECT_THAT(with(fmt::format(R"("alice {}", "bob {}")", key('a'), key('a'))),
              HasSubstr("the name or the key of bob is there twice"));
  for (const std::string& bad : {std::string("alice"), "alice " + key('a').substr(4),
                                 "Alice " + key('a'), key('a'), "alice  " + key('a')}) {
    EXPECT_THAT(with('"' + bad + '"'), HasSubstr("base64 text of a public key of P-256")) << bad;
  }
  EXPECT_THAT(ProblemsWith(fmt::format(R"("headquarters": {{"keys": ["alice {}"]}})", key('a'))),
              AllOf(HasSubstr("headquarters.tenant: must be given"),
                    HasSubstr("headquarters.kiosk: must be given")));
  EXPECT_THAT(ProblemsWith(R"("headquarters": {"groups": ["a/b"]})"),
              HasSubstr("small letters, digits and hyphens"));
}

}  // namespace
}  // namespace idkiosk
