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

// Returns the place at that share of the way from `a` to `b`.
Point Between(const Point& a, const Point& b, double share) {
  const auto s = static_cast<float>(share);
  return {a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s};
}

// MediaPipe's numbers. Skin between the eyes, below them and above the nose; what a mask covers and
// a beard does not: beside the nose, and its tip; the lips, and the skin around them.
constexpr std::array<size_t, 11> kUpperSkin = {9, 8, 107, 336, 6, 122, 351, 119, 348, 118, 347};
constexpr std::array<size_t, 5> kLowerSkin = {205, 425, 4, 203, 423};
constexpr std::array<size_t, 6> kUpperLip = {0, 37, 267, 11, 72, 302};
constexpr std::array<size_t, 6> kLowerLip = {17, 84, 314, 16, 85, 315};
constexpr std::array<size_t, 8> kAroundLips = {164, 167, 393, 18, 83, 313, 206, 426};

struct Eye {
  size_t outer, inner, upper, lower, cheek, brow;
  std::array<size_t, 7> upper_lid, lower_lid;  // from the outer corner to the inner one
};
constexpr std::array kEyes = {Eye{33,
                                  133,
                                  159,
                                  145,
                                  50,
                                  105,
                                  {246, 161, 160, 159, 158, 157, 173},
                                  {7, 163, 144, 145, 153, 154, 155}},
                              Eye{263,
                                  362,
                                  386,
                                  374,
                                  280,
                                  334,
                                  {466, 388, 387, 386, 385, 384, 398},
                                  {249, 390, 373, 374, 380, 381, 382}}};

// The limits of each sign, found on some 140 people of all tones and 8 drawn ones, bare and covered
// in 30 ways.
constexpr double kMostMaskChroma = 0.12;  // 99.7 % of bare faces: at most 0.115; coloured masks 0.2
constexpr double kMostMaskLuma = 0.35;    // bare: at most 0.31; black masks 0.47 and more
constexpr double kLeastLips = 0.025;      // bare faces: 0.036; masks 0.01, 9 of 10 hands 0.024
constexpr double kLeastLipsGrey = 0.013;  // the same where there are no colours, of luma
constexpr double kGrey = 0.06;            // the chroma of skin in a picture without colours
constexpr double kDarkLens = 0.8;         // in the shade of brows 0.65; dark glasses 0.86 to 2.5
constexpr double kLensChroma = 0.6;       // made up or in the shade 0.48; mirrors 0.5 and more
// The contrast of both eyes: 1 % of bare faces have less, and 85 % of eyes that are closed or
// behind a hand.
constexpr double kLeastEyes = 0.068;
// The part of an eye with the least colour, over the skin's: bare faces at most 0.92, a hand before
// the eyes 0.94 and more. Pale skin in a cold light has so little that nothing is said.
constexpr double kMostWhite = 0.93, kColouredSkin = 0.12;
constexpr double kIrisWeight = 2, kMostIris = 0.3;
constexpr double kBrightSkin = 117;  // luma

// Below it a camera's noise has any colour. It draws the two ratios of what is dark to zero.
constexpr double kFloor = 6;

// Returns the same colour in the light that makes its luma that.
Tone InLight(const Tone& tone, double luma) {
  const double red = std::exp(tone.red), blue = std::exp(tone.blue);
  const double green = (tone.luma + kFloor) / (0.114 * blue + 0.587 + 0.299 * red);
  const double light = luma / std::max(tone.luma, 1.0);
  const auto log_of = [light](double floored) {
    return std::log(std::max(floored - kFloor, 0.0) * light + kFloor);
  };
  return {luma, log_of(red * green) - log_of(green), log_of(blue * green) - log_of(green)};
}

// Returns how far the colour of `tone` is from that of `skin` in the same light.
double ColourDistance(const Tone& tone, const Tone& skin) {
  return ChromaDistance(tone, InLight(skin, tone.luma));
}

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
    const double green = std::log(sum[1] + kFloor);
    return {0.114 * sum[0] + 0.587 * sum[1] + 0.299 * sum[2], std::log(sum[2] + kFloor) - green,
            std::log(sum[0] + kFloor) - green};
  }
  [[nodiscard]] Tone Around(size_t point, int radius) const { return Around(at_[point], radius); }

  [[nodiscard]] Point Between(size_t a, size_t b, double share) const {
    return idkiosk::Between(at_[a], at_[b], share);
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
  const Tone around = patches.Median(kAroundLips, 2);
  double lips = 0;
  if (std::hypot(skin.red, skin.blue) >= kGrey) {
    // Light and shade of one colour, such as of a dark hand's fingers, are no lips. A JPEG keeps
    // few of the colours between such stripes, so that each patch has the size of a lip.
    const Tone upper = patches.Median(kUpperLip, 3), lower = patches.Median(kLowerLip, 3);
    lips = std::max(ColourDistance(upper, around), ColourDistance(lower, around)) / kLeastLips;
  } else {
    const Tone upper = patches.Median(kUpperLip, 1), lower = patches.Median(kLowerLip, 1);
    lips = std::max(std::abs(LumaRatio(upper, around)), std::abs(LumaRatio(lower, around))) /
           kLeastLipsGrey;
  }
  return std::min(
      {lips, kMostMaskChroma / std::max(chroma, 1e-3), kMostMaskLuma / std::max(luma, 1e-3)});
}

