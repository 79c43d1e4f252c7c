#include "app/capture/vision/occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace idkiosk {
namespace {

// The colour of a patch: its luma, and two ratios that do not change with the light's strength.
struct Tone {
  double luma = 0;
  double red = 0;   // ln(red / green)
  double blue = 0;  // ln(blue / green)
};

double ChromaDistance(const Tone& a, const Tone& b) {
  return std::hypot(a.red - b.red, a.blue - b.blue);
}

double LumaRatio(const Tone& a, const Tone& b) { return std::log((a.luma + 4) / (b.luma + 4)); }

// MediaPipe's numbers. Skin between the eyes, below them and above the nose; what a mask covers and
// a beard does not: beside the nose, and its tip; the lips, and the skin around them.
constexpr std::array<size_t, 11> kUpperSkin = {9, 8, 107, 336, 6, 122, 351, 119, 348, 118, 347};
constexpr std::array<size_t, 5> kLowerSkin = {205, 425, 4, 203, 423};
constexpr std::array<size_t, 6> kUpperLip = {0, 37, 267, 11, 72, 302};
constexpr std::array<size_t, 6> kLowerLip = {17, 84, 314, 16, 85, 315};
constexpr std::array<size_t, 8> kAroundLips = {164, 167, 393, 18, 83, 313, 206, 426};

struct Eye {
  size_t outer, inner, upper, lower, cheek, brow;
};
constexpr std::array kEyes = {Eye{33, 133, 159, 145, 50, 105}, Eye{263, 362, 386, 374, 280, 334}};

// The limits of each sign, found on some 40 people and 8 drawn ones, bare and covered in 30 ways.
constexpr double kMostMaskChroma = 0.14;  // 95 % of bare faces: at most 0.07; masks of a colour 0.2
constexpr double kMostMaskLuma = 0.5;     // bare 0.09; black masks 0.5 and more
constexpr double kLeastLips = 0.017;      // bare: at least 0.018; masks and most hands 0.01
constexpr double kLeastLipsGrey = 0.06;   // the same where there are no colours, of luma
constexpr double kGrey = 0.06;            // the chroma of skin in a picture without colours
constexpr double kLeastEye = 0.09;        // bare 0.1 and more; closed and covered at most 0.08
constexpr double kDarkLens = 0.6;         // bare 0.28; dark glasses 0.5 to 2.5
constexpr double kLensChroma = 0.45;      // bare 0.2; mirrors 0.5

// Reads colours of the upright picture.
class Patches {
 public:
  explicit Patches(const MeshObservation& mesh) : picture_(mesh.upright), at_(mesh.in_upright) {}

  // Returns the mean colour of a square, `radius` pixels around the place.
  [[nodiscard]] Tone Around(const Point& place, int radius) const {
    const int x = static_cast<int>(std::lround(place.x));
    const int y = static_cast<int>(std::lround(place.y));
    std::array<double, 3> sum{};
    int count = 0;
    for (int row = std::max(0, y - radius); row <= std::min(picture_.height - 1, y + radius);
         ++row) {
      for (int column = std::max(0, x - radius); column <= std::min(picture_.width - 1, x + radius);
           ++column, ++count) {
        const uint8_t* const bgr = picture_.row(row) + ptrdiff_t{3} * column;
        for (size_t c = 0; c < 3; ++c) sum[c] += bgr[c];
      }
    }
    for (double& each : sum) each /= std::max(count, 1);
    constexpr double kFloor = 6;  // below it a camera's noise has any colour
    const double green = std::log(sum[1] + kFloor);
    return {0.114 * sum[0] + 0.587 * sum[1] + 0.299 * sum[2], std::log(sum[2] + kFloor) - green,
            std::log(sum[0] + kFloor) - green};
  }
  [[nodiscard]] Tone Around(size_t point, int radius) const { return Around(at_[point], radius); }

  // Returns the place at that share of the way from `a` to `b`.
  [[nodiscard]] Point Between(size_t a, size_t b, double share) const {
    const auto s = static_cast<float>(share);
    return {at_[a].x + (at_[b].x - at_[a].x) * s, at_[a].y + (at_[b].y - at_[a].y) * s};
  }

