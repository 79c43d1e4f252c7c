#ifndef IDKIOSK_TOOLS_HEADQUARTERS_SIGNING_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_SIGNING_H_

#include <string>
#include <string_view>

#include "platform/base/bytes.h"
#include "platform/base/error.h"

// Signatures by keys in PEM files, with OpenSSL: the other end checks them with mbedTLS. A key that
// is protected by a pass phrase is asked for it at the terminal, once. Errors of each: kNotFound,
// kForbidden (somebody else may read the private key, or it is a link), kInvalid (no private key of
// the curve P-256, or its pass phrase is missing or wrong), naming the file and the mend.
namespace idkiosk::headquarters {

// ECDSA with SHA-256, a DER sequence.
[[nodiscard]] Result<Bytes> Sign(const std::string& key_file, std::string_view text);
// "NAME BASE64", as a kiosk's headquarters.keys takes it. The file may hold the public key alone.
[[nodiscard]] Result<std::string> KeyLine(const std::string& name, const std::string& key_file);
[[nodiscard]] std::string Sha256Hex(std::string_view text);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_SIGNING_H_
