#include "app/settings/signing_key.h"

#include <algorithm>
#include <array>

namespace idkiosk {
namespace {

constexpr size_t kLongestName = 64;
// RFC 5480: a sequence of the algorithm (EC public key, P-256) and the bit string of a point, which
// is 0x04 and two numbers of 32 bytes.
constexpr auto kBegin = std::to_array<uint8_t>(
    {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
     0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04});
constexpr size_t kPoint = 64;

}  // namespace

bool IsFleetName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::optional<SigningKey> ParseSigningKey(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos || !IsFleetName(text.substr(0, space))) return std::nullopt;
  auto der = FromBase64(text.substr(space + 1));
  if (!der || der->size() != kBegin.size() + kPoint) return std::nullopt;
  if (!std::equal(kBegin.begin(), kBegin.end(), der->begin())) return std::nullopt;
  return SigningKey{std::string(text.substr(0, space)), std::move(*der)};
}

}  // namespace idkiosk