  // Returns the medians of luma, red and blue.
  template <size_t count>
  [[nodiscard]] Tone Median(const std::array<size_t, count>& points, int radius) const {
    std::array<Tone, count> tones;
    for (size_t i = 0; i < count; ++i) tones[i] = Around(points[i], radius);
    const auto middle = [&](double Tone::* part) {
      std::ranges::nth_element(tones, tones.begin() + count / 2, {}, part);
      return tones[count / 2].*part;
    };
    return {middle(&Tone::luma), middle(&Tone::red), middle(&Tone::blue)};
  }

 private:
  const PictureView picture_;
  const MeshObservation::Points& at_;
};

// Returns 1 and more for a mouth that is seen: nothing of another colour than skin's covers the
// lower face, and the lips differ from what is around them.
double MouthSeen(const Patches& patches, const Tone& skin) {
  double chroma = 9, luma = 9;  // of the part that is most like skin: a cheek may lie in the shade
  for (size_t each : kLowerSkin) {
    const Tone tone = patches.Around(each, 3);
    chroma = std::min(chroma, ChromaDistance(tone, skin));
    luma = std::min(luma, std::abs(LumaRatio(tone, skin)));
  }
  const Tone upper = patches.Median(kUpperLip, 1), lower = patches.Median(kLowerLip, 1);
  const Tone around = patches.Median(kAroundLips, 2);
  double lips = std::max(ChromaDistance(upper, around), ChromaDistance(lower, around)) / kLeastLips;
  if (std::hypot(skin.red, skin.blue) < kGrey) {
    lips = std::max(std::abs(LumaRatio(upper, around)), std::abs(LumaRatio(lower, around))) /
           kLeastLipsGrey;
  }
  return std::min(
      {lips, kMostMaskChroma / std::max(chroma, 1e-3), kMostMaskLuma / std::max(luma, 1e-3)});
}

// Returns how far the iris is darker than the white, over the cheek's luma. Each step along the eye
// is taken over its height, where lashes upon each other are little; a lamp's reflection is shorter
// than a white.
double Contrast(const Patches& patches, const Eye& eye, const Tone& cheek) {
  constexpr size_t kSteps = 20, kDarkest = 1, kWhite = 15;
  const Point lids = patches.Between(eye.upper, eye.lower, 0.5);
  std::array<double, kSteps> lumas{};
  for (size_t step = 0; step < kSteps; ++step) {
    const Point corners =
        patches.Between(eye.outer, eye.inner, 0.12 + 0.04 * static_cast<double>(step));
    const Point middle{corners.x, (corners.y + lids.y) / 2};
    for (float down : {-2.0F, 0.0F, 2.0F}) {
      lumas[step] += patches.Around({middle.x, middle.y + down}, 1).luma / 3;
    }
  }
  std::ranges::sort(lumas);
  return (lumas[kWhite] - lumas[kDarkest]) / (cheek.luma + 4);
}

// Returns 1 and more for an eye that is seen: white and iris differ, and the lids are as bright as
// the cheek and of its colour.
double EyeSeen(const Patches& patches, const Eye& eye) {
  const Tone cheek = patches.Around(eye.cheek, 4);
  const Tone below = patches.Around(patches.Between(eye.lower, eye.cheek, 0.25), 2);
  const Tone above = patches.Around(patches.Between(eye.upper, eye.brow, 0.45), 2);
  const double dark = -std::max(LumaRatio(below, cheek), LumaRatio(above, cheek));
  const double chroma = std::max(ChromaDistance(below, cheek), ChromaDistance(above, cheek));
  return std::min({Contrast(patches, eye, cheek) / kLeastEye, kDarkLens / std::max(dark, 1e-3),
                   kLensChroma / std::max(chroma, 1e-3)});
}

}  // namespace

void MeasureCovers(const MeshObservation& mesh, FaceParts& parts) {
  const Patches patches(mesh);
  const Tone skin = patches.Median(kUpperSkin, 3);
  parts.mouth_seen = MouthSeen(patches, skin);
  parts.eyes_seen = std::min(EyeSeen(patches, kEyes[0]), EyeSeen(patches, kEyes[1]));
  parts.skin_red = skin.red;
  parts.skin_blue = skin.blue;
}

}  // namespace idkiosk
