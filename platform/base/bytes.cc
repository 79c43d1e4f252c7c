#include "platform/base/bytes.h"

#include <array>

namespace idkiosk {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xff;

constexpr std::array<uint8_t, 256> kBase64Values = [] {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kBase64Digits.size(); ++i) {
    values[static_cast<uint8_t>(kBase64Digits[i])] = static_cast<uint8_t>(i);
  }
  return values;
}();

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

template <size_t kSize>
uint64_t ReadBigEndian(std::span<const uint8_t, kSize> bytes) {
  uint64_t value = 0;
  for (uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

}  // namespace

std::string ToHex(ByteSpan bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (uint8_t byte : bytes) {
    text.push_back(kHexDigits[byte >> 4]);
    text.push_back(kHexDigits[byte & 15]);
  }
  return text;
}

Result<Bytes> FromHex(std::string_view text) {
  if (text.size() % 2 != 0) return Fail(ErrorCode::kInvalid, "hexadecimal text of odd length");
  Bytes bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int high = HexValue(text[2 * i]);
    const int low = HexValue(text[2 * i + 1]);
    if (high < 0 || low < 0) return Fail(ErrorCode::kInvalid, "not a hexadecimal digit");
    bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return bytes;
}

void Base64Encode(ByteSpan bytes, std::span<char> out) {
  size_t in = 0;
  size_t to = 0;
  for (; in + 3 <= bytes.size(); in += 3) {
    const uint32_t group = static_cast<uint32_t>(bytes[in]) << 16 |
                           static_cast<uint32_t>(bytes[in + 1]) << 8 | bytes[in + 2];
    out[to++] = kBase64Digits[group >> 18];
    out[to++] = kBase64Digits[group >> 12 & 63];
    out[to++] = kBase64Digits[group >> 6 & 63];
    out[to++] = kBase64Digits[group & 63];
  }
  const size_t rest = bytes.size() - in;
  if (rest == 0) return;
  const uint32_t group = static_cast<uint32_t>(bytes[in]) << 16 |
                         (rest == 2 ? static_cast<uint32_t>(bytes[in + 1]) << 8 : 0U);
  out[to++] = kBase64Digits[group >> 18];
  out[to++] = kBase64Digits[group >> 12 & 63];
  out[to++] = rest == 2 ? kBase64Digits[group >> 6 & 63] : '=';
  out[to] = '=';
}

std::string ToBase64(ByteSpan bytes) {
  std::string text(Base64Size(bytes.size()), '\0');
  Base64Encode(bytes, text);
  return text;
}

Result<Bytes> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return Fail(ErrorCode::kInvalid, "base64 text is cut short");
  size_t digits = text.size();
  while (digits > 0 && text.size() - digits < 2 && text[digits - 1] == '=') --digits;
  Bytes bytes;
  bytes.reserve(digits * 3 / 4);
  uint32_t group = 0;
  int bits = 0;
  for (char c : text.substr(0, digits)) {
    const uint8_t value = kBase64Values[static_cast<uint8_t>(c)];
    if (value == kNoDigit) return Fail(ErrorCode::kInvalid, "not a base64 character");
    group = group << 6 | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<uint8_t>(group >> bits));
    group &= (1U << bits) - 1;
  }
  if (group != 0) return Fail(ErrorCode::kInvalid, "base64 text ends in stray bits");
  return bytes;
}

void AppendUint32(Bytes& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

void AppendUint64(Bytes& out, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

uint32_t ReadUint32(std::span<const uint8_t, 4> bytes) {
  return static_cast<uint32_t>(ReadBigEndian(bytes));
}

uint64_t ReadUint64(std::span<const uint8_t, 8> bytes) { return ReadBigEndian(bytes); }

}  // namespace idkiosk
