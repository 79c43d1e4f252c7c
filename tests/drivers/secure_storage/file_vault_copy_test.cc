#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "platform/base/file_descriptor.h"
#include "platform/posix/posix_file_system.h"
#include "tests/drivers/secure_storage/file_vault_fixture.h"
#include "tests/fakes/scratch_folder.h"

// One of the two copies is no file, or cannot be written.
namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using Unsynced = FakeFileSystem::Unsynced;

// A vault on a real disk.
class VaultCopyTest : public testing::Test {
 protected:
  struct Oddity {
    std::string what;
    std::function<void(const std::string& path)> make;
  };

  static void SetUpTestSuite() { (void)StartLogging(LogLevel::kError, ""); }

  void SetUp() override {
    ASSERT_TRUE(Vault().Init());
    ASSERT_TRUE(Put("old"));
  }

  FileVault Vault() { return FileVault(files_, entropy_, crypto_, scratch_ / "vault"); }
  Status Put(std::string_view value) { return Vault().Put("api_key", SecretBytes::CopyOf(value)); }
  std::string Get() {
    auto vault = Vault();
    const auto value = vault.Get("api_key");
    return value ? std::string(value->text()) : value.error().message;
  }
  [[nodiscard]] std::string PathOf(char slot) const {
    return scratch_ / (std::string("vault/vault.") + slot);
  }

  [[nodiscard]] std::vector<Oddity> Oddities() const {
    const std::string folder = scratch_ / "elsewhere";
    return {
        {"folder", [](const std::string& path) { fs::create_directory(path); }},
        {"folder with a file",
         [](const std::string& path) {
           fs::create_directory(path);
           fs::create_directory(path + "/inside");
         }},
        {"pipe", [](const std::string& path) { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); }},
        {"socket", &VaultCopyTest::MakeSocket},
        {"link to itself",
         [](const std::string& path) { fs::create_symlink(fs::path(path).filename(), path); }},
        {"link to a folder",
         [folder](const std::string& path) {
           fs::create_directories(folder);
           fs::create_symlink(folder, path);
         }},
        {"link to nothing",
         [](const std::string& path) { fs::create_symlink("/nowhere/at/all", path); }},
    };
  }

  static void MakeSocket(const std::string& path) {
    const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::ranges::copy(path, address.sun_path);
    ASSERT_EQ(bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  void PutInPlaceOf(char slot, const Oddity& oddity) {
    fs::remove_all(PathOf(slot));
    fs::remove_all(PathOf(slot) + ".aside");
    oddity.make(PathOf(slot));
  }

  ScratchFolder scratch_;
  PosixFileSystem files_;
  FakeEntropy entropy_;
  MbedtlsCrypto crypto_;
};

TEST_F(VaultCopyTest, ReadsTheOtherCopyWhereOneIsNoFileAndPutsItRight) {
  for (const char slot : {'a', 'b'}) {
    for (const Oddity& oddity : Oddities()) {
      PutInPlaceOf(slot, oddity);
      EXPECT_EQ(Get(), "old") << oddity.what << " as " << slot;
      EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(PathOf(slot)))) << oddity.what;
      fs::rename(PathOf(slot == 'a' ? 'b' : 'a'), scratch_ / "other");
      EXPECT_EQ(Get(), "old") << oddity.what << ": the mended copy does not stand alone";
    }
  }
}

TEST_F(VaultCopyTest, KeepsWhatLayInACopysPlace) {
  PutInPlaceOf('a', Oddities()[1]);
  ASSERT_EQ(Get(), "old");
  EXPECT_TRUE(fs::is_directory(PathOf('a') + ".aside/inside"));
}

TEST_F(VaultCopyTest, WritesAndReplacesItsKeyWhereACopyIsNoFile) {
  for (const Oddity& oddity : Oddities()) {
    PutInPlaceOf('a', oddity);
    EXPECT_TRUE(Put("new")) << oddity.what;
    EXPECT_EQ(Get(), "new") << oddity.what;
    PutInPlaceOf('b', oddity);
    EXPECT_TRUE(Vault().Rotate()) << oddity.what;
    EXPECT_EQ(Get(), "new") << oddity.what;
  }
}

TEST_F(VaultCopyTest, ReadsAndSaysWhoMustRemoveWhatCannotBeSetAside) {
  PutInPlaceOf('a', Oddities()[1]);
  fs::create_directories(PathOf('a') + ".aside/of/before");
  EXPECT_EQ(Get(), "old");
  const Status put = Put("new");
  ASSERT_FALSE(put);
  EXPECT_THAT(put.error().message, AllOf(HasSubstr("the vault stays as it was"),
                                         HasSubstr(PathOf('a') + " is no file of the vault"),
                                         HasSubstr("take them away")));
  EXPECT_EQ(Get(), "old");
  fs::remove_all(PathOf('a'));
  EXPECT_TRUE(Put("new"));
  EXPECT_EQ(Get(), "new");
}

