#include "drivers/printer/latin_letters.h"

#include <algorithm>
#include <cstdint>

namespace idkiosk {
namespace {

constexpr char32_t kBroken = 0xFFFD;

// The next code point; kBroken, and one byte further, where the bytes are no UTF-8.
char32_t TakeCodePoint(std::string_view& text) {
  const auto first = static_cast<uint8_t>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || text.size() < static_cast<size_t>(more)) return kBroken;
  char32_t code = first & (0x3FU >> more);
  for (int i = 0; i < more; ++i) {
    const auto next = static_cast<uint8_t>(text[static_cast<size_t>(i)]);
    if ((next & 0xC0) != 0x80) return kBroken;
    code = code << 6 | (next & 0x3FU);
  }
  text.remove_prefix(static_cast<size_t>(more));
  return code;
}

struct Letter {
  char32_t code;
  char byte;
};

// What of Windows-1252 is not where Unicode has it, as far as it is a letter or a mark.
constexpr Letter kMoved[] = {
    {0x20AC, '\x80'}, {0x2018, '\x91'}, {0x2019, '\x92'}, {0x201C, '\x93'}, {0x201D, '\x94'},
    {0x2013, '\x96'}, {0x2014, '\x97'}, {0x2026, '\x85'}, {0x0152, '\x8C'}, {0x0153, '\x9C'},
};

// What it does not have, by the letter that stays.
constexpr Letter kNearest[] = {
    {0x0253, 'b'}, {0x0181, 'B'}, {0x0257, 'd'}, {0x018A, 'D'}, {0x0199, 'k'}, {0x0198, 'K'},
    {0x01B4, 'y'}, {0x01B3, 'Y'}, {0x1EB9, 'e'}, {0x1EB8, 'E'}, {0x1ECD, 'o'}, {0x1ECC, 'O'},
    {0x1E63, 's'}, {0x1E62, 'S'}, {0x1ECB, 'i'}, {0x1ECA, 'I'}, {0x1EE5, 'u'}, {0x1EE4, 'U'},
    {0x1E45, 'n'}, {0x1E44, 'N'}, {0x0144, 'n'}, {0x0143, 'N'}, {0x01F9, 'n'}, {0x01F8, 'N'},
    {0x1E3F, 'm'}, {0x1E3E, 'M'}, {0x0101, 'a'}, {0x0100, 'A'}, {0x0113, 'e'}, {0x0112, 'E'},
    {0x012B, 'i'}, {0x012A, 'I'}, {0x014D, 'o'}, {0x014C, 'O'}, {0x016B, 'u'}, {0x016A, 'U'},
    {0x20A6, 'N'}, {0x202F, ' '}, {0x2011, '-'},
};

constexpr bool IsCombiningMark(char32_t code) { return code >= 0x0300 && code <= 0x036F; }

}  // namespace

std::string ToWindows1252(std::string_view utf8) {
  std::string text;
  while (!utf8.empty()) {
    const char32_t code = TakeCodePoint(utf8);
    const auto* const moved = std::ranges::find(kMoved, code, &Letter::code);
    const auto* const nearest = std::ranges::find(kNearest, code, &Letter::code);
    if (code < 0x20 || code == 0x7F || IsCombiningMark(code)) continue;
    if (code < 0x7F || (code >= 0xA0 && code <= 0xFF)) {
      text.push_back(static_cast<char>(code));
    } else if (moved != std::end(kMoved)) {
      text.push_back(moved->byte);
    } else {
      text.push_back(nearest == std::end(kNearest) ? '?' : nearest->byte);
    }
  }
  return text;
}

}  // namespace idkiosk
