#ifndef IDKIOSK_PLATFORM_BASE_TEXT_LETTER_CASE_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_LETTER_CASE_H_

#include <string>
#include <string_view>

// Small and capital letters of ASCII, whatever the locale. Every other byte stays as it is, those
// of UTF-8 too.
namespace idkiosk {

[[nodiscard]] bool IsLetter(char each);

[[nodiscard]] char LowerLetter(char letter);

// Returns the text in small letters.
[[nodiscard]] std::string LowerCase(std::string_view text);

// Returns the text in capital letters.
[[nodiscard]] std::string UpperCase(std::string_view text);

// Returns whether both are the same but for small and capital letters.
[[nodiscard]] bool EqualsIgnoringCase(std::string_view one, std::string_view other);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_LETTER_CASE_H_
