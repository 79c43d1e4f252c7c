#include "drivers/secure_storage/mbedtls_crypto.h"

#include <mbedtls/gcm.h>
#include <mbedtls/hkdf.h>
#include <mbedtls/md.h>
#include <mbedtls/pkcs5.h>
#include <mbedtls/sha256.h>

#include <cstdlib>

namespace idkiosk {
namespace {

constexpr unsigned kKeyBits = Crypto::kKeySize * 8;

// For what fails only when memory has run out or we broke the library's rules.
void Require(int result) {
  if (result != 0) std::abort();
}

const mbedtls_md_info_t* Sha256Info() { return mbedtls_md_info_from_type(MBEDTLS_MD_SHA256); }

// AES-256-GCM under one key. The round keys are wiped when it goes.
class Gcm {
 public:
  explicit Gcm(const SecretBytes& key) {
    if (key.size() != Crypto::kKeySize) std::abort();
    mbedtls_gcm_init(&context_);
    Require(mbedtls_gcm_setkey(&context_, MBEDTLS_CIPHER_ID_AES, key.view().data(), kKeyBits));
  }
  ~Gcm() { mbedtls_gcm_free(&context_); }
  Gcm(const Gcm&) = delete;
  Gcm& operator=(const Gcm&) = delete;

  mbedtls_gcm_context* get() { return &context_; }

 private:
  mbedtls_gcm_context context_;
};

}  // namespace

SecretBytes MbedtlsCrypto::DeriveKey(const SecretBytes& key, ByteSpan salt,
                                     std::string_view label) const {
  SecretBytes derived(kKeySize);
  const ByteSpan info = AsBytes(label);
  Require(mbedtls_hkdf(Sha256Info(), salt.data(), salt.size(), key.view().data(), key.size(),
                       info.data(), info.size(), derived.mutable_view().data(), derived.size()));
  return derived;
}

SecretBytes MbedtlsCrypto::Stretch(const SecretBytes& secret, ByteSpan salt,
                                   uint32_t iterations) const {
  SecretBytes stretched(kKeySize);
  Require(mbedtls_pkcs5_pbkdf2_hmac_ext(MBEDTLS_MD_SHA256, secret.view().data(), secret.size(),
                                        salt.data(), salt.size(), iterations, kKeySize,
                                        stretched.mutable_view().data()));
  return stretched;
}

Bytes MbedtlsCrypto::Seal(const SecretBytes& key, const Nonce& nonce, ByteSpan associated_data,
                          ByteSpan plaintext) const {
  Gcm gcm(key);
  Bytes sealed(plaintext.size() + kTagSize);
  Require(mbedtls_gcm_crypt_and_tag(gcm.get(), MBEDTLS_GCM_ENCRYPT, plaintext.size(), nonce.data(),
                                    nonce.size(), associated_data.data(), associated_data.size(),
                                    plaintext.data(), sealed.data(), kTagSize,
                                    sealed.data() + plaintext.size()));
  return sealed;
}

Result<SecretBytes> MbedtlsCrypto::Open(const SecretBytes& key, const Nonce& nonce,
                                        ByteSpan associated_data, ByteSpan sealed) const {
  if (sealed.size() < kTagSize) return Fail(ErrorCode::kCorrupt, "sealed bytes are cut short");
  const ByteSpan ciphertext = sealed.first(sealed.size() - kTagSize);
  const ByteSpan tag = sealed.last(kTagSize);
  Gcm gcm(key);
  SecretBytes plaintext(ciphertext.size());
  const int result =
      mbedtls_gcm_auth_decrypt(gcm.get(), ciphertext.size(), nonce.data(), nonce.size(),
                               associated_data.data(), associated_data.size(), tag.data(),
                               tag.size(), ciphertext.data(), plaintext.mutable_view().data());
  if (result == MBEDTLS_ERR_GCM_AUTH_FAILED) {
    return Fail(ErrorCode::kCorrupt, "sealed bytes do not fit their key and their place");
  }
  Require(result);
  return plaintext;
}

Crypto::Digest MbedtlsCrypto::Sha256(ByteSpan bytes) const {
  Digest digest;
  Require(mbedtls_sha256(bytes.data(), bytes.size(), digest.data(), 0));
  return digest;
}

Crypto::Digest MbedtlsCrypto::HmacSha256(const SecretBytes& key, ByteSpan bytes) const {
  Digest digest;
  Require(mbedtls_md_hmac(Sha256Info(), key.view().data(), key.size(), bytes.data(), bytes.size(),
                          digest.data()));
  return digest;
}

}  // namespace idkiosk
