#ifndef IDKIOSK_TESTS_FAULTS_TLS_SERVER_H_
#define IDKIOSK_TESTS_FAULTS_TLS_SERVER_H_

#include <openssl/ssl.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/fakes/loopback_listener.h"

namespace idkiosk::faults {

// What a certificate says, and who says so.
struct CertificateForm {
  const char* what;  // "expired"
  std::string name = "127.0.0.1";
  std::string names = "IP:127.0.0.1,DNS:localhost";  // subjectAltName; empty: none
  long from_days = -1;                               // from now
  long to_days = 90;
  enum class Signer : uint8_t { kAuthority, kItself, kStranger } signer = Signer::kAuthority;
  std::string usage = "serverAuth";  // extendedKeyUsage; empty: none
  int rsa_bits = 0;                  // 0: a key on `curve`
  const char* curve = "P-256";
  const char* digest = "SHA256";
  std::string constraints = "critical,CA:FALSE";
  std::string key_usage = "";                 // keyUsage; empty: none
  std::string name_constraints = "";          // nameConstraints; empty: none
  bool unknown_extension = false;             // has a critical one that nobody knows
  bool chain_is_kept = false;                 // the server does not show who is between
  std::vector<CertificateForm> between = {};  // the authority first, and then those, have signed
};

// Makes an authority under which others may sign, ca.pem and ca.key in `folder`, and adds it to the
// file of those that are trusted. False: that failed.
[[nodiscard]] bool AddAuthority(const std::string& folder, const std::string& trusted);

// Which TLS it speaks: the newest version that it offers; 1.2 without and with forward secrecy; or
// no TLS at all.
enum class Protocol : uint8_t { kTls13, kTls12Static, kTls12Forward, kTls11, kTls10, kPlain };

// What is sent for each request without a body, each text as a TLS record of its own.
using TlsRecords = std::vector<std::string>;

// Takes every connection on a port of this machine, with this certificate, and counts the bytes of
// requests that clients trust it with. It answers with `records`; without them it answers nothing.
class TlsServer {
 public:
  // `port`: 0 is a free one. `authority`: the folder where ca.pem and ca.key lie, whom clients
  // trust.
  TlsServer(int port, const std::string& authority, const CertificateForm& form, Protocol protocol,
            TlsRecords records = {});
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  // False where it could not be made as it was asked for.
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] int port() const { return listener_.port(); }
  [[nodiscard]] int connections() const { return connections_; }
  [[nodiscard]] size_t request_bytes() const { return request_bytes_; }

 private:
  void Listen();
  void Serve(int connection);
  void AnswerAll(SSL* session);

  const Protocol protocol_;
  const TlsRecords records_;
  const LoopbackListener listener_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  bool good_ = false;
  std::atomic<int> connections_ = 0;
  std::atomic<size_t> request_bytes_ = 0;
  std::jthread thread_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_TLS_SERVER_H_
