#include "drivers/camera/synthetic/head_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "drivers/camera/synthetic/face_painting.h"

namespace idkiosk {
namespace {

// The head's own coordinates: x to the person's left (the right of the picture), y up, z out of the
// face; the origin between the eyes, the chin at y = -1. Measures follow an adult head of 23 cm
// with eyes 6.3 cm apart.
struct Ellipsoid {
  Vector3 centre;
  Vector3 axes;
};

constexpr Ellipsoid kSkull{{0, 0.1F, 0}, {0.68F, 0.95F, 0.85F}};
constexpr Ellipsoid kJaw{{0, -0.45F, 0.15F}, {0.52F, 0.56F, 0.66F}};
constexpr Ellipsoid kHair{{0, 0.14F, -0.04F}, {0.74F, 1.02F, 0.90F}};
// The nose, from the bridge down to the tip and its wings.
constexpr std::array<Ellipsoid, 6> kNose = {{{{0, 0.02F, 0.79F}, {0.075F, 0.16F, 0.09F}},
                                             {{0, -0.14F, 0.85F}, {0.078F, 0.14F, 0.10F}},
                                             {{0, -0.27F, 0.92F}, {0.085F, 0.11F, 0.11F}},
                                             {{0, -0.355F, 0.985F}, {0.095F, 0.085F, 0.12F}},
                                             {{0.095F, -0.385F, 0.88F}, {0.070F, 0.065F, 0.10F}},
                                             {{-0.095F, -0.385F, 0.88F}, {0.070F, 0.065F, 0.10F}}}};
constexpr std::array<Ellipsoid, 2> kEars = {{{{0.69F, -0.08F, -0.08F}, {0.09F, 0.22F, 0.14F}},
                                             {{-0.69F, -0.08F, -0.08F}, {0.09F, 0.22F, 0.14F}}}};
// A scarf lies around the chin, too.
constexpr Ellipsoid kScarf{{0, -0.02F, -0.06F}, {0.78F, 1.14F, 0.94F}};
constexpr Ellipsoid kHat{{0, 0.20F, 0.02F}, {0.80F, 1.04F, 0.94F}};
// Four fingers before the mouth, and the hand that they belong to.
constexpr std::array<Ellipsoid, 5> kHand = {{{{0.02F, -0.46F, 1.02F}, {0.42F, 0.062F, 0.07F}},
                                             {{0.00F, -0.57F, 1.03F}, {0.46F, 0.066F, 0.07F}},
                                             {{0.02F, -0.69F, 1.02F}, {0.45F, 0.066F, 0.07F}},
                                             {{0.05F, -0.80F, 1.00F}, {0.38F, 0.060F, 0.07F}},
                                             {{0.58F, -0.66F, 0.92F}, {0.30F, 0.30F, 0.12F}}}};
// These do not turn with the head.
constexpr Ellipsoid kNeck{{0, -1.15F, -0.25F}, {0.43F, 0.95F, 0.42F}};
constexpr Ellipsoid kShoulders{{0, -2.25F, -0.40F}, {1.65F, 0.95F, 0.65F}};

struct Illumination {
  Vector3 to_light;  // unit
  float direct = 0.75F;
  float ambient = 0.35F;
  float room = 1;
  Colour screen = {};  // what a colour of the screen adds to its white: never more than 0
  // Where a mirror must face to throw the light at the camera: unit.
  Vector3 half = (to_light + Vector3{0, 0, 1}).Normalised();
};

// Stands about arm's length from the sitter, and 2 m from the wall behind.
constexpr float kScreenAtWall = 0.08F;
constexpr float kSunOverRoom = 60;  // a camera that exposes for it sees so much less of a screen

Colour ScreenOf(const SceneLight& light) {
  const Colour colour = FromSrgb(light.screen.red, light.screen.green, light.screen.blue);
  const float shine =
      static_cast<float>(light.shine) / (light.room == SitterLight::kSun ? kSunOverRoom : 1);
  return {shine * (colour.r - 1), shine * (colour.g - 1), shine * (colour.b - 1)};
}

Illumination LightFor(SitterLight light) {
  const Vector3 front = Vector3{-0.25F, 0.45F, 0.86F}.Normalised();
  const Vector3 side = Vector3{-0.97F, 0.15F, 0.2F}.Normalised();
  switch (light) {
    case SitterLight::kGood:
    case SitterLight::kSun:  // as the camera shows it
      return {front, 0.70F, 0.38F, 1.0F};
    case SitterLight::kDim:
      return {front, 0.30F, 0.17F, 0.45F};
    case SitterLight::kDark:
      return {front, 0.020F, 0.012F, 0.03F};
    case SitterLight::kBright:
      return {front, 2.6F, 1.5F, 1.8F};
    case SitterLight::kBehind:
      return {front, 0.02F, 0.035F, 2.2F};
    case SitterLight::kSide:
      return {side, 1.0F, 0.05F, 0.5F};
    case SitterLight::kWindow:  // what walls throw back is as much of the room's light as elsewhere
      return {side, 1.0F, 0.19F, 0.5F};
  }
  return {front, 0.70F, 0.38F, 1.0F};
}

// What follows up to DrawRoom is worked out for each pixel. Where it says always_inline, GCC 12
// would hand a Hit or Ycc over through memory, part by part, and wait for it longer than the sums
// take.

// How a hit lies on one ellipsoid.
struct Hit {
  float z = -1e9F;  // along the ray, towards the camera
  Vector3 point;    // in the body's own coordinates
  Vector3 normal;   // in the same
  [[nodiscard]] bool exists() const { return z > -1e8F; }
};

// A rectangle in units of the head, y up.
struct Extent {
  float left = 1e9F, right = -1e9F, bottom = 1e9F, top = -1e9F;

