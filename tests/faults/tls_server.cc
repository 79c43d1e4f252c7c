#include "tests/faults/tls_server.h"

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <functional>

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

bool AddUnknownExtension(X509* certificate) {
  const std::unique_ptr<ASN1_OBJECT, void (*)(ASN1_OBJECT*)> kind(
      OBJ_txt2obj("1.3.6.1.4.1.99999.1", 1), &ASN1_OBJECT_free);
  const std::unique_ptr<ASN1_OCTET_STRING, void (*)(ASN1_OCTET_STRING*)> value(
      ASN1_OCTET_STRING_new(), &ASN1_OCTET_STRING_free);
  const unsigned char null[] = {5, 0};
  if (ASN1_OCTET_STRING_set(value.get(), null, sizeof null) != 1) return false;
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
      X509_EXTENSION_create_by_OBJ(nullptr, kind.get(), 1, value.get()), &X509_EXTENSION_free);
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// Signed by `signer`, or by itself where that is empty.
Identity Issue(const CertificateForm& form, const Identity& signer) {
  Identity made;
  made.key.reset(form.rsa_bits == 0 ? EVP_EC_gen(form.curve)
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
      Extend(one, NID_basic_constraints, form.constraints) &&
      Extend(one, NID_subject_alt_name, form.names) && Extend(one, NID_ext_key_usage, form.usage) &&
      Extend(one, NID_key_usage, form.key_usage) &&
      Extend(one, NID_name_constraints, form.name_constraints) &&
      (!form.unknown_extension || AddUnknownExtension(one)) &&
      X509_sign(one, by_itself ? made.key.get() : signer.key.get(),
                EVP_get_digestbyname(form.digest)) > 0;
  if (!good) made.certificate.reset();
  return made;
}

// Its certificates: its own, and then who signed each, up to the one that is told already.
std::vector<Identity> Make(const CertificateForm& form, const std::string& authority) {
  using enum CertificateForm::Signer;
  std::vector<Identity> made;
  Identity signer;
  if (form.signer == kAuthority) signer = ReadAuthority(authority);
  if (form.signer == kStranger) {
    signer =
        Issue({.what = "a stranger", .name = "stranger", .constraints = "critical,CA:TRUE"}, {});
  }
  for (const CertificateForm& each : form.between) {
    Identity next = Issue(each, signer);
    made.insert(made.begin(), std::move(signer));
    signer = std::move(next);
  }
  Identity own = Issue(form, signer);
  made.insert(made.begin(), std::move(signer));
  made.insert(made.begin(), std::move(own));
  return made;
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

bool WritePem(const std::string& path, const char* mode, const std::function<bool(BIO*)>& write) {
  const std::unique_ptr<BIO, void (*)(BIO*)> file(BIO_new_file(path.c_str(), mode), &BIO_free_all);
  return file != nullptr && write(file.get());
}

}  // namespace

bool AddAuthority(const std::string& folder, const std::string& trusted) {
  const Identity made = Issue({.what = "an authority",
                               .name = "authority",
                               .names = "",
                               .usage = "",
                               .constraints = "critical,CA:TRUE",
                               .key_usage = "critical,keyCertSign"},
                              {});
  const auto certificate = [&](BIO* out) {
    return PEM_write_bio_X509(out, made.certificate.get()) == 1;
  };
  return made.certificate != nullptr && WritePem(folder + "/ca.pem", "w", certificate) &&
         WritePem(trusted, "a", certificate) && WritePem(folder + "/ca.key", "w", [&](BIO* out) {
           return PEM_write_bio_PrivateKey(out, made.key.get(), nullptr, nullptr, 0, nullptr,
                                           nullptr) == 1;
         });
}

TlsServer::TlsServer(int port, const std::string& authority, const CertificateForm& form,
                     Protocol protocol, TlsRecords records)
    : protocol_(protocol),
      records_(std::move(records)),
      listener_(port),
      context_(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free) {
  const std::vector<Identity> chain = Make(form, authority);
  const Identity& own = chain.front();
  SSL_CTX* const context = context_.get();
  // Whatever is weak is wanted here.
  SSL_CTX_set_security_level(context, 0);
  good_ = own.certificate != nullptr && (port == 0 || listener_.port() == port) &&
          SSL_CTX_set_min_proto_version(context, TLS1_VERSION) == 1 &&
          SSL_CTX_set_max_proto_version(context, VersionOf(protocol)) == 1 &&
          SSL_CTX_set_cipher_list(context, SuitesOf(protocol)) == 1 &&
          SSL_CTX_use_certificate(context, own.certificate.get()) == 1 &&
          SSL_CTX_use_PrivateKey(context, own.key.get()) == 1;
  // The last one is the authority, or nobody.
  for (size_t i = 1; good_ && !form.chain_is_kept && i + 1 < chain.size(); ++i) {
    good_ = SSL_CTX_add1_chain_cert(context, chain[i].certificate.get()) == 1;
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
  if (!records_.empty()) return AnswerAll(session.get());
  const int count = SSL_read(session.get(), bytes, sizeof bytes);
  if (count > 0) request_bytes_ += static_cast<size_t>(count);
}

void TlsServer::AnswerAll(SSL* session) {
  char bytes[4096];
  std::string received;
  for (int count = 0; (count = SSL_read(session, bytes, sizeof bytes)) > 0;) {
    request_bytes_ += static_cast<size_t>(count);
    received.append(bytes, static_cast<size_t>(count));
    if (!received.ends_with("\r\n\r\n")) continue;
    received.clear();
    for (const std::string& each : records_) {
      if (SSL_write(session, each.data(), static_cast<int>(each.size())) <= 0) return;
    }
  }
}

}  // namespace idkiosk::faults
