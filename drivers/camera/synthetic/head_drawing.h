#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_HEAD_DRAWING_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_HEAD_DRAWING_H_

#include "drivers/camera/colour_planes.h"
#include "drivers/camera/synthetic/sitter_script.h"

namespace idkiosk {

// The features of the drawn person: small differences between people, drawn from a seed.
struct SitterLook {
  int tone = 3;         // 1..8
  uint32_t person = 0;  // hair, cloth and proportions
  SitterWear wear;
};

// What lights the sitter: the room, and the screen before them.
struct SceneLight {
  SitterLight room = SitterLight::kGood;
  SitterScreen screen;
  double shine = 0;  // of the screen at arm's length; a room in good light has about 1
};

// The head's place in the picture.
struct HeadPlace {
  double x = 0;       // pixels, the middle between the eyes of an upright head
  double y = 0;       // pixels
  double half = 200;  // pixels from there to the chin, about half the height of the head
};

// The room behind the sitter. `light` also sets how bright a window behind the person is.
// The screen's light is weak there.
void DrawRoom(ColourPlanes& planes, const SceneLight& light);

// A head, neck and shoulders over what `planes` hold. Ellipsoids, cut by parallel rays, with a face
// painted on them in the head's own coordinates: so it turns as a head does. The screen's light
// falls off with the square of its distance.
void DrawSitter(ColourPlanes& planes, const SitterLook& look, const SceneLight& light,
                const SitterPose& pose, const HeadPlace& place);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_HEAD_DRAWING_H_
