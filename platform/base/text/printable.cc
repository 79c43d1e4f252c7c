#include "platform/base/text/printable.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace idkiosk {
namespace {

// Other line ends, what turns the order of letters round, and what nobody sees.
constexpr std::pair<std::string_view, std::string_view> kUnseen[] = {
    {"\u00ad", "\u00ad"},        {"\u034f", "\u034f"}, {"\u061c", "\u061c"}, {"\u115f", "\u1160"},
    {"\u17b4", "\u17b5"},        {"\u180e", "\u180e"}, {"\u200b", "\u200f"}, {"\u2028", "\u202e"},
    {"\u2060", "\u206f"},        {"\u3164", "\u3164"}, {"\ufeff", "\ufeff"}, {"\uffa0", "\uffa0"},
    {"\U000e0000", "\U000e007f"}};

}  // namespace

size_t Utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool too_large = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool IsControl(std::string_view sequence) {
  const auto first = static_cast<uint8_t>(sequence.front());
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  if (first == 0xc2 && static_cast<uint8_t>(sequence[1]) < 0xa0) return true;
  return std::ranges::any_of(kUnseen, [sequence](const auto& range) {
    return sequence >= range.first && sequence <= range.second;
  });
}

std::string Printable(std::string_view text, std::string_view kept) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const size_t size = Utf8Length(text);
    const std::string_view sequence = text.substr(0, std::max<size_t>(size, 1));
    const bool fits = size > 0 && (!IsControl(sequence) || kept.contains(sequence.front()));
    if (fits) {
      printable += sequence;
    } else {
      printable.push_back('?');
    }
    text.remove_prefix(sequence.size());
  }
  return printable;
}

}  // namespace idkiosk
