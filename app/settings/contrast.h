#ifndef IDKIOSK_APP_SETTINGS_CONTRAST_H_
#define IDKIOSK_APP_SETTINGS_CONTRAST_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace idkiosk {

// A colour of the page, as sRGB.
struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  bool operator==(const Colour&) const = default;
};
inline constexpr Colour kWhite{255, 255, 255};
inline constexpr Colour kBlack{0, 0, 0};

// "#0b5d3b", in either case; nothing for any other text.
[[nodiscard]] std::optional<Colour> ParseColour(std::string_view text);

// WCAG 2.2's contrast ratio: 1 (the same) to 21 (black on white), whichever is the ink.
[[nodiscard]] double ContrastRatio(Colour a, Colour b);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CONTRAST_H_
