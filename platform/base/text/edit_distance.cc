#include "platform/base/text/edit_distance.h"

#include <algorithm>

namespace idkiosk {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                             rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

std::string NearestWord(std::string_view mistyped, const std::vector<std::string>& words) {
  constexpr size_t kLongest = 100;
  if (mistyped.size() > kLongest) return {};
  std::string nearest;
  size_t smallest = std::min<size_t>(2, mistyped.size() / 3) + 1;
  for (const std::string& each : words) {
    const size_t distance = EditDistance(mistyped, each);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = each;
  }
  return nearest;
}

}  // namespace idkiosk
