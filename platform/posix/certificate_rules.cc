#include "platform/posix/certificate_rules.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <mbedtls/oid.h>
#include <mbedtls/ssl.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "platform/base/bytes.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// Of an entry of the subjectAltName: its tag without its class.
int KindOf(const mbedtls_x509_sequence& name) { return name.buf.tag & MBEDTLS_ASN1_TAG_VALUE_MASK; }

constexpr int kSuites[] = {
    MBEDTLS_TLS1_3_AES_256_GCM_SHA384,
    MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256,
    MBEDTLS_TLS1_3_AES_128_GCM_SHA256,
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    MBEDTLS_TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    MBEDTLS_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    0,
};

// What mbedTLS does not look at in who is between the server and an authority that is trusted: for
// which use others may be signed, and for which names.
bool IsTrustedByItself(const mbedtls_x509_crt& authority) {
  return std::ranges::equal(ByteSpan(authority.issuer_raw.p, authority.issuer_raw.len),
                            ByteSpan(authority.subject_raw.p, authority.subject_raw.len));
}
bool SignsForServers(const mbedtls_x509_crt& authority) {
  return mbedtls_x509_crt_check_extended_key_usage(&authority, MBEDTLS_OID_SERVER_AUTH,
                                                   MBEDTLS_OID_SIZE(MBEDTLS_OID_SERVER_AUTH)) == 0;
}
bool LimitsNames(const mbedtls_x509_crt& authority) {
  constexpr std::array<uint8_t, 5> kNameConstraints = {0x06, 0x03, 0x55, 0x1d, 0x1e};
  const ByteSpan extensions(authority.v3_ext.p, authority.v3_ext.len);
  return !std::ranges::search(extensions, kNameConstraints).empty();
}

// "kiosk.example" and "*.example" are names of kiosk.example.
bool IsNameOf(std::string_view host, std::string_view name) {
  if (name.starts_with("*.")) {
    name.remove_prefix(1);
    host.remove_prefix(std::min(host.find('.'), host.size()));
  }
  return EqualsIgnoringCase(host, name);
}

std::string DayOf(const mbedtls_x509_time& time) {
  return fmt::format("{:04}-{:02}-{:02}", time.year, time.mon, time.day);
}

}  // namespace

void CertificateRules::ApplyTo(void* config) {
  faults_ = {};
  auto* const tls = static_cast<mbedtls_ssl_config*>(config);
  mbedtls_ssl_conf_cert_profile(tls, &mbedtls_x509_crt_profile_default);
  mbedtls_ssl_conf_ciphersuites(tls, kSuites);
  mbedtls_ssl_conf_verify(tls, &CertificateRules::Verify, this);
}

// mbedTLS has checked all else before this, and wrote what is wrong into `flags`.
int CertificateRules::Verify(void* self, mbedtls_x509_crt* certificate, int depth,
                             uint32_t* flags) {
  auto& rules = *static_cast<CertificateRules*>(self);
  if (depth == 0 && !rules.Names(*certificate)) *flags |= MBEDTLS_X509_BADCERT_CN_MISMATCH;
  if (depth > 0 && !IsTrustedByItself(*certificate)) {
    if (!SignsForServers(*certificate)) *flags |= MBEDTLS_X509_BADCERT_EXT_KEY_USAGE;
    if (LimitsNames(*certificate)) *flags |= MBEDTLS_X509_BADCERT_OTHER;
  }
  Faults& faults = rules.faults_;
  faults.flags |= *flags;
  if ((*flags & MBEDTLS_X509_BADCERT_EXPIRED) != 0) {
    faults.expired_on = DayOf(certificate->valid_to);
  }
  if ((*flags & MBEDTLS_X509_BADCERT_FUTURE) != 0) {
    faults.valid_from = DayOf(certificate->valid_from);
  }
  return 0;
}

std::string CertificateRules::Trouble(const std::string& authorities) const {
  const auto has = [this](uint32_t flag) { return (faults_.flags & flag) != 0; };
  if (has(MBEDTLS_X509_BADCERT_NOT_TRUSTED)) {
    return fmt::format(
        "it is not signed by an authority of {}, which service.ca_file names, or Debian's where it "
        "is not set",
        authorities);
  }
  if (has(MBEDTLS_X509_BADCERT_EXPIRED)) {
    return fmt::format("it expired on {}, by this kiosk's clock", faults_.expired_on);
  }
  if (has(MBEDTLS_X509_BADCERT_FUTURE)) {
    return fmt::format("it is not valid before {}, by this kiosk's clock", faults_.valid_from);
  }
  if (has(MBEDTLS_X509_BADCERT_CN_MISMATCH)) {
    return fmt::format("it is for another name than {}, which service.base_url names", host_);
  }
  if (has(MBEDTLS_X509_BADCERT_OTHER)) {
    return "an authority between may sign for some names alone (name constraints), which this "
           "program cannot check: the service needs a certificate of another authority";
  }
  if (faults_.flags == 0) return "";
  return "its key or its signature is too weak, or it is for another use: the service needs "
         "another";
}

bool CertificateRules::Names(const mbedtls_x509_crt& certificate) const {
  if (mbedtls_x509_crt_has_ext_type(&certificate, MBEDTLS_X509_EXT_SUBJECT_ALT_NAME) == 0) {
    return false;
  }
  unsigned char address[sizeof(in6_addr)];
  size_t size = 0;
  if (inet_pton(AF_INET, host_.c_str(), address) == 1) size = sizeof(in_addr);
  if (inet_pton(AF_INET6, host_.c_str(), address) == 1) size = sizeof(in6_addr);
  for (const auto* each = &certificate.subject_alt_names; each != nullptr; each = each->next) {
    const ByteSpan said(each->buf.p, each->buf.len);
    // mbedTLS has looked for a name too, but takes a URI for one.
    const bool fits =
        size == 0 ? KindOf(*each) == MBEDTLS_X509_SAN_DNS_NAME && IsNameOf(host_, AsText(said))
                  : KindOf(*each) == MBEDTLS_X509_SAN_IP_ADDRESS &&
                        std::ranges::equal(said, ByteSpan(address, size));
    if (fits) return true;
  }
  return false;
}

}  // namespace idkiosk
