#include "drivers/secure_storage/mbedtls_crypto.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace idkiosk {
namespace {

Bytes Hex(std::string_view text) { return FromHex(text).value(); }
SecretBytes Secret(std::string_view hex) { return SecretBytes::CopyOf(Hex(hex)); }

Crypto::Nonce NonceOf(std::string_view hex) {
  Crypto::Nonce nonce{};
  std::ranges::copy(Hex(hex), nonce.begin());
  return nonce;
}

// RFC 5869, appendix A. The first 32 bytes of each output, which is what DeriveKey gives.
TEST(MbedtlsCryptoTest, DerivesTheKeysOfRfc5869) {
  const MbedtlsCrypto crypto;
  EXPECT_EQ(
      ToHex(crypto
                .DeriveKey(Secret("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"),
                           Hex("000102030405060708090a0b0c"), AsText(Hex("f0f1f2f3f4f5f6f7f8f9")))
                .view()),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");

  Bytes key, salt, label;
  for (int i = 0; i < 80; ++i) {
    key.push_back(static_cast<uint8_t>(i));
    salt.push_back(static_cast<uint8_t>(0x60 + i));
    label.push_back(static_cast<uint8_t>(0xb0 + i));
  }
  EXPECT_EQ(ToHex(crypto.DeriveKey(SecretBytes::CopyOf(key), salt, AsText(label)).view()),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c");

  EXPECT_EQ(
      ToHex(
          crypto.DeriveKey(Secret("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"), {}, "").view()),
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
}

// RFC 7914, section 11. The first 32 bytes of each output.
TEST(MbedtlsCryptoTest, StretchesAsRfc7914Does) {
  const MbedtlsCrypto crypto;
  EXPECT_EQ(ToHex(crypto.Stretch(SecretBytes::CopyOf("passwd"), AsBytes("salt"), 1).view()),
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
  EXPECT_EQ(ToHex(crypto.Stretch(SecretBytes::CopyOf("Password"), AsBytes("NaCl"), 80000).view()),
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56");
}

struct GcmVector {
  std::string_view key, nonce, associated_data, plaintext, sealed;
};

// The AES-256 cases with a nonce of 96 bits from the validation suite of the proposal that became
// NIST SP 800-38D (test cases 13 to 16).
constexpr GcmVector kGcmVectors[] = {
    {"0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000",
     "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
    {"0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000",
     "", "00000000000000000000000000000000",
     "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
     "b094dac5d93471bdec1a502270e3cc6c"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
     "76fc6ece0f4e1768cddf8853bb2d551b"},
};

TEST(MbedtlsCryptoTest, SealsAndOpensTheGcmVectors) {
  const MbedtlsCrypto crypto;
  for (const GcmVector& each : kGcmVectors) {
    const SecretBytes key = Secret(each.key);
    const Bytes sealed =
        crypto.Seal(key, NonceOf(each.nonce), Hex(each.associated_data), Hex(each.plaintext));
    EXPECT_EQ(ToHex(sealed), each.sealed);
    const auto opened =
        crypto.Open(key, NonceOf(each.nonce), Hex(each.associated_data), Hex(each.sealed));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(ToHex(opened->view()), each.plaintext);
  }
}

TEST(MbedtlsCryptoTest, OpensNothingThatWasTouched) {
  const MbedtlsCrypto crypto;
  const GcmVector& vector = kGcmVectors[3];
  const SecretBytes key = Secret(vector.key);
  const Bytes associated_data = Hex(vector.associated_data);
  const Bytes sealed = Hex(vector.sealed);
  for (size_t i = 0; i < sealed.size(); ++i) {
    Bytes touched = sealed;
    touched[i] ^= 1;
    const auto opened = crypto.Open(key, NonceOf(vector.nonce), associated_data, touched);
    ASSERT_FALSE(opened) << "byte " << i;
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  }
  for (size_t length = 0; length < sealed.size(); ++length) {
    const Bytes cut(sealed.begin(), sealed.begin() + static_cast<long>(length));
    const auto opened = crypto.Open(key, NonceOf(vector.nonce), associated_data, cut);
    ASSERT_FALSE(opened) << length << " bytes";
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  }
}

TEST(MbedtlsCryptoTest, OpensNothingUnderAnotherKeyNonceOrPlace) {
  const MbedtlsCrypto crypto;
  const GcmVector& vector = kGcmVectors[3];
  const Crypto::Nonce nonce = NonceOf(vector.nonce);
  const Bytes sealed = Hex(vector.sealed);
  const Bytes place = Hex(vector.associated_data);
  EXPECT_FALSE(crypto.Open(Secret(kGcmVectors[0].key), nonce, place, sealed));
  EXPECT_FALSE(crypto.Open(Secret(vector.key), NonceOf(kGcmVectors[0].nonce), place, sealed));
  EXPECT_FALSE(crypto.Open(Secret(vector.key), nonce, {}, sealed));
  EXPECT_TRUE(crypto.Open(Secret(vector.key), nonce, place, sealed));
}

// FIPS 180-4's examples.
TEST(MbedtlsCryptoTest, DigestsTheExamplesOfFips180) {
  const MbedtlsCrypto crypto;
  EXPECT_EQ(ToHex(crypto.Sha256({})),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(ToHex(crypto.Sha256(AsBytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      ToHex(crypto.Sha256(AsBytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(ToHex(crypto.Sha256(Bytes(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, test cases 1, 2 and 6 (a key longer than a block).
TEST(MbedtlsCryptoTest, AuthenticatesTheVectorsOfRfc4231) {
  const MbedtlsCrypto crypto;
  EXPECT_EQ(ToHex(crypto.HmacSha256(Secret("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"),
                                    AsBytes("Hi There"))),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(ToHex(crypto.HmacSha256(SecretBytes::CopyOf("Jefe"),
                                    AsBytes("what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(ToHex(crypto.HmacSha256(SecretBytes::CopyOf(Bytes(131, 0xaa)),
                                    AsBytes("Test Using Larger Than Block-Size Key - Hash Key "
                                            "First"))),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(MbedtlsCryptoDeathTest, RefusesAKeyOfAnotherLength) {
  const MbedtlsCrypto crypto;
  EXPECT_DEATH((void)crypto.Seal(SecretBytes(16), {}, {}, {}), "");
}

}  // namespace
}  // namespace idkiosk
