#include "platform/base/certificate_file.h"

#include <algorithm>
#include <optional>
#include <string>

namespace idkiosk {
namespace {

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

// Tags of DER.
constexpr uint8_t kInteger = 0x02;
constexpr uint8_t kBitString = 0x03;
constexpr uint8_t kSequence = 0x30;
constexpr uint8_t kVersion = 0xa0;

// Reads values of DER one after another.
class DerReader {
 public:
  explicit DerReader(ByteSpan bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  // Returns the content of the next value where it has this tag; else nothing, and it stays the
  // next.
  std::optional<ByteSpan> Take(uint8_t tag) {
    if (rest_.size() < 2 || rest_[0] != tag) return std::nullopt;
    size_t length = rest_[1];
    size_t head = 2;
    if (length >= 0x80) {
      const size_t digits = length & 0x7f;
      if (digits == 0 || digits > 4 || rest_.size() < 2 + digits) return std::nullopt;
      length = 0;
      for (const uint8_t digit : rest_.subspan(2, digits)) length = length << 8 | digit;
      head += digits;
    }
    if (rest_.size() - head < length) return std::nullopt;
    const ByteSpan content = rest_.subspan(head, length);
    rest_ = rest_.subspan(head + length);
    return content;
  }

 private:
  ByteSpan rest_;
};

// RFC 5280, section 4.1. Requests, lists of revoked ones and keys differ from it in these members.
bool IsCertificate(ByteSpan der) {
  DerReader file(der);
  const auto certificate = file.Take(kSequence);
  if (!certificate || !file.at_end()) return false;
  DerReader parts(*certificate);
  const auto signed_part = parts.Take(kSequence);
  const bool is_signed = signed_part && parts.Take(kSequence) && parts.Take(kBitString);
  if (!is_signed || !parts.at_end()) return false;
  DerReader members(*signed_part);
  (void)members.Take(kVersion);  // the oldest have none
  if (!members.Take(kInteger)) return false;
  // Algorithm, issuer, validity, subject, key.
  for (int i = 0; i < 5; ++i) {
    if (!members.Take(kSequence)) return false;
  }
  return true;
}

// What stands between the lines of PEM.
bool IsCertificateInBase64(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; });
  const auto der = FromBase64(plain);
  return der && IsCertificate(*der);
}

bool HoldsCertificateInPem(std::string_view text) {
  for (size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at)) {
    at += kBegin.size();
    const size_t end = text.find(kEnd, at);
    if (end == std::string_view::npos) return false;
    if (IsCertificateInBase64(text.substr(at, end - at))) return true;
  }
  return false;
}

}  // namespace

std::string_view TroubleWithCertificates(ByteSpan file) {
  const std::string_view text = AsText(file);
  if (HoldsCertificateInPem(text) || IsCertificate(file)) return "";
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
  if (text.contains(kBegin)) return "what stands below '-----BEGIN CERTIFICATE-----' is damaged";
  if (text.contains("PRIVATE KEY-----")) return "it is a private key";
  if (text.contains("PUBLIC KEY-----")) return "it is a public key";
  if (text.contains("CERTIFICATE REQUEST-----")) return "it is a request for one";
  return "it is something else";
}

Status CheckCertificateFile(std::string_view file, const Result<Bytes>& bytes) {
  if (!bytes) return std::unexpected(bytes.error());
  const std::string_view trouble = TroubleWithCertificates(*bytes);
  if (trouble.empty()) return {};
  return Fail(ErrorCode::kInvalid, "{} holds no certificate: {}", file, trouble);
}

}  // namespace idkiosk
