#ifndef IDKIOSK_PLATFORM_BASE_TEXT_PRINTABLE_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace idkiosk {

// Returns the text with a '?' for each control character but those of `kept`, so that what comes
// from outside neither moves the cursor nor ends a line of a terminal or a log. Control characters
// are those of ASCII, U+0080 to U+009F (in UTF-8, or as single bytes outside of it), those that end
// lines or turn the order of letters round (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to
// U+2069), and those that nobody sees (U+00AD, U+034F, U+115F, U+1160, U+17B4, U+17B5, U+180E,
// U+200B to U+200D, U+2060 to U+206F, U+3164, U+FEFF, U+FFA0, U+E0000 to U+E007F).
[[nodiscard]] std::string Printable(std::string_view text, std::string_view kept = {});

// Returns whether one character, given as its whole sequence of UTF-8, is one of those.
[[nodiscard]] bool IsControl(std::string_view sequence);

// Returns how many bytes the UTF-8 sequence has that the text begins with: 1 to 4; 0 if none.
[[nodiscard]] size_t Utf8Length(std::string_view text);

// Returns whether all of the text is UTF-8, with controls or without.
[[nodiscard]] bool IsUtf8(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_PRINTABLE_H_
