#include "app/headquarters/settings_trial.h"

#include <gmock/gmock.h>

#include "app/settings/load_settings.h"
#include "tests/app/headquarters/headquarters_bench.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class SettingsTrialTest : public HeadquartersBench {
 protected:
  static constexpr const char* kBefore = R"({"ui":{"idle":"50 s"}})";

  std::string Change(const std::string& keys) {
    return Next({{"action", "\"settings\""}, {"settings", keys}, {"healthy_within", "60"}});
  }
  FleetReply Order() {
    return Take(SignedBy(Change(R"({"ui.idle":"90 s","ui.sound":false})"), {&alice_}));
  }
  // What `idkiosk run` does before it reads the settings.
  void StartProgram() {
    SettingsTrialFile trial(files, kConfig);
    EXPECT_TRUE(trial.NoteStart());
    Start();
  }
  // Looks after it for so long.
  void LookFor(Duration time) {
    for (Duration gone{}; gone < time; gone += seconds(2)) {
      clock.Advance(seconds(2));
      headquarters_->LookAfter();
    }
  }
  [[nodiscard]] CommandState state() const { return headquarters_->replies().back().state; }
  Settings Loaded() {
    const auto loaded = LoadSettings(files, kConfig);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded.value_or(Settings());
  }
};

TEST_F(SettingsTrialTest, SettingsThatTheKioskIsWellWithStay) {
  Write(kLocal, kBefore);
  const auto reply = Order();
  EXPECT_EQ(reply.state, CommandState::kOnTrial) << reply.reason;
  EXPECT_EQ(started_anew_, 1);
  EXPECT_THAT(last_line(), HasSubstr("settings, revision 101: ui.idle, ui.sound"));
  // The program of before does not judge them.
  LookFor(seconds(600));
  EXPECT_EQ(state(), CommandState::kOnTrial);
  StartProgram();
  EXPECT_EQ(Loaded().ui.idle, seconds(90));
  LookFor(seconds(20));
  EXPECT_EQ(state(), CommandState::kDone);
  EXPECT_THAT(last_line(), HasSubstr("fleet.kept revision 101: ui.idle, ui.sound, by headquarters "
                                     "(alice)"));
  StartProgram();
  EXPECT_EQ(Loaded().ui.idle, seconds(90));
  EXPECT_FALSE(Loaded().ui.sound);
  EXPECT_EQ(state(), CommandState::kDone);
  // Null: the configuration itself decides again.
  EXPECT_EQ(Take(SignedBy(Change(R"({"ui.idle":null})"), {&alice_})).state, CommandState::kOnTrial);
  EXPECT_EQ(Loaded().ui.idle, seconds(45));
}

TEST_F(SettingsTrialTest, SettingsThatItIsNotWellWithAreTakenBack) {
  Write(kLocal, kBefore);
  (void)Order();
  StartProgram();
  complaints_ = {"queue"};
  LookFor(seconds(58));
  EXPECT_EQ(state(), CommandState::kOnTrial);
  LookFor(seconds(4));
  EXPECT_EQ(state(), CommandState::kRolledBack);
  EXPECT_THAT(headquarters_->replies().back().reason, HasSubstr("not well: queue"));
  EXPECT_THAT(last_line(), HasSubstr("fleet.rolled_back revision 101: ui.idle, ui.sound: the kiosk "
                                     "was not well: queue, by headquarters (alice)"));
  EXPECT_EQ(Read(kLocal), kBefore);
  EXPECT_EQ(started_anew_, 2);
  StartProgram();
  EXPECT_EQ(state(), CommandState::kRolledBack);
  EXPECT_EQ(Read(kLocal), kBefore);
  // The same is not tried again; what is signed anew is.
  EXPECT_EQ(Order().state, CommandState::kOnTrial);
}

// It must be well for a while, and what was bad before is no fault of the settings.
TEST_F(SettingsTrialTest, WellForAMomentIsNotWell) {
  complaints_ = {"service", "calls"};
  (void)Order();
  StartProgram();
  for (int i = 0; i < 10; ++i) {
    complaints_ = i % 2 == 0 ? std::vector<std::string>{"room"} : std::vector<std::string>{};
    LookFor(seconds(6));
  }
  LookFor(seconds(2));
  EXPECT_EQ(state(), CommandState::kRolledBack);
  EXPECT_EQ(Read(kLocal), "(none)");

  complaints_ = {"service"};
  (void)Order();
  StartProgram();
  complaints_ = {"service", "calls"};
  LookFor(seconds(20));
  EXPECT_EQ(state(), CommandState::kDone);
}

