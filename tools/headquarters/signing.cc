#include "tools/headquarters/signing.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <memory>

#include "platform/base/secret_bytes.h"
#include "platform/posix/posix_file_system.h"

namespace idkiosk::headquarters {
namespace {

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(BIO* file) const { BIO_free(file); }
};
constexpr size_t kLargestSigningKey = 64 << 10;

using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using File = std::unique_ptr<BIO, FreeKey>;

bool IsOfP256(EVP_PKEY* key) {
  std::array<char, 64> curve{};
  size_t size = 0;
  return key != nullptr &&
         EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size(),
                                        &size) == 1 &&
         std::string_view(curve.data(), size) == "prime256v1";
}

File Reading(ByteSpan text) {
  return File(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Result<Key> RequireP256(Key key, const std::string& path) {
  if (IsOfP256(key.get())) return key;
  return Fail(
      ErrorCode::kInvalid,
      "{} holds no key of the curve P-256: 'openssl ecparam -name prime256v1 -genkey -noout' "
      "makes one",
      path);
}

// Whoever reads this key commands every kiosk.
Result<Key> ReadPrivateKey(const std::string& path) {
  const auto text = PosixFileSystem().ReadSecret(path, kLargestSigningKey);
  if (!text) return std::unexpected(text.error());
  const File file = Reading(text->view());
  if (!file) return Fail(ErrorCode::kExhausted, "OpenSSL: out of memory");
  Key key(PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr));
  // Of both forms of PEM.
  if (!key && text->text().contains("ENCRYPTED")) {
    return Fail(ErrorCode::kInvalid,
                "{}: its pass phrase is missing or wrong: type it where it is asked for", path);
  }
  return RequireP256(std::move(key), path);
}

// Of a file with the public key alone, which everybody may read, or of one with both.
Result<Key> ReadPublicKey(const std::string& path) {
  auto read = PosixFileSystem().Read(path, kLargestSigningKey);
  if (!read) return std::unexpected(read.error());
  // Looking for a public key in it, OpenSSL would ask for the pass phrase of a private one.
  const bool has_private = AsText(*read).contains("PRIVATE KEY-----");
  const File file = Reading(*read);
  if (!file) return Fail(ErrorCode::kExhausted, "OpenSSL: out of memory");
  Key key(has_private ? nullptr : PEM_read_bio_PUBKEY(file.get(), nullptr, nullptr, nullptr));
  Wipe(*read);
  return has_private ? ReadPrivateKey(path) : RequireP256(std::move(key), path);
}

}  // namespace

Result<Bytes> Sign(const std::string& key_file, std::string_view text) {
  const auto key = ReadPrivateKey(key_file);
  if (!key) return std::unexpected(key.error());
  const std::unique_ptr<EVP_MD_CTX, FreeKey> context(EVP_MD_CTX_new());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  size_t size = 0;
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key->get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1) {
    return Fail(ErrorCode::kInvalid, "{} does not sign", key_file);
  }
  Bytes signature(size);
  if (EVP_DigestSign(context.get(), signature.data(), &size, bytes, text.size()) != 1) {
    return Fail(ErrorCode::kInvalid, "{} does not sign", key_file);
  }
  signature.resize(size);
  return signature;
}

Result<std::string> KeyLine(const std::string& name, const std::string& key_file) {
  const auto key = ReadPublicKey(key_file);
  if (!key) return std::unexpected(key.error());
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key->get(), &der);
  if (size <= 0) return Fail(ErrorCode::kInvalid, "{} has no public key", key_file);
  const std::string line =
      fmt::format("{} {}", name, ToBase64(ByteSpan(der, static_cast<size_t>(size))));
  OPENSSL_free(der);
  return line;
}

std::string Sha256Hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return ToHex(ByteSpan(digest.data(), size));
}

}  // namespace idkiosk::headquarters
