#include "tools/sandbox/store/people.h"

#include <gtest/gtest.h>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk::sandbox {
namespace {

class PeopleTest : public testing::Test {
 protected:
  ScratchFolder scratch_;
  std::unique_ptr<Database> database_ = *Database::Open(scratch_ / "sandbox.db");
  People people_{*database_};
};

TEST_F(PeopleTest, ANewRegistryHasTheTestNinAndSomebodyWhoseFaceDiffers) {
  ASSERT_TRUE(people_.EnsureSomebody());
  ASSERT_TRUE(people_.EnsureSomebody());
  ASSERT_TRUE(people_.FindByNin(kTestNin));
  EXPECT_TRUE(people_.FindByNin("70123456701")->face_matches);
  EXPECT_FALSE(people_.FindByNin("70123456707")->face_matches);
  EXPECT_FALSE(people_.FindByNin("70123456799"));
}

TEST_F(PeopleTest, SomebodyRemovedStaysRemovedAndTheTestNinStays) {
  ASSERT_TRUE(people_.EnsureSomebody());
  ASSERT_TRUE(people_.Remove("70123456701"));
  ASSERT_TRUE(people_.EnsureSomebody());
  EXPECT_FALSE(people_.FindByNin("70123456701"));
  EXPECT_FALSE(people_.Remove(kTestNin));
}

TEST_F(PeopleTest, RefusesFieldsThatMakeNoSense) {
  const Person good{"70123456710", "Ada", "07000000010", "1990-01-31", "female", true};
  EXPECT_TRUE(people_.Add(good));
  EXPECT_EQ(people_.Add(good).error().code, ErrorCode::kFailedPrecondition);
  for (const auto& change : std::initializer_list<void (*)(Person&)>{
           [](Person& p) { p.nin = "7012345671"; }, [](Person& p) { p.name = ""; },
           [](Person& p) { p.phone = "7000000010"; }, [](Person& p) { p.born = "31.1.1990"; },
           [](Person& p) { p.gender = "x"; }}) {
    Person bad = good;
    change(bad);
    EXPECT_EQ(people_.Add(bad).error().code, ErrorCode::kInvalid);
  }
}

TEST(LocalPhoneTest, TakesEveryUsualWayToWriteANumber) {
  EXPECT_EQ(LocalPhone("08012345678"), "08012345678");
  EXPECT_EQ(LocalPhone("+2348012345678"), "08012345678");
  EXPECT_EQ(LocalPhone("2348012345678"), "08012345678");
  for (const char* bad : {"", "8012345678", "+448012345678", "0801234567", "0801234567x"}) {
    EXPECT_FALSE(LocalPhone(bad)) << bad;
  }
}

}  // namespace
}  // namespace idkiosk::sandbox
