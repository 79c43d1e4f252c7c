#ifndef IDKIOSK_APP_SETTINGS_CONTRAST_H_
#define IDKIOSK_APP_SETTINGS_CONTRAST_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace idkiosk {

// A colour of the kiosk's screen, as sRGB.
struct ScreenColour {
  uint8_t red = 255, green = 255, blue = 255;
  bool operator==(const ScreenColour&) const = default;
};
inline constexpr ScreenColour kWhiteScreen;
inline constexpr ScreenColour kBlackScreen{0, 0, 0};

// "#0b5d3b", in either case; nothing for any other text.
[[nodiscard]] std::optional<ScreenColour> ParseColour(std::string_view text);

// The light of a screen whose red, green or blue has this value: 0 (none) to 1.
[[nodiscard]] double LinearLight(uint8_t value);

// WCAG 2.2's contrast ratio: 1 (the same) to 21 (black on white), whichever is the ink.
[[nodiscard]] double ContrastRatio(const ScreenColour& a, const ScreenColour& b);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CONTRAST_H_
