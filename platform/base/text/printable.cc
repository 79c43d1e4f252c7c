#include "platform/base/text/printable.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace idkiosk {
namespace {

// The bytes of the UTF-8 sequence that the text begins with; 0: it begins with none.
size_t SequenceSize(std::string_view text) {
  const auto first = static_cast<uint8_t>(text.front());
  const size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size == 0 || first > 0xf4 || text.size() < size) return 0;
  const bool whole = std::ranges::all_of(
      text.substr(1, size - 1), [](char c) { return (static_cast<uint8_t>(c) & 0xc0U) == 0x80; });
  return whole ? size : 0;
}

// Other line ends, what turns the order of letters round, and what nobody sees.
constexpr std::pair<std::string_view, std::string_view> kUnseen[] = {
    {"\u00ad", "\u00ad"}, {"\u061c", "\u061c"}, {"\u180e", "\u180e"},
    {"\u200b", "\u200f"}, {"\u2028", "\u202e"}, {"\u2060", "\u2064"},
    {"\u2066", "\u2069"}, {"\ufeff", "\ufeff"}, {"\U000e0000", "\U000e007f"}};

}  // namespace

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
    const size_t size = SequenceSize(text);
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
