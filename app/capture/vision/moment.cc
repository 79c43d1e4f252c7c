#include "app/capture/vision/moment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <optional>

namespace idkiosk {
namespace {

// A place in a picture, or a turn that enlarges: x + iy.
using Plane = std::complex<double>;

constexpr int kCells = 88;         // on each side of the square
constexpr int kMargin = 10;        // of it that only the other picture may need, on each side
constexpr double kEyesApart = 15;  // cells from eye to eye
constexpr float kNoPicture = -1;   // a cell outside of the picture
constexpr double kDeviation = 40;  // that cells are brought to
constexpr uint8_t kClipped = 250;  // lighter pixels have lost what they showed

// The face, in cells around the middle, and the parts of it that are compared.
constexpr int kFaceLeft = -18, kFaceTop = -16, kFaceSide = 36, kParts = 6;
constexpr int kFewestCells = 10;  // of a part

// A picture again, mirrored, turned by 15 degrees, cut by a tenth, enlarged by a third, made
// smaller, darker or lighter, blurred, in noise or at quality 40: at most 2.8, on three photographs
// and the drawn sitter in three tones. Frames of somebody who keeps still: 1.7. What a person is
// asked for: 8 and more; closed eyes 4.4, a turn by 5 degrees 5.1.
constexpr double kSame = 3.5;

constexpr double kMiddle = (kCells - 1) / 2.0;

// Where the landmarks of a face that looks straight ahead are, in cells from the square's middle.
constexpr std::array<std::array<double, 2>, 5> kPlaces = {
    {{-0.5, -0.45}, {0.5, -0.45}, {0, 0.12}, {-0.42, 0.62}, {0.42, 0.62}}};

Plane At(Point point) { return {point.x, point.y}; }

// From cells around the middle to the picture's pixels: place = offset + turn * cell.
struct Similarity {
  Plane turn, offset;
};

// Returns the one that fits the landmarks best.
Similarity FitLandmarks(const Face& face) {
  Plane to_mean, from_mean, product;
  double squares = 0;
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    to_mean += At(face.landmarks[i]) / double{kPlaces.size()};
    from_mean += kEyesApart * Plane(kPlaces[i][0], kPlaces[i][1]) / double{kPlaces.size()};
  }
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    const Plane from = kEyesApart * Plane(kPlaces[i][0], kPlaces[i][1]) - from_mean;
    product += (At(face.landmarks[i]) - to_mean) * std::conj(from);
    squares += std::norm(from);
  }
  const Plane turn = product / squares;
  return {turn, to_mean - turn * from_mean};
}

Similarity FitBox(const Box& box) {
  constexpr double kBoxInEyes = 2.1;  // how wide a box is
  return {box.width / (kBoxInEyes * kEyesApart), At(box.centre())};
}

// Returns kNoPicture where light has clipped it.
std::vector<float> LumaOf(const Picture& picture) {
  std::vector<float> luma;
  luma.reserve(static_cast<size_t>(picture.width()) * static_cast<size_t>(picture.height()));
  for (int y = 0; y < picture.height(); ++y) {
    const uint8_t* bgr = picture.row(y);
    for (int x = 0; x < picture.width(); ++x, bgr += 3) {
      const bool clipped = std::max({bgr[0], bgr[1], bgr[2]}) > kClipped;
      luma.push_back(clipped ? kNoPicture : 0.114F * bgr[0] + 0.587F * bgr[1] + 0.299F * bgr[2]);
    }
  }
  return luma;
}

// Returns the value between the four around a place, kNoPicture outside.
float Between(const float* values, int width, int height, Plane place) {
  const double left = std::floor(place.real()), top = std::floor(place.imag());
  if (!(left >= 0 && top >= 0 && left < width - 1 && top < height - 1)) return kNoPicture;
  const auto x = static_cast<float>(place.real() - left),
             y = static_cast<float>(place.imag() - top);
  const float* const at = values + static_cast<ptrdiff_t>(top) * width + static_cast<int>(left);
  const float a = at[0], b = at[1], c = at[width], d = at[width + 1];
  if (std::min({a, b, c, d}) < 0) return kNoPicture;
  return (a * (1 - x) + b * x) * (1 - y) + (c * (1 - x) + d * x) * y;
}

std::vector<float> Mirrored(const std::vector<float>& cells) {
  std::vector<float> mirrored = cells;
  for (auto row = mirrored.begin(); row != mirrored.end(); row += kCells) {
    std::reverse(row, row + kCells);
  }
  return mirrored;
}

