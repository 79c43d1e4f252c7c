#include "app/queue/mend_marks.h"

#include "app/service/secret_writer.h"
#include "app/settings/credential_names.h"

namespace idkiosk {

bool MendMarks::CanMend(HoldReason reason) {
  return reason == HoldReason::kAccess || reason == HoldReason::kWrongAddress ||
         reason == HoldReason::kUnexpected || reason == HoldReason::kCredentials;
}

Crypto::Digest MendMarks::Of(HoldReason reason, std::optional<Endpoint> endpoint) const {
  SecretWriter text;
  const auto add = [&text](ByteSpan part) {
    text.Uint32(static_cast<uint32_t>(part.size())).Bytes(part);
  };
  add(AsBytes("mend/1"));
  add(AsBytes(base_url_));
  add(AsBytes(profile_.at(endpoint.value_or(Endpoint::kLogin)).source));
  if (reason != HoldReason::kWrongAddress) {
    for (const std::string_view name :
         {kApiKeySecret, kUserIdSecret, kLoginSecret, kPasswordSecret}) {
      const auto secret = storage_.Get(name);
      add(secret ? secret->view() : ByteSpan());
    }
  }
  return crypto_.HmacSha256(key_, text.Take().view());
}

}  // namespace idkiosk
