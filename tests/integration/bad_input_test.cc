// Every kind of bad input: one clear sentence, its exit code, and nothing lost.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/small_disk.h"
#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BadInputTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
  }

  // Copies the five good pictures to a folder of this test.
  std::string CopyPictures() {
    const std::string folder = folder_ / "pictures";
    fs::copy(pictures(), folder);
    return folder;
  }

  Finished VerifyPictures(const std::string& folder) {
    return RunProgram(VerifyCommand({"--pictures", folder}), test_nin_ + "\n");
  }

  // As the certificate authority of the service.
  void NameAuthority(const std::string& file) {
    std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
    const size_t value = local.find("\"ca_file\": \"") + 12;
    ASSERT_LT(value, local.size());
    WriteFile(folder_ / "kiosk.local.jsonc",
              local.replace(value, local.find('"', value) - value, file));
  }

  // More members of the local settings.
  void AddSettings(const std::string& members) {
    std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
    const size_t begin = local.find('{');
    ASSERT_NE(begin, std::string::npos);
    WriteFile(folder_ / "kiosk.local.jsonc", local.insert(begin + 1, members + ","));
  }

  static void FlipByte(const std::string& path, size_t offset) {
    std::string bytes = ReadFile(path);
    ASSERT_GT(bytes.size(), offset);
    bytes[offset] = static_cast<char>(bytes[offset] ^ 0x40);
    WriteFile(path, bytes);
  }
};

TEST_F(BadInputTest, MissingConfigurationIsNamed) {
  fs::remove(config());
  const Finished refused = Kiosk({"doctor"});
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.out + refused.err, HasSubstr(config()));
}

// What works stays until the service was seen to take what replaces it.
TEST_F(BadInputTest, CredentialsThatTheServiceRefusesReplaceNone) {
  WriteFile(folder_ / "again.json", "");
  fs::permissions(folder_ / "again.json", fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(Sandbox({"onboard", "--out", folder_ / "again.json"}).exit_code, 0);
  std::string message = ReadFile(folder_ / "again.json");
  const std::string password = Text(Parse(message), "/login/password");
  message.replace(message.find(password), password.size(), "Wr0ng!password");
  WriteFile(folder_ / "again.json", message);
  const Finished refused = Kiosk({"provision", "--onboarding", folder_ / "again.json"});
  EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("the service refused the login"), HasSubstr("Nothing was changed.")));
  EXPECT_THAT(refused.err, Not(HasSubstr("Wr0ng")));
  EXPECT_EQ(Kiosk({"reasons", "--refresh"}).exit_code, 0) << "with the credentials of before";

  StopSandbox();
  const Finished untried = Kiosk({"provision", "--onboarding", folder_ / "again.json"});
  EXPECT_EQ(untried.exit_code, 0) << untried.err;
  EXPECT_THAT(untried.err, HasSubstr("The service could not check them yet"));
}

TEST_F(BadInputTest, NothingIsSentForATimeThatIsNone) {
  for (const char* time : {"nan", "-1", "1e9", "soon", ""}) {
    const Finished refused = Kiosk({"check", "--id-number", test_nin_, "--wait", time});
    EXPECT_EQ(refused.exit_code, kUsage) << time;
    EXPECT_THAT(refused.err, HasSubstr("is not a number from 0 to 86400")) << time;
  }
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, GarbledConfigurationNamesFileAndLine) {
  WriteFile(config(), "{\n  \"camera\": {\n    \"widht\": 1280\n  }\n}\n");
  const Finished refused = Kiosk({"config", "check", config()});
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr(config()), HasSubstr("3"), HasSubstr("widht"), HasSubstr("width")));
}

// It is that of this machine's own file, wherever the fleet's names none.
TEST_F(BadInputTest, ACameraThatIsNoneIsNamedWithTheLineThatNamesIt) {
  AddSettings("\n\"camera\": {\n\"source\": \"video0\"}");
  const std::string place =
      folder_ / "kiosk.local.jsonc:5: camera.source: 'video0' names no camera";
  for (const Finished& refused : {Kiosk({"queue", "stats"}), Kiosk({"config", "check"})}) {
    EXPECT_EQ(refused.exit_code, kConfiguration);
    EXPECT_THAT(refused.err, HasSubstr("idkiosk: " + place));
  }
}