  void Include(const Extent& other) {
    left = std::min(left, other.left);
    right = std::max(right, other.right);
    bottom = std::min(bottom, other.bottom);
    top = std::max(top, other.top);
  }
  [[nodiscard]] bool Holds(float x, float y) const {
    return x > left && x < right && y > bottom && y < top;
  }
};

// An ellipsoid turned with its body and cut by rays parallel to the camera's axis.
class Solid {
 public:
  Solid(const Ellipsoid& shape, const Rotation& rotation) : shape_(shape) {
    // In a space where the ellipsoid is a ball of radius 1, and the ray's step is of length 1, too.
    const Vector3 ray = rotation.Back({0, 0, 1}).Over(shape.axes);
    step_ = 1 / std::sqrt(ray.Dot(ray));
    ray_ = ray * step_;
    along_x_ = rotation.Back({1, 0, 0}).Over(shape.axes);
    along_y_ = rotation.Back({0, 1, 0}).Over(shape.axes);
    start_ = shape.centre.Over(shape.axes) * -1;
    to_normal_ = Vector3{1, 1, 1}.Over(shape.axes);
    const Vector3 middle = rotation.Forth(shape.centre);
    const Vector3 x = rotation.Forth({shape.axes.x, 0, 0});
    const Vector3 y = rotation.Forth({0, shape.axes.y, 0});
    const Vector3 z = rotation.Forth({0, 0, shape.axes.z});
    const float reach_x = std::sqrt(x.x * x.x + y.x * y.x + z.x * z.x);
    const float reach_y = std::sqrt(x.y * x.y + y.y * y.y + z.y * z.y);
    extent_ = {middle.x - reach_x, middle.x + reach_x, middle.y - reach_y, middle.y + reach_y};
  }

  [[nodiscard]] const Extent& extent() const { return extent_; }

  // `x` and `y` in units of the head, y up.
  [[gnu::always_inline]] inline Hit Cut(float x, float y) const {
    if (!extent_.Holds(x, y)) return {};
    const Vector3 q = start_ + along_x_ * x + along_y_ * y;
    const float qr = q.Dot(ray_);
    const float inside = qr * qr - q.Dot(q) + 1;
    if (inside <= 0) return {};
    const float t = std::sqrt(inside) - qr;
    const Vector3 ball = q + ray_ * t;
    return {t * step_, shape_.centre + ball.Times(shape_.axes),
            ball.Times(to_normal_).Normalised()};
  }

