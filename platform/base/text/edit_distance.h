#ifndef IDKIOSK_PLATFORM_BASE_TEXT_EDIT_DISTANCE_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_EDIT_DISTANCE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace idkiosk {

// Returns how many letters must be left out, added, changed or exchanged with their neighbour to
// make `b` of `a` (optimal string alignment). Takes time by the product of both lengths.
[[nodiscard]] size_t EditDistance(std::string_view a, std::string_view b);

// Returns the word that a mistyped one was probably meant to be; empty if none is near.
[[nodiscard]] std::string NearestWord(std::string_view mistyped,
                                      const std::vector<std::string>& words);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_EDIT_DISTANCE_H_
