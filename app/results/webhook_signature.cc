#include "app/results/webhook_signature.h"

#include <algorithm>
#include <array>

namespace idkiosk {
namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr size_t kShortestKey = 24;
constexpr size_t kLongestKey = 64;

SecretBytes SignedContent(std::string_view id, int64_t seconds, const SecretBytes& body) {
  const std::string head = fmt::format("{}.{}.", id, seconds);
  SecretBytes content(head.size() + body.size());
  const auto behind = std::ranges::copy(AsBytes(head), content.mutable_view().begin()).out;
  std::ranges::copy(body.view(), behind);
  return content;
}

}  // namespace

Result<SecretBytes> ParseWebhookKey(const SecretBytes& written) {
  const std::string_view text = written.text();
  auto bytes = FromBase64(text.substr(text.starts_with(kPrefix) ? kPrefix.size() : 0));
  const bool fits = bytes && bytes->size() >= kShortestKey && bytes->size() <= kLongestKey;
  if (!text.starts_with(kPrefix) || !fits) {
    return Fail(ErrorCode::kInvalid,
                "must be \"{}\" and the base64 text of {} to {} random bytes: 'echo {}$(openssl "
                "rand -base64 32)' makes one",
                kPrefix, kShortestKey, kLongestKey, kPrefix);
  }
  SecretBytes key = SecretBytes::CopyOf(*bytes);
  Wipe(*bytes);
  return key;
}

Result<bool> PutWebhookKey(SecureStorage& vault, const SecretBytes& written) {
  if (auto fits = ParseWebhookKey(written); !fits) return std::unexpected(fits.error());
  const auto before = vault.Get(kWebhookKey);
  if (!before && before.error().code != ErrorCode::kNotFound) {
    return std::unexpected(before.error());
  }
  const bool same = before && before->Equals(written.view());
  if (same) {
    const Status removed = vault.Remove(kWebhookKeyBefore);
    if (!removed && removed.error().code != ErrorCode::kNotFound) {
      return std::unexpected(removed.error());
    }
    return false;
  }
  // First, so that no moment is without the key that receivers know.
  if (before) {
    if (Status kept = vault.Put(kWebhookKeyBefore, *before); !kept) {
      return std::unexpected(kept.error());
    }
  }
  if (Status put = vault.Put(kWebhookKey, written); !put) return std::unexpected(put.error());
  return before.has_value();
}

Result<std::string> SignWebhook(SecureStorage& vault, const Crypto& crypto, std::string_view id,
                                int64_t seconds, const SecretBytes& body) {
  const auto keys = vault.GetTogether(std::array{kWebhookKey, kWebhookKeyBefore});
  if (!keys) return std::unexpected(keys.error());
  if (!keys->front()) {
    return Fail(ErrorCode::kNotFound,
                "the vault has no key to sign results with: run 'idkiosk vault set {}'",
                kWebhookKey);
  }
  const SecretBytes content = SignedContent(id, seconds, body);
  std::string signatures;
  for (const auto& written : *keys) {
    if (!written) continue;
    const auto key = ParseWebhookKey(*written);
    if (!key) return std::unexpected(key.error().Within(kWebhookKey));
    const Crypto::Digest digest = crypto.HmacSha256(*key, content.view());
    signatures += fmt::format("{}v1,{}", signatures.empty() ? "" : " ", ToBase64(digest));
  }
  return signatures;
}

}  // namespace idkiosk
