#include "app/settings/nearest_key.h"

#include <algorithm>
#include <vector>

#include "app/settings/settings_table.h"
#include "platform/base/text/edit_distance.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// Without what people mix up: baseUrl, base-url, Base_URL.
std::string Plain(std::string_view key) {
  std::string plain;
  for (char c : key) {
    if (c == '_' || c == '-' || c == ' ') continue;
    plain.push_back(LowerLetter(c));
  }
  return plain;
}

std::string_view FirstPartOf(std::string_view key) {
  return key.substr(0, std::min(key.find('.'), key.size()));
}

std::string_view LeafOf(std::string_view key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

std::string NearestKey(std::string_view mistaken) {
  std::vector<std::string_view> keys;
  for (const Setting& each : AllSettings()) keys.push_back(each.key);
  return NearestKey(mistaken, keys);
}

std::string NearestKey(std::string_view mistaken, std::span<const std::string_view> keys) {
  constexpr size_t kLongest = 100;  // the distance costs the product of both lengths
  if (mistaken.size() > kLongest) return {};
  const std::string plain = Plain(mistaken);
  const std::string plain_leaf = Plain(LeafOf(mistaken));
  std::string nearest;
  // A third of the letters may be wrong, and of two or more always one.
  const size_t most = std::clamp<size_t>(plain_leaf.size() / 3, plain_leaf.size() > 1 ? 1 : 0, 3);
  size_t smallest = most + 1;
  const auto consider = [&](std::string_view key, size_t distance) {
    if (distance >= smallest) return;
    smallest = distance;
    nearest = key;
  };
  for (const std::string_view key : keys) {
    consider(key, EditDistance(plain, Plain(key)));
    consider(FirstPartOf(key), EditDistance(plain, Plain(FirstPartOf(key))));
    // The right name in the wrong place.
    if (plain_leaf == Plain(LeafOf(key))) consider(key, 1);
  }
  return nearest;
}

}  // namespace idkiosk
