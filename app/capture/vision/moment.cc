#include "app/capture/vision/moment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace idkiosk {
namespace {

constexpr float kDeviation = 40;
constexpr double kSameShape = 0.03;  // making a picture smaller rounds its sides

// The same picture again, at its size or half of it and at quality 60 or better: 0.1 to 2.3, on the
// drawn sitter in three tones and on three photographs. The next frame of somebody who keeps still:
// 0.5. Any two of the five pictures of a capture: 4.9 (a smile, and nothing else) and more.
constexpr double kSame = 2.5;

float LumaOf(const uint8_t* bgr) { return 0.114F * bgr[0] + 0.587F * bgr[1] + 0.299F * bgr[2]; }

// To one mean and one contrast: a picture that was made lighter stays the same.
template <size_t kCount>
void Normalize(std::array<float, kCount>& cells) {
  const float mean = std::accumulate(cells.begin(), cells.end(), 0.0F) / kCount;
  float squares = 0;
  for (float& cell : cells) {
    cell -= mean;
    squares += cell * cell;
  }
  const float deviation = std::max(1.0F, std::sqrt(squares / kCount));
  for (float& cell : cells) cell *= kDeviation / deviation;
}

}  // namespace

Moment::Moment(Picture picture, const Box& face) : picture_(std::move(picture)) {
  const auto width = static_cast<float>(picture_.width());
  const auto height = static_cast<float>(picture_.height());
  face_ = {face.x / width, face.y / height, face.width / width, face.height / height};
}

Moment::Cells Moment::CellsAt(const Box& face) const {
  const PictureView picture = picture_.view();
  const auto place = [](float from, float length, int cell, int size) {
    const float share = from + length * static_cast<float>(cell) / kCells;
    return std::clamp(static_cast<int>(std::lround(share * static_cast<float>(size))), 0, size - 1);
  };
  Cells cells{};
  for (int row = 0; row < kCells; ++row) {
    const int top = place(face.y, face.height, row, picture.height);
    const int bottom = std::max(top + 1, place(face.y, face.height, row + 1, picture.height));
    for (int column = 0; column < kCells; ++column) {
      const int left = place(face.x, face.width, column, picture.width);
      const int right = std::max(left + 1, place(face.x, face.width, column + 1, picture.width));
      float sum = 0;
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
          sum += LumaOf(picture.row(y) + static_cast<ptrdiff_t>(3) * x);
        }
      }
      cells[static_cast<size_t>(row * kCells + column)] =
          sum / static_cast<float>((bottom - top) * (right - left));
    }
  }
  Normalize(cells);
  return cells;
}

double Moment::DifferenceFrom(const Moment& other) const {
  const auto shape = [](const Picture& picture) {
    return static_cast<double>(picture.width()) / picture.height();
  };
  if (std::abs(shape(picture_) / shape(other.picture_) - 1) > kSameShape) return 255;
  const Cells here = CellsAt(face_), there = other.CellsAt(face_);
  double sum = 0;
  for (size_t i = 0; i < here.size(); ++i) sum += std::abs(here[i] - there[i]);
  return sum / static_cast<double>(here.size());
}

bool Moment::IsThatOf(const Moment& other) const { return DifferenceFrom(other) < kSame; }

}  // namespace idkiosk
