#include <gtest/gtest.h>

#include <algorithm>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "drivers/secure_storage/vault_format.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/seeded_rounds.h"
#include "tests/fuzz/mutator.h"

namespace idkiosk {
namespace {

const int kVaultRounds = Rounds(1000);

class VaultMutationTest : public testing::Test {
 protected:
  VaultMutationTest()
      : key_(VaultKey::Fresh(entropy_)),
        contents_(VaultContents::Fresh(entropy_)
                      .With("api_key", SecretBytes::CopyOf("K-1"))
                      ->With("user_id", SecretBytes::CopyOf("U-1"))
                      .value()) {}

  // Makes the digest fit, so that what lies behind it is reached.
  void Seal(Bytes& bytes) {
    if (bytes.size() < Crypto::kDigestSize) return;
    const auto digest = crypto_.Sha256(ByteSpan(bytes).first(bytes.size() - Crypto::kDigestSize));
    std::ranges::copy(digest, bytes.end() - Crypto::kDigestSize);
  }

  FakeEntropy entropy_;
  MbedtlsCrypto crypto_;
  VaultKey key_;
  VaultContents contents_;
};

TEST_F(VaultMutationTest, OpensASlotUntouchedOrNotAtAll) {
  const Bytes slot = SealSlot(crypto_, entropy_, key_, 'a', 7, contents_);
  Mutator mutator({"IDKVAULT", "secrets"});
  for (int round = 0; round < kVaultRounds; ++round) {
    Bytes mutated = mutator.Mutate(slot);
    if (round % 2 == 0) Seal(mutated);
    const auto opened = DecodeSlot(crypto_, key_, 'a', mutated);
    if (opened) {
      EXPECT_EQ(mutated, slot);
      continue;
    }
    const ErrorCode code = opened.error().code;
    EXPECT_TRUE(code == ErrorCode::kCorrupt || code == ErrorCode::kUnauthenticated ||
                code == ErrorCode::kFailedPrecondition)
        << opened.error().message;
  }
}

TEST_F(VaultMutationTest, ReadsAKeyFileThatFitsItsDigestOrNone) {
  const SecretBytes file = EncodeKeyFile(crypto_, key_);
  Mutator mutator({"IDKVKEY\n"});
  for (int round = 0; round < kVaultRounds; ++round) {
    Bytes mutated = mutator.Mutate(file.view());
    if (round % 2 == 0) Seal(mutated);
    const auto key = DecodeKeyFile(crypto_, SecretBytes::CopyOf(mutated));
    if (!key) continue;
    EXPECT_EQ(ToHex(EncodeKeyFile(crypto_, *key).view()), ToHex(mutated));
  }
}

TEST_F(VaultMutationTest, ReadsContentsThatItWouldWriteItselfOrNone) {
  Mutator mutator({"api_key", std::string_view("\0\0\0\3", 4)});
  int accepted = 0;
  for (int round = 0; round < kVaultRounds; ++round) {
    const Bytes mutated = mutator.Mutate(contents_.bytes().view());
    const auto contents = VaultContents::Decode(SecretBytes::CopyOf(mutated));
    if (!contents) continue;
    ++accepted;
    EXPECT_EQ(ToHex(contents->Without("no-such-secret").bytes().view()), ToHex(mutated));
    for (const std::string& name : contents->names()) EXPECT_TRUE(contents->Find(name)) << name;
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace idkiosk
