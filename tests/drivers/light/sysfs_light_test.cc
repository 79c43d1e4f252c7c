#include "drivers/light/sysfs_light.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

class SysfsLightTest : public testing::Test {
 protected:
  void PutLed(std::string_view most) {
    files_.Put("/sys/class/leds/ring/max_brightness", AsBytes(most));
    files_.Put("/sys/class/leds/ring/brightness", AsBytes("0\n"));
  }
  std::string brightness() const {
    const Bytes content = files_.Content("/sys/class/leds/ring/brightness");
    return std::string(AsText(content));
  }

  FakeFileSystem files_;
};

TEST_F(SysfsLightTest, IsAsBrightAsItIsAskedFor) {
  PutLed("255\n");
  SysfsLight half(files_, "/sys/class/leds/ring", 50);
  EXPECT_TRUE(half.On());
  EXPECT_EQ(brightness(), "127\n");
  EXPECT_TRUE(half.Off());
  EXPECT_EQ(brightness(), "0\n");
  EXPECT_TRUE(SysfsLight(files_, "/sys/class/leds/ring", 100).On());
  EXPECT_EQ(brightness(), "255\n");
}

TEST_F(SysfsLightTest, ALampThatKnowsOnlyOnIsOn) {
  PutLed("1\n");
  EXPECT_TRUE(SysfsLight(files_, "/sys/class/leds/ring", 10).On());
  EXPECT_EQ(brightness(), "1\n");
}

TEST_F(SysfsLightTest, SaysWhatIsWrong) {
  SysfsLight light(files_, "/sys/class/leds/ring", 100);
  EXPECT_EQ(light.On().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(light.Off().error().code, ErrorCode::kNotFound);
  PutLed("bright");
  EXPECT_EQ(light.On().error().code, ErrorCode::kCorrupt);
  PutLed("255");
  files_.FailStep(2, ErrorCode::kForbidden);
  EXPECT_EQ(light.On().error().code, ErrorCode::kForbidden);
}

// On a real disk the file is written where it is: the kernel would not know another one.
TEST_F(SysfsLightTest, WritesIntoTheFileThatIsThere) {
  const ScratchFolder folder;
  std::ofstream(folder / "max_brightness") << "100\n";
  std::ofstream(folder / "brightness") << "0";
  std::filesystem::create_hard_link(folder / "brightness", folder / "same");
  PosixFileSystem files;
  EXPECT_TRUE(SysfsLight(files, folder.path(), 40).On());
  std::string written;
  std::ifstream(folder / "same") >> written;
  EXPECT_EQ(written, "40");
}

}  // namespace
}  // namespace idkiosk
