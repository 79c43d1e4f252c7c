#include "drivers/camera/synthetic/face_painting.h"

#include <array>

#include "platform/base/enum_rows.h"

namespace idkiosk {
namespace {

constexpr float kEyeX = 0.28F;
constexpr float kBrowY = 0.175F;
constexpr float kMouthY = -0.63F;

float ToLinear(int srgb) { return std::pow(static_cast<float>(srgb) / 255.0F, 2.2F); }

// Skin from very light to very dark, as it looks in good light (sRGB).
constexpr std::array<std::array<int, 3>, 8> kTones = {{{244, 214, 190},
                                                       {232, 190, 160},
                                                       {214, 166, 132},
                                                       {188, 136, 100},
                                                       {158, 108, 76},
                                                       {124, 82, 56},
                                                       {92, 60, 42},
                                                       {62, 42, 32}}};

void PaintEye(Colour& colour, float x, float y, float gaze, const Palette& palette) {
  // An almond: two arcs that meet at the corners.
  const float along = x / 0.125F;
  if (along <= -1.3F || along >= 1.3F) return;
  const float arc = std::max(0.0F, 1 - along * along);
  // The upper lid comes down, the lower one hardly moves.
  const float lower = -0.040F * arc;
  const float upper = lower + 0.098F * arc * palette.open;
  const float inside = SmoothStep(-palette.soft, palette.soft, upper - y) *
                       SmoothStep(-palette.soft, palette.soft, y - lower);
  if (std::abs(along) < 1) {
    Colour eye = {0.72F, 0.70F, 0.68F};
    const float from_iris = std::hypot(x - gaze, y - 0.008F);
    eye = Mix(palette.iris, eye, SmoothStep(0.050F, 0.050F + palette.soft, from_iris));
    eye = Mix({0.005F, 0.005F, 0.005F}, eye, SmoothStep(0.022F, 0.022F + palette.soft, from_iris));
    const float from_glint = std::hypot(x - gaze + 0.018F, y - 0.028F);
    eye = Mix({1, 1, 1}, eye, SmoothStep(0.008F, 0.008F + palette.soft, from_glint));
    colour = Mix(colour, eye, inside);
  }
  const float lid = Bell(0, y - upper, 1, 0.016F) * SmoothStep(1.25F, 0.95F, std::abs(along));
  colour = Mix(colour, palette.brow, 0.75F * lid);
  const float crease = Bell(0, y - 0.058F * arc - 0.05F, 1, 0.014F) * arc * palette.open;
  colour = colour * (1 - 0.25F * crease);
}

void PaintBrow(Colour& colour, float x, float y, const Palette& palette) {
  const float along = x / 0.17F;
  if (std::abs(along) > 1.2F) return;
  const float middle = kBrowY + 0.03F * (1 - along * along);
  const float half = 0.032F * (1 - 0.35F * std::abs(along));
  const float inside = SmoothStep(half + 0.015F, half - 0.005F, std::abs(y - middle)) *
                       SmoothStep(1.1F, 0.9F, std::abs(along));
  colour = Mix(colour, palette.brow, 0.85F * inside);
}

void PaintMouth(Colour& colour, float x, float y, const Palette& palette) {
  const float half_width = 0.205F + 0.075F * palette.smile - 0.045F * palette.mouth;
  const float along = x / half_width;
  if (std::abs(along) > 1.25F || y < kMouthY - 0.36F || y > kMouthY + 0.25F) return;
  const float line = kMouthY + 0.085F * palette.smile * along * along;
  const float arc = std::max(0.0F, 1 - along * along);
  const float gap = (0.050F * palette.smile + 0.20F * palette.mouth) * arc;
  const float upper_edge =
      line + gap * 0.4F + 0.050F * arc * (1 - 0.25F * Bell(along, 0, 0.12F, 1));
  const float lower_edge = line - gap - 0.065F * std::sqrt(arc) * (1 - 0.3F * palette.smile);
  const float lips = SmoothStep(-palette.soft, palette.soft, upper_edge - y) *
                     SmoothStep(-palette.soft, palette.soft, y - lower_edge);
  colour = Mix(colour, palette.lips, 0.8F * lips);
  const float teeth = SmoothStep(-palette.soft, palette.soft, line + gap * 0.4F - y) *
                      SmoothStep(-palette.soft, palette.soft, y - line + gap) *
                      (gap > 0.006F ? 1 : 0);
  // Behind the upper teeth of a mouth that is wide open it is dark.
  const float depth = SmoothStep(0.05F, 0.09F, line + gap * 0.4F - y) * palette.mouth;
  colour = Mix(colour, Mix({0.75F, 0.72F, 0.66F}, palette.skin * 0.08F, depth), teeth);
  const float seam =
      Bell(0, y - line - gap * 0.4F, 1, 0.010F) * SmoothStep(1.08F, 0.9F, std::abs(along));
  colour = colour * (1 - 0.75F * seam);
  const float corner = Bell(std::abs(x) - half_width, y - line, 0.02F, 0.02F);
  colour = colour * (1 - 0.5F * corner);
}

}  // namespace

Colour FromSrgb(int r, int g, int b) { return {ToLinear(r), ToLinear(g), ToLinear(b)}; }

Palette PaletteFor(const SitterLook& look, const SitterPose& pose, double pixel) {
  const auto& tone = kTones[static_cast<size_t>(std::clamp(look.tone, 1, 8) - 1)];
  static constexpr std::array<std::array<int, 3>, 4> kHairs = {
      {{42, 30, 24}, {26, 22, 21}, {88, 60, 38}, {120, 116, 112}}};
  static constexpr std::array<std::array<int, 3>, 4> kCloths = {
      {{46, 70, 110}, {110, 52, 48}, {60, 92, 66}, {120, 104, 78}}};
  Palette palette;
  palette.skin = FromSrgb(tone[0], tone[1], tone[2]);
  palette.lips = {palette.skin.r * 0.72F, palette.skin.g * 0.42F, palette.skin.b * 0.46F};
  // Dark skin seldom comes with light hair.
  const auto& hair = kHairs[look.tone >= 5 ? look.person % 2 : look.person % 4];
  palette.hair = FromSrgb(hair[0], hair[1], hair[2]);
  palette.brow = Mix(palette.hair, palette.skin, 0.12F) * 0.6F;
  palette.iris = look.tone >= 4 ? FromSrgb(58, 36, 24) : FromSrgb(74, 84, 88);
  const auto& cloth = kCloths[look.person % 4];
  palette.cloth = FromSrgb(cloth[0], cloth[1], cloth[2]);
  palette.wear = look.wear;
  palette.smile = static_cast<float>(pose.smile);
  palette.mouth = static_cast<float>(pose.mouth);
  palette.open = static_cast<float>(std::clamp(1 - pose.blink - 0.15 * pose.smile, 0.02, 1.0));
  palette.soft = static_cast<float>(0.8 * pixel);
  return palette;
}

Colour PaintFace(const Vector3& p, const Palette& palette) {
  Colour colour = palette.skin;
  const float side = p.x < 0 ? -1.0F : 1.0F;
  const float eye_x = p.x - side * kEyeX;
  // Sockets, the side of the nose, the hollow under the lower lip, folds of a smile.
  float shade = 1;
  shade -= 0.34F * Bell(eye_x + side * 0.03F, p.y - 0.035F, 0.15F, 0.075F);
  shade -= 0.18F * Bell(eye_x, p.y + 0.11F, 0.12F, 0.04F);
  shade -= 0.20F * Bell(p.x, p.y + 0.79F, 0.14F, 0.03F);
  shade -= 0.12F * Bell(p.x, p.y + 0.50F, 0.03F, 0.05F);
  const float fold = std::abs(p.x) - (0.17F + 0.25F * (-0.40F - p.y));
  if (p.y < -0.38F && p.y > -0.66F) {
    shade -= (0.10F + 0.18F * palette.smile) * Bell(fold, 0, 0.025F, 1);
  }
  colour = colour * shade;
  const float blush = Bell(eye_x - side * 0.04F, p.y + 0.33F, 0.14F, 0.10F);
  colour.r *= 1 + 0.10F * blush;
  PaintBrow(colour, eye_x * side, p.y, palette);
  PaintEye(colour, eye_x, p.y, -side * 0.004F, palette);
  PaintMouth(colour, p.x, p.y, palette);
  return colour;
}

Colour PaintNose(const Vector3& p, const Palette& palette) {
  const float nostril = Bell(std::abs(p.x) - 0.07F, p.y + 0.435F, 0.033F, 0.020F);
  const float wing = Bell(std::abs(p.x) - 0.165F, p.y + 0.40F, 0.02F, 0.05F);
  return palette.skin * ((1 - 0.85F * nostril) * (1 - 0.25F * wing));
}

namespace {

void PaintMask(const Vector3& p, const Palette& palette, Colour& colour, float& gloss) {
  if (palette.wear.mask == SitterMask::kNone) return;
  static constexpr std::array<std::array<int, 3>, 5> kColours = {
      {{0, 0, 0}, {126, 178, 214}, {232, 232, 228}, {30, 30, 34}, {172, 128, 96}}};
  static_assert(kColours.size() == EnumeratorCount<SitterMask>());
  const auto& rgb = kColours[static_cast<size_t>(palette.wear.mask)];
  // From the bridge of the nose to below the chin, and to the ears.
  const float top = -0.17F - 0.30F * std::abs(p.x);
  const float inside =
      SmoothStep(-palette.soft, palette.soft, top - p.y) * SmoothStep(0.62F, 0.60F, std::abs(p.x));
  const float pleat = std::sin(p.y * 46) > 0.9F && std::abs(p.x) < 0.36F ? 0.72F : 1.0F;
  colour = Mix(colour, FromSrgb(rgb[0], rgb[1], rgb[2]) * pleat, inside);
  gloss *= 1 - inside;
}

void PaintGlasses(const Vector3& p, const Palette& palette, Colour& colour, float& gloss) {
  if (palette.wear.glasses == SitterGlasses::kNone) return;
  const bool dark = palette.wear.glasses == SitterGlasses::kDark;
  const float side = p.x < 0 ? -1.0F : 1.0F;
  const float x = (p.x - side * (kEyeX + 0.01F)) / 0.215F, y = (p.y + 0.015F) / 0.165F;
  const float from_middle = std::pow(x * x * x * x + y * y * y * y, 0.25F);
  const float edge = palette.soft / 0.19F;
  const float lens = SmoothStep(1 + edge, 1 - edge, from_middle);
  const float rim = SmoothStep(edge + 0.06F, 0.06F, std::abs(from_middle - 1));
  const bool bridge = std::abs(p.x) < 0.09F && std::abs(p.y - 0.03F) < 0.02F;
  const bool arm = std::abs(p.x) > 0.48F && std::abs(p.y - 0.04F) < 0.025F;
  colour = Mix(colour, dark ? Colour{0.012F, 0.011F, 0.012F} : colour + Colour{0.02F, 0.02F, 0.02F},
               lens);
  colour = Mix(colour, {0.02F, 0.018F, 0.016F}, bridge || arm ? 1.0F : rim);
  // A lamp in each lens.
  const float lamp = Bell(p.x - side * kEyeX + 0.10F, p.y - 0.08F, 0.025F, 0.018F);
  colour = Mix(colour, {1, 1, 1}, (dark ? 0.5F : 0.35F) * lens * lamp);
  gloss *= 1 - lens;
}

void PaintBeard(const Vector3& p, const Palette& palette, Colour& colour, float& gloss) {
  if (!palette.wear.beard) return;
  const float on_lip = SmoothStep(-0.47F, -0.53F, p.y) * SmoothStep(0.33F, 0.25F, std::abs(p.x));
  const float on_jaw = SmoothStep(-0.50F, -0.75F, p.y + 0.35F * (0.40F - std::abs(p.x)));
  const float lips = SmoothStep(1.05F, 0.95F, std::hypot(p.x / 0.235F, (p.y - kMouthY) / 0.075F));
  const float grain =
      0.78F + 0.22F * std::sin(p.x * 91 + p.y * 37) * std::sin(p.y * 113 - p.x * 53);
  const float inside = std::max(on_lip, on_jaw) * (1 - lips) * grain * 0.9F;
  colour = Mix(colour, palette.hair * 1.1F, inside);
  gloss *= 1 - inside;
}

}  // namespace

void PaintWear(const Vector3& p, const Palette& palette, Colour& colour, float& gloss) {
  PaintBeard(p, palette, colour, gloss);
  PaintGlasses(p, palette, colour, gloss);
  PaintMask(p, palette, colour, gloss);
}

bool IsHair(const Vector3& p, const SitterWear& wear) {
  // A scarf leaves the oval of the face free, a hat the face up to the forehead.
  if (wear.scarf) return p.z < 0 || std::hypot(p.x / 0.53F, (p.y + 0.28F) / 0.74F) > 1;
  if (wear.hat) return p.y > 0.33F;
  return p.y > 0.08F + 0.56F * p.z + 0.12F * p.x * p.x;
}

Colour PaintHair(const Vector3& p, const Palette& palette) {
  if (palette.wear.scarf || palette.wear.hat) {
    const float fold = 0.82F + 0.18F * std::sin(p.y * 9 + 14 * p.x * p.x);
    return palette.wear.hat && p.y < 0.42F ? palette.cloth * 0.35F : palette.cloth * fold;
  }
  return palette.hair * (0.8F + 0.25F * std::sin(p.x * 70 + p.z * 30));
}

}  // namespace idkiosk