// So that what is finer than a cell, and differs with where cells begin, does not count.
void Blur(std::vector<float>& cells) {
  constexpr std::array<float, 5> kWeights = {1 / 16.0F, 4 / 16.0F, 6 / 16.0F, 4 / 16.0F, 1 / 16.0F};
  for (const int stride : {1, kCells}) {
    const std::vector<float> from = cells;
    for (int at = 0; at < kCells * kCells; ++at) {
      const int along = stride == 1 ? at % kCells : at / kCells;
      float& cell = cells[static_cast<size_t>(at)];
      cell = along < 2 || along >= kCells - 2 ? kNoPicture : 0;
      for (int i = 0; i < 5 && cell >= 0; ++i) {
        const float value = from[static_cast<size_t>(at + (i - 2) * stride)];
        cell = value < 0 ? kNoPicture : cell + kWeights[static_cast<size_t>(i)] * value;
      }
    }
  }
}

}  // namespace

Moment::Moment(const Picture& picture, const Face& face) {
  const Similarity to = face.has_landmarks ? FitLandmarks(face) : FitBox(face.box);
  const std::vector<float> luma = LumaOf(picture);
  // A cell is the mean of places no further apart than a pixel.
  const int steps = std::clamp(static_cast<int>(std::ceil(std::abs(to.turn))), 1, 16);
  cells_.assign(static_cast<size_t>(kCells) * kCells, kNoPicture);
  for (int row = 0; row < kCells; ++row) {
    for (int column = 0; column < kCells; ++column) {
      float sum = 0;
      bool whole = true;
      for (int step = 0; step < steps * steps && whole; ++step) {
        const int across = step % steps;
        const int down = step / steps;
        const Plane inside((across + 0.5) / steps - 0.5, (down + 0.5) / steps - 0.5);
        const Plane cell = Plane(column - kMiddle, row - kMiddle) + inside;
        const float value =
            Between(luma.data(), picture.width(), picture.height(), to.offset + to.turn * cell);
        whole = value >= 0;
        sum += value;
      }
      if (whole) {
        cells_[static_cast<size_t>(row * kCells + column)] =
            sum / static_cast<float>(steps * steps);
      }
    }
  }
  Blur(cells_);
}

// Brings one square of cells onto another: in each round the small turn, growth and move that make
// the difference smallest, by least squares (Lucas and Kanade).
class MomentFit {
 public:
  MomentFit(const std::vector<float>& still, const std::vector<float>& moved)
      : still_(still), moved_(moved) {}

  // How far apart they are: as a whole, and where the face differs most.
  struct Difference {
    double whole = 255, face = 255;
  };

  // Returns the smallest that was found.
  Difference Run() {
    constexpr int kRounds = 24, kFirstRounds = 8;
    constexpr double kHopeless = 12;
    Difference best;
    for (int round = 0; round < kRounds; ++round) {
      const auto difference = Measure();
      if (!difference) return best;
      if (difference->whole < best.whole) best = *difference;
      if (!Step() || (round > kFirstRounds && best.whole > kHopeless)) return best;
    }
    return best;
  }

 private:
  struct Cell {
    Plane from_middle;
    double still, moved;
    double across, down;  // how the moved one grows to the right and down
  };

  // Gathers the cells that both have, at one mean and one contrast. Returns nothing if they are too
  // few.
  std::optional<Difference> Measure() {
    cells_.clear();
    for (int row = kMargin; row < kCells - kMargin; ++row) {
      for (int column = kMargin; column < kCells - kMargin; ++column) {
        const float still = still_[static_cast<size_t>(row * kCells + column)];
        if (still < 0) continue;
        const Plane from(column - kMiddle, row - kMiddle);
        const Plane to = Plane(kMiddle, kMiddle) + offset_ + turn_ * from;
        const auto at = [&](double x, double y) {
          return Between(moved_.data(), kCells, kCells, to + Plane(x, y));
        };
        const float here = at(0, 0), right = at(1, 0), left = at(-1, 0), below = at(0, 1),
                    above = at(0, -1);
        if (std::min({here, right, left, below, above}) < 0) continue;
        cells_.push_back({from, still, here, (right - left) / 2, (below - above) / 2});
      }
    }
    constexpr int kInner = kCells - 2 * kMargin;
    if (cells_.size() < static_cast<size_t>(kInner) * kInner / 6) return std::nullopt;
    Normalize(&Cell::still);
    const double scale = Normalize(&Cell::moved);
    for (Cell& cell : cells_) {
      cell.across *= scale;
      cell.down *= scale;
    }
    return Compare();
  }

