#include "app/settings/settings_access.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SettingsAccessTest, NamesEachThatEverybodyMayChangeAndTheMend) {
  const ScratchFolder folder;
  const std::string config = folder / "kiosk.jsonc";
  const std::string local = folder / "kiosk.local.jsonc";
  EXPECT_THAT(WhatOthersMayChange(config), IsEmpty());
  for (const std::string& each : {config, local}) {
    std::ofstream(each) << "{}";
    ASSERT_EQ(chmod(each.c_str(), 0664), 0);
  }
  EXPECT_THAT(WhatOthersMayChange(config), IsEmpty());
  ASSERT_EQ(chmod(local.c_str(), 0666), 0);
  EXPECT_THAT(WhatOthersMayChange(config), ElementsAre(HasSubstr("'chmod o-w " + local + "'")));
  ASSERT_EQ(chmod(config.c_str(), 0602), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 01777), 0);
  EXPECT_THAT(WhatOthersMayChange(config),
              ElementsAre(HasSubstr(config), HasSubstr(local),
                          HasSubstr("'chmod o-w " + folder.path() + "'")));
}

}  // namespace
}  // namespace idkiosk