 private:
  Ellipsoid shape_;
  Vector3 start_, along_x_, along_y_, ray_, to_normal_;
  float step_ = 0;
  Extent extent_;
};

// Joins two surfaces without a crease.
[[gnu::always_inline]] inline Hit SmoothUnion(const Hit& a, const Hit& b, float softness) {
  if (!a.exists()) return b;
  if (!b.exists()) return a;
  const float share = std::clamp(0.5F + 0.5F * (b.z - a.z) / softness, 0.0F, 1.0F);
  if (share == 0) return a;
  if (share == 1) return b;
  Hit joined;
  joined.z = a.z * (1 - share) + b.z * share + softness * share * (1 - share) * 0.5F;
  joined.point = a.point * (1 - share) + b.point * share;
  joined.normal = (a.normal * (1 - share) + b.normal * share).Normalised();
  return joined;
}

struct Surface {
  Colour colour;
  Vector3 normal;  // towards the camera is z
  float gloss = 0;
};

constexpr double kRadian = std::numbers::pi / 180;

class Sitter {
 public:
  // `pixel` is the size of one, in units of the head.
  Sitter(const SitterLook& look, const SitterPose& pose, double pixel)
      : head_turn_(
            Rotation::FromAngles(pose.yaw * kRadian, pose.pitch * kRadian, pose.roll * kRadian)),
        body_turn_(Rotation::FromAngles(pose.yaw * kRadian / 8, 0, 0)),
        palette_(PaletteFor(look, pose, pixel)),
        skull_(kSkull, head_turn_),
        jaw_(kJaw, head_turn_),
        hair_(look.wear.scarf ? kScarf
              : look.wear.hat ? kHat
                              : kHair,
              head_turn_),
        neck_(kNeck, body_turn_),
        shoulders_(kShoulders, body_turn_) {
    for (const Ellipsoid& part : kNose) {
      nose_extent_.Include(nose_.emplace_back(part, head_turn_).extent());
    }
    head_extent_ = nose_extent_;
    for (const Ellipsoid& ear : kEars) {
      head_extent_.Include(ears_.emplace_back(ear, head_turn_).extent());
    }
    if (look.wear.hand) {
      for (const Ellipsoid& part : kHand) {
        head_extent_.Include(hand_.emplace_back(part, head_turn_).extent());
      }
    }
    for (const Solid* part : {&skull_, &jaw_, &hair_}) head_extent_.Include(part->extent());
  }

  // False where nothing of the sitter is.
  bool At(float x, float y, Surface& surface) const {
    return (head_extent_.Holds(x, y) && HeadAt(x, y, surface)) || BodyAt(x, y, surface);
  }

 private:
  // Skin that is nearer to the camera than `best`.
  void PutBefore(Hit& best, const std::vector<Solid>& skin, float x, float y,
                 Surface& surface) const {
    for (const Solid& part : skin) {
      const Hit hit = part.Cut(x, y);
      if (!hit.exists() || hit.z <= best.z) continue;
      best = hit;
      surface.colour = palette_.skin * 0.9F;
    }
  }

  bool HeadAt(float x, float y, Surface& surface) const {
    const Hit face = SmoothUnion(skull_.Cut(x, y), jaw_.Cut(x, y), 0.10F);
    Hit nose;
    if (nose_extent_.Holds(x, y)) {
      for (const Solid& part : nose_) nose = SmoothUnion(nose, part.Cut(x, y), 0.06F);
    }
    Hit best = face;
    surface.gloss = 0.11F;
    if (nose.exists() && nose.z > face.z - 0.08F) best = SmoothUnion(face, nose, 0.08F);
    if (best.exists()) {
      surface.colour = nose.exists() && nose.z > face.z - 0.01F ? PaintNose(best.point, palette_)
                                                                : PaintFace(best.point, palette_);
      PaintWear(best.point, palette_, surface.colour, surface.gloss);
    }
    const Hit hair = hair_.Cut(x, y);
    if (hair.exists() && hair.z > best.z && IsHair(hair.point, palette_.wear)) {
      best = hair;
      surface.colour = PaintHair(hair.point, palette_);
      surface.gloss = 0.03F;
    }
    if (!palette_.wear.scarf) PutBefore(best, ears_, x, y, surface);
    PutBefore(best, hand_, x, y, surface);
    if (!best.exists()) return false;
    surface.normal = head_turn_.Forth(best.normal);
    return true;
  }

