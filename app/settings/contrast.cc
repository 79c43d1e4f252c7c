#include "app/settings/contrast.h"

#include <algorithm>
#include <cmath>

#include "platform/base/bytes.h"

namespace idkiosk {
namespace {

// WCAG 2.2, "relative luminance".
double Luminance(const ScreenColour& colour) {
  return 0.2126 * LinearLight(colour.red) + 0.7152 * LinearLight(colour.green) +
         0.0722 * LinearLight(colour.blue);
}

}  // namespace

double LinearLight(uint8_t value) {
  const double part = value / 255.0;
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

std::optional<ScreenColour> ParseColour(std::string_view text) {
  constexpr size_t kBytes = 3;
  if (!text.starts_with('#')) return std::nullopt;
  const auto bytes = FromHex(text.substr(1));
  if (!bytes || bytes->size() != kBytes) return std::nullopt;
  return ScreenColour{(*bytes)[0], (*bytes)[1], (*bytes)[2]};
}

double ContrastRatio(const ScreenColour& a, const ScreenColour& b) {
  const auto [darker, lighter] = std::minmax({Luminance(a), Luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

}  // namespace idkiosk
