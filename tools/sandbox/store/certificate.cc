#include "tools/sandbox/store/certificate.h"

#include <arpa/inet.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using MemoryBio = std::unique_ptr<BIO, FreeWith<BIO_free>>;

constexpr long kDay = 24L * 60 * 60;
constexpr long kAuthorityDays = 3650;
// What browsers and operating systems accept of a server's certificate at most.
constexpr long kServerDays = 397;
constexpr long kRenewDays = 30;

struct Issued {
  Key key;
  Certificate certificate;
};

// An IP address in text form, as opposed to a DNS name.
bool IsAddress(const std::string& name) {
  in6_addr bytes;
  return inet_pton(AF_INET, name.c_str(), &bytes) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &bytes) == 1;
}

std::string AlternativeNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ",";
    text += (IsAddress(name) ? "IP:" : "DNS:") + name;
  }
  return text;
}

bool AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool SetSerial(X509* certificate) {
  Bytes bytes = RandomBytes(16);
  bytes[0] = static_cast<uint8_t>((bytes[0] & 0x7f) | 1);  // positive, and of full length
  const std::unique_ptr<BIGNUM, FreeWith<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number != nullptr &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

// A certificate for a new key; signed by itself where there is no `issuer`.
Result<Issued> Issue(const std::string& common_name, long days, const Issued* issuer,
                     const std::vector<std::pair<int, std::string>>& extensions) {
  Issued issued{Key(EVP_EC_gen("P-256")), Certificate(X509_new())};
  X509* certificate = issued.certificate.get();
  const auto failed = [] {
    ERR_clear_error();
    return Fail(ErrorCode::kInternal, "OpenSSL could not make a certificate");
  };
  if (issued.key == nullptr || certificate == nullptr) return failed();
  X509* signer = issuer == nullptr ? certificate : issuer->certificate.get();
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  bool good = X509_set_version(certificate, X509_VERSION_3) == 1 && SetSerial(certificate) &&
              X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay) != nullptr &&
              X509_gmtime_adj(X509_getm_notAfter(certificate), days * kDay) != nullptr &&
              X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1 &&
              X509_set_issuer_name(certificate, X509_get_subject_name(signer)) == 1 &&
              X509_set_pubkey(certificate, issued.key.get()) == 1;
  for (const auto& [kind, value] : extensions) {
    good = good && AddExtension(certificate, signer, kind, value);
  }
  EVP_PKEY* signing = issuer == nullptr ? issued.key.get() : issuer->key.get();
  if (!good || X509_sign(certificate, signing, EVP_sha256()) == 0) return failed();
  return issued;
}

Status Write(const std::string& certificate_path, const std::string& key_path,
             const Issued& issued) {
  const MemoryBio certificate(BIO_new(BIO_s_mem()));
  const MemoryBio key(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(certificate.get(), issued.certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(key.get(), issued.key.get(), nullptr, nullptr, 0, nullptr,
                               nullptr) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL could not write the certificate");
  }
  const auto text = [](BIO* from) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(from, &data);
    return std::string_view(data, static_cast<size_t>(size));
  };
  if (auto written = WritePrivateFile(key_path, text(key.get())); !written) return written;
  return WritePrivateFile(certificate_path, text(certificate.get()));
}

// What lies in the two files; empty where either is missing or unreadable.
Issued Read(const std::string& certificate_path, const std::string& key_path) {
  const MemoryBio certificate(BIO_new_file(certificate_path.c_str(), "r"));
  const MemoryBio key(BIO_new_file(key_path.c_str(), "r"));
  Issued issued;
  if (certificate != nullptr && key != nullptr) {
    issued.certificate.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    issued.key.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  }
  ERR_clear_error();
  return issued;
}

bool EndsWithin(const Issued& issued, long days) {
  time_t then = time(nullptr) + days * kDay;
  return X509_cmp_time(X509_get0_notAfter(issued.certificate.get()), &then) <= 0;
}

bool Serves(const Issued& issued, const Issued& authority, const std::vector<std::string>& names) {
  X509* certificate = issued.certificate.get();
  if (certificate == nullptr || issued.key == nullptr || EndsWithin(issued, kRenewDays)) {
    return false;
  }
  if (X509_verify(certificate, X509_get0_pubkey(authority.certificate.get())) != 1) return false;
  for (const std::string& name : names) {
    const int found = IsAddress(name) ? X509_check_ip_asc(certificate, name.c_str(), 0)
                                      : X509_check_host(certificate, name.c_str(), 0, 0, nullptr);
    if (found != 1) return false;
  }
  return true;
}

}  // namespace

Result<CertificateFiles> EnsureCertificates(const StateFolder& folder,
                                            const std::vector<std::string>& more_names) {
  CertificateFiles files{folder.File("ca.pem"), folder.File("server.pem"),
                         folder.File("server.key")};
  const std::string authority_key = folder.File("ca.key");
  Issued authority = Read(files.ca, authority_key);
  if (authority.certificate == nullptr || authority.key == nullptr ||
      EndsWithin(authority, kServerDays)) {
    auto made = Issue("idkiosk sandbox authority " + RandomHex(4), kAuthorityDays, nullptr,
                      {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                       {NID_key_usage, "critical,keyCertSign,cRLSign"},
                       {NID_subject_key_identifier, "hash"}});
    if (!made) return std::unexpected(made.error());
    authority = std::move(*made);
    if (auto written = Write(files.ca, authority_key, authority); !written) {
      return std::unexpected(written.error());
    }
  }
  std::vector<std::string> names = {"localhost", "127.0.0.1", "::1"};
  names.insert(names.end(), more_names.begin(), more_names.end());
  if (Serves(Read(files.certificate, files.key), authority, names)) return files;
  const auto server = Issue("idkiosk sandbox", kServerDays, &authority,
                            {{NID_basic_constraints, "critical,CA:FALSE"},
                             {NID_key_usage, "critical,digitalSignature"},
                             {NID_ext_key_usage, "serverAuth"},
                             {NID_subject_alt_name, AlternativeNames(names)},
                             {NID_subject_key_identifier, "hash"},
                             {NID_authority_key_identifier, "keyid"}});
  if (!server) return std::unexpected(server.error());
  if (auto written = Write(files.certificate, files.key, *server); !written) {
    return std::unexpected(written.error());
  }
  return files;
}

}  // namespace idkiosk::sandbox
