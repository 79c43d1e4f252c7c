#include "drivers/secure_storage/mbedtls_signature_check.h"

#include <mbedtls/ecp.h>
#include <mbedtls/pk.h>
#include <mbedtls/sha256.h>

#include <array>

namespace idkiosk {
namespace {

constexpr size_t kDigestSize = 32;

// A public key of P-256 whose point is on the curve.
class PublicKey {
 public:
  explicit PublicKey(ByteSpan der) {
    mbedtls_pk_init(&context_);
    is_good_ =
        mbedtls_pk_parse_public_key(&context_, der.data(), der.size()) == 0 &&
        mbedtls_pk_get_type(&context_) == MBEDTLS_PK_ECKEY &&
        mbedtls_ecp_keypair_get_group_id(mbedtls_pk_ec(context_)) == MBEDTLS_ECP_DP_SECP256R1;
  }
  ~PublicKey() { mbedtls_pk_free(&context_); }
  PublicKey(const PublicKey&) = delete;
  PublicKey& operator=(const PublicKey&) = delete;

  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool HasSigned(ByteSpan digest, ByteSpan signature) {
    return is_good_ && mbedtls_pk_verify(&context_, MBEDTLS_MD_SHA256, digest.data(), digest.size(),
                                         signature.data(), signature.size()) == 0;
  }

 private:
  mbedtls_pk_context context_;
  bool is_good_ = false;
};

}  // namespace

Status MbedtlsSignatureCheck::CheckKey(ByteSpan public_key) const {
  if (PublicKey(public_key).is_good()) return {};
  return Fail(ErrorCode::kInvalid, "is no public key of the curve P-256");
}

bool MbedtlsSignatureCheck::IsGood(ByteSpan public_key, ByteSpan message,
                                   ByteSpan signature) const {
  std::array<uint8_t, kDigestSize> digest;
  if (mbedtls_sha256(message.data(), message.size(), digest.data(), 0) != 0) return false;
  return PublicKey(public_key).HasSigned(digest, signature);
}

}  // namespace idkiosk
