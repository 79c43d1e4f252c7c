#include "app/capture/vision/occlusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/capture/image/picture.h"

namespace idkiosk {
namespace {

struct Skin {
  double blue, green, red;
  [[nodiscard]] Skin operator*(double light) const {
    return {blue * light, green * light, red * light};
  }
};

// A face of one colour, with what is painted where the lips are, and all other points on bare skin.
class PaintedFace {
 public:
  PaintedFace() {
    picture_.Resize(kSide, kSide);
    mesh_.in_upright.fill({kHalf, kQuarter});
    for (size_t each : {0, 37, 267, 11, 72, 302}) mesh_.in_upright[each] = {kHalf, kUpperLip};
    for (size_t each : {17, 84, 314, 16, 85, 315}) mesh_.in_upright[each] = {kHalf, kLowerLip};
  }

  void Paint(const Skin& skin, int top = 0, int bottom = kSide, int left = 0, int right = kSide) {
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        uint8_t* const pixel = picture_.row(y) + ptrdiff_t{3} * x;
        pixel[0] = static_cast<uint8_t>(std::clamp(skin.blue + 0.5, 0.0, 255.0));
        pixel[1] = static_cast<uint8_t>(std::clamp(skin.green + 0.5, 0.0, 255.0));
        pixel[2] = static_cast<uint8_t>(std::clamp(skin.red + 0.5, 0.0, 255.0));
      }
    }
  }
  void PaintLips(const Skin& upper, const Skin& lower) {
    Paint(upper, kUpperLip - 4, kUpperLip + 4);
    Paint(lower, kLowerLip - 4, kLowerLip + 4);
  }

  // Paints both eyes: their middle, and what is beside it.
  void PaintEyes(const Skin& middle, const Skin& beside) {
    struct Eye {
      float left;
      size_t outer, inner, upper, lower;
      std::array<size_t, 7> upper_lid, lower_lid;
    };
    const Eye eyes[] = {{40,
                         33,
                         133,
                         159,
                         145,
                         {246, 161, 160, 159, 158, 157, 173},
                         {7, 163, 144, 145, 153, 154, 155}},
                        {120,
                         362,
                         263,
                         386,
                         374,
                         {398, 384, 385, 386, 387, 388, 466},
                         {382, 381, 380, 374, 373, 390, 249}}};
    constexpr float kWide = 32, kHigh = 6, kMiddle = 80;
    for (const Eye& eye : eyes) {
      auto& at = mesh_.in_upright;
      at[eye.outer] = {eye.left, kMiddle}, at[eye.inner] = {eye.left + kWide, kMiddle};
      for (size_t i = 0; i < 7; ++i) {
        const float x = eye.left + kWide * static_cast<float>(i + 1) / 8;
        at[eye.upper_lid[i]] = {x, kMiddle - kHigh}, at[eye.lower_lid[i]] = {x, kMiddle + kHigh};
      }
      const int left = static_cast<int>(eye.left);
      Paint(beside, 70, 90, left, left + 32);
      Paint(middle, 70, 90, left + 10, left + 22);
    }
  }

  [[nodiscard]] FaceParts Measure() {
    mesh_.upright = picture_.view();
    FaceParts parts;
    MeasureCovers(mesh_, parts);
    return parts;
  }
  [[nodiscard]] double MouthSeen() { return Measure().mouth_seen; }

 private:
  static constexpr int kSide = 192, kHalf = kSide / 2, kQuarter = kSide / 4, kUpperLip = 120,
                       kLowerLip = 132;
  Picture picture_;
  MeshObservation mesh_;
};

constexpr Skin kSkins[] = {{150, 175, 225}, {90, 120, 170}, {45, 62, 100}, {30, 40, 62}};

TEST(OcclusionTest, SeesRedderLipsOnEverySkin) {
  for (const Skin& skin : kSkins) {
    PaintedFace face;
    face.Paint(skin);
    const Skin lips{skin.blue * 0.86, skin.green * 0.8, skin.red * 0.92};
    face.PaintLips(lips, lips);
    EXPECT_GE(face.MouthSeen(), 1) << skin.red;
  }
}

// A dark hand's fingers are round: lighter in the middle than between them.
TEST(OcclusionTest, TakesLightAndShadeOfOneSkinForNoLips) {
  for (const Skin& skin : kSkins) {
    for (const double light : {0.6, 0.75, 1.1}) {
      PaintedFace face;
      face.Paint(skin);
      face.PaintLips(skin * light, skin);
      EXPECT_LT(face.MouthSeen(), 1) << skin.red << " in a light of " << light;
    }
  }
}

TEST(OcclusionTest, SeesEyesByTheirWhitesAndNotByShadesOfSkin) {
  for (const Skin& skin : kSkins) {
    PaintedFace open;
    open.Paint(skin);
    open.PaintEyes({30, 35, 45}, {140, 150, 165});
    EXPECT_GE(open.Measure().eyes_seen, 1) << skin.red;
    // A hand that lies on them: light fingers, and the shade between two.
    PaintedFace covered;
    covered.Paint(skin);
    covered.PaintEyes(skin * 0.75, skin);
    EXPECT_LT(covered.Measure().eyes_seen, 1) << skin.red;
  }
}

}  // namespace
}  // namespace idkiosk
