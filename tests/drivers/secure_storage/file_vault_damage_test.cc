#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/drivers/secure_storage/file_vault_fixture.h"

// Every way to damage the files of FORMAT.md.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Unsynced = FakeFileSystem::Unsynced;

class FileVaultDamageTest : public FileVaultTest {
 protected:
  void SetUp() override { MakeVault(); }

  // One copy is damaged: nothing is lost, it is mended and said.
  void ExpectMended(const std::string& path, const Bytes& damaged, const std::string& what) {
    files_.Put(path, damaged);
    auto vault = Vault();
    const auto info = vault.Describe();
    ASSERT_TRUE(info) << what << ": " << info.error().message;
    EXPECT_TRUE(info->repaired) << what;
    EXPECT_EQ(vault.Get("api_key")->text(), "old") << what;
    const Bytes mended = files_.Content(path);
    files_.Delete(path == kSlotA ? kSlotB : kSlotA);
    EXPECT_EQ(Get("api_key"), "old") << what << ": the mended copy does not stand alone";
    EXPECT_EQ(files_.Content(path), mended) << what;
  }

  // Nothing opens, and nothing is touched.
  void ExpectRefused(ErrorCode code, const std::string& what) {
    const FakeFileSystem before = files_;
    EXPECT_EQ(GetFails(), code) << what;
    EXPECT_EQ(Put("api_key", "new").error().code, code) << what;
    EXPECT_EQ(Vault().Rotate().error().code, code) << what;
    EXPECT_EQ(Vault().Init().error().code, ErrorCode::kFailedPrecondition) << what;
    for (const std::string& path : {kKey, kSlotA, kSlotB}) {
      EXPECT_EQ(files_.Content(path), before.Content(path)) << what << ", " << path;
    }
  }
};

TEST_F(FileVaultDamageTest, MendsACopyWithAnyByteFlipped) {
  for (const std::string& path : {kSlotA, kSlotB}) {
    for (size_t i = 0; i < files_.Content(path).size(); ++i) {
      Bytes damaged = files_.Content(path);
      damaged[i] ^= 0x10;
      ExpectMended(path, damaged, path + " byte " + std::to_string(i));
    }
  }
}

TEST_F(FileVaultDamageTest, MendsACopyCutAtAnyLength) {
  for (const std::string& path : {kSlotA, kSlotB}) {
    for (size_t size = 0; size < files_.Content(path).size(); ++size) {
      Bytes damaged = files_.Content(path);
      damaged.resize(size);
      ExpectMended(path, damaged, path + " cut at " + std::to_string(size));
    }
  }
}

TEST_F(FileVaultDamageTest, MendsACopyThatIsTooLong) {
  Bytes damaged = files_.Content(kSlotA);
  damaged.push_back(0);
  ExpectMended(kSlotA, damaged, "one byte more");
  ExpectMended(kSlotA, Bytes(3 << 20), "megabytes of zeros");
}

TEST_F(FileVaultDamageTest, MendsACopyThatIsMissing) {
  files_.Delete(kSlotB);
  auto vault = Vault();
  EXPECT_TRUE(vault.Describe()->repaired);
  files_.Delete(kSlotA);
  EXPECT_EQ(Get("api_key"), "old");
}

TEST_F(FileVaultDamageTest, RefusesTwoCopiesWithAnyByteFlipped) {
  for (size_t i = 0; i < files_.Content(kSlotA).size(); ++i) {
    Flip(kSlotA, i);
    Flip(kSlotB, i);
    ExpectRefused(ErrorCode::kCorrupt, "byte " + std::to_string(i));
    Flip(kSlotA, i);
    Flip(kSlotB, i);
  }
  EXPECT_EQ(Get("api_key"), "old");
}

TEST_F(FileVaultDamageTest, RefusesTwoCopiesCutShortAndNamesThemAndTheMend) {
  for (size_t size = 0; size < files_.Content(kSlotA).size(); size += 7) {
    const FakeFileSystem before = files_;
    Cut(kSlotA, size);
    Cut(kSlotB, size);
    ExpectRefused(ErrorCode::kCorrupt, "cut at " + std::to_string(size));
    files_ = before;
  }
  Cut(kSlotA, 50);
  files_.Delete(kSlotB);
  EXPECT_THAT(Get("api_key"), HasSubstr("/state/vault.a is damaged"));
  EXPECT_THAT(Get("api_key"), HasSubstr("/state/vault.b"));
  EXPECT_THAT(Get("api_key"), HasSubstr("idkiosk vault erase"));
}

TEST_F(FileVaultDamageTest, RefusesAVaultWithoutAnyCopy) {
  files_.Delete(kSlotA);
  files_.Delete(kSlotB);
  ExpectRefused(ErrorCode::kCorrupt, "no copies");
}

TEST_F(FileVaultDamageTest, TakesNoCopyForTheOther) {
  ExpectMended(kSlotB, files_.Content(kSlotA), "a lies in b's place");
}

TEST_F(FileVaultDamageTest, RefusesCopiesThatHaveChangedPlaces) {
  const Bytes a = files_.Content(kSlotA);
  files_.Put(kSlotA, files_.Content(kSlotB));
  files_.Put(kSlotB, a);
  ExpectRefused(ErrorCode::kCorrupt, "swapped");
  EXPECT_THAT(Get("api_key"), HasSubstr("belongs to the other slot"));
}

