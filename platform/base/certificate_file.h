#ifndef IDKIOSK_PLATFORM_BASE_CERTIFICATE_FILE_H_
#define IDKIOSK_PLATFORM_BASE_CERTIFICATE_FILE_H_

#include <cstddef>
#include <string_view>

#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// Debian's own list of authorities is a fortieth of it.
inline constexpr size_t kLargestCertificateFile = 8 << 20;

// Returns what keeps the bytes of a file from naming an authority to TLS, as "it is empty". Empty
// where they hold a certificate (X.509, in PEM or alone in DER). Looks at their shape alone, not at
// times or signatures. Repeats nothing of them.
[[nodiscard]] std::string_view TroubleWithCertificates(ByteSpan file);

// The same in words: "FILE holds no certificate: it is empty". `bytes`: what reading `file` gave,
// at most kLargestCertificateFile. Errors: kInvalid; those of reading.
[[nodiscard]] Status CheckCertificateFile(std::string_view file, const Result<Bytes>& bytes);

// The mend, behind such a sentence.
inline constexpr std::string_view kHowToNameAnAuthority =
    "name a file that holds the authority's certificate in PEM, which begins with '-----BEGIN "
    "CERTIFICATE-----' and comes from the service's operator";

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_CERTIFICATE_FILE_H_