// Nobody types a number for a command that is refused whatever the number is.
TEST_F(BadInputTest, EverythingElseIsJudgedBeforeANumberIsAskedFor) {
  const auto asks = [this](std::vector<std::string> more) {
    std::vector<std::string> words = {"verify", "--nin", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return Kiosk(words, "").err;
  };
  EXPECT_THAT(asks({"--reason", "ACCOUNT_OPENING", "--camera", "video0"}),
              HasSubstr("'video0' names no camera"));
  EXPECT_THAT(asks({"--reason", "ACCOUNT_OPENING", "--pictures", folder_ / "none"}),
              HasSubstr(folder_ / "none"));
  const std::string folder = CopyPictures();
  fs::remove(folder + "/liveness-3.jpg");
  EXPECT_THAT(asks({"--reason", "ACCOUNT_OPENING", "--pictures", folder}),
              HasSubstr("liveness-3.jpg"));
  EXPECT_THAT(asks({"--reason", "NOSUCH", "--pictures", pictures()}), HasSubstr("NOSUCH"));
  EXPECT_THAT(asks({"--reason", "ACCOUNT_OPENING", "--pictures", pictures(), "--consent", "xx"}),
              HasSubstr("--consent"));
  EXPECT_THAT(Kiosk({"check", "--type", "nosuch", "--id-number", "-"}, "").err,
              HasSubstr("'nosuch' is not a type of number"));
  // A good one is asked for by its name.
  const std::string asked = asks({"--reason", "ACCOUNT_OPENING", "--pictures", pictures()});
  EXPECT_THAT(asked, HasSubstr("NIN: standard input ended before it came"));
  EXPECT_THAT(asked, Not(HasSubstr("secret")));
}

TEST_F(BadInputTest, AFolderThatIsMadeForPicturesIsNamed) {
  const std::string folder = folder_ / "new";
  for (const auto& [words, said] :
       {std::pair(
            std::vector<std::string>{"capture", "--camera", "synthetic", "--out", folder + "/a"},
            fmt::format("The folder {}/a was made.", folder)),
        std::pair(std::vector<std::string>{"record", "--camera", "synthetic", "--seconds", "0.5",
                                           "--out", folder + "/b"},
                  fmt::format("The folder {}/b was made.", folder))}) {
    EXPECT_THAT(Kiosk(words).err, HasSubstr(said));
    EXPECT_THAT(Kiosk(words).err, Not(HasSubstr("was made"))) << "it is there now";
  }
}

TEST_F(BadInputTest, MissingSecretIsNamedWithItsMend) {
  const Finished gone = Kiosk({"vault", "erase", "--yes"});
  ASSERT_EQ(gone.exit_code, 0) << gone.err;
  const Finished refused = Verify(test_nin_);
  EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("vault init"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, NothingBesideAnErasedVaultNamesStaff) {
  WriteFile(state() + "/operator-pin-tries", "pin-tries/3 ngozi");
  WriteFile(state() + "/clerk-pin-tries", "pin-tries/3 bola");
  const Finished gone = Kiosk({"vault", "erase", "--yes"});
  ASSERT_EQ(gone.exit_code, 0) << gone.err;
  for (const auto& entry : fs::recursive_directory_iterator(state())) {
    if (!entry.is_regular_file()) continue;
    const std::string text = ReadFile(entry.path());
    EXPECT_FALSE(text.contains("ngozi") || text.contains("bola")) << entry.path();
  }
}

TEST_F(BadInputTest, APinThatIsSoonGuessedIsRefusedAndNeverRepeated) {
  for (const std::string pin : {"12345", "123456", "777777", "12a456", "1234567890123", "112233",
                                "580085", "270394", "20261123"}) {
    const Finished refused = Kiosk({"pin", "set", "clerk"}, pin + "\n");
    EXPECT_EQ(refused.exit_code, kUsage) << pin;
    EXPECT_THAT(refused.out + refused.err, Not(HasSubstr(pin)));
  }
  EXPECT_EQ(Kiosk({"pin", "set", "somebody"}, "580394\n").exit_code, kUsage);
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "").exit_code, kUsage);
}

