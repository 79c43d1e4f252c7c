#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/drivers/secure_storage/tpm_vault_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// The power of disk and TPM fails together, at every step of every operation.
namespace idkiosk {
namespace {

using testing::AnyOf;
using Unsynced = FakeFileSystem::Unsynced;

class TpmVaultPowerTest : public TpmVaultTest {
 protected:
  // Whether the vault acknowledged it.
  using Operation = std::function<bool(FileVault&& vault)>;
  using Check = std::function<void(bool acknowledged, const std::string& what)>;

  // Begins anew, does `operation` with the power failing at some step, and checks what is left when
  // it is back. By day at every few commands of the TPM, and with one fate of what was not synced.
  void CutPowerAtEveryStep(const std::function<void()>& prepare, const Operation& operation,
                           const Check& check) {
    const size_t stride = static_cast<size_t>(Rounds(9, 1));
    for (const auto cut : {TpmProxy::Cut::kCommand, TpmProxy::Cut::kAnswer}) {
      bool reached = true;
      for (size_t step = 1; reached; step += stride) {
        prepare();
        proxy_->CutAt(step, cut, [this] { power_->Fail(); });
        const bool acknowledged = operation(Vault());
        reached = proxy_->was_cut();
        const bool answered = cut == TpmProxy::Cut::kCommand;
        PowerIsBack(Unsynced::kLost);
        check(acknowledged, fmt::format("power failed at {} {} of the TPM",
                                        answered ? "command" : "answer", step));
      }
    }
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
      if (fate != Unsynced::kLost && stride > 1) continue;
      bool reached = true;
      for (size_t step = 1; reached; ++step) {
        prepare();
        files_.CallBeforeStep(step, [this] { proxy_->CutAt(1, TpmProxy::Cut::kCommand); });
        files_.FailPowerAtStep(step);
        const bool acknowledged = operation(Vault());
        reached = files_.power_failed();
        PowerIsBack(fate);
        check(acknowledged, fmt::format("power failed at step {} of the disk", step));
      }
    }
  }

  void PowerIsBack(Unsynced fate) {
    files_.Restart(fate);
    power_->Restore();
    proxy_->Heal();
    swtpm_->CyclePower();
  }

  void TakeNewDisk() {
    files_ = FakeFileSystem();
    files_.ShareSupply(power_);
  }

  // As it was before the first operation. The TPM cannot be set back: this is another vault.
  void PrepareInTpm() {
    TakeNewDisk();
    MakeTpmVault();
  }
  void PrepareInFile() {
    TakeNewDisk();
    ASSERT_TRUE(Vault().Init());
    ASSERT_TRUE(Put("api_key", "old"));
  }

  void ExpectUsable(std::string_view value, const std::string& what) {
    EXPECT_EQ(Get("api_key"), value) << what;
    EXPECT_TRUE(files_.Content(kNextKey).empty()) << what << ": that call has finished it";
    const Status put = Put("api_key", "newer");
    EXPECT_TRUE(put) << what << ": " << (put ? "" : put.error().message);
    EXPECT_EQ(Get("api_key"), "newer") << what;
  }

  // Fails on the thread of the TPM's wire.
  const std::shared_ptr<FakePower> power_ = std::make_shared<FakePower>();
};

TEST_F(TpmVaultPowerTest, KeepsTheOldSecretOrTheNewOne) {
  CutPowerAtEveryStep([this] { PrepareInTpm(); },
                      [](FileVault&& vault) {
                        return vault.Put("api_key", SecretBytes::CopyOf("new")).has_value();
                      },
                      [this](bool acknowledged, const std::string& what) {
                        const std::string held = Get("api_key");
                        if (acknowledged) {
                          EXPECT_EQ(held, "new") << what;
                        } else {
                          EXPECT_THAT(held, AnyOf("old", "new")) << what;
                        }
                        ExpectUsable(held, what);
                      });
}

TEST_F(TpmVaultPowerTest, OpensByTheOldKeyOrTheNewOneWhileItMovesIntoTheTpm) {
  CutPowerAtEveryStep(
      [this] { PrepareInFile(); },
      [](FileVault&& vault) { return vault.Protect(RootKeyPlace::kTpm).has_value(); },
      [this](bool acknowledged, const std::string& what) {
        ExpectUsable("old", what);
        const std::string report = Report();
        EXPECT_TRUE(report == "tpm: good" || (!acknowledged && report == "file: good"))
            << what << ": " << report;
      });
}

TEST_F(TpmVaultPowerTest, OpensByTheOldKeyOrTheNewOneWhileItMovesBackIntoAFile) {
  CutPowerAtEveryStep(
      [this] { PrepareInTpm(); },
      [](FileVault&& vault) { return vault.Protect(RootKeyPlace::kFile).has_value(); },
      [this](bool acknowledged, const std::string& what) {
        ExpectUsable("old", what);
        const std::string report = Report();
        EXPECT_TRUE(report == "file: good" || (!acknowledged && report == "tpm: good"))
            << what << ": " << report;
        const Status again = Protect(RootKeyPlace::kTpm);
        EXPECT_TRUE(again) << what << ": " << (again ? "" : again.error().message);
      });
}

TEST_F(TpmVaultPowerTest, LosesNothingWhileItsKeyIsReplaced) {
  CutPowerAtEveryStep([this] { PrepareInTpm(); },
                      [](FileVault&& vault) { return vault.Rotate().has_value(); },
                      [this](bool, const std::string& what) { ExpectUsable("old", what); });
}

TEST_F(TpmVaultPowerTest, AMarkThatIsRenewedHoldsTheSameValueOrIsTheOneBefore) {
  CutPowerAtEveryStep(
      [this] {
        PrepareInTpm();
        auto vault = Vault();
        const auto mark = vault.OpenMark();
        ASSERT_TRUE((*mark)->Set(AsBytes("a place")));
        ASSERT_TRUE((*mark)->Sync());
      },
      [](FileVault&& vault) {
        const auto mark = vault.OpenMark();
        return mark && (*mark)->Renew().has_value();
      },
      [this](bool, const std::string& what) {
        auto vault = Vault();
        const auto mark = vault.OpenMark();
        ASSERT_TRUE(mark) << what;
        EXPECT_EQ(AsText((*mark)->value()), "a place") << what;
        ASSERT_TRUE((*mark)->Renew()) << what;
      });
}

}  // namespace
}  // namespace idkiosk