// The lumas of an eye from its outer corner to its inner one. Each step is taken over the eye's
// height, where lashes upon each other are little.
constexpr size_t kSteps = 20;
using Profile = std::array<double, kSteps>;

template <typename Middle>
Profile ProfileOf(const Patches& patches, Middle middle) {
  Profile lumas{};
  for (size_t step = 0; step < kSteps; ++step) {
    middle(0.12 + 0.04 * static_cast<double>(step), [&](const Point& at, int radius) {
      lumas[step] += patches.Around(at, radius).luma / 3;
    });
  }
  return lumas;
}

// Returns how far the iris is darker than the white, over the cheek's luma. A lamp's reflection is
// shorter than a white.
double Contrast(const Patches& patches, const Eye& eye, const Tone& cheek) {
  constexpr size_t kDarkest = 1, kWhite = 15;
  const Point lids = patches.Between(eye.upper, eye.lower, 0.5);
  Profile lumas = ProfileOf(patches, [&](double share, auto take) {
    const Point corners = patches.Between(eye.outer, eye.inner, share);
    for (float down : {-2.0F, 0.0F, 2.0F}) {
      take({corners.x, (corners.y + lids.y) / 2 + down}, 1);
    }
  });
  std::ranges::sort(lumas);
  return (lumas[kWhite] - lumas[kDarkest]) / (cheek.luma + 4);
}

// Returns how far the middle of an eye, between its lids, is darker than its corners, over the
// cheek's luma: below zero for lashes that lie upon skin.
double Iris(const Patches& patches, const Eye& eye, const Tone& cheek) {
  const Profile lumas = ProfileOf(patches, [&](double share, auto take) {
    const double along = std::clamp(share * 8 - 1, 0.0, 6.0);
    const auto first = std::min<size_t>(5, static_cast<size_t>(along));
    const double rest = along - static_cast<double>(first);
    const Point above = patches.Between(eye.upper_lid[first], eye.upper_lid[first + 1], rest);
    const Point below = patches.Between(eye.lower_lid[first], eye.lower_lid[first + 1], rest);
    take(Between(above, below, 0.3), 0);
    take(Between(above, below, 0.5), 1);
    take(Between(above, below, 0.7), 0);
  });
  double corners = 0, middle = 0;
  for (size_t step = 0; step < 4; ++step) corners += (lumas[step] + lumas[kSteps - 1 - step]) / 8;
  for (size_t step = 6; step < 14; ++step) middle += lumas[step] / 8;
  return (corners - middle) / (cheek.luma + 4);
}

// Returns 1 and more for an eye with lids as bright as the cheek and of its colour.
double LidsSeen(const Patches& patches, const Eye& eye, const Tone& cheek) {
  const Tone below = patches.Around(patches.Between(eye.lower, eye.cheek, 0.25), 2);
  const Tone above = patches.Around(patches.Between(eye.upper, eye.brow, 0.45), 2);
  const double dark = -std::max(LumaRatio(below, cheek), LumaRatio(above, cheek));
  const double chroma = std::max(ChromaDistance(below, cheek), ChromaDistance(above, cheek));
  return std::min(kDarkLens / std::max(dark, 1e-3), kLensChroma / std::max(chroma, 1e-3));
}

// Returns how much colour the part of an eye with the least of it has: of an open one, its white.
double LeastColour(const Patches& patches, const Eye& eye) {
  const Point lids = patches.Between(eye.upper, eye.lower, 0.5);
  double least = 9;
  for (size_t step = 0; step < kSteps; ++step) {
    const Point at = patches.Between(eye.outer, eye.inner, 0.12 + 0.04 * static_cast<double>(step));
    const Tone tone = patches.Around(Point{at.x, (at.y + lids.y) / 2}, 1);
    least = std::min(least, std::hypot(tone.red, tone.blue));
  }
  return least;
}

// Returns 1 and more for eyes that are seen. One of them may lie in the shade, be narrow or have a
// lamp's reflection in it: both are judged together, by their geometric mean.
double EyesSeen(const Patches& patches, const Tone& skin) {
  constexpr double kLeast = 0.004;
  double seen = 9, contrasts = 1, iris = -1, white = 9;
  for (const Eye& eye : kEyes) {
    const Tone cheek = patches.Around(eye.cheek, 4);
    seen = std::min(seen, LidsSeen(patches, eye, cheek));
    contrasts *= std::max(Contrast(patches, eye, cheek), kLeast);
    iris = std::max(iris, Iris(patches, eye, cheek));
    white = std::min(white, LeastColour(patches, eye));
  }
  const double colour = std::hypot(skin.red, skin.blue);
  if (colour >= kColouredSkin) seen = std::min(seen, kMostWhite * colour / std::max(white, 1e-3));
  const double eyes = std::sqrt(contrasts) * std::exp(kIrisWeight * std::min(iris, kMostIris));
  // Whites are as bright in dark skin as in light: there, less than that is lashes upon a lid.
  const double bright = std::min(1.0, (skin.luma + 4) / kBrightSkin);
  return std::min(seen, bright * eyes / kLeastEyes);
}

}  // namespace

void MeasureCovers(const MeshObservation& mesh, FaceParts& parts) {
  const Patches patches(mesh);
  const Tone skin = patches.Median(kUpperSkin, 3);
  parts.mouth_seen = MouthSeen(patches, skin);
  parts.eyes_seen = EyesSeen(patches, skin);
  parts.skin_red = skin.red;
  parts.skin_blue = skin.blue;
}

}  // namespace idkiosk
