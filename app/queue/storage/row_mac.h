#ifndef IDKIOSK_APP_QUEUE_STORAGE_ROW_MAC_H_
#define IDKIOSK_APP_QUEUE_STORAGE_ROW_MAC_H_

#include <optional>
#include <string_view>

#include "platform/api/crypto.h"

namespace idkiosk {

// The HMAC of a stored row: every column goes in with its length, in a fixed order, behind the
// name of its table.
class RowMac {
 public:
  explicit RowMac(std::string_view table) { Add(table); }

  RowMac& Add(ByteSpan column) {
    AppendUint64(text_, column.size());
    text_.insert(text_.end(), column.begin(), column.end());
    return *this;
  }
  RowMac& Add(std::string_view column) { return Add(AsBytes(column)); }
  RowMac& Add(int64_t column) {
    AppendUint64(text_, static_cast<uint64_t>(column));
    return *this;
  }
  RowMac& Add(const std::optional<int64_t>& column) {
    return Add(static_cast<int64_t>(column.has_value())).Add(column.value_or(0));
  }

  [[nodiscard]] Crypto::Digest Of(const Crypto& crypto, const SecretBytes& key) const {
    return crypto.HmacSha256(key, text_);
  }

 private:
  Bytes text_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_ROW_MAC_H_
