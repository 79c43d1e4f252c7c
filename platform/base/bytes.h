#ifndef IDKIOSK_PLATFORM_BASE_BYTES_H_
#define IDKIOSK_PLATFORM_BASE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"

namespace idkiosk {

using Bytes = std::vector<uint8_t>;
using ByteSpan = std::span<const uint8_t>;
using MutableByteSpan = std::span<uint8_t>;

inline ByteSpan AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

inline std::string_view AsText(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Lower-case hexadecimal.
[[nodiscard]] std::string ToHex(ByteSpan bytes);

// Errors: kInvalid for an odd length or another character.
[[nodiscard]] Result<Bytes> FromHex(std::string_view text);

// Length of the base64 text (RFC 4648 section 4, with padding) of `size` bytes.
[[nodiscard]] constexpr size_t Base64Size(size_t size) { return (size + 2) / 3 * 4; }

// Writes the base64 text of `bytes` to `out`, which holds at least Base64Size(bytes.size()).
// To encode in pieces, every piece but the last has a length that is a multiple of three.
void Base64Encode(ByteSpan bytes, std::span<char> out);

[[nodiscard]] std::string ToBase64(ByteSpan bytes);

// Errors: kInvalid for a bad character, length or padding.
[[nodiscard]] Result<Bytes> FromBase64(std::string_view text);

// Big endian, for file formats.
void AppendUint32(Bytes& out, uint32_t value);
void AppendUint64(Bytes& out, uint64_t value);
[[nodiscard]] uint32_t ReadUint32(std::span<const uint8_t, 4> bytes);
[[nodiscard]] uint64_t ReadUint64(std::span<const uint8_t, 8> bytes);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_BYTES_H_
