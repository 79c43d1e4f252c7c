#include "app/settings/settings_access.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SettingsAccessTest : public testing::Test {
 protected:
  SettingsAccessTest() {
    for (const char* folder :
         {"etc", "profiles", "certificates", "consent", "models", "brand", "state"}) {
      std::filesystem::create_directory(folder_ / folder);
    }
    settings_.service.profile = Make("profiles/sandbox.jsonc");
    settings_.service.ca_file = Make("certificates/ca.pem");
    settings_.results.webhook_ca = settings_.service.ca_file;
    settings_.capture.model = Make("models/face.onnx");
    settings_.brand.logo = Make("brand/logo.svg");
    settings_.consent.folder = folder_ / "consent";
    settings_.state_folder = folder_ / "state";
    Allow(settings_.state_folder, 0700);
  }
  [[nodiscard]] std::string Make(const std::string& name) const {
    std::ofstream(folder_ / name) << "{}";
    Allow(folder_ / name, 0664);
    return folder_ / name;
  }
  static void Allow(const std::string& place, mode_t mode) {
    ASSERT_EQ(chmod(place.c_str(), mode), 0);
  }
  [[nodiscard]] std::vector<std::string> Sentences() const {
    return WhatOthersMayChange(config_, settings_);
  }

  ScratchFolder folder_;
  const std::string config_ = folder_ / "etc/kiosk.jsonc";
  const std::string local_ = folder_ / "etc/kiosk.local.jsonc";
  Settings settings_;
};

TEST_F(SettingsAccessTest, SaysNothingOfWhatOthersOnlyRead) {
  EXPECT_THAT(Sentences(), IsEmpty());
  (void)Make("etc/kiosk.jsonc");
  (void)Make("etc/kiosk.local.jsonc");
  EXPECT_THAT(Sentences(), IsEmpty());
}

TEST_F(SettingsAccessTest, NamesFoldersWhereOthersCouldStandInForTheKiosk) {
  settings_.api.socket = folder_ / "sockets/api.sock";
  settings_.results.spool = folder_ / "spool";
  for (const char* each : {"sockets", "spool"}) {
    std::filesystem::create_directory(folder_ / each);
    Allow(folder_ / each, 01777);
    EXPECT_THAT(Sentences(), ElementsAre(HasSubstr(folder_ / each)));
    const bool is_spool = each == std::string_view("spool");
    EXPECT_EQ(Sentences().front().starts_with("results.spool: "), is_spool);
    Allow(folder_ / each, 0750);
  }
}

TEST_F(SettingsAccessTest, NamesEachThatEverybodyMayChangeOnceAndTheMend) {
  const std::vector<std::string> places = {Make("etc/kiosk.jsonc"),  Make("etc/kiosk.local.jsonc"),
                                           folder_ / "etc",          settings_.service.profile,
                                           folder_ / "profiles",     settings_.service.ca_file,
                                           folder_ / "certificates", settings_.capture.model,
                                           folder_ / "models",       settings_.brand.logo,
                                           folder_ / "brand",        settings_.consent.folder,
                                           Make("consent/ha.txt"),   settings_.state_folder};
  for (const std::string& each : places) {
    Allow(each, 0777);
    EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("'chmod o-w " + each + "'")));
    Allow(each, each == settings_.state_folder ? 0700 : 0775);
  }
}

TEST_F(SettingsAccessTest, AFolderOfEverybodyStaysWhatItIs) {
  std::filesystem::create_directory(folder_ / "everybodys");
  settings_.service.ca_file = Make("everybodys/ca.pem");
  Allow(folder_ / "everybodys", 01777);
  EXPECT_THAT(Sentences(),
              ElementsAre(testing::AllOf(
                  HasSubstr("in " + (folder_ / "everybodys") + " every user"),
                  HasSubstr("move what is named there"), testing::Not(HasSubstr("chmod")))));
}

TEST_F(SettingsAccessTest, NamesEachThatBelongsToSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives a file to somebody else";
  constexpr uid_t kKiosk = 61001;
  constexpr uid_t kSomebody = 61002;
  const std::vector<std::string> places = {Make("etc/kiosk.jsonc"), Make("etc/kiosk.local.jsonc"),
                                           folder_ / "etc", settings_.service.profile,
                                           settings_.service.ca_file};
  ASSERT_EQ(chown(settings_.state_folder.c_str(), kKiosk, 0), 0);
  for (const std::string& each : places) {
    ASSERT_EQ(chown(each.c_str(), kKiosk, 0), 0);
    EXPECT_THAT(Sentences(), IsEmpty()) << "the kiosk's own";
    ASSERT_EQ(chown(each.c_str(), kSomebody, 0), 0);
    EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("'chown root " + each + "'")));
    ASSERT_EQ(chown(each.c_str(), 0, 0), 0);
  }
}

