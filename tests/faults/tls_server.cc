#include "tests/faults/tls_server.h"

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <cstdio>

namespace idkiosk::faults {
namespace {

constexpr long kDay = 24L * 60 * 60;

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;

struct Identity {
  Key key{nullptr, &EVP_PKEY_free};
  Certificate certificate{nullptr, &X509_free};
};

Identity ReadAuthority(const std::string& folder) {
  Identity read;
  const std::unique_ptr<BIO, void (*)(BIO*)> certificate(
      BIO_new_file((folder + "/ca.pem").c_str(), "r"), &BIO_free_all);
  const std::unique_ptr<BIO, void (*)(BIO*)> key(BIO_new_file((folder + "/ca.key").c_str(), "r"),
                                                 &BIO_free_all);
  if (certificate == nullptr || key == nullptr) return read;
  read.certificate.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
  read.key.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  return read;
}

bool Extend(X509* certificate, int kind, const std::string& value) {
  if (value.empty()) return true;
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
  const bool good = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return good;
}

// Signed by `signer`, or by itself where that is empty.
Identity Issue(const CertificateForm& form, const Identity& signer) {
  Identity made;
  made.key.reset(form.rsa_bits == 0 ? EVP_EC_gen("P-256")
                                    : EVP_RSA_gen(static_cast<unsigned>(form.rsa_bits)));
  made.certificate.reset(X509_new());
  X509* const one = made.certificate.get();
  const bool by_itself = signer.certificate == nullptr;
  X509_NAME* const name = X509_get_subject_name(one);
  const auto* const text = reinterpret_cast<const unsigned char*>(form.name.c_str());
  const bool good =
      X509_set_version(one, X509_VERSION_3) == 1 &&
      ASN1_INTEGER_set(X509_get_serialNumber(one), 4711) == 1 &&
      X509_gmtime_adj(X509_getm_notBefore(one), form.from_days * kDay) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(one), form.to_days * kDay) != nullptr &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1 &&
      X509_set_issuer_name(
          one, by_itself ? name : X509_get_subject_name(signer.certificate.get())) == 1 &&
      X509_set_pubkey(one, made.key.get()) == 1 &&
      Extend(one, NID_basic_constraints, "critical,CA:FALSE") &&
      Extend(one, NID_subject_alt_name, form.names) && Extend(one, NID_ext_key_usage, form.usage) &&
      X509_sign(one, by_itself ? made.key.get() : signer.key.get(),
                form.sha1 ? EVP_sha1() : EVP_sha256()) > 0;
  if (!good) made.certificate.reset();
  return made;
}

Identity Make(const CertificateForm& form, const std::string& authority, Identity& between) {
  using enum CertificateForm::Signer;
  if (form.signer == kItself) return Issue(form, {});
  if (form.signer == kAuthority) return Issue(form, ReadAuthority(authority));
  // Somebody whom nobody trusts, or whom the authority trusts to be a server and no more.
  between = Issue({.what = "a signer", .name = "signer"},
                  form.signer == kLeaf ? ReadAuthority(authority) : Identity());
  return Issue(form, between);
}

int VersionOf(Protocol protocol) {
  switch (protocol) {
    case Protocol::kTls10:
      return TLS1_VERSION;
    case Protocol::kTls11:
      return TLS1_1_VERSION;
    case Protocol::kTls12Static:
    case Protocol::kTls12Forward:
      return TLS1_2_VERSION;
    default:
      return TLS1_3_VERSION;
  }
}

// Of the versions up to 1.2.
const char* SuitesOf(Protocol protocol) {
  if (protocol == Protocol::kTls12Forward) return "ECDHE-RSA-AES128-GCM-SHA256";
  return protocol == Protocol::kTls12Static ? "AES128-GCM-SHA256:AES128-SHA" : "ALL:@SECLEVEL=0";
}

}  // namespace

TlsServer::TlsServer(int port, const std::string& authority, const CertificateForm& form,
                     Protocol protocol)
    : protocol_(protocol),
      listener_(port),
      context_(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free) {
  Identity between;
  const Identity own = Make(form, authority, between);
  SSL_CTX* const context = context_.get();
  // Whatever is weak is wanted here.
  SSL_CTX_set_security_level(context, 0);
  good_ = own.certificate != nullptr && listener_.port() == port &&
          SSL_CTX_set_min_proto_version(context, TLS1_VERSION) == 1 &&
          SSL_CTX_set_max_proto_version(context, VersionOf(protocol)) == 1 &&
          SSL_CTX_set_cipher_list(context, SuitesOf(protocol)) == 1 &&
          SSL_CTX_use_certificate(context, own.certificate.get()) == 1 &&
          SSL_CTX_use_PrivateKey(context, own.key.get()) == 1;
  if (good_ && between.certificate != nullptr) {
    good_ = SSL_CTX_add1_chain_cert(context, between.certificate.get()) == 1;
  }
  thread_ = std::jthread([this] { Listen(); });
}

TlsServer::~TlsServer() {
  listener_.Stop();
  thread_.join();
}

void TlsServer::Listen() {
  for (;;) {
    const FileDescriptor connection = listener_.Accept();
    if (!connection.valid()) return;
    ++connections_;
    Serve(connection.get());
  }
}

void TlsServer::Serve(int connection) {
  char bytes[4096];
  if (protocol_ == Protocol::kPlain) {
    const ssize_t count = recv(connection, bytes, sizeof bytes, 0);
    // A client that begins TLS sends a record of a handshake (22), and no request.
    if (count > 0 && bytes[0] != 22) request_bytes_ += static_cast<size_t>(count);
    constexpr std::string_view kAnswer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    (void)send(connection, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
    return;
  }
  const std::unique_ptr<SSL, void (*)(SSL*)> session(SSL_new(context_.get()), &SSL_free);
  SSL_set_fd(session.get(), connection);
  if (SSL_accept(session.get()) != 1) return;
  const int count = SSL_read(session.get(), bytes, sizeof bytes);
  if (count > 0) request_bytes_ += static_cast<size_t>(count);
}

}  // namespace idkiosk::faults
