#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/secure_storage/tpm_vault_fixture.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(TpmVaultTest, KeepsItsSecretsWhenItsKeyMovesThereAndBack) {
  ASSERT_TRUE(Vault().Init());
  ASSERT_TRUE(Put("api_key", "old"));
  const std::string derived = DerivedKeyHere("queue/1");
  EXPECT_EQ(Report(), "file: good");
  ASSERT_TRUE(Protect(RootKeyPlace::kTpm));
  EXPECT_EQ(Report(), "tpm: good");
  EXPECT_EQ(Get("api_key"), "old");
  EXPECT_EQ(DerivedKeyHere("queue/1"), derived);
  ASSERT_TRUE(Put("api_key", "new"));
  ASSERT_TRUE(Vault().Rotate());
  EXPECT_EQ(Report(), "tpm: good");
  ASSERT_TRUE(Protect(RootKeyPlace::kTpm)) << "again";
  swtpm_->CyclePower();
  EXPECT_EQ(Get("api_key"), "new");
  ASSERT_TRUE(Protect(RootKeyPlace::kFile));
  swtpm_->PowerOff();
  EXPECT_EQ(Report(), "file: good");
  EXPECT_EQ(Get("api_key"), "new");
  EXPECT_EQ(DerivedKeyHere("queue/1"), derived);
}

TEST_F(TpmVaultTest, AKeyInTheTpmIsNowhereOnTheDiskAndNotOnTheWire) {
  ASSERT_TRUE(Vault().Init());
  const Bytes plain = files_.Content(kKey);
  ASSERT_TRUE(Protect(RootKeyPlace::kTpm));
  ASSERT_TRUE(Put("api_key", "a secret value"));
  // What an eavesdropper knows of the disk: the authorization lies there.
  const Bytes sealed = files_.Content(kKey);
  const ByteSpan auth = ByteSpan(sealed).subspan(32, 32);
  const Bytes wire = proxy_->wire();
  EXPECT_TRUE(std::ranges::search(wire, auth).empty());
  EXPECT_TRUE(std::ranges::search(wire, ByteSpan(plain).subspan(28, 32)).empty());
  ASSERT_TRUE(Protect(RootKeyPlace::kFile));
  // The key in force is new, and was never sealed.
  EXPECT_TRUE(std::ranges::search(wire, ByteSpan(files_.Content(kKey)).subspan(28, 32)).empty());
}

TEST_F(TpmVaultTest, EachTroubleWithTheTpmHasItsOwnLineAndMend) {
  MakeTpmVault();
  const auto expect = [this](std::string_view state, ErrorCode code, std::string_view mend) {
    EXPECT_EQ(Report(), fmt::format("tpm: {}", state));
    EXPECT_THAT(Get("api_key"), testing::StartsWith(std::string(Name(code)) + ": ")) << state;
    EXPECT_THAT(Get("api_key"), HasSubstr(std::string(mend)));
    EXPECT_FALSE(Put("api_key", "new")) << state;
    EXPECT_EQ(files_.Content(kNextKey).size(), 0U) << "no key file instead";
  };
  swtpm_->PowerOff();
  expect("absent", ErrorCode::kUnavailable, "tpm.device");
  swtpm_->Start();
  proxy_->RefuseUnseal(0x921);
  expect("locked out", ErrorCode::kUnavailable, "unlocks by itself");
  proxy_->RefuseUnseal(0);
  swtpm_->Extend(7);
  expect("changed", ErrorCode::kForbidden, "protect --file");
  swtpm_->CyclePower();
  EXPECT_EQ(Get("api_key"), "old");
  swtpm_->Clear();
  expect("cleared", ErrorCode::kUnauthenticated, "vault erase");
  swtpm_->Replace();
  expect("exchanged", ErrorCode::kUnauthenticated, "its own board");
}

TEST_F(TpmVaultTest, ADamagedKeyFileIsNoTroubleOfTheTpm) {
  MakeTpmVault();
  for (size_t byte = 0; byte < files_.Content(kKey).size(); byte += 7) {
    Flip(kKey, byte);
    EXPECT_THAT(Get("api_key"), testing::StartsWith("corrupt: ")) << byte;
    EXPECT_EQ(Report(), ": unusable") << byte;
    Flip(kKey, byte);
  }
  EXPECT_EQ(Get("api_key"), "old");
}

TEST_F(TpmVaultTest, AWrongAuthorizationIsTriedOnce) {
  MakeTpmVault();
  // Somebody changed the authorization, and made the digest good again.
  Bytes key = files_.Content(kKey);
  key.at(40) ^= 1;
  key.resize(key.size() - Crypto::kDigestSize);
  const auto digest = crypto_.Sha256(key);
  key.insert(key.end(), digest.begin(), digest.end());
  files_.Put(kKey, key);
  EXPECT_EQ(Report(), "tpm: wrong auth");
  auto vault = Vault();
  EXPECT_FALSE(vault.Get("api_key"));
  const size_t before = proxy_->commands();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(vault.Get("api_key"));
  EXPECT_EQ(proxy_->commands(), before);
}

TEST_F(TpmVaultTest, AnOlderCopyOfTheFilesIsAnAlarm) {
  MakeTpmVault();
  const FakeFileSystem older = files_;
  ASSERT_TRUE(Put("api_key", "new"));
  const FakeFileSystem newest = files_;
  files_ = older;
  EXPECT_EQ(Report(), "tpm: rolled back");
  EXPECT_THAT(Get("api_key"), HasSubstr("AN OLDER COPY OF THE VAULT WAS PUT BACK"));
  EXPECT_FALSE(Put("api_key", "other"));
  EXPECT_FALSE(Vault().Rotate());
  EXPECT_FALSE(Protect(RootKeyPlace::kFile)) << "which would forget the counter";
  EXPECT_EQ(files_.Content(kSlotA), older.Content(kSlotA)) << "nothing was written";
  files_ = newest;
  EXPECT_EQ(Get("api_key"), "new");
}

