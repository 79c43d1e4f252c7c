#include "app/assembly/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/assembly/components_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

TEST(VersionTest, IsThreeNumbers) {
  EXPECT_THAT(std::string(ProgramVersion()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(VersionTest, NamesEachLibraryThatDecidesWhatTheProgramDoes) {
  const ComponentsFixture kiosk;
  const std::string versions = LibraryVersions(kiosk.drivers);
  for (const char* library : {"a network 1.2", "SQLite 3.", "OpenCV 4."}) {
    EXPECT_THAT(versions, HasSubstr(library));
  }
}

}  // namespace
}  // namespace idkiosk
