#ifndef IDKIOSK_PLATFORM_BASE_TEXT_TRIMMED_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_TRIMMED_H_

#include <string_view>

namespace idkiosk {

// Returns the text without what stands before and behind it: blanks and tabs, as spreadsheets leave
// them, or the bytes of `blanks`.
[[nodiscard]] constexpr std::string_view Trimmed(std::string_view text,
                                                 std::string_view blanks = " \t") {
  const size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_TRIMMED_H_
