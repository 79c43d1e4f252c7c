#include "app/service/secret_writer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace idkiosk {
namespace {

constexpr size_t kFirstCapacity = 1024;
constexpr std::string_view kUpperHex = "0123456789ABCDEF";

bool IsUnreserved(uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

SecretWriter& SecretWriter::Bytes(ByteSpan bytes) {
  if (size_ + bytes.size() > bytes_.size()) {
    SecretBytes larger(std::max({kFirstCapacity, bytes_.size() * 2, size_ + bytes.size()}));
    std::ranges::copy(bytes_.view().first(size_), larger.mutable_view().begin());
    bytes_ = std::move(larger);
  }
  std::ranges::copy(bytes, bytes_.mutable_view().subspan(size_).begin());
  size_ += bytes.size();
  return *this;
}

SecretWriter& SecretWriter::JsonEscaped(ByteSpan text) {
  for (const uint8_t c : text) {
    if (c == '"' || c == '\\') {
      const std::array<uint8_t, 2> escaped = {'\\', c};
      Bytes(escaped);
    } else if (c < 0x20) {
      const std::array<char, 6> escaped = {
          '\\', 'u', '0', '0', kUpperHex[c >> 4], kUpperHex[c & 15]};
      Text({escaped.data(), escaped.size()});
    } else {
      Bytes({&c, 1});
    }
  }
  return *this;
}

SecretWriter& SecretWriter::PercentEncoded(ByteSpan text) {
  for (const uint8_t c : text) {
    if (IsUnreserved(c)) {
      Bytes({&c, 1});
    } else {
      const std::array<char, 3> escaped = {'%', kUpperHex[c >> 4], kUpperHex[c & 15]};
      Text({escaped.data(), escaped.size()});
    }
  }
  return *this;
}

SecretWriter& SecretWriter::Uint32(uint32_t value) {
  const std::array<uint8_t, 4> bytes = {
      static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
      static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
  return Bytes(bytes);
}

SecretBytes SecretWriter::Take() {
  bytes_.Truncate(std::exchange(size_, 0));
  return std::exchange(bytes_, SecretBytes());
}

}  // namespace idkiosk
