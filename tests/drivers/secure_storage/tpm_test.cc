#include "drivers/secure_storage/tpm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/integration/software_tpm.h"

// Against a real swtpm.
namespace idkiosk {
namespace {

constexpr uint32_t kPcrs = 1U << 7;
constexpr uint32_t kIndex = 0x01812345;

SecretBytes Repeated(uint8_t byte) {
  SecretBytes secret(32);
  for (uint8_t& each : secret.mutable_view()) each = byte++;
  return secret;
}

template <typename T>
std::string NameOf(const TpmResult<T>& result) {
  return result ? "good" : std::string(TraitsOf(result.error().trouble).name);
}

class TpmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!SoftwareTpm::IsInstalled()) GTEST_SKIP() << "swtpm is not installed: run tools/setup";
    swtpm_ = std::make_unique<SoftwareTpm>();
    tpm_ = std::make_unique<Tpm>(swtpm_->device());
  }

  Tpm::Sealed Seal(uint32_t pcrs = kPcrs) {
    auto sealed = tpm_->Seal(secret_, auth_, pcrs);
    EXPECT_EQ(NameOf(sealed), "good") << (sealed ? "" : sealed.error().detail);
    return sealed.value_or(Tpm::Sealed());
  }

  std::string Unseal(const Tpm::Sealed& sealed) { return NameOf(tpm_->Unseal(sealed, auth_)); }

  std::unique_ptr<SoftwareTpm> swtpm_;
  std::unique_ptr<Tpm> tpm_;
  const SecretBytes secret_ = Repeated(0x21);
  const SecretBytes auth_ = Repeated(0x81);
};

TEST_F(TpmTest, GivesBackWhatItSealed) {
  const Tpm::Sealed sealed = Seal();
  swtpm_->CyclePower();
  const auto opened = tpm_->Unseal(sealed, auth_);
  ASSERT_EQ(NameOf(opened), "good") << opened.error().detail;
  EXPECT_TRUE(opened->Equals(secret_.view()));
}

TEST_F(TpmTest, RefusesOnceARegisterThatItIsBoundToChanged) {
  const Tpm::Sealed sealed = Seal();
  const Tpm::Sealed by_two = Seal(1U << 7 | 1U << 11);
  swtpm_->Extend(11);
  EXPECT_EQ(Unseal(sealed), "good");
  EXPECT_EQ(Unseal(by_two), "changed");
  swtpm_->Extend(7);
  EXPECT_EQ(Unseal(sealed), "changed");
  swtpm_->CyclePower();
  EXPECT_EQ(Unseal(sealed), "good") << "as it was started before";
}

TEST_F(TpmTest, NothingThatBefallsAKioskLocksItOut) {
  const Tpm::Sealed sealed = Seal();
  for (int i = 0; i < 5; ++i) {  // swtpm locks itself after three
    EXPECT_EQ(NameOf(tpm_->Unseal(sealed, Repeated(0x17))), "wrong auth") << i;
    EXPECT_EQ(Unseal(sealed), "good") << i;
    swtpm_->CyclePower();
    EXPECT_EQ(Unseal(sealed), "good") << "after power cut " << i;
  }
  swtpm_->LockOut();
  EXPECT_EQ(Unseal(sealed), "good") << "somebody else locked it";
}

TEST_F(TpmTest, TellsEveryOtherReasonByItsName) {
  const Tpm::Sealed sealed = Seal();
  swtpm_->PowerOff();
  EXPECT_EQ(Unseal(sealed), "absent");
  swtpm_->Start();
  EXPECT_EQ(Unseal(sealed), "good");
  TpmProxy proxy(*swtpm_);
  proxy.RefuseUnseal(0x921);
  EXPECT_EQ(NameOf(Tpm(proxy.device()).Unseal(sealed, auth_)), "locked out");
  swtpm_->Clear();
  EXPECT_EQ(Unseal(sealed), "cleared");
  swtpm_->Replace();
  EXPECT_EQ(Unseal(sealed), "exchanged");
}

TEST_F(TpmTest, ADeviceThatIsNotThereOrNotOursIsSaidSo) {
  EXPECT_EQ(NameOf(Tpm("/dev/no-such-tpm").Unseal({}, auth_)), "absent");
  EXPECT_EQ(NameOf(Tpm("nonsense:").Unseal({}, auth_)), "absent");
}

TEST_F(TpmTest, CountsUpAlone) {
  const Tpm::Counter counter{kIndex, Repeated(0x33)};
  EXPECT_EQ(NameOf(tpm_->ReadCounter(counter)), "no counter");
  const auto made = tpm_->MakeCounter(counter);
  ASSERT_EQ(NameOf(made), "good") << made.error().detail;
  EXPECT_EQ(tpm_->ReadCounter(counter).value_or(0), *made);
  ASSERT_TRUE(tpm_->StepCounter(counter));
  swtpm_->CyclePower();
  EXPECT_EQ(tpm_->ReadCounter(counter).value_or(0), *made + 1);
  const auto again = tpm_->MakeCounter(counter);
  ASSERT_EQ(NameOf(again), "good");
  EXPECT_GT(*again, *made + 1) << "removed and made again, it does not go back";
}

TEST_F(TpmTest, ACounterOfAnotherAuthorizationIsNotOurs) {
  ASSERT_TRUE(tpm_->MakeCounter({kIndex, Repeated(0x33)}));
  EXPECT_EQ(NameOf(tpm_->ReadCounter({kIndex, Repeated(0x44)})), "no counter");
  EXPECT_EQ(NameOf(tpm_->StepCounter({kIndex, Repeated(0x44)})), "no counter");
  EXPECT_EQ(NameOf(tpm_->RemoveCounter(kIndex)), "good");
  EXPECT_EQ(NameOf(tpm_->RemoveCounter(kIndex)), "good") << "twice";
  EXPECT_EQ(NameOf(tpm_->ReadCounter({kIndex, Repeated(0x33)})), "no counter");
}

TEST_F(TpmTest, LeavesNothingLoaded) {
  const Tpm::Sealed sealed = Seal();
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(Unseal(sealed), "good") << i;
    ASSERT_EQ(NameOf(tpm_->Unseal(sealed, Repeated(static_cast<uint8_t>(i)))), "wrong auth") << i;
  }
}

bool Holds(const Bytes& wire, const SecretBytes& secret) {
  return !std::ranges::search(wire, secret.view()).empty();
}

TEST_F(TpmTest, NoSecretIsSeenOnTheWire) {
  TpmProxy proxy(*swtpm_);
  Tpm tpm(proxy.device());
  const auto sealed = tpm.Seal(secret_, auth_, kPcrs);
  ASSERT_EQ(NameOf(sealed), "good") << sealed.error().detail;
  ASSERT_EQ(NameOf(tpm.Unseal(*sealed, auth_)), "good");
  const Tpm::Counter counter{kIndex, Repeated(0x33)};
  ASSERT_EQ(NameOf(tpm.MakeCounter(counter)), "good");
  ASSERT_EQ(NameOf(tpm.StepCounter(counter)), "good");
  const Bytes wire = proxy.wire();
  EXPECT_GT(wire.size(), 1000U);
  EXPECT_FALSE(Holds(wire, secret_));
  EXPECT_FALSE(Holds(wire, auth_));
  EXPECT_FALSE(Holds(wire, counter.auth));
  EXPECT_TRUE(Holds(wire, SecretBytes::CopyOf(ByteSpan(sealed->private_area).first(32))))
      << "it was this wire";
}

}  // namespace
}  // namespace idkiosk
