#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_FACE_PAINTING_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_FACE_PAINTING_H_

#include <algorithm>
#include <cmath>

#include "drivers/camera/synthetic/head_drawing.h"
#include "drivers/camera/synthetic/vector3.h"

// What is painted on the drawn head, in its own coordinates: x to the person's left (the right of
// the picture), y up, z out of the face; the origin between the eyes, the chin at y = -1.
namespace idkiosk {

struct Colour {
  float r = 0, g = 0, b = 0;  // linear light, 1 is white
  Colour operator*(float factor) const { return {r * factor, g * factor, b * factor}; }
  Colour operator+(const Colour& o) const { return {r + o.r, g + o.g, b + o.b}; }
};

inline Colour Mix(const Colour& a, const Colour& b, float share) {
  return a * (1 - share) + b * share;
}

[[nodiscard]] Colour FromSrgb(int r, int g, int b);

inline float SmoothStep(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

inline float Bell(float x, float y, float width, float height) {
  const float distance = x * x / (width * width) + y * y / (height * height);
  return distance > 9 ? 0 : std::exp(-0.5F * distance);
}

// Everything about a person and a moment that painting a point of the head needs.
struct Palette {
  Colour skin, lips, hair, brow, iris, cloth;
  float smile = 0;
  float mouth = 0;     // how far it is open
  float open = 1;      // the eyes
  float soft = 0.01F;  // width of an edge, about a pixel and a half
  SitterWear wear;
};

// `pixel` is the size of one, in units of the head.
[[nodiscard]] Palette PaletteFor(const SitterLook& look, const SitterPose& pose, double pixel);

[[nodiscard]] Colour PaintFace(const Vector3& p, const Palette& palette);
[[nodiscard]] Colour PaintNose(const Vector3& p, const Palette& palette);

// Paints a mask, glasses or a beard over the face or the nose.
void PaintWear(const Vector3& p, const Palette& palette, Colour& colour, float& gloss);

// Whether that point of the hair's ellipsoid is hair, hat or scarf, and its colour then.
[[nodiscard]] bool IsHair(const Vector3& p, const SitterWear& wear);
[[nodiscard]] Colour PaintHair(const Vector3& p, const Palette& palette);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_FACE_PAINTING_H_
