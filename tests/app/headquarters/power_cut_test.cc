#include <gmock/gmock.h>

#include "drivers/secure_storage/file_vault.h"
#include "tests/app/headquarters/headquarters_bench.h"

// The power fails at each step that commands make on the disk, with the real vault on it.
namespace idkiosk {
namespace {

using std::chrono::seconds;

class PowerCutTest : public HeadquartersBench {
 protected:
  static constexpr const char* kBefore = R"({"ui":{"idle":"50 s"}})";

  PowerCutTest() {
    Write(kLocal, kBefore);
    EXPECT_TRUE(Vault()->Init());
  }
  std::unique_ptr<FileVault> Vault() {
    return std::make_unique<FileVault>(files, entropy, crypto, "/state/vault");
  }
  // The power is back, and the program starts.
  void PowerBack(Unsynced fate) {
    files.Restart(fate);
    StartProgram();
  }
  void StartProgram() {
    SettingsTrialFile trial(files, kConfig);
    EXPECT_TRUE(trial.NoteStart());
    vault_ = Vault();
    Start(vault_.get());
    EXPECT_TRUE(begun_) << begun_.error().message;
  }
  void LookFor(Duration time) {
    for (Duration gone{}; gone < time && !files.power_failed(); gone += seconds(2)) {
      clock.Advance(seconds(2));
      headquarters_->LookAfter();
    }
  }
  // A whole life of settings, until the power fails.
  void Live(const std::string& command) {
    (void)Take(command);
    if (files.power_failed()) return;
    SettingsTrialFile trial(files, kConfig);
    (void)trial.NoteStart();
    if (files.power_failed()) return;
    vault_ = Vault();
    Start(vault_.get());
    LookFor(seconds(80));
  }

  std::unique_ptr<FileVault> vault_;
};

TEST_F(PowerCutTest, ACommandIsDoneAtMostOnceWhereverThePowerFails) {
  bool reached = true;
  int cuts = 0;
  for (size_t step = 1; reached; ++step) {
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kKept}) {
      StartProgram();
      started_anew_ = 0;
      const std::string command = SignedBy(Next({}), {&alice_});
      files.FailPowerAtStep(step);
      (void)Take(command);
      reached = files.power_failed();
      PowerBack(fate);
      (void)Take(command);
      PowerBack(fate);
      (void)Take(command);
      EXPECT_LE(started_anew_, 1) << step;
      EXPECT_GE(headquarters_->replies().size(), 1U);
      EXPECT_EQ(Take(SignedBy(Document({}), {&alice_})).command,
                headquarters_->replies().back().command)
          << "the same document is the same command";
      ++cuts;
    }
  }
  EXPECT_GT(cuts, 4);
}

TEST_F(PowerCutTest, SettingsAreThoseOfBeforeOrAreSaidToBeInForce) {
  for (const bool well : {true, false}) {
    bool reached = true;
    int cuts = 0;
    for (size_t step = 1; reached; ++step) {
      for (const Unsynced fate : {Unsynced::kLost, Unsynced::kKept}) {
        complaints_.clear();
        Write(kLocal, kBefore);
        StartProgram();
        const std::string command = SignedBy(Next({{"action", "\"settings\""},
                                                   {"settings", R"({"ui.idle":"90 s"})"},
                                                   {"healthy_within", "60"}}),
                                             {&alice_});
        files.FailPowerAtStep(step);
        if (!well) complaints_ = {"queue"};
        // What is bad before the command is no fault of it.
        const auto bad = std::exchange(complaints_, {});
        (void)Take(command);
        complaints_ = bad;
        if (!files.power_failed()) Live(command);
        reached = files.power_failed();
        PowerBack(fate);
        LookFor(seconds(80));
        StartProgram();
        LookFor(seconds(80));
        const bool is_before = Read(kLocal) == kBefore;
        const auto& replies = headquarters_->replies();
        const bool is_known = !replies.empty() && replies.back().revision == revision_;
        const bool is_done = is_known && replies.back().state == CommandState::kDone;
        EXPECT_EQ(is_done, !is_before)
            << step << " " << (is_known ? Name(replies.back().state) : "unknown") << " "
            << Read(kLocal);
        EXPECT_TRUE(well || is_before) << step;
        EXPECT_EQ(Read("/kiosk.trial.json"), "(none)") << step;
        ++cuts;
      }
    }
    EXPECT_GT(cuts, 10);
  }
}

}  // namespace
}  // namespace idkiosk
