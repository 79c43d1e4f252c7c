#include "app/fleet/enrolment.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
#include <memory>

#include "platform/base/secret_bytes.h"

// libmosquitto brings OpenSSL along, which reads the key when it connects.

namespace idkiosk {
namespace {

constexpr size_t kLargest = 64 << 10;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(BIO* file) const { BIO_free(file); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_REQ* request) const { X509_REQ_free(request); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Memory = std::unique_ptr<BIO, Free>;

Memory Reading(ByteSpan bytes) {
  return Memory(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

ByteSpan Written(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return {reinterpret_cast<const uint8_t*>(text), static_cast<size_t>(size)};
}

bool IsOfP256(EVP_PKEY* key) {
  std::array<char, 64> curve{};
  size_t size = 0;
  return key != nullptr &&
         EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size(),
                                        &size) == 1 &&
         std::string_view(curve.data(), size) == "prime256v1";
}

Result<Key> ReadKey(FileSystem& files, const std::string& path) {
  const auto text = files.ReadSecret(path, kLargest);
  if (!text) return std::unexpected(text.error());
  const Memory memory = Reading(text->view());
  Key key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
  if (IsOfP256(key.get())) return key;
  return Fail(ErrorCode::kInvalid, "key: {} holds no private key of the curve P-256", path);
}

Result<Key> MakeKey(FileSystem& files, const std::string& path) {
  Key key(EVP_EC_gen("P-256"));
  const Memory memory(BIO_new(BIO_s_secmem()));
  if (!key || !memory ||
      PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return Fail(ErrorCode::kInternal, "OpenSSL makes no key");
  }
  if (Status written = files.WriteDurably(path, Written(memory.get()), FileAccess::kOwnerOnly);
      !written) {
    return std::unexpected(written.error());
  }
  return key;
}

bool Fill(X509_REQ* request, EVP_PKEY* key, const std::string& kiosk) {
  X509_NAME* const name = X509_REQ_get_subject_name(request);
  const auto* const text = reinterpret_cast<const unsigned char*>(kiosk.c_str());
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) != 1) return false;
  const std::string alternative = "DNS:" + kiosk;
  const std::unique_ptr<X509_EXTENSION, Free> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative.c_str()));
  if (!extension) return false;
  STACK_OF(X509_EXTENSION)* const extensions = sk_X509_EXTENSION_new_null();
  sk_X509_EXTENSION_push(extensions, extension.get());
  const bool added = X509_REQ_add_extensions(request, extensions) == 1;
  sk_X509_EXTENSION_free(extensions);
  return added && X509_REQ_set_pubkey(request, key) == 1 &&
         X509_REQ_sign(request, key, EVP_sha256()) > 0;
}

}  // namespace

Result<std::string> CertificateRequest(FileSystem& files, const FleetSettings& settings) {
  if (settings.plain) {
    return Fail(ErrorCode::kFailedPrecondition, "broker: without TLS there is no certificate");
  }
  auto key = ReadKey(files, settings.key);
  if (!key && key.error().code == ErrorCode::kNotFound) key = MakeKey(files, settings.key);
  if (!key) return std::unexpected(key.error());
  const std::unique_ptr<X509_REQ, Free> request(X509_REQ_new());
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!request || !memory || !Fill(request.get(), key->get(), settings.kiosk) ||
      PEM_write_bio_X509_REQ(memory.get(), request.get()) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL makes no request");
  }
  return std::string(AsText(Written(memory.get())));
}

Result<WallTime> EndOfCertificate(FileSystem& files, const FleetSettings& settings) {
  const auto text = files.Read(settings.certificate, kLargest);
  if (!text) return std::unexpected(text.error());
  const Memory memory = Reading(*text);
  const std::unique_ptr<X509, Free> certificate(
      PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  std::tm end{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end) != 1) {
    return Fail(ErrorCode::kInvalid, "certificate: {} holds none", settings.certificate);
  }
  return std::chrono::floor<WallTime::duration>(
      std::chrono::system_clock::from_time_t(timegm(&end)));
}

std::optional<CertificateTrouble> TroubleOf(WallTime end, WallTime now) {
  if (end - now > kRenewBefore) return std::nullopt;
  const bool is_over = end <= now;
  return CertificateTrouble{
      is_over,
      fmt::format("this kiosk's certificate for the broker {} {}", is_over ? "ended" : "ends",
                  FormatRfc3339(end)),
      "Have a new one signed: 'idkiosk-fleet --csr' prints the request. Then restart "
      "idkiosk-fleet."};
}

}  // namespace idkiosk
