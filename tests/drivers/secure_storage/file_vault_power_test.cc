#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/drivers/secure_storage/file_vault_fixture.h"

// The power fails, or a system call does, at every step of every operation.
namespace idkiosk {
namespace {

using testing::AnyOf;
using Unsynced = FakeFileSystem::Unsynced;

class FileVaultPowerTest : public FileVaultTest {
 protected:
  // Whether the vault acknowledged it.
  using Operation = std::function<bool(FileVault&& vault)>;

  // Calls `check(acknowledged, what)` after `operation` was cut short at each of its steps, for
  // each fate of what was not synced. Every round starts from the files as they are now.
  void CutPowerAtEveryStep(const Operation& operation,
                           const std::function<void(bool, const std::string&)>& check) {
    const FakeFileSystem start = files_;
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
      for (size_t step = 1;; ++step) {
        files_ = start;
        files_.FailPowerAtStep(step);
        const bool acknowledged = operation(Vault());
        const bool reached = files_.power_failed();
        files_.Restart(fate);
        check(acknowledged, "power failed at step " + std::to_string(step));
        if (!reached) {
          EXPECT_TRUE(acknowledged);
          break;
        }
      }
    }
    files_ = start;
  }

  void FailEveryStep(ErrorCode code, const Operation& operation,
                     const std::function<void(bool, const std::string&)>& check) {
    const FakeFileSystem start = files_;
    const size_t before = files_.steps();
    ASSERT_TRUE(operation(Vault()));
    const size_t steps = files_.steps() - before;
    for (size_t step = 1; step <= steps; ++step) {
      files_ = start;
      files_.FailStep(step, code);
      const bool acknowledged = operation(Vault());
      check(acknowledged, std::string(Name(code)) + " at step " + std::to_string(step));
    }
    files_ = start;
  }

  static bool PutNew(FileVault&& vault) {
    return vault.Put("api_key", SecretBytes::CopyOf("new")).has_value();
  }
  static bool Init(FileVault&& vault) { return vault.Init().has_value(); }
  static bool Rotate(FileVault&& vault) { return vault.Rotate().has_value(); }
  static bool Erase(FileVault&& vault) { return vault.Erase().has_value(); }
  static bool Look(FileVault&& vault) { return vault.Get("api_key").has_value(); }
};

TEST_F(FileVaultPowerTest, KeepsTheOldSecretOrTheNewOne) {
  MakeVault();
  const std::string derived = DerivedKey("queue/1");
  CutPowerAtEveryStep(PutNew, [&](bool acknowledged, const std::string& what) {
    if (acknowledged) {
      EXPECT_EQ(Get("api_key"), "new") << what;
    } else {
      EXPECT_THAT(Get("api_key"), AnyOf("old", "new")) << what;
    }
    EXPECT_EQ(DerivedKey("queue/1"), derived) << what;
    EXPECT_TRUE(Put("api_key", "newer")) << what;
    EXPECT_EQ(Get("api_key"), "newer") << what;
  });
}

TEST_F(FileVaultPowerTest, NeverGoesBackOnceTheNewSecretWasSeen) {
  MakeVault();
  CutPowerAtEveryStep(PutNew, [&](bool, const std::string& what) {
    const std::string seen = Get("api_key");
    files_.FailPowerAtStep(1);
    (void)PutNew(Vault());
    files_.Restart(Unsynced::kLost);
    EXPECT_EQ(Get("api_key"), seen) << what;
  });
}

TEST_F(FileVaultPowerTest, MakesAVaultOrNone) {
  CutPowerAtEveryStep(Init, [&](bool acknowledged, const std::string& what) {
    auto vault = Vault();
    const auto info = vault.Describe();
    if (info) {
      EXPECT_FALSE(info->repaired) << what;
    } else {
      EXPECT_FALSE(acknowledged) << what;
      EXPECT_EQ(info.error().code, ErrorCode::kFailedPrecondition) << what;
      EXPECT_TRUE(vault.Init()) << what;
    }
    EXPECT_TRUE(Put("api_key", "value")) << what;
    EXPECT_EQ(Get("api_key"), "value") << what;
  });
}

TEST_F(FileVaultPowerTest, LosesNothingWhileItsKeyIsReplaced) {
  MakeVault();
  const std::string derived = DerivedKey("queue/1");
  const Bytes old_key = files_.Content(kKey);
  CutPowerAtEveryStep(Rotate, [&](bool acknowledged, const std::string& what) {
    EXPECT_EQ(Get("api_key"), "old") << what;
    EXPECT_EQ(DerivedKey("queue/1"), derived) << what;
    EXPECT_TRUE(!acknowledged || files_.Content(kKey) != old_key) << what;
    // Whatever was left half done, the calls above have finished.
    EXPECT_TRUE(files_.Content(kNextKey).empty()) << what;
    EXPECT_TRUE(PutNew(Vault())) << what;
    EXPECT_TRUE(Vault().Rotate()) << what;
    EXPECT_EQ(Get("api_key"), "new") << what;
  });
}

TEST_F(FileVaultPowerTest, LosesNothingWhenThePowerFailsAgainWhileItMends) {
  MakeVault();
  const FakeFileSystem start = files_;
  bool done = false;
  for (size_t step = 1; !done; ++step) {
    files_ = start;
    files_.FailPowerAtStep(step);
    done = Rotate(Vault());
    files_.Restart(Unsynced::kLost);
    CutPowerAtEveryStep(Look, [&](bool, const std::string& what) {
      EXPECT_EQ(Get("api_key"), "old") << "first at step " << step << ", then " << what;
    });
  }
}

TEST_F(FileVaultPowerTest, OpensOrIsErasedWhole) {
  MakeVault();
  CutPowerAtEveryStep(Erase, [&](bool acknowledged, const std::string& what) {
    if (Get("api_key") == "old") {
      EXPECT_FALSE(acknowledged) << what;
      return;
    }
    const bool something_is_left = files_.paths().size() > 1;  // beside the lock
    EXPECT_EQ(Erase(Vault()), something_is_left) << what;
    EXPECT_FALSE(acknowledged && something_is_left) << what;
    EXPECT_TRUE(Vault().Init()) << what;
    EXPECT_EQ(GetFails(), ErrorCode::kNotFound) << what;
  });
}

TEST_F(FileVaultPowerTest, ReportsWhatFailedOrHasStoredTheSecret) {
  MakeVault();
  for (const ErrorCode code :
       {ErrorCode::kExhausted, ErrorCode::kCorrupt, ErrorCode::kUnavailable}) {
    FailEveryStep(code, PutNew, [&](bool acknowledged, const std::string& what) {
      if (acknowledged) {
        EXPECT_EQ(Get("api_key"), "new") << what;
      } else {
        EXPECT_THAT(Get("api_key"), AnyOf("old", "new")) << what;
      }
      EXPECT_TRUE(Put("api_key", "newer")) << what;
    });
  }
}

TEST_F(FileVaultPowerTest, ReplacesItsKeyAtTheNextTryWhereAStepFailed) {
  MakeVault();
  for (const ErrorCode code :
       {ErrorCode::kExhausted, ErrorCode::kCorrupt, ErrorCode::kUnavailable}) {
    FailEveryStep(code, Rotate, [&](bool, const std::string& what) {
      EXPECT_EQ(Get("api_key"), "old") << what;
      EXPECT_TRUE(Vault().Rotate()) << what;
      EXPECT_EQ(Get("api_key"), "old") << what;
    });
  }
}

}  // namespace
}  // namespace idkiosk