TEST_F(FileVaultDamageTest, RefusesTheCopiesOfAnotherDevice) {
  FakeFileSystem other_files;
  FakeEntropy other_entropy(2);
  FileVault other(other_files, other_entropy, crypto_, kFolder);
  ASSERT_TRUE(other.Init());
  ExpectMended(kSlotA, other_files.Content(kSlotA), "one copy");
  files_.Put(kSlotA, other_files.Content(kSlotA));
  files_.Put(kSlotB, other_files.Content(kSlotB));
  ExpectRefused(ErrorCode::kUnauthenticated, "both copies");
  EXPECT_THAT(Get("api_key"), HasSubstr("made on another device"));
}

TEST_F(FileVaultDamageTest, RefusesAKeyThatIsDamagedOrGone) {
  const Bytes key = files_.Content(kKey);
  for (size_t i = 0; i < key.size(); ++i) {
    Flip(kKey, i);
    ExpectRefused(ErrorCode::kCorrupt, "byte " + std::to_string(i));
    Flip(kKey, i);
    Cut(kKey, i);
    ExpectRefused(ErrorCode::kCorrupt, "cut at " + std::to_string(i));
    files_.Put(kKey, key);
  }
  files_.Delete(kKey);
  ExpectRefused(ErrorCode::kUnauthenticated, "gone");
  EXPECT_THAT(Get("api_key"), HasSubstr("/state/vault.key is gone"));
}

TEST_F(FileVaultDamageTest, TakesTheNewerCopyWhenOneWasRolledBack) {
  const Bytes a = files_.Content(kSlotA);
  const Bytes b = files_.Content(kSlotB);
  ASSERT_TRUE(Put("api_key", "new"));
  files_.Put(kSlotA, a);
  EXPECT_EQ(Get("api_key"), "new");
  files_.Put(kSlotB, b);
  EXPECT_EQ(Get("api_key"), "new");
}

TEST_F(FileVaultDamageTest, LosesNothingWhenTheCopyWrittenFirstIsDamaged) {
  ASSERT_TRUE(Put("api_key", "new"));
  for (const std::string& path : {kSlotA, kSlotB}) {
    Flip(path, 120);
    EXPECT_EQ(Get("api_key"), "new") << path;
  }
}

// The same file as a later program would write it: another version, and a digest that fits.
TEST_F(FileVaultDamageTest, LeavesTheFilesOfANewerProgramAlone) {
  for (const std::string& path : {kSlotB, kKey}) {
    const Bytes before = files_.Content(path);
    Bytes newer = before;
    newer[11] = 3;
    const auto digest = crypto_.Sha256(ByteSpan(newer).first(newer.size() - Crypto::kDigestSize));
    std::ranges::copy(digest, newer.end() - Crypto::kDigestSize);
    files_.Put(path, newer);
    ExpectRefused(ErrorCode::kFailedPrecondition, path);
    EXPECT_THAT(Get("api_key"), HasSubstr("newer idkiosk"));
    files_.Put(path, before);
  }
}

// A disk that says it wrote and did not: found by reading back, while the only good copy is whole.
TEST_F(FileVaultDamageTest, KeepsTheOldSecretWhenTheNewOneDoesNotReadBack) {
  for (const std::string& path : {kSlotA, kSlotB}) {
    Flip(path, 20);
    const FakeFileSystem before = files_;
    bool done = false;
    const auto damage_what_was_written = [&] {
      for (const std::string& each : {kSlotA, kSlotB}) {
        if (done || files_.Content(each) == before.Content(each)) continue;
        Flip(each, 130);
        done = true;
      }
    };
    for (size_t step = 1; step <= 20; ++step) files_.CallBeforeStep(step, damage_what_was_written);
    const auto put = Put("api_key", "new");
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(put.error().message, HasSubstr("does not read back"));
    files_.Restart(Unsynced::kLost);
    EXPECT_EQ(Get("api_key"), "old");
  }
}

TEST_F(FileVaultDamageTest, KeepsWorkingWhenACopyCannotBeMendedNow) {
  Flip(kSlotA, 20);
  files_.set_capacity(0);
  auto vault = Vault();
  EXPECT_FALSE(vault.Describe()->repaired);
  EXPECT_EQ(vault.Get("api_key")->text(), "old");
  files_.set_capacity(100000);
  EXPECT_TRUE(vault.Describe()->repaired);
}

TEST_F(FileVaultDamageTest, TouchesNothingWhenTheDiskDoesNotAnswer) {
  const Bytes a = files_.Content(kSlotA);
  for (size_t step = 1; step <= 4; ++step) {
    for (const ErrorCode code : {ErrorCode::kUnavailable, ErrorCode::kForbidden}) {
      files_.FailStep(step, code);
      EXPECT_EQ(GetFails(), code) << "step " << step;
    }
  }
  EXPECT_EQ(files_.Content(kSlotA), a);
  EXPECT_EQ(Get("api_key"), "old");
}

}  // namespace
}  // namespace idkiosk