TEST_F(SettingsTrialTest, AProgramThatDoesNotRunLongEnoughIsNotWell) {
  Write(kLocal, kBefore);
  (void)Order();
  for (int i = 0; i < SettingsTrialFile::kMostStarts; ++i) StartProgram();
  EXPECT_EQ(Loaded().ui.idle, seconds(90));
  StartProgram();
  EXPECT_EQ(Read(kLocal), kBefore);
  EXPECT_EQ(state(), CommandState::kRolledBack);
  EXPECT_THAT(last_line(), HasSubstr("started 3 times"));
}

// As the program does where it cannot start with them.
TEST_F(SettingsTrialTest, AProgramThatDoesNotStartAtAllTakesThemBackItself) {
  (void)Order();
  SettingsTrialFile trial(files, kConfig);
  EXPECT_TRUE(trial.NoteStart());
  EXPECT_TRUE(trial.TakeBack("the program did not start: no camera").value_or(false));
  EXPECT_EQ(Read(kLocal), "(none)");
  EXPECT_FALSE(trial.TakeBack("again").value_or(true));
  StartProgram();
  EXPECT_EQ(state(), CommandState::kRolledBack);
  EXPECT_THAT(headquarters_->replies().back().reason, HasSubstr("no camera"));
}

TEST_F(SettingsTrialTest, WhatSomebodyElseChangedMeanwhileStays) {
  (void)Order();
  StartProgram();
  Write(kLocal, R"({"mode":"branch"})");
  complaints_ = {"queue"};
  LookFor(seconds(70));
  EXPECT_EQ(state(), CommandState::kFailed);
  EXPECT_EQ(Read(kLocal), R"({"mode":"branch"})");
  EXPECT_THAT(last_line(), HasSubstr("somebody else has changed them"));
}

TEST_F(SettingsTrialTest, OneAfterTheOther) {
  (void)Order();
  const auto second = Order();
  EXPECT_EQ(second.state, CommandState::kRefused);
  EXPECT_THAT(second.reason, HasSubstr("revision 101 are on trial"));
  EXPECT_EQ(Take(SignedBy(Next({}), {&alice_})).state, CommandState::kRefused);
  // What does not touch them may be done.
  for (size_t i = 0; i < CommandRecord::kKept + 2; ++i) {
    EXPECT_EQ(Take(SignedBy(Next({{"action", "\"send_log\""}}), {&alice_})).state,
              CommandState::kDone);
  }
  StartProgram();
  LookFor(seconds(20));
  EXPECT_EQ(headquarters_->replies().front().state, CommandState::kDone);
}

TEST_F(SettingsTrialTest, SettingsThatMakeNoSenseAreRefusedAndNothingIsTouched) {
  Write(kLocal, kBefore);
  const struct {
    const char* settings;
    const char* said;
  } mistakes[] = {
      {R"({"ui.idle":"1 s"})", "ui.idle: must be a duration"},
      {R"({"ui.idle":60})", "ui.idle"},
      {R"({"ui.language":"xx"})", "ui.language"},
      {R"({"brand.primary":"#ffffff"})", "contrast"},
      {R"({"service.connect_timeout":"2 min","service.total_timeout":"1 s"})", "connect_timeout"},
      {R"({"service.base_url":"https://evil.example"})", "may not change service.base_url"},
  };
  for (const auto& each : mistakes) {
    const auto reply = Take(SignedBy(Change(each.settings), {&alice_, &bob_}));
    EXPECT_EQ(reply.state, CommandState::kRefused) << each.settings;
    EXPECT_THAT(reply.reason, HasSubstr(each.said));
  }
  const auto money = Take(SignedBy(Change(R"({"billing.calls_per_day":5})"), {&alice_}));
  EXPECT_THAT(money.reason, HasSubstr("needs 2 signatures"));
  EXPECT_EQ(Read(kLocal), kBefore);
  EXPECT_EQ(started_anew_, 0);
  EXPECT_EQ(Take(SignedBy(Change(R"({"billing.calls_per_day":5})"), {&alice_, &bob_})).state,
            CommandState::kOnTrial);
}

TEST_F(SettingsTrialTest, AFileThatIsDamagedLeavesTheSettings) {
  for (const char* text : {"", "{", "[]", R"({"version":2})", R"({"version":1,"after":"?"})"}) {
    Write(kLocal, kBefore);
    Write("/kiosk.trial.json", text);
    StartProgram();
    EXPECT_TRUE(begun_);
    EXPECT_EQ(Read(kLocal), kBefore) << text;
    EXPECT_EQ(Read("/kiosk.trial.json"), "(none)") << text;
  }
}

}  // namespace
}  // namespace idkiosk
