#include "drivers/secure_storage/vault_format.h"

#include <gtest/gtest.h>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

// What version 1 wrote on the day it was made. A vault in the field looks like this: if this test
// fails, the format needs a new version, not new bytes here.
constexpr std::string_view kKeyFile =
    "49444b564b45590a00000001684e9a8e3849b4090010001b6563dc99c1bae3e8cf67445b631a4b31"
    "18caa7b58114eebc121385fc9030707dfbea6f6f5e8379f9e1a881617d0917e9aacd0bd9088fd2da"
    "0fa1347b1f8bfd57b9208417";
constexpr std::string_view kSlotA =
    "49444b5641554c5400000001684e9a8e3849b4090010001b6563dc99c47ce498f3b1cbe397a520c7"
    "7c5680a2617365637265747300000000000000000000000000000000070000002f5aa96da1becc4c"
    "ea638cc3d3ba369f707432e81fa095624cc75eeaee798c5d134bdfdcd3e103f0195b05f14b0164ac"
    "f2f53aadb841e5f190008cba89483775c36f48f4a509c992ad811a284f71b9547700e795e18a91e4"
    "f72a9aa94d15ddd6b1d85d1acc3e00aa7ed2d09bee4e22b8902f00570be6870ed5b350145221ef9c"
    "87562b1194820d5b6e8f79e6";

TEST(VaultFormatTest, ReadsWhatVersion1Wrote) {
  const MbedtlsCrypto crypto;
  const auto key = DecodeKeyFile(crypto, SecretBytes::CopyOf(FromHex(kKeyFile).value()));
  ASSERT_TRUE(key) << key.error().message;
  const auto slot = DecodeSlot(crypto, *key, 'a', FromHex(kSlotA).value());
  ASSERT_TRUE(slot) << slot.error().message;
  EXPECT_EQ(slot->generation, 7u);
  EXPECT_EQ(slot->contents.names(), std::vector<std::string>{"api_key"});
  EXPECT_EQ(AsText(slot->contents.Find("api_key").value()), "K-2");
}

TEST(VaultFormatTest, WritesWhatVersion1Wrote) {
  const MbedtlsCrypto crypto;
  FakeEntropy entropy;
  const VaultKey key = VaultKey::Fresh(entropy);
  EXPECT_EQ(ToHex(EncodeKeyFile(crypto, key).view()), kKeyFile);
  const auto contents =
      VaultContents::Fresh(entropy).With("api_key", SecretBytes::CopyOf("K-2")).value();
  EXPECT_EQ(ToHex(SealSlot(crypto, entropy, key, 'a', 7, contents)), kSlotA);
}

TEST(VaultFormatTest, GivesTheSameDeviceAnotherKey) {
  FakeEntropy entropy;
  const VaultKey key = VaultKey::Fresh(entropy);
  const VaultKey successor = key.Successor(entropy);
  EXPECT_EQ(successor.device, key.device);
  EXPECT_FALSE(successor.key.Equals(key.key.view()));
  EXPECT_NE(VaultKey::Fresh(entropy).device, key.device);
}

}  // namespace
}  // namespace idkiosk
