// The real program with its vault's key in a real swtpm: counted at the sandbox.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/fakes/seeded_rounds.h"
#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"
#include "tests/integration/software_tpm.h"
#include "tests/integration/steps.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TpmKioskTest : public KioskFixture {
 protected:
  void SetUp() override {
    if (!SoftwareTpm::IsInstalled()) GTEST_SKIP() << "swtpm is not installed: run tools/setup";
    tpm_ = std::make_unique<SoftwareTpm>();
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(
        Provision(fmt::format(R"("tpm": {{ "device": "{}" }},)", tpm_->device())));
  }

  void Protect(const std::string& place) {
    const Finished moved = Kiosk({"vault", "protect", place});
    ASSERT_EQ(moved.exit_code, kDone) << moved.err;
  }

  void LeaveACallWaiting() {
    StopSandbox();
    Kiosk({"check", "--id-number", "70000000001", "--wait", "0"});
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
  }
  Finished Deliver() { return Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}); }

  void PutBack(const std::string& copy) const {
    fs::remove_all(state());
    fs::copy(copy, state(), fs::copy_options::recursive);
  }
  [[nodiscard]] std::string Copy(const std::string& name) const {
    fs::copy(state(), folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  std::string State() {
    const Finished told = Kiosk({"--json", "vault", "status"});
    return Text(Parse(told.out), "/key") + ": " + Text(Parse(told.out), "/state");
  }

  std::unique_ptr<SoftwareTpm> tpm_;
};

TEST_F(TpmKioskTest, AnOlderCopyOfEverythingIsHeldAndPaidForOnce) {
  ASSERT_NO_FATAL_FAILURE(Protect("--tpm"));
  ASSERT_NO_FATAL_FAILURE(LeaveACallWaiting());
  const std::string before = Copy("before");
  EXPECT_EQ(Deliver().exit_code, kDone);
  ASSERT_EQ(BilledRows(), 1);
  PutBack(before);
  const Finished again = Deliver();
  EXPECT_EQ(again.exit_code, kConfiguration) << again.err;
  EXPECT_THAT(again.err, HasSubstr("AN OLDER COPY OF THE VAULT WAS PUT BACK"));
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_EQ(State(), "tpm: rolled back");
  EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("idkiosk vault accept"));

  const Finished accepted = Kiosk({"vault", "accept"});
  EXPECT_EQ(accepted.exit_code, kDone) << accepted.err;
  EXPECT_EQ(State(), "tpm: good");
  const Finished held = Deliver();
  EXPECT_EQ(held.exit_code, kNeedsPerson) << held.err;
  EXPECT_THAT(held.err, HasSubstr("THE LEDGER IS NOT GENUINE"));
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("vault.accepted"));
}

TEST_F(TpmKioskTest, AnOlderCopyOfAllButTheVaultsOwnFilesIsHeld) {
  ASSERT_NO_FATAL_FAILURE(Protect("--tpm"));
  ASSERT_NO_FATAL_FAILURE(LeaveACallWaiting());
  const std::string before = Copy("before");
  EXPECT_EQ(Deliver().exit_code, kDone);
  const std::string after = Copy("after");
  PutBack(before);
  for (const char* each : {"vault.a", "vault.b", "vault.key"}) {
    fs::copy_file(after + "/vault/" + each, state() + "/vault/" + each,
                  fs::copy_options::overwrite_existing);
  }
  const Finished again = Deliver();
  EXPECT_EQ(again.exit_code, kNeedsPerson) << again.err;
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(TpmKioskTest, ATpmThatIsGoneOrAnotherIsSaidSoAndNothingIsLost) {
  ASSERT_NO_FATAL_FAILURE(Protect("--tpm"));
  ASSERT_NO_FATAL_FAILURE(LeaveACallWaiting());
  tpm_->PowerOff();
  EXPECT_EQ(State(), "tpm: absent");
  EXPECT_EQ(Deliver().exit_code, kConfiguration);
  EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("tpm.device"));
  EXPECT_NE(Kiosk({"vault", "protect", "--file"}).exit_code, kDone);
  EXPECT_NE(Kiosk({"vault", "init"}).exit_code, kDone);
  tpm_->Start();
  EXPECT_EQ(State(), "tpm: good");
  EXPECT_EQ(Deliver().exit_code, kDone);
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("vault.protected"));
  tpm_->Replace();
  EXPECT_EQ(State(), "tpm: exchanged");
  EXPECT_THAT(Kiosk({"vault", "status"}).out, HasSubstr("is LOST"));
}

TEST_F(TpmKioskTest, OpensAfterAKillAtAnyStepOfAMove) {
  Steps steps;
  ASSERT_NO_FATAL_FAILURE(LeaveACallWaiting());
  for (const char* place : {"--tpm", "--file"}) {
    const auto command = KioskCommand({"vault", "protect", place});
    const size_t count = steps.Of(command, "", 7).size();
    ASSERT_GT(count, 20U);
    for (size_t at = 1; at <= count; at += static_cast<size_t>(Rounds(17, 1))) {
      (void)steps.KillAt(at, command, "", 7 + at);
      tpm_->CyclePower();
      const std::string found = State();
      EXPECT_TRUE(found == "tpm: good" || found == "file: good") << place << at << found;
      const std::string back = std::string_view(place) == "--tpm" ? "--file" : "--tpm";
      ASSERT_NO_FATAL_FAILURE(Protect(back)) << place << at;
    }
    ASSERT_NO_FATAL_FAILURE(Protect(place));
  }
  EXPECT_EQ(Deliver().exit_code, kDone);
  EXPECT_EQ(BilledRows(), 1);
}

}  // namespace
}  // namespace idkiosk
