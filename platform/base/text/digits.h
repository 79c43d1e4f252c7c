#ifndef IDKIOSK_PLATFORM_BASE_TEXT_DIGITS_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_DIGITS_H_

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace idkiosk {

// Digits of ASCII, whatever the locale.
[[nodiscard]] constexpr bool IsDigit(char each) { return each >= '0' && each <= '9'; }

// Returns whether there is at least one, and nothing else.
[[nodiscard]] constexpr bool AreDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

// Returns the number that the whole text is; nothing where it is none, or does not fit. Takes a
// minus where Number has one, never a plus, a space or a digit too many.
template <typename Number>
[[nodiscard]] std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_DIGITS_H_