TEST_F(BadInputTest, TheOperatorsPinIsNotTheClerks) {
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "580394\n").exit_code, 0);
  const Finished refused = Kiosk({"pin", "set", "operator"}, "580394\n");
  EXPECT_EQ(refused.exit_code, kUsage);
  EXPECT_THAT(refused.err, HasSubstr("somebody else's"));
  EXPECT_EQ(Kiosk({"pin", "set", "operator"}, "580395\n").exit_code, 0);
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "580395\n").exit_code, kUsage);
}

TEST_F(BadInputTest, APinComesFromAFileThatOnlyItsOwnerReads) {
  const std::string file = state() + "-pin";
  WriteFile(file, "580394\n");
  fs::permissions(file, fs::perms(0644));
  const Finished open = Kiosk({"pin", "set", "operator", "--file", file});
  EXPECT_EQ(open.exit_code, kUsage);
  EXPECT_THAT(open.err, HasSubstr("600"));
  fs::permissions(file, fs::perms(0600));
  EXPECT_EQ(Kiosk({"pin", "set", "operator", "--file", file}).exit_code, 0);
  EXPECT_THAT(Kiosk({"vault", "status"}).out, HasSubstr("operator_pin"));
}

TEST_F(BadInputTest, APinWithoutAVaultNamesTheMend) {
  ASSERT_EQ(Kiosk({"vault", "erase", "--yes"}).exit_code, 0);
  const Finished refused = Kiosk({"pin", "set", "clerk"}, "580394\n");
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err, HasSubstr("vault init"));
}

