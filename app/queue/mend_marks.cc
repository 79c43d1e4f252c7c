#include "app/queue/mend_marks.h"

#include "app/service/secret_writer.h"
#include "app/settings/credentials.h"

namespace idkiosk {

bool MendMarks::CanMend(HoldReason reason) {
  return reason == HoldReason::kAccess || reason == HoldReason::kWrongAddress ||
         reason == HoldReason::kUnexpected || reason == HoldReason::kCredentials;
}

Result<Crypto::Digest> MendMarks::Of(HoldReason reason, std::optional<Endpoint> endpoint) const {
  SecretWriter text;
  const auto add = [&text](ByteSpan part) {
    text.Uint32(static_cast<uint32_t>(part.size())).Bytes(part);
  };
  add(AsBytes("mend/2"));
  add(AsBytes(base_url_));
  add(AsBytes(profile_.at(endpoint.value_or(Endpoint::kLogin)).source));
  if (reason != HoldReason::kWrongAddress) {
    for (const CredentialTraits& each : kAllCredentials) {
      const auto secret = storage_.Get(each.name);
      if (!secret && secret.error().code != ErrorCode::kNotFound) {
        return std::unexpected(secret.error());
      }
      add(secret ? secret->view() : ByteSpan());
    }
  }
  return crypto_.HmacSha256(key_, text.Take().view());
}

}  // namespace idkiosk
