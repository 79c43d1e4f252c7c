#ifndef IDKIOSK_PLATFORM_POSIX_CERTIFICATE_RULES_H_
#define IDKIOSK_PLATFORM_POSIX_CERTIFICATE_RULES_H_

#include <cstdint>
#include <string>
#include <utility>

struct mbedtls_x509_crt;

namespace idkiosk {

// What a server must be beyond what libcurl with mbedTLS asks for: that takes RSA keys of 1024
// bits, signatures over SHA-1, the common name where there is no subjectAltName, a DNS name that
// looks like the host's IP address, and suites without forward secrecy. Here:
//   - every certificate has an RSA key of at least 2048 bits or one of a sound curve, and is signed
//     over SHA-256 or better
//   - what is said stays secret when the server's key is lost one day, and is proven as it is
//     opened: suites with ECDHE and AEAD alone
//   - the server's names the host in its subjectAltName, as a DNS name, not as a URI; a host that
//     is an IP address, as an IP address
//   - who is between it and the authority that is trusted may sign for servers, and for every name:
//     name constraints cannot be checked here, critical or not
class CertificateRules {
 public:
  // `host`: as it stands in the URL; an IPv6 address without its brackets.
  explicit CertificateRules(std::string host) : host_(std::move(host)) {}

  // Makes a connection's mbedtls_ssl_config go by this, which must outlive its handshake.
  void ApplyTo(void* config);

  [[nodiscard]] const std::string& host() const { return host_; }
  // Returns what was wrong with the certificate in the last handshake, and which setting or part is
  // to be looked at; empty: nothing was. `authorities`: the file that was in force.
  [[nodiscard]] std::string Trouble(const std::string& authorities) const;

 private:
  // Of all certificates of a chain.
  struct Faults {
    uint32_t flags = 0;      // MBEDTLS_X509_BADCERT_
    std::string expired_on;  // "2025-02-01", of one that has
    std::string valid_from;  // of one that is not valid yet
  };

  static int Verify(void* self, mbedtls_x509_crt* certificate, int depth, uint32_t* flags);
  [[nodiscard]] bool Names(const mbedtls_x509_crt& certificate) const;

  const std::string host_;
  Faults faults_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_CERTIFICATE_RULES_H_
