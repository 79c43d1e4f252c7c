#include "drivers/secure_storage/file_vault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/drivers/secure_storage/file_vault_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST_F(FileVaultTest, KeepsSecretsFromStartToStart) {
  MakeVault();
  ASSERT_TRUE(Put("user_id", "U-1"));
  EXPECT_EQ(Get("api_key"), "old");
  EXPECT_EQ(Get("user_id"), "U-1");
  ASSERT_TRUE(Put("api_key", "new"));
  EXPECT_EQ(Get("api_key"), "new");
  ASSERT_TRUE(Vault().Remove("user_id"));
  EXPECT_THAT(Get("user_id"), StartsWith("not_found"));
}

TEST_F(FileVaultTest, DescribesItselfHonestly) {
  MakeVault();
  const auto info = Vault().Describe();
  ASSERT_TRUE(info);
  EXPECT_THAT(info->names, ElementsAre("api_key"));
  EXPECT_EQ(info->generation, 2u);
  EXPECT_FALSE(info->repaired);
  EXPECT_THAT(info->protection, HasSubstr("does not protect against theft of the whole disk"));
}

TEST_F(FileVaultTest, SaysHowToMakeAVaultWhereThereIsNone) {
  for (const bool folder_is_there : {false, true}) {
    if (folder_is_there) files_.Put(kFolder + "/kiosk.db", {});
    EXPECT_THAT(Get("api_key"), StartsWith("failed_precondition"));
    EXPECT_THAT(Get("api_key"), HasSubstr("idkiosk vault init"));
    EXPECT_EQ(Put("api_key", "x").error().code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(Vault().Remove("api_key").error().code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(Vault().Describe().error().code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(Vault().DeriveKey("queue/1").error().code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(Vault().Rotate().error().code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(Vault().Erase().error().code, ErrorCode::kFailedPrecondition);
  }
}

TEST_F(FileVaultTest, SaysHowToSetASecretThatIsMissing) {
  MakeVault();
  EXPECT_THAT(Get("password"), HasSubstr("idkiosk vault set password"));
  EXPECT_EQ(Vault().Remove("password").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Put("Pass Word", "x").error().code, ErrorCode::kInvalid);
}

TEST_F(FileVaultTest, NeverMakesAVaultOverAnother) {
  MakeVault();
  const auto again = Vault().Init();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(again.error().message, HasSubstr("already"));
  files_.Delete(kKey);
  EXPECT_EQ(Vault().Init().error().code, ErrorCode::kFailedPrecondition);
  EXPECT_FALSE(files_.Content(kSlotA).empty());
}

TEST_F(FileVaultTest, DerivesTheSameKeysWhateverElseChanges) {
  MakeVault();
  const std::string before = DerivedKey("queue/1");
  EXPECT_EQ(before.size(), 64u);
  EXPECT_NE(DerivedKey("queue/2"), before);
  ASSERT_TRUE(Put("api_key", "new"));
  EXPECT_EQ(DerivedKey("queue/1"), before);
  ASSERT_TRUE(Vault().Rotate());
  EXPECT_EQ(DerivedKey("queue/1"), before);
}

TEST_F(FileVaultTest, LeavesNothingReadableOnTheDisk) {
  ASSERT_TRUE(Vault().Init());
  ASSERT_TRUE(Put("api_key", "a-very-recognisable-key"));
  ASSERT_TRUE(Put("api_key", "a-very-recognisable-key"));
  for (const std::string& path : files_.paths()) {
    const Bytes content = files_.Content(path);
    EXPECT_THAT(std::string(AsText(content)), Not(HasSubstr("recognisable"))) << path;
    EXPECT_THAT(std::string(AsText(content)), Not(HasSubstr("api_key"))) << path;
  }
  EXPECT_THAT(files_.paths(), ElementsAre(kSlotA, kSlotB, kKey, "/state/vault.lock"));
}

TEST_F(FileVaultTest, SealsTheSameContentsUnderAFreshKeyEachTime) {
  MakeVault();
  const Bytes first = files_.Content(kSlotA);
  ASSERT_TRUE(Put("api_key", "old"));
  const Bytes second = files_.Content(kSlotA);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_FALSE(std::ranges::equal(ByteSpan(first).last(100), ByteSpan(second).last(100)));
}

TEST_F(FileVaultTest, RefusesAKeyThatOthersMayRead) {
  MakeVault();
  files_.Put(kKey, files_.Content(kKey), FileAccess::kEverybody);
  EXPECT_THAT(Get("api_key"), StartsWith("forbidden"));
  EXPECT_THAT(Get("api_key"), HasSubstr("chmod 600 /state/vault.key"));
  EXPECT_EQ(Put("api_key", "new").error().code, ErrorCode::kForbidden);
}

TEST_F(FileVaultTest, KeepsTheOldContentWhenTheDiskIsFull) {
  MakeVault();
  ASSERT_TRUE(Put("user_id", "U-1"));
  files_.set_capacity(600);
  const auto put = Vault().Put("api_key", SecretBytes(1000));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(put.error().message, HasSubstr("stays as it was"));
  EXPECT_EQ(Get("api_key"), "old");
  EXPECT_EQ(Vault().Rotate().error().code, ErrorCode::kExhausted);
  EXPECT_EQ(Get("api_key"), "old");
  files_.set_capacity(100000);
  EXPECT_TRUE(Put("api_key", "new"));
  EXPECT_TRUE(Vault().Rotate());
  EXPECT_EQ(Get("api_key"), "new");
}

TEST_F(FileVaultTest, MakesNoHalfAVaultOnAFullDisk) {
  files_.set_capacity(300);
  const auto made = Vault().Init();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(GetFails(), ErrorCode::kFailedPrecondition);
  files_.set_capacity(100000);
  MakeVault();
  EXPECT_EQ(Get("api_key"), "old");
}

TEST_F(FileVaultTest, ReplacesItsKeyAndLeavesNothingOfTheOldOne) {
  MakeVault();
  const Bytes old_key = files_.Content(kKey);
  ASSERT_TRUE(Vault().Rotate());
  EXPECT_FALSE(Vault().Describe()->repaired);
  EXPECT_EQ(Get("api_key"), "old");
  EXPECT_NE(files_.Content(kKey), old_key);
  EXPECT_THAT(files_.paths(), Not(testing::Contains(kNextKey)));

  files_.Put(kKey, old_key);
  EXPECT_THAT(Get("api_key"), StartsWith("unauthenticated: /state/vault.key is not the key"));
  EXPECT_THAT(Get("api_key"), HasSubstr("sealed with another key"));
}

TEST_F(FileVaultTest, ErasesItselfAndSaysWhatCannotBePromised) {
  MakeVault();
  const auto erased = Vault().Erase();
  ASSERT_TRUE(erased);
  EXPECT_THAT(*erased, HasSubstr("Flash memory"));
  EXPECT_THAT(*erased, HasSubstr("revoke the API key"));
  EXPECT_THAT(files_.paths(), ElementsAre("/state/vault.lock"));
  EXPECT_EQ(GetFails(), ErrorCode::kFailedPrecondition);
}

TEST_F(FileVaultTest, ErasesAVaultThatItCannotOpen) {
  MakeVault();
  Flip(kSlotA, 0);
  Flip(kSlotB, 0);
  files_.Put(kKey, files_.Content(kKey), FileAccess::kEverybody);
  files_.Put(kNextKey + ".new", Bytes(50, 'k'));
  EXPECT_TRUE(Vault().Erase());
  EXPECT_THAT(files_.paths(), ElementsAre("/state/vault.lock"));
}

TEST_F(FileVaultTest, WritesNothingWhileAnotherProgramDoes) {
  MakeVault();
  const auto lock = files_.Lock("/state/vault.lock");
  const auto put = Put("api_key", "new");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(put.error().message, HasSubstr("held by process"));
  EXPECT_EQ(Vault().Rotate().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Vault().Erase().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Get("api_key"), "old");
}

TEST_F(FileVaultTest, ReadsWhileAnotherProgramWritesOrReplacesTheKey) {
  MakeVault();
  const size_t before = files_.steps();
  EXPECT_EQ(Get("api_key"), "old");
  const size_t steps = files_.steps() - before;
  for (size_t step = 1; step <= steps; ++step) {
    files_.CallBeforeStep(step, [this] { EXPECT_TRUE(Put("api_key", "old")); });
    EXPECT_EQ(Get("api_key"), "old") << "written before step " << step;
    files_.CallBeforeStep(step, [this] { EXPECT_TRUE(Vault().Rotate()); });
    EXPECT_EQ(Get("api_key"), "old") << "key replaced before step " << step;
  }
}

TEST_F(FileVaultTest, HasNoOlderCopyToAcceptAndSaysWhatMayBeMeant) {
  ASSERT_TRUE(Vault().Init());
  const Status accepted = Vault().AcceptRollback();
  ASSERT_FALSE(accepted);
  EXPECT_THAT(accepted.error().message, HasSubstr("key lies in a file"));
  EXPECT_THAT(accepted.error().message, HasSubstr("'idkiosk ledger accept'"));
}

TEST_F(FileVaultTest, AKeyThatWasHalfReplacedIsNoOlderCopyEither) {
  MakeVault();
  const std::string before = Get("api_key");
  const std::string key = std::string(kFolder) + "/vault.key";
  ASSERT_TRUE(files_.Rename(key, key + ".next")) << "as a power cut between two steps leaves it";
  const Status accepted = Vault().AcceptRollback();
  ASSERT_FALSE(accepted);
  EXPECT_THAT(accepted.error().message, HasSubstr("no older copy"));
  EXPECT_EQ(Get("api_key"), before);
}

TEST_F(FileVaultTest, SaysThatThereIsNoTpmToMoveItsKeyInto) {
  FileVault vault(files_, entropy_, crypto_, kFolder, {.device = "/dev/no-such-tpm"});
  ASSERT_TRUE(vault.Init());
  const Status moved = vault.Protect(RootKeyPlace::kTpm);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(moved.error().message,
              testing::AllOf(testing::HasSubstr("there is no TPM here"),
                             testing::HasSubstr("/dev/no-such-tpm"),
                             testing::HasSubstr("Without one, the key stays in its file."),
                             testing::Not(testing::HasSubstr("key is in a TPM"))));
  EXPECT_EQ(vault.DescribeRootKey().place, "file");
}

}  // namespace
}  // namespace idkiosk
