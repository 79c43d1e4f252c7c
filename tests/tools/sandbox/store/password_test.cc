#include "tools/sandbox/store/password.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(PasswordTest, IsHashedByArgon2idWithASaltOfItsOwn) {
  const std::string hash = HashPassword("Correct-horse-7");
  EXPECT_THAT(hash, StartsWith("$argon2id$v=19$m=19456,t=2,p=1$"));
  EXPECT_NE(hash, HashPassword("Correct-horse-7"));
  EXPECT_TRUE(PasswordMatches("Correct-horse-7", hash));
  EXPECT_FALSE(PasswordMatches("Correct-horse-8", hash));
}

TEST(PasswordTest, SaysEverythingThatAPasswordLacks) {
  EXPECT_EQ(PasswordWeakness("Correct-horse-7"), "");
  EXPECT_THAT(PasswordWeakness("Short-7"), HasSubstr("at least 10 characters"));
  EXPECT_THAT(PasswordWeakness("correct-horse-7"), HasSubstr("an upper case letter"));
  EXPECT_THAT(PasswordWeakness("CORRECT-HORSE-7"), HasSubstr("a lower case letter"));
  EXPECT_THAT(PasswordWeakness("Correct-horse-x"), HasSubstr("a digit"));
  EXPECT_THAT(PasswordWeakness("Correcthorse777"), HasSubstr("a special character"));
  EXPECT_THAT(PasswordWeakness(std::string(200, 'a')),
              HasSubstr("at most 128 characters, an upper"));
}

TEST(PasswordTest, MadePasswordsAreStrongAndDiffer) {
  EXPECT_EQ(PasswordWeakness(MakePassword()), "");
  EXPECT_NE(MakePassword(), MakePassword());
}

}  // namespace
}  // namespace idkiosk::sandbox
