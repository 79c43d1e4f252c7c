#include "tools/sandbox/store/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/scratch_folder.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr WallTime kNow{std::chrono::seconds(1'800'000'000)};

class AccountsTest : public testing::Test {
 protected:
  Account Create(const std::string& email = "ada@example.org") {
    auto account = accounts_.Create({.email = email, .name = "Ada", .password = kPassword}, kNow);
    EXPECT_TRUE(account) << account.error().message;
    return *account;
  }

  static constexpr const char* kPassword = "Correct-horse-7";
  ScratchFolder scratch_;
  std::unique_ptr<Database> database_ = *Database::Open(scratch_ / "sandbox.db");
  Accounts accounts_{*database_};
};

TEST_F(AccountsTest, AuthenticatesByPasswordWhateverTheCaseOfTheAddress) {
  const Account account = Create();
  const auto found = accounts_.Authenticate("Ada@Example.org", kPassword);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->user_id, account.user_id);
  EXPECT_FALSE(accounts_.Authenticate("ada@example.org", "correct-horse-7"));
  EXPECT_FALSE(accounts_.Authenticate("nobody@example.org", kPassword));
}

TEST_F(AccountsTest, RefusesASecondAccountForAnAddress) {
  (void)Create();
  const auto second =
      accounts_.Create({.email = "ADA@example.org", .name = "A", .password = kPassword}, kNow);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(AccountsTest, RefusesWhatIsNoAddress) {
  for (const char* email : {"", "ada", "@example.org", "ada@", "ada@example", "a b@example.org"}) {
    const auto account =
        accounts_.Create({.email = email, .name = "Ada", .password = kPassword}, kNow);
    EXPECT_FALSE(account) << email;
  }
}

TEST_F(AccountsTest, KeepsNoPasswordAndNoKeyInTheDatabaseFile) {
  const auto key = accounts_.CreateKey(Create().id, "till", kNow);
  ASSERT_TRUE(key);
  for (const char* name : {"sandbox.db", "sandbox.db-wal"}) {
    const std::string bytes = *ReadTextFile(scratch_ / name);
    EXPECT_THAT(bytes, Not(HasSubstr(kPassword)));
    EXPECT_THAT(bytes, Not(HasSubstr(key->value)));
  }
}

TEST_F(AccountsTest, ARegeneratedKeyKeepsItsNameAndEndsTheOldValue) {
  const Account account = Create();
  const auto old = accounts_.CreateKey(account.id, "till", kNow);
  const auto fresh = accounts_.RegenerateKey(account.id, old->key.id, kNow);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->key.name, "till");
  EXPECT_FALSE(accounts_.FindByKey(old->value));
  ASSERT_TRUE(accounts_.FindByKey(fresh->value));
  EXPECT_EQ(accounts_.FindByKey(fresh->value)->id, account.id);
}

TEST_F(AccountsTest, ARevokedKeyIsKnownNoMore) {
  const Account account = Create();
  const auto key = accounts_.CreateKey(account.id, "till", kNow);
  ASSERT_TRUE(accounts_.RevokeKey(account.id, key->key.id, kNow));
  EXPECT_FALSE(accounts_.FindByKey(key->value));
  EXPECT_TRUE(accounts_.Keys(account.id)[0].revoked);
  EXPECT_EQ(accounts_.RevokeKey(account.id, key->key.id, kNow).error().code, ErrorCode::kNotFound);
}

TEST_F(AccountsTest, NobodyTouchesTheKeysOfSomebodyElse) {
  const auto key = accounts_.CreateKey(Create().id, "till", kNow);
  const Account other = Create("eve@example.org");
  EXPECT_FALSE(accounts_.RevokeKey(other.id, key->key.id, kNow));
  EXPECT_FALSE(accounts_.RegenerateKey(other.id, key->key.id, kNow));
  EXPECT_TRUE(accounts_.FindByKey(key->value));
}

TEST_F(AccountsTest, ChangesAPasswordOnlyForOneThatIsStrongAndNew) {
  const Account account = Create();
  EXPECT_EQ(accounts_.ChangePassword(account.id, "wrong", "Another-horse-8").error().code,
            ErrorCode::kRejected);
  EXPECT_EQ(accounts_.ChangePassword(account.id, kPassword, "weak").error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(accounts_.ChangePassword(account.id, kPassword, kPassword).error().code,
            ErrorCode::kInvalid);
  ASSERT_TRUE(accounts_.ChangePassword(account.id, kPassword, "Another-horse-8"));
  EXPECT_TRUE(accounts_.Authenticate(account.email, "Another-horse-8"));
  EXPECT_FALSE(accounts_.Authenticate(account.email, kPassword));
}

}  // namespace
}  // namespace idkiosk::sandbox