TEST_F(VaultCopyTest, SaysWhatIsWrongWhereBothCopiesAreNoFiles) {
  PutInPlaceOf('a', Oddities()[0]);
  PutInPlaceOf('b', Oddities()[2]);
  EXPECT_THAT(Get(),
              AllOf(HasSubstr(PathOf('a') + " is a folder"), HasSubstr(PathOf('b') + " is not an"),
                    HasSubstr("idkiosk vault erase")));
  EXPECT_TRUE(fs::is_directory(PathOf('a'))) << "nothing is touched";
  EXPECT_EQ(Vault().Init().error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(VaultCopyTest, ErasesAVaultWithACopyThatIsNoFileAndMakesANewOne) {
  for (const Oddity& oddity : Oddities()) {
    PutInPlaceOf('a', oddity);
    EXPECT_TRUE(Vault().Erase()) << oddity.what;
    EXPECT_TRUE(Vault().Init()) << oddity.what;
    EXPECT_TRUE(Put("old")) << oddity.what;
  }
}

// A copy whose file cannot be replaced.
class UnwritableCopyTest : public FileVaultTest {
 protected:
  void SetUp() override { MakeVault(); }

  [[nodiscard]] std::string OtherOf(const std::string& path) const {
    return path == kSlotA ? kSlotB : kSlotA;
  }
};

TEST_F(UnwritableCopyTest, ChangesNothingAndNamesFileAndMend) {
  const FakeFileSystem start = files_;
  for (const std::string& path : {kSlotA, kSlotB}) {
    for (const ErrorCode code :
         {ErrorCode::kForbidden, ErrorCode::kExhausted, ErrorCode::kUnavailable}) {
      files_ = start;
      files_.RefuseToReplace(path, code);
      for (int i = 0; i < 3; ++i) {
        const Status put = Put("api_key", "new");
        ASSERT_FALSE(put) << path << ", change " << i;
        EXPECT_EQ(put.error().code, code);
        EXPECT_THAT(put.error().message,
                    AllOf(HasSubstr("the vault stays as it was"),
                          HasSubstr(path + " cannot be written"), HasSubstr("): ")));
        EXPECT_EQ(Get("api_key"), "old") << path << ", change " << i;
      }
      files_.RefuseToReplace(path, std::nullopt);
      EXPECT_TRUE(Put("api_key", "new"));
      EXPECT_EQ(Get("api_key"), "new");
    }
  }
}

// What was acknowledged is in both: damage to the copy that can be written rolls nothing back.
TEST_F(UnwritableCopyTest, NeverGoesBackOnceTheOtherCopyIsDamaged) {
  const FakeFileSystem start = files_;
  for (const std::string& path : {kSlotA, kSlotB}) {
    files_ = start;
    files_.RefuseToReplace(path, ErrorCode::kForbidden);
    std::string acknowledged = "old";
    for (const std::string value : {"new", "newer", "newest"}) {
      if (Put("api_key", value)) acknowledged = value;
    }
    Flip(OtherOf(path), 130);
    EXPECT_EQ(Get("api_key"), acknowledged) << path;
  }
}

TEST_F(UnwritableCopyTest, KeepsTheOldSecretOrTheNewOneWhenThePowerFails) {
  const FakeFileSystem start = files_;
  for (const std::string& path : {kSlotA, kSlotB}) {
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
      bool reached = true;
      for (size_t step = 1; reached; ++step) {
        files_ = start;
        files_.RefuseToReplace(path, ErrorCode::kForbidden);
        files_.FailPowerAtStep(step);
        const bool acknowledged = Put("api_key", "new").has_value();
        reached = files_.power_failed();
        files_.Restart(fate);
        const std::string found = Get("api_key");
        EXPECT_THAT(found, testing::AnyOf("old", "new")) << path << ", step " << step;
        EXPECT_TRUE(!acknowledged || found == "new") << path << ", step " << step;
        files_.RefuseToReplace(path, std::nullopt);
        EXPECT_TRUE(Put("api_key", "newer"));
        EXPECT_EQ(Get("api_key"), "newer");
      }
    }
  }
}

TEST_F(UnwritableCopyTest, IsReadWithoutThatCopyAndGetsItsKeyReplacedInTheEnd) {
  files_.RefuseToReplace(kSlotB, ErrorCode::kForbidden);
  EXPECT_FALSE(Vault().Rotate());
  EXPECT_EQ(Get("api_key"), "old");
  files_.RefuseToReplace(kSlotB, std::nullopt);
  EXPECT_EQ(Get("api_key"), "old");
  EXPECT_TRUE(files_.Content(kNextKey).empty()) << "finished";
}

TEST_F(UnwritableCopyTest, OneThatMayNotBeReadIsNamedWithTheMend) {
  files_.FailStep(3, ErrorCode::kForbidden);
  EXPECT_THAT(Get("api_key"), AllOf(HasSubstr(kSlotA), HasSubstr("chown")));
  EXPECT_EQ(Get("api_key"), "old");
}

}  // namespace
}  // namespace idkiosk