TEST_F(BadInputTest, WrongVaultKeyIsSaid) {
  const std::string vault = state() + "/vault";
  std::string key;
  for (const auto& entry : fs::directory_iterator(vault)) {
    if (entry.path().extension() == ".key") key = entry.path();
  }
  ASSERT_NE(key, "");
  const ScratchFolder other;
  WriteFile(other / "kiosk.jsonc", ReadFile(config()));
  WriteFile(other / "kiosk.local.jsonc",
            fmt::format(
                R"({{ "state_folder": "{}/state" , "service": {{ "base_url": "https://127.0.0.1:1",
                        "profile": "{}/config/profiles/sandbox.jsonc" }} }})",
                other.path(), fs::current_path().string()));
  const Finished made =
      RunProgram({bin_ + "/idkiosk", "--config", other / "kiosk.jsonc", "vault", "init"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  fs::copy_file(other.path() + "/state/vault/" + fs::path(key).filename().string(), key,
                fs::copy_options::overwrite_existing);
  const Finished refused = Verify(test_nin_);
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err, HasSubstr("key"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, OneDamagedCopyOfTheVaultIsMendedAndTwoAreSaid) {
  std::vector<std::string> copies;
  for (const auto& entry : fs::directory_iterator(state() + "/vault")) {
    if (fs::file_size(entry) > 200) copies.push_back(entry.path());
  }
  ASSERT_EQ(copies.size(), 2U);
  FlipByte(copies[0], 80);
  EXPECT_EQ(Verify(test_nin_).exit_code, 0);

  FlipByte(copies[0], 80);
  FlipByte(copies[1], 80);
  const Finished refused = Verify(test_nin_);
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err, HasSubstr("damaged"));
  EXPECT_TRUE(fs::exists(copies[0]) && fs::exists(copies[1])) << "nothing is deleted";
}

TEST_F(BadInputTest, DamagedDatabaseIsSetAsideAndSaid) {
  ASSERT_EQ(Verify(test_nin_).exit_code, 0);
  std::string database;
  for (const auto& entry : fs::directory_iterator(state())) {
    if (entry.path().extension() == ".db") database = entry.path();
  }
  ASSERT_NE(database, "");
  WriteFile(database, std::string(8192, 'x'));
  // What was asked before is still known, from the ledger.
  const Finished again = Verify(test_nin_);
  EXPECT_EQ(again.exit_code, 5) << again.err;
  EXPECT_THAT(again.err, HasSubstr("damaged"));
  EXPECT_THAT(again.err, HasSubstr("was asked before"));
  EXPECT_EQ(BilledRows(), 1);
  bool kept = false;
  for (const auto& entry : fs::directory_iterator(state())) {
    if (entry.is_regular_file() && ReadFile(entry.path()) == std::string(8192, 'x')) kept = true;
  }
  EXPECT_TRUE(kept) << "the damaged file is kept whole";
}

TEST_F(BadInputTest, UnreadablePictureIsNamed) {
  const std::string folder = CopyPictures();
  WriteFile(folder + "/liveness-2.jpg", "this is not a picture");
  const Finished refused = VerifyPictures(folder);
  EXPECT_EQ(refused.exit_code, kCapture);
  EXPECT_THAT(refused.err, HasSubstr("liveness-2.jpg"));

  const std::string selfie = ReadFile(folder + "/selfie.jpg");
  WriteFile(folder + "/selfie.jpg", selfie.substr(0, selfie.size() / 3));
  EXPECT_EQ(VerifyPictures(folder).exit_code, kCapture);

  fs::remove(folder + "/selfie.jpg");
  const Finished missing = VerifyPictures(folder);
  EXPECT_EQ(missing.exit_code, kCapture);
  EXPECT_THAT(missing.err, HasSubstr("selfie"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, OnePictureGivenFiveTimesIsNotBilled) {
  const std::string folder = CopyPictures();
  for (int i = 1; i <= 4; ++i) {
    fs::copy_file(folder + "/selfie.jpg", fmt::format("{}/liveness-{}.jpg", folder, i),
                  fs::copy_options::overwrite_existing);
  }
  const Finished refused = VerifyPictures(folder);
  EXPECT_EQ(refused.exit_code, kCapture) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("/selfie.jpg and "));
  EXPECT_THAT(refused.err, HasSubstr("/liveness-1.jpg show the same moment"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, TwoPeopleMakeNoBundle) {
  const std::string frames = folder_ / "frames";
  (void)Kiosk({"record", "--camera", "synthetic:people=2", "--seconds", "1", "--out", frames});
  ASSERT_FALSE(fs::is_empty(frames));
  const Finished filmed =
      RunProgram(VerifyCommand({"--camera", "images:" + frames}), test_nin_ + "\n");
  EXPECT_EQ(filmed.exit_code, kCapture) << filmed.err;

  const std::string folder = CopyPictures();
  fs::copy_file(fs::directory_iterator(frames)->path(), folder + "/liveness-3.jpg",
                fs::copy_options::overwrite_existing);
  const Finished photographed = VerifyPictures(folder);
  EXPECT_EQ(photographed.exit_code, kCapture);
  EXPECT_THAT(photographed.err, HasSubstr("liveness-3.jpg"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, WrongNumberOrReasonIsRefusedBeforeAnythingIsSent) {
  const Finished number = Verify("1234");
  EXPECT_EQ(number.exit_code, kUsage);
  EXPECT_THAT(number.err, HasSubstr("11 digits"));
  const Finished reason = RunProgram(
      KioskCommand({"verify", "--nin", "-", "--reason", "NOSUCH", "--pictures", pictures()}),
      test_nin_ + "\n");
  EXPECT_EQ(reason.exit_code, kUsage);
  EXPECT_THAT(reason.err, HasSubstr("reason"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, RefusedConnectionKeepsTheCall) {
  StopSandbox();
  const Finished kept = Verify(test_nin_, {"--wait", "0"});
  EXPECT_EQ(kept.exit_code, kKept);
  EXPECT_THAT(kept.err, HasSubstr("kept"));
}

TEST_F(BadInputTest, CertificateOfAnotherHostIsNotTrustedAndTheCallIsKept) {
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  // The sandbox's certificate names localhost and the loopback addresses, not 127.0.0.2.
  ASSERT_EQ(Sandbox({"onboard", "--out", folder_ / "onboarding.json"}).exit_code, 0);
  told_address_ = fmt::format("127.0.0.2:{}", sandbox_port_);
  ASSERT_NO_FATAL_FAILURE(TellAddress(folder_ / "onboarding.json"));
  StopSandbox();
  sandbox_ = std::make_unique<Process>(
      std::vector<std::string>{bin_ + "/idkiosk-sandbox", "serve", "--state", folder_ / "sandbox",
                               "--port", std::to_string(sandbox_port_), "--address", "127.0.0.2"});
  ASSERT_TRUE(sandbox_->AwaitOut("\n")) << sandbox_->err();
  const Finished moved = Kiosk({"provision", "--onboarding", folder_ / "onboarding.json"});
  EXPECT_EQ(moved.exit_code, 0) << "all is stored, and nobody could try it";
  EXPECT_THAT(moved.err, HasSubstr("certificate"));
  const Finished held = Verify(test_nin_, {"--wait", "5"});
  EXPECT_TRUE(held.exit_code == kNeedsPerson || held.exit_code == kKept) << held.err;
  EXPECT_THAT(held.out, HasSubstr("certificate"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(BadInputTest, MistypedCommandsAreNamed) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"frobnicate"}, {"queue", "frobnicate"}}) {
    const Finished refused = Kiosk(words);
    EXPECT_EQ(refused.exit_code, kUsage);
    EXPECT_THAT(refused.err,
                HasSubstr(fmt::format("no command 'idkiosk {}'", fmt::join(words, " "))));
  }
}

TEST_F(BadInputTest, MistypedCommandsAreToldWhatWasMeant) {
  EXPECT_THAT(Kiosk({"ledgr", "list"}).err, HasSubstr("did you mean ledger?"));
  EXPECT_THAT(Kiosk({"queue", "lst"}).err, HasSubstr("did you mean list?"));
  EXPECT_THAT(Kiosk({"queue", "delivr"}).err, HasSubstr("did you mean deliver?"));
}

TEST_F(BadInputTest, CheckingTheConfigurationOpensWhatItNames) {
  EXPECT_EQ(Kiosk({"config", "check", config()}).exit_code, 0);
  const std::string profile = folder_ / "profile.jsonc";
  WriteFile(profile, "{");
  std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
  constexpr std::string_view kShipped = "profiles/sandbox.jsonc";
  const size_t end = local.find(kShipped) + kShipped.size();
  ASSERT_GT(end, kShipped.size());
  const size_t begin = local.rfind('"', end - 1) + 1;
  WriteFile(folder_ / "kiosk.local.jsonc", local.replace(begin, end - begin, profile));
  const Finished refused = Kiosk({"config", "check", config()});
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err, HasSubstr(profile));
}

TEST_F(BadInputTest, TheVersionIsOneLine) {
  const Finished told = RunProgram({bin_ + "/idkiosk", "--version"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.out, testing::MatchesRegex("idkiosk [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(BadInputTest, AVaultThatIsThereIsNoFailure) {
  const Finished again = Kiosk({"vault", "init"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("There is a vault already: nothing was changed"));
  WriteFile(state() + "/vault/vault.key", "damaged");
  EXPECT_EQ(Kiosk({"vault", "init"}).exit_code, kConfiguration) << "one that does not open is";
}

TEST_F(BadInputTest, ProvisioningReadsStandardInputAndStoresWhatNobodyCouldTry) {
  const std::string file = folder_ / "message.json";
  ASSERT_EQ(Sandbox({"onboard", "--out", file}).exit_code, 0);
  const std::string message = ReadFile(file);
  EXPECT_EQ(Kiosk({"provision", "--onboarding", "-"}, message).exit_code, 0);
  const Finished broken = Kiosk({"provision", "--onboarding", "-"}, "{");
  EXPECT_EQ(broken.exit_code, kConfiguration);
  EXPECT_THAT(broken.err, HasSubstr("standard input"));
  const Finished endless = Kiosk({"provision", "--onboarding", "-"}, std::string(100'000, ' '));
  EXPECT_EQ(endless.exit_code, kConfiguration);
  EXPECT_THAT(endless.err, HasSubstr("longer than"));
  StopSandbox();
  const Finished alone = Kiosk({"provision", "--onboarding", "-"}, message);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("could not check them yet"));
}

TEST_F(BadInputTest, WhatCouldNotBePrintedIsSaid) {
  const Finished full = RunProgram(
      {"/bin/sh", "-c",
       fmt::format("{}/idkiosk --config {} --json ledger list > /dev/full", bin_, config())});
  EXPECT_EQ(full.exit_code, kNeedsPerson);
  EXPECT_THAT(full.err, HasSubstr("could be written"));
}

TEST_F(BadInputTest, WhatIsNotThereCannotBeDiscarded) {
  const Finished refused = Kiosk({"queue", "discard", "nope", "--yes"});
  EXPECT_EQ(refused.exit_code, kUsage);
  EXPECT_THAT(refused.err, HasSubstr("no damaged file nope"));
  EXPECT_THAT(refused.err, Not(HasSubstr("lost for good")));
  // Who believes that it is lost asks, and pays, again.
  const Finished unknown = Kiosk({"queue", "discard", "KD7Q2M"});
  EXPECT_EQ(unknown.exit_code, kUsage);
  EXPECT_THAT(unknown.err, HasSubstr("there is no call KD7Q2M"));
  EXPECT_THAT(unknown.err, Not(HasSubstr("lost for good")));
}

TEST_F(BadInputTest, ACameraThatMakesNoSenseIsRefusedBeforeTheKioskRuns) {
  const Finished refused = Kiosk({"run", "--camera", "webcam"});
  EXPECT_EQ(refused.exit_code, kUsage);
  EXPECT_THAT(refused.err, HasSubstr("--camera"));
}

TEST_F(BadInputTest, DoctorNamesEachDeviceAndUserThatIsNotThere) {
  AddSettings(R"("tamper": {"gpio_chip": "/dev/nochip"}, "light": {"led": "/sys/class/leds/none"},
    "printer": {"target": "device:/dev/nolp"}, "api": {"supervisors": ["nosuchuser"]})");
  const Finished said = Kiosk({"doctor"});
  EXPECT_EQ(said.exit_code, kConfiguration);
  EXPECT_THAT(said.out, AllOf(HasSubstr("bad   configuration  tamper.gpio_chip: there is no GPIO "
                                        "chip /dev/nochip; 'idkiosk run' does not start"),
                              HasSubstr("light.led: "), HasSubstr("printer.target: "),
                              HasSubstr("api.supervisors: there is no user 'nosuchuser'")));
}

TEST_F(BadInputTest, DoctorNamesTheLanguagesThatABanksConsentIsNotThereIn) {
  fs::create_directory(folder_ / "texts");
  WriteFile(folder_ / "texts/en.txt", "We ask a service.\n");
  WriteFile(folder_ / "texts/ha.txt", "Muna tambaya.\n");
  AddSettings(
      fmt::format(R"("consent": {{"version": "2026-11", "folder": "{}/texts"}})", folder_.path()));
  const std::string said = Kiosk({"doctor"}).out;
  EXPECT_THAT(said, HasSubstr("note  configuration  consent.folder has no text in yo, ig, pcm, fr, "
                              "ar: whoever chooses one of these is shown en.txt"));
  EXPECT_THAT(said, HasSubstr("Write yo.txt, ig.txt, pcm.txt, fr.txt, ar.txt"));
}

TEST_F(BadInputTest, DoctorBlamesNoCameraForTheLogsFolder) {
  AddSettings(R"("log": {"file": "/no/such/folder/log"}, "camera": {"source": "synthetic"})");
  const Finished said = Kiosk({"doctor"});
  EXPECT_EQ(said.exit_code, kConfiguration);
  EXPECT_THAT(said.out, AllOf(HasSubstr("/no/such/folder"), Not(HasSubstr("plugged in"))));
}

TEST_F(BadInputTest, NobodyAgreesInALanguageThatTheTextIsNotThereIn) {
  const Finished refused =
      Kiosk({"check", "--id-number", "70123456707", "--consent", "xx", "--wait", "0"});
  EXPECT_EQ(refused.exit_code, kUsage);
  EXPECT_THAT(refused.err, HasSubstr("in force is version 'idkiosk-2', in en"));
  EXPECT_EQ(Kiosk({"consent", "list"}).out, "");
}

TEST_F(BadInputTest, APersonIsErasedByTheTypeOfTheNumberOrTheTypeIsRefused) {
  StopSandbox();
  const std::string nin = "70123456707\n";
  EXPECT_EQ(Kiosk({"check", "--id-number", "-", "--wait", "0"}, nin).exit_code, kKept);
  for (const char* type : {"bvn", "NIN"}) {
    const Finished refused = Kiosk({"people", "erase", "--yes", "--type", type}, nin);
    EXPECT_EQ(refused.exit_code, kUsage) << type;
    EXPECT_THAT(refused.err, HasSubstr("it takes nin")) << type;
  }
  const Finished erased = Kiosk({"people", "erase", "--yes", "--type", "nin"}, nin);
  EXPECT_EQ(erased.exit_code, 0) << erased.err;
  EXPECT_THAT(erased.out, HasSubstr("it waited, and is never sent"));
}

// It was found at the first call, when somebody stood before the screen.
TEST_F(BadInputTest, AnAuthorityWithoutACertificateIsRefusedBeforeAnythingIsAsked) {
  const std::string file = folder_ / "no-certificate.pem";
  NameAuthority(file);
  const std::string key = "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n";
  for (const auto& [content, what] : std::vector<std::pair<std::string, std::string>>{
           {"", "it is empty"},
           {key, "it is a private key"},
           {"\x30\x82\x01\x0a junk", "it is something else"},
           {"hello", "it is something else"}}) {
    WriteFile(file, content);
    const std::string sentence = "service.ca_file: " + file + " holds no certificate: " + what;
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"config", "check", config()}, {"doctor"}, {"run"}, {"queue", "deliver"}}) {
      const Finished refused = Kiosk(words);
      EXPECT_EQ(refused.exit_code, kConfiguration) << words[0];
      EXPECT_THAT(refused.out + refused.err,
                  AllOf(HasSubstr(sentence), HasSubstr("-----BEGIN CERTIFICATE-----")))
          << words[0];
    }
  }
  EXPECT_EQ(BilledRows(), 0);
}

// From a pipe a library would read for ever, in the middle of a call.
TEST_F(BadInputTest, AnAuthorityThatIsNoFileIsRefusedBeforeAnythingIsAsked) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  struct Case {
    std::string path;
    const char* what;
  };
  for (const Case& each : {Case{folder_ / "pipe", "pipe is not an ordinary file"},
                           Case{state(), "is a folder, not a file"}}) {
    NameAuthority(each.path);
    const Finished refused = Kiosk({"check", "--id-number", "70123456789", "--wait", "0"});
    EXPECT_EQ(refused.exit_code, kConfiguration);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("service.ca_file"), HasSubstr(each.what)));
    EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("service.ca_file"));
  }
}

TEST_F(BadInputTest, WhatWasMistypedIsNoCommandToTheTerminal) {
  for (const std::vector<std::string>& mistyped :
       std::vector<std::vector<std::string>>{{"foo\x1b[31m"}, {"queue", "list", "\x1b]0;T\x07"}}) {
    const Finished refused = Kiosk(mistyped);
    EXPECT_EQ(refused.exit_code, kUsage);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("?"), Not(HasSubstr("\x1b"))));
  }
}

TEST_F(BadInputTest, FullDiskIsSaidBeforeTheCameraOpensAndNothingIsLost) {
  const ScratchFolder folder;
  const std::string& small = folder.path();
  const SmallDisk disk(small, "8m");
  if (!disk.mounted()) GTEST_SKIP() << "this test mounts a small file system: run it as root";
  fs::copy(state(), small + "/state", fs::copy_options::recursive);
  std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
  local.replace(local.find(state()), state().size(), small + "/state");
  WriteFile(folder_ / "kiosk.local.jsonc", local);
  StopSandbox();
  const Finished kept = Verify(test_nin_, {"--wait", "0"});
  EXPECT_EQ(kept.exit_code, kKept) << kept.err;

  std::ofstream filler(small + "/filler");
  const std::string block(4096, 'f');
  while (filler << block << std::flush) {
  }
  const Finished refused = Verify(test_nin_, {"--wait", "0"});
  EXPECT_EQ(refused.exit_code, kKept) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("full"));

  // The call that was accepted before is delivered all the same: its answer has a place.
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  const Finished delivered = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(delivered.exit_code, 0) << delivered.err;
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(BadInputTest, AStackThatIsTooSmallIsNamed) {
  const Finished done =
      RunProgram({"/bin/sh", "-c", "ulimit -s 128; exec \"$0\" reasons", bin_ + "/idkiosk"});
  EXPECT_EQ(done.exit_code, kConfiguration);
  EXPECT_THAT(done.err, HasSubstr("ulimit -s 8192"));
}

}  // namespace
}  // namespace idkiosk
