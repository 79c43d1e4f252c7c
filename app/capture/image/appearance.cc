#include "app/capture/image/appearance.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace idkiosk {

Appearance::Appearance(const PictureView& picture) {
  std::array<std::array<int, 4>, kColumns * kRows> sums{};  // three colours and their number
  for (int y = 0; y < picture.height; ++y) {
    const int row = y * kRows / picture.height;
    const uint8_t* pixel = picture.row(y);
    for (int x = 0; x < picture.width; ++x, pixel += 3) {
      auto& sum = sums[static_cast<size_t>(row * kColumns + x * kColumns / picture.width)];
      for (size_t channel = 0; channel < 3; ++channel) sum[channel] += pixel[channel];
      ++sum[3];
    }
  }
  for (size_t i = 0; i < cells_.size(); ++i) {
    for (size_t channel = 0; channel < 3; ++channel) {
      cells_[i][channel] = static_cast<uint8_t>(sums[i][channel] / std::max(sums[i][3], 1));
    }
  }
}

double Appearance::DifferenceFrom(const Appearance& other) const {
  std::array<int, kColumns * kRows> differences;
  for (size_t i = 0; i < cells_.size(); ++i) {
    differences[i] = 0;
    for (size_t channel = 0; channel < 3; ++channel) {
      differences[i] += std::abs(cells_[i][channel] - other.cells_[i][channel]);
    }
  }
  constexpr int kMost = kColumns * kRows / 8;
  std::ranges::partial_sort(differences, differences.begin() + kMost, std::greater());
  return std::accumulate(differences.begin(), differences.begin() + kMost, 0) / (3.0 * kMost);
}

}  // namespace idkiosk
