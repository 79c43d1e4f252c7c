#include "app/fleet/est_client.h"

#include <openssl/err.h>
#include <openssl/http.h>
#include <openssl/httperr.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

#include "app/fleet/openssl_pointers.h"
#include "platform/base/tls_suites.h"

// By OpenSSL, which libmosquitto brings along: HTTP, TLS and PKCS #7 in one.

namespace idkiosk {
namespace {

constexpr int kTimeout = 20;  // seconds
constexpr size_t kLargestAnswer = 64 << 10;

using Memory = Openssl<BIO>;
using Text = Openssl<char>;
using Tls = Openssl<SSL_CTX>;

struct Address {
  std::string host;
  std::string port;
  std::string path;
};

Result<Address> Parse(const std::string& url) {
  int tls = 0;
  char* user = nullptr;
  char* host = nullptr;
  char* port = nullptr;
  char* path = nullptr;
  char* query = nullptr;
  const int good =
      OSSL_HTTP_parse_url(url.c_str(), &tls, &user, &host, &port, nullptr, &path, &query, nullptr);
  const Text owned[] = {Text(user), Text(host), Text(port), Text(path), Text(query)};
  ERR_clear_error();
  const bool bare = good == 1 && tls == 1 && *user == '\0' && *query == '\0' && *host != '\0';
  if (!bare || url.find_first_of(" #") != std::string::npos) {
    return Fail(ErrorCode::kInvalid,
                "must be like https://est.bank.example:8443/.well-known/est, without a user or ?");
  }
  std::string folder = path;
  while (folder.ends_with('/')) folder.pop_back();
  return Address{host, port, folder};
}

// The reasons that OpenSSL has noted; `status`: that of HTTP, 0: none came.
std::string TakeReasons(int& status) {
  std::string reasons;
  const char* data = nullptr;
  int flags = 0;
  while (const unsigned long code = ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags)) {
    const std::string_view said = (flags & ERR_TXT_STRING) != 0 ? data : "";
    constexpr std::string_view kCode = "code=";
    if (said.starts_with(kCode)) status = std::atoi(said.data() + kCode.size());
    const char* const reason = ERR_SYSTEM_ERROR(code) != 0 ? std::strerror(ERR_GET_REASON(code))
                                                           : ERR_reason_error_string(code);
    if (!reasons.empty()) reasons += "; ";
    reasons += reason == nullptr ? "unknown" : reason;
    if (!said.empty()) reasons += fmt::format(" ({})", said);
  }
  return reasons;
}

Result<Tls> MakeTls(const EstRequest& request) {
  Tls tls(SSL_CTX_new(TLS_client_method()));
  if (!tls) return Fail(ErrorCode::kExhausted, "OpenSSL: out of memory");
  if (SSL_CTX_set_min_proto_version(tls.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(tls.get(), kTlsSuites) != 1) {
    return Fail(ErrorCode::kInternal,
                "OpenSSL has none of the TLS cipher suites that this program uses");
  }
  SSL_CTX_set_verify(tls.get(), SSL_VERIFY_PEER, nullptr);
  int ignored = 0;
  if (SSL_CTX_load_verify_locations(tls.get(), request.ca_file.c_str(), nullptr) != 1) {
    return Fail(ErrorCode::kInvalid, "ca_file: {}: {}", request.ca_file, TakeReasons(ignored));
  }
  if (!request.claim.empty()) return tls;
  if (SSL_CTX_use_certificate_chain_file(tls.get(), request.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls.get(), request.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Fail(ErrorCode::kInvalid,
                "certificate: {} cannot be used with the key ({}): remove it, and ask by a claim",
                request.certificate, TakeReasons(ignored));
  }
  return tls;
}

// Only the names of the certificate count, and none that its subject says.
bool ExpectName(SSL* connection, const std::string& host) {
  X509_VERIFY_PARAM* const verify = SSL_get0_param(connection);
  X509_VERIFY_PARAM_set_hostflags(
      verify, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (X509_VERIFY_PARAM_set1_ip_asc(verify, host.c_str()) == 1) return true;
  return X509_VERIFY_PARAM_set1_host(verify, host.c_str(), host.size()) == 1 &&
         SSL_set_tlsext_host_name(connection, host.c_str()) == 1;
}

// Left to itself OpenSSL's client of HTTP tries one that was refused again and again, until time is
// up, and tells that as a time-out.
Result<Memory> Connect(const Address& to) {
  Memory connection(BIO_new(BIO_s_connect()));
  if (!connection) return Fail(ErrorCode::kExhausted, "OpenSSL: out of memory");
  BIO_set_conn_hostname(connection.get(), to.host.c_str());
  BIO_set_conn_port(connection.get(), to.port.c_str());
  BIO_set_nbio(connection.get(), 1);
  const time_t until = time(nullptr) + kTimeout;
  while (BIO_do_connect(connection.get()) != 1) {
    if (BIO_should_retry(connection.get())) {
      if (BIO_wait(connection.get(), until, 100) == 1) continue;
      ERR_clear_error();
      return Fail(ErrorCode::kUnavailable, "no connection to {}:{} within {} s", to.host, to.port,
                  kTimeout);
    }
    int ignored = 0;
    const unsigned long first = ERR_peek_error();
    if (ERR_SYSTEM_ERROR(first) != 0 && ERR_GET_REASON(first) == ECONNREFUSED) {
      ERR_clear_error();
      return Fail(ErrorCode::kUnavailable,
                  "{}:{} refuses the connection: nothing listens there; is the server started, and "
                  "that its port?",
                  to.host, to.port);
    }
    return Fail(ErrorCode::kUnavailable, "no connection to {}:{}: {}", to.host, to.port,
                TakeReasons(ignored));
  }
  ERR_clear_error();
  return connection;
}

struct Way {
  SSL_CTX* tls;
  const std::string& host;
  Memory connection;  // with TLS on top, once there is
};

// OpenSSL's client begins, or ends: TLS comes on top, or stays until the answer is read.
BIO* PutTlsOn(BIO* connection, void* argument, int connect, int /*detail*/) {
  Way& way = *static_cast<Way*>(argument);
  if (connect == 0) return connection;
  BIO* const top = BIO_new_ssl(way.tls, 1);
  SSL* session = nullptr;
  if (top == nullptr || BIO_get_ssl(top, &session) != 1 || !ExpectName(session, way.host)) {
    BIO_free(top);
    return nullptr;
  }
  (void)way.connection.release();  // it belongs to its top
  way.connection.reset(BIO_push(top, connection));
  return top;
}

// In lines, as RFC 7030 has it.
std::string Lines(ByteSpan der) {
  constexpr size_t kLine = 64;
  const std::string text = ToBase64(der);
  std::string lines;
  for (size_t at = 0; at < text.size(); at += kLine) lines += text.substr(at, kLine) + "\n";
  return lines;
}

// What OpenSSL hands out is the connection behind the headers: it closes, or time is up.
std::string ReadToEnd(BIO* connection) {
  const time_t until = time(nullptr) + kTimeout;
  std::string text(kLargestAnswer, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const int count =
        BIO_read(connection, text.data() + size, static_cast<int>(text.size() - size));
    if (count > 0) {
      size += static_cast<size_t>(count);
    } else if (!BIO_should_retry(connection) || BIO_wait(connection, until, 100) != 1) {
      break;
    }
  }
  ERR_clear_error();
  text.resize(size);
  return text;
}

Result<std::string> Post(const EstRequest& request, const Address& to, std::string path,
                         const std::string& body) {
  const auto tls = MakeTls(request);
  if (!tls) return std::unexpected(tls.error());
  STACK_OF(CONF_VALUE)* headers = nullptr;
  X509V3_add_value("Content-Transfer-Encoding", "base64", &headers);
  if (!request.claim.empty()) {
    std::string basic = "Basic " + ToBase64(request.claim.view());
    X509V3_add_value("Authorization", basic.c_str(), &headers);
    Wipe(basic);
  }
  const Openssl<STACK_OF(CONF_VALUE)> owned(headers);
  const Memory sent(BIO_new_mem_buf(body.data(), static_cast<int>(body.size())));
  ERR_clear_error();
  auto connection = Connect(to);
  if (!connection) return std::unexpected(connection.error());
  Way way{tls->get(), to.host, std::move(*connection)};
  const Memory answer(OSSL_HTTP_transfer(
      nullptr, to.host.c_str(), to.port.c_str(), path.c_str(),
      /*use_ssl=*/1, /*proxy=*/nullptr, nullptr, way.connection.get(), nullptr, &PutTlsOn, &way, 0,
      headers, "application/pkcs10", sent.get(), nullptr, 0, kLargestAnswer, kTimeout, 0));
  if (!answer) {
    int status = 0;
    const std::string reasons = TakeReasons(status);
    const ErrorCode code =
        status == 401 || status == 403 ? ErrorCode::kForbidden : ErrorCode::kUnavailable;
    if (status == 202) return Fail(code, "not yet: somebody must sign there first");
    return Fail(code, "{}", reasons.empty() ? "no answer" : reasons);
  }
  std::string text = ReadToEnd(answer.get());
  std::erase_if(text, [](char each) { return each == '\r' || each == '\n' || each == ' '; });
  return text;
}

// That of the request's key first, as a server of TLS takes a chain.
Result<std::string> ToPem(std::string_view base64, X509_REQ* request) {
  const auto fail = [](std::string_view why) {
    ERR_clear_error();
    return Fail(ErrorCode::kInvalid, "its answer {}", why);
  };
  const auto der = FromBase64(base64);
  if (!der) return fail("is not base64");
  const unsigned char* at = der->data();
  const Openssl<PKCS7> bundle(d2i_PKCS7(nullptr, &at, static_cast<long>(der->size())));
  // One that says to be signed may have nothing behind that.
  if (!bundle || !PKCS7_type_is_signed(bundle.get()) || bundle->d.sign == nullptr) {
    return fail("is no PKCS #7 of certificates");
  }
  STACK_OF(X509)* const all = bundle->d.sign->cert;
  const auto is_own = [&](int i) {
    return EVP_PKEY_eq(X509_get0_pubkey(sk_X509_value(all, i)), X509_REQ_get0_pubkey(request)) == 1;
  };
  const Memory pem(BIO_new(BIO_s_mem()));
  bool found = false;
  for (const bool own : {true, false}) {
    for (int i = 0; i < sk_X509_num(all); ++i) {
      if (is_own(i) != own || (own && std::exchange(found, true))) continue;
      if (PEM_write_bio_X509(pem.get(), sk_X509_value(all, i)) != 1) return fail("makes no PEM");
    }
  }
  if (!found) return fail("holds no certificate of this kiosk's key");
  char* text = nullptr;
  const long size = BIO_get_mem_data(pem.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

}  // namespace

std::string CheckEstUrl(const std::string& url) {
  const auto address = Parse(url);
  return address ? std::string() : address.error().message;
}

Result<std::string> AskByEst(const EstRequest& request, ByteSpan pkcs10) {
  const auto address = Parse(request.url);
  if (!address) return std::unexpected(address.error());
  const unsigned char* at = pkcs10.data();
  const Openssl<X509_REQ> own(d2i_X509_REQ(nullptr, &at, static_cast<long>(pkcs10.size())));
  if (!own) return Fail(ErrorCode::kInvalid, "no request for a certificate");
  const char* const what = request.claim.empty() ? "/simplereenroll" : "/simpleenroll";
  const auto answer = Post(request, *address, address->path + what, Lines(pkcs10));
  if (!answer) return std::unexpected(answer.error().Within(request.url));
  auto pem = ToPem(*answer, own.get());
  return pem ? std::move(pem) : std::unexpected(pem.error().Within(request.url));
}

}  // namespace idkiosk
