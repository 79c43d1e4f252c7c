#ifndef IDKIOSK_PLATFORM_BASE_TLS_SUITES_H_
#define IDKIOSK_PLATFORM_BASE_TLS_SUITES_H_

namespace idkiosk {

// The suites of TLS 1.2 that a client of OpenSSL offers, by its names: those with forward secrecy
// and authenticated encryption, as platform/posix/certificate_rules.cc has them for the service.
// TLS 1.3 has no others.
inline constexpr const char* kTlsSuites =
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256";

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TLS_SUITES_H_
