#include "tools/sandbox/store/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdlib>

namespace idkiosk::sandbox {

Bytes RandomBytes(size_t count) {
  Bytes bytes(count);
  if (RAND_bytes(bytes.data(), static_cast<int>(count)) != 1) std::abort();
  return bytes;
}

std::string RandomHex(size_t bytes) { return ToHex(RandomBytes(bytes)); }

std::string RandomText(size_t length) {
  // 32 characters, so that five random bits are one of them.
  constexpr std::string_view kCharacters = "abcdefghjkmnpqrstuvwxyzACDEFHJKL";
  std::string text;
  for (const uint8_t byte : RandomBytes(length)) text.push_back(kCharacters[byte & 31]);
  return text;
}

std::string Sha256(std::string_view text) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    std::abort();
  }
  return ToHex(ByteSpan(digest.data(), size));
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string KeyedDigest::Of(std::string_view text) const {
  if (text.empty()) return {};
  constexpr size_t kShown = 16;
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), AsBytes(text).data(),
           text.size(), digest.data(), &size) == nullptr) {
    std::abort();
  }
  return ToHex(ByteSpan(digest.data(), kShown));
}

}  // namespace idkiosk::sandbox