  [[nodiscard]] Difference Compare() const {
    struct Part {
      double sum = 0;
      int count = 0;
    };
    std::array<Part, size_t{kParts} * kParts> parts{};
    double sum = 0;
    for (const Cell& cell : cells_) {
      const double difference = std::abs(cell.still - cell.moved);
      sum += difference;
      constexpr double kPart = double{kFaceSide} / kParts;
      const double x = (cell.from_middle.real() - kFaceLeft) / kPart;
      const double y = (cell.from_middle.imag() - kFaceTop) / kPart;
      if (x < 0 || y < 0 || x >= kParts || y >= kParts) continue;
      Part& part = parts[static_cast<size_t>(y) * kParts + static_cast<size_t>(x)];
      part.sum += difference;
      ++part.count;
    }
    double most = 0;
    for (const Part& part : parts) {
      if (part.count >= kFewestCells) most = std::max(most, part.sum / part.count);
    }
    return {sum / static_cast<double>(cells_.size()), most};
  }

  double Normalize(double Cell::* value) {
    double sum = 0, squares = 0;
    for (const Cell& cell : cells_) sum += cell.*value;
    const double mean = sum / static_cast<double>(cells_.size());
    for (Cell& cell : cells_) {
      cell.*value -= mean;
      squares += cell.*value * cell.*value;
    }
    const double scale =
        kDeviation / std::max(1.0, std::sqrt(squares / static_cast<double>(cells_.size())));
    for (Cell& cell : cells_) cell.*value *= scale;
    return scale;
  }

  // Returns false where nothing more can be won.
  bool Step() {
    // Of growth, turn, and the two moves.
    std::array<std::array<double, 5>, 4> equations{};
    for (const Cell& cell : cells_) {
      const Plane turned = turn_ * cell.from_middle;
      const std::array<double, 4> slopes = {cell.across * turned.real() + cell.down * turned.imag(),
                                            cell.down * turned.real() - cell.across * turned.imag(),
                                            cell.across, cell.down};
      for (size_t i = 0; i < slopes.size(); ++i) {
        for (size_t j = 0; j < slopes.size(); ++j) equations[i][j] += slopes[i] * slopes[j];
        equations[i][4] += slopes[i] * (cell.still - cell.moved);
      }
    }
    const auto change = Solve(equations);
    if (!change) return false;
    const auto [growth, turn, across, down] = *change;
    turn_ *= Plane(1 + growth, turn);
    offset_ += Plane(across, down);
    constexpr double kStill = 0.002;  // cells
    return std::abs(across) + std::abs(down) + kMiddle * (std::abs(growth) + std::abs(turn)) >
           kStill;
  }

  // Gauss, without pivots: the matrix is one of squares.
  static std::optional<std::array<double, 4>> Solve(std::array<std::array<double, 5>, 4> rows) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!(rows[i][i] > 1e-6)) return std::nullopt;
      for (size_t j = 0; j < rows.size(); ++j) {
        if (j == i) continue;
        const double share = rows[j][i] / rows[i][i];
        for (size_t k = i; k < rows[j].size(); ++k) rows[j][k] -= share * rows[i][k];
      }
    }
    std::array<double, 4> solution;
    for (size_t i = 0; i < rows.size(); ++i) solution[i] = rows[i][4] / rows[i][i];
    return solution;
  }

  const std::vector<float>& still_;
  const std::vector<float>& moved_;
  Plane turn_ = 1, offset_ = 0;
  std::vector<Cell> cells_;
};

double Moment::DifferenceFrom(const Moment& other) const {
  if (cells_.empty() || other.cells_.empty()) return 255;
  const std::vector<float> mirrored = Mirrored(other.cells_);
  const auto as_it_is = MomentFit(cells_, other.cells_).Run();
  const auto as_in_a_mirror = MomentFit(cells_, mirrored).Run();
  return (as_it_is.whole < as_in_a_mirror.whole ? as_it_is : as_in_a_mirror).face;
}

bool Moment::IsThatOf(const Moment& other) const { return DifferenceFrom(other) < kSame; }

}  // namespace idkiosk
