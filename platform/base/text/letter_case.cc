#include "platform/base/text/letter_case.h"

#include <algorithm>

namespace idkiosk {

bool IsLetter(char each) { return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z'); }

char LowerLetter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), &LowerLetter);
  return lower;
}

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return upper;
}

bool EqualsIgnoringCase(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, &LowerLetter, &LowerLetter);
}

}  // namespace idkiosk