TEST_F(SettingsAccessTest, NamesEachThatAnotherGroupMayChange) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives a file to another group";
  constexpr gid_t kKiosk = 61001;
  constexpr gid_t kOthers = 61002;
  ASSERT_EQ(chown(settings_.state_folder.c_str(), 0, kKiosk), 0);
  for (const std::string& each : {Make("etc/kiosk.local.jsonc"), folder_ / "consent"}) {
    Allow(each, 0775);
    ASSERT_EQ(chown(each.c_str(), 0, kKiosk), 0);
    EXPECT_THAT(Sentences(), IsEmpty());
    ASSERT_EQ(chown(each.c_str(), 0, kOthers), 0);
    EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("'chmod g-w " + each + "'")));
    Allow(each, 0755);
    EXPECT_THAT(Sentences(), IsEmpty()) << "who reads it alone";
  }
  settings_.results.spool = folder_ / "spool";
  std::filesystem::create_directory(settings_.results.spool);
  ASSERT_EQ(chown(settings_.results.spool.c_str(), 0, kOthers), 0);
  Allow(settings_.results.spool, 02770);
  EXPECT_THAT(Sentences(), IsEmpty()) << "who takes the results out of it";
}

// Its mask looks like what the kiosk's own group may do.
TEST_F(SettingsAccessTest, NamesEachThatAnAccessListOpens) {
  const std::string local = Make("etc/kiosk.local.jsonc");
  // Version 2, then tag, rights and number of: owner, user 61002, group, mask, all others.
  struct Entry {
    uint16_t tag, rights;
    uint32_t number;
  };
  struct {
    uint32_t version = 2;
    std::array<Entry, 5> entries;
  } list{.entries = {{{0x01, 6, UINT32_MAX},
                      {0x02, 6, 61002},
                      {0x04, 4, UINT32_MAX},
                      {0x10, 6, UINT32_MAX},
                      {0x20, 4, UINT32_MAX}}}};
  if (setxattr(local.c_str(), "system.posix_acl_access", &list, sizeof list, 0) != 0) {
    GTEST_SKIP() << "this file system keeps no access lists";
  }
  EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("'setfacl -b " + local + "'")));
}

TEST_F(SettingsAccessTest, NamesAStateFolderThatOthersCouldReplace) {
  const std::string above = folder_ / "above";
  settings_.state_folder = above + "/state";
  std::filesystem::create_directories(settings_.state_folder);
  Allow(settings_.state_folder, 0700);
  Allow(above, 0755);
  EXPECT_THAT(Sentences(), IsEmpty());
  Allow(above, 0777);
  EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("others own or may write")));
  Allow(above, 01777);
  EXPECT_THAT(Sentences(), IsEmpty()) << "as /tmp: what is ours stays ours";
}

TEST_F(SettingsAccessTest, NamesAStateFolderThatOthersRead) {
  Allow(settings_.state_folder, 0755);
  EXPECT_THAT(Sentences(), ElementsAre(HasSubstr("chmod 0700")));
}

TEST_F(SettingsAccessTest, NoVaultIsMadeWhereEverybodyMayPutAnother) {
  EXPECT_EQ(WhyNoVaultIn(settings_.state_folder), "");
  EXPECT_EQ(WhyNoVaultIn(folder_ / "not there"), "");
  Allow(settings_.state_folder, 01777);
  EXPECT_THAT(WhyNoVaultIn(settings_.state_folder), HasSubstr("chmod 0700"));
}

TEST_F(SettingsAccessTest, NorInAFolderOfSomebodyElse) {
  EXPECT_EQ(WhyNoVaultIn("/proc/1"), "") << "root's own, who may do anything";
  if (geteuid() != 0) GTEST_SKIP() << "only root becomes somebody else";
  ASSERT_EQ(chown(settings_.state_folder.c_str(), 33, 33), 0);
  EXPECT_EQ(WhyNoVaultIn(settings_.state_folder), "") << "root may";
  Allow(folder_.path(), 0711);
  ASSERT_EQ(seteuid(34), 0);
  const std::string why = WhyNoVaultIn(settings_.state_folder);
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_THAT(why, HasSubstr("belongs to user 33"));
}

TEST_F(SettingsAccessTest, FollowsLinksIntoAFolder) {
  const std::string state = settings_.state_folder;
  EXPECT_TRUE(IsWithin(state, state));
  EXPECT_TRUE(IsWithin(state + "/vault/not-there-yet", state));
  EXPECT_TRUE(IsWithin(state + "/../state/queue", state + "/"));
  EXPECT_FALSE(IsWithin(state + "-of-another", state));
  EXPECT_FALSE(IsWithin(folder_.path(), state));
  std::filesystem::create_directory_symlink(state, folder_ / "link");
  EXPECT_TRUE(IsWithin(folder_ / "link/vault", state));
}

}  // namespace
}  // namespace idkiosk