  bool BodyAt(float x, float y, Surface& surface) const {
    const Hit neck = neck_.Cut(x, y);
    const Hit shoulders = shoulders_.Cut(x, y);
    if (!neck.exists() && !shoulders.exists()) return false;
    const bool cloth = shoulders.z > neck.z;
    surface.normal = body_turn_.Forth(cloth ? shoulders.normal : neck.normal);
    surface.gloss = 0;
    // The head's own shadow lies on the neck.
    surface.colour = cloth || palette_.wear.scarf
                         ? palette_.cloth
                         : palette_.skin * (0.40F + 0.40F * SmoothStep(-0.95F, -1.4F, y));
    return true;
  }

  Rotation head_turn_;
  Rotation body_turn_;
  Palette palette_;
  Solid skull_, jaw_, hair_, neck_, shoulders_;
  std::vector<Solid> nose_, ears_, hand_;
  Extent nose_extent_, head_extent_;
};

[[gnu::always_inline]] inline Colour Shade(const Surface& surface, const Illumination& light) {
  // A little light wraps around: skin scatters it.
  const float facing = std::max(0.0F, (surface.normal.Dot(light.to_light) + 0.2F) * (1 / 1.2F));
  const float up = 0.75F + 0.25F * surface.normal.y;
  const float white = light.direct * facing + light.ambient * up;
  const float to_screen = std::max(0.0F, (surface.normal.z + 0.2F) * (1 / 1.2F));
  const auto part = [&](float colour, float screen) {
    return colour * std::max(0.0F, white + screen * to_screen);
  };
  const Colour lit{part(surface.colour.r, light.screen.r), part(surface.colour.g, light.screen.g),
                   part(surface.colour.b, light.screen.b)};
  const float mirror = std::max(0.0F, surface.normal.Dot(light.half));
  const float m4 = mirror * mirror * mirror * mirror;
  const float shine = surface.gloss * light.direct * m4 * m4 * m4;
  return lit + Colour{shine, shine, shine};
}

// Of linear light, in 2,048 steps.
using SrgbTable = std::array<uint8_t, 2048>;

const SrgbTable& Srgb() {
  static const SrgbTable table = [] {
    SrgbTable values;
    for (size_t i = 0; i < values.size(); ++i) {
      const float value = std::pow(static_cast<float>(i) / 2047.0F, 1 / 2.2F);
      values[i] = static_cast<uint8_t>(std::lround(255 * value));
    }
    return values;
  }();
  return table;
}

struct Ycc {
  int y, cb, cr;
};

// BT.601, full range, in 1/65536.
[[gnu::always_inline]] inline Ycc ToYcc(const Colour& colour, const SrgbTable& srgb) {
  const auto value = [&](float linear) {
    return int{
        srgb[static_cast<size_t>(static_cast<int>(std::clamp(linear, 0.0F, 1.0F) * 2047.0F))]};
  };
  const int r = value(colour.r), g = value(colour.g), b = value(colour.b);
  return {(19595 * r + 38470 * g + 7471 * b + 32768) >> 16,
          ((-11059 * r - 21709 * g + 32768 * b + 32768) >> 16) + 128,
          ((32768 * r - 27439 * g - 5329 * b + 32768) >> 16) + 128};
}

}  // namespace

void DrawRoom(ColourPlanes& planes, const SceneLight& light) {
  const float level = LightFor(light.room).room;
  const Colour screen = ScreenOf(light) * kScreenAtWall;
  const Colour wall = FromSrgb(198, 196, 188);
  const Colour dado = FromSrgb(150, 138, 122);
  const Colour frame = FromSrgb(112, 88, 66);
  const SrgbTable& srgb = Srgb();
  // A lamp's spot is the product of one across and one down.
  std::vector<float> across;
  for (int column = 0; column < planes.width; ++column) {
    const float u = static_cast<float>(column) / static_cast<float>(planes.width);
    across.push_back(Bell(u - 0.35F, 0, 0.45F, 1));
  }
  for (int row = 0; row < planes.height; ++row) {
    const float v = static_cast<float>(row) / static_cast<float>(planes.height);
    const float down = Bell(0, v - 0.2F, 1, 0.5F);
    for (int column = 0; column < planes.width; ++column) {
      const float u = static_cast<float>(column) / static_cast<float>(planes.width);
      Colour colour = v > 0.78F ? dado : wall;
      if (u > 0.84F && u < 0.87F) colour = frame;
      const float white = level * (0.62F + 0.28F * across[static_cast<size_t>(column)] * down);
      const Ycc ycc = ToYcc({colour.r * (white + screen.r), colour.g * (white + screen.g),
                             colour.b * (white + screen.b)},
                            srgb);
      planes.luma_row(row)[column] = static_cast<uint8_t>(ycc.y);
      if (row % 2 == 0 && column % 2 == 0) {
        planes.cb_row(row / 2)[column / 2] = static_cast<uint8_t>(ycc.cb);
        planes.cr_row(row / 2)[column / 2] = static_cast<uint8_t>(ycc.cr);
      }
    }
  }
}

namespace {

// Where a sitter is worked out, in cells of `step` x `step` pixels.
struct Cells {
  int left, top, columns, rows, step;
  std::vector<uint8_t> luma;  // one more column and row than cells, to interpolate towards
};

// Full luma from one value a cell, bilinear between the cells' middles.
void Enlarge(const Cells& cells, ColourPlanes& planes) {
  const int step = cells.step;
  const int shift = step == 2 ? 2 : 0;  // of a division by step * step
  for (int row = 0; row < cells.rows * step; ++row) {
    uint8_t* to = planes.luma_row(cells.top + row) + cells.left;
    const int part = row % step;
    const uint8_t* upper =
        cells.luma.data() + static_cast<ptrdiff_t>(row / step) * (cells.columns + 1);
    const uint8_t* lower = upper + cells.columns + 1;
    for (int column = 0; column < cells.columns; ++column) {
      const int left = upper[column] * (step - part) + lower[column] * part;
      const int right = upper[column + 1] * (step - part) + lower[column + 1] * part;
      for (int i = 0; i < step; ++i) {
        *to++ = static_cast<uint8_t>((left * (step - i) + right * i) >> shift);
      }
    }
  }
}

}  // namespace

void DrawSitter(ColourPlanes& planes, const SitterLook& look, const SceneLight& light,
                const SitterPose& pose, const HeadPlace& place) {
  // A large picture is worked out at half its size: eyes, mouth and edges stay sharp at the sizes
  // at which faces are measured, and a frame takes a quarter of the time.
  const int step = planes.height >= 600 ? 2 : 1;
  const Sitter sitter(look, pose, step / place.half);
  Illumination illumination = LightFor(light.room);
  illumination.screen = ScreenOf(light) * static_cast<float>(1 / (pose.distance * pose.distance));
  const auto cell = [&](double pixels, int end) {
    return std::clamp(static_cast<int>(pixels), 0, end) / 2 * 2 / step;
  };
  Cells cells;
  cells.step = step;
  const int first_row = cell(place.y - 1.35 * place.half, planes.height);
  const int first_column = cell(place.x - 1.9 * place.half, planes.width);
  cells.left = first_column * step;
  cells.top = first_row * step;
  cells.columns = cell(place.x + 1.9 * place.half, planes.width) - first_column;
  cells.rows = planes.height / step - first_row;
  cells.luma.resize(static_cast<size_t>((cells.columns + 1) * (cells.rows + 1)));
  const auto unit = static_cast<float>(1 / place.half);
  const SrgbTable& srgb = Srgb();
  for (int row = 0; row <= cells.rows; ++row) {
    const int pixel_row = std::min(cells.top + row * step, planes.height - 1);
    const float y = (static_cast<float>(place.y) - static_cast<float>(pixel_row)) * unit;
    uint8_t* luma = cells.luma.data() + ptrdiff_t{row} * (cells.columns + 1);
    for (int column = 0; column <= cells.columns; ++column) {
      const int pixel_column = std::min(cells.left + column * step, planes.width - 1);
      const float x = (static_cast<float>(pixel_column) - static_cast<float>(place.x)) * unit;
      luma[column] = planes.luma_row(pixel_row)[pixel_column];
      Surface surface;
      if (!sitter.At(x, y, surface)) continue;
      const Ycc ycc = ToYcc(Shade(surface, illumination), srgb);
      luma[column] = static_cast<uint8_t>(ycc.y);
      if (pixel_row % 2 != 0 || pixel_column % 2 != 0) continue;
      planes.cb_row(pixel_row / 2)[pixel_column / 2] = static_cast<uint8_t>(ycc.cb);
      planes.cr_row(pixel_row / 2)[pixel_column / 2] = static_cast<uint8_t>(ycc.cr);
    }
  }
  Enlarge(cells, planes);
}

}  // namespace idkiosk