TEST_F(TpmVaultTest, AnOlderKeyIsAnAlarmToo) {
  MakeTpmVault();
  const FakeFileSystem older = files_;
  ASSERT_TRUE(Vault().Rotate());
  files_ = older;
  EXPECT_EQ(Report(), "tpm: rolled back");
}

TEST_F(TpmVaultTest, ACopyFromAnEarlierStayInTheTpmIsAnAlarm) {
  MakeTpmVault();
  const FakeFileSystem older = files_;
  ASSERT_TRUE(Protect(RootKeyPlace::kFile));
  const FakeFileSystem in_file = files_;
  files_ = older;
  EXPECT_EQ(Report(), "tpm: no counter");
  files_ = in_file;
  ASSERT_TRUE(Protect(RootKeyPlace::kTpm));
  files_ = older;
  EXPECT_EQ(Report(), "tpm: no counter") << "the new one has another authorization";
}

TEST_F(TpmVaultTest, AnErasedVaultOpensFromNoCopy) {
  MakeTpmVault();
  const FakeFileSystem copy = files_;
  const auto erased = Vault().Erase();
  ASSERT_TRUE(erased);
  EXPECT_THAT(*erased, HasSubstr("opens no copy"));
  files_ = copy;
  EXPECT_EQ(Report(), "tpm: no counter");
}

TEST_F(TpmVaultTest, AnAcceptedOlderCopyOpensWithAnEmptyMark) {
  MakeTpmVault();
  EXPECT_FALSE(Vault().AcceptRollback()) << "it is the newest";
  {
    auto vault = Vault();
    const auto mark = vault.OpenMark();
    ASSERT_TRUE(mark);
    ASSERT_TRUE((*mark)->Set(AsBytes("a place")));
    ASSERT_TRUE((*mark)->Renew());
  }
  const FakeFileSystem older = files_;
  ASSERT_TRUE(Put("api_key", "new"));
  ASSERT_TRUE(Put("api_key", "newer"));
  files_ = older;
  ASSERT_EQ(Report(), "tpm: rolled back");
  const Status accepted = Vault().AcceptRollback();
  ASSERT_TRUE(accepted) << accepted.error().message;
  EXPECT_EQ(Report(), "tpm: good");
  EXPECT_EQ(Get("api_key"), "old");
  auto vault = Vault();
  const auto mark = vault.OpenMark();
  ASSERT_TRUE(mark);
  EXPECT_EQ(AsText((*mark)->value()), "");
  ASSERT_TRUE(Put("api_key", "newest"));
  files_ = older;
  EXPECT_EQ(Report(), "tpm: rolled back") << "once is not for ever";
}

TEST_F(TpmVaultTest, ARenewedMarkIsNotBelievedAsItWasBefore) {
  MakeTpmVault();
  auto vault = Vault();
  auto mark = vault.OpenMark();
  ASSERT_TRUE(mark);
  ASSERT_TRUE((*mark)->Set(AsBytes("before")));
  ASSERT_TRUE((*mark)->Sync());
  const Bytes before = files_.Content("/state/vault.mark");
  ASSERT_TRUE((*mark)->Renew());
  ASSERT_TRUE((*mark)->Set(AsBytes("after")));
  ASSERT_TRUE((*mark)->Sync());
  mark = Vault().OpenMark();
  EXPECT_EQ(AsText((*mark)->value()), "after");
  files_.Put("/state/vault.mark", before);
  mark = Vault().OpenMark();
  EXPECT_EQ(AsText((*mark)->value()), "");
}

TEST_F(TpmVaultTest, ReadingAsksTheTpmOnce) {
  MakeTpmVault();
  auto vault = Vault();
  ASSERT_TRUE(vault.Get("api_key"));
  auto mark = vault.OpenMark();
  ASSERT_TRUE(mark);
  const size_t before = proxy_->commands();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(vault.Get("api_key"));
    EXPECT_TRUE(vault.DeriveKey("queue/1"));
    EXPECT_TRUE(vault.Describe());
    EXPECT_TRUE((*mark)->Set(AsBytes("a place")));
    EXPECT_TRUE((*mark)->Sync());
  }
  EXPECT_EQ(proxy_->commands(), before);
}

TEST_F(TpmVaultTest, TwoProgramsSeeEachOthersChanges) {
  MakeTpmVault();
  auto one = Vault();
  auto other = Vault();
  for (int i = 0; i < 5; ++i) {
    const std::string value = std::to_string(i);
    ASSERT_TRUE(one.Put("api_key", SecretBytes::CopyOf(value)));
    EXPECT_EQ(other.Get("api_key")->text(), value);
    const Status rotated = other.Rotate();
    ASSERT_TRUE(rotated) << rotated.error().message;
    EXPECT_EQ(one.Get("api_key")->text(), value);
  }
}

TEST_F(TpmVaultTest, TheCounterStepsOnceAWrite) {
  MakeTpmVault();
  const int writes = Rounds(100, 1000);
  const uint64_t before = Vault().Describe()->generation;
  auto vault = Vault();
  for (int i = 0; i < writes; ++i) {
    const Status done =
        i % 2 == 0 ? vault.Rotate() : vault.Put("api_key", SecretBytes::CopyOf("x"));
    ASSERT_TRUE(done) << i << ": " << done.error().message;
  }
  swtpm_->CyclePower();
  EXPECT_EQ(Report(), "tpm: good");
  EXPECT_EQ(Vault().Describe()->generation, before + static_cast<uint64_t>(writes));
}

}  // namespace
}  // namespace idkiosk
