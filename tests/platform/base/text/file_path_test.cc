#include "platform/base/text/file_path.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(FilePathTest, AFileIsInTheFolderThatItsPathNames) {
  EXPECT_EQ(FolderOf("/etc/idkiosk/idkiosk.json"), "/etc/idkiosk");
  EXPECT_EQ(FolderOf("config/idkiosk.json"), "config");
  EXPECT_EQ(FolderOf("/idkiosk.json"), "/");
}

TEST(FilePathTest, AFileWithoutAFolderIsInThePresentOne) {
  EXPECT_EQ(FolderOf("idkiosk.json"), ".");
  EXPECT_EQ(FolderOf(""), ".");
}

}  // namespace
}  // namespace idkiosk
