#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCENE_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCENE_H_

#include <array>
#include <optional>

#include "drivers/camera/colour_planes.h"
#include "drivers/camera/synthetic/head_drawing.h"
#include "drivers/camera/synthetic/sitter_script.h"

namespace idkiosk {

// Everything that the drawn camera looks at: the room, and who or what is in it.
class SitterScene {
 public:
  // `width` and `height` in pixels, even.
  SitterScene(const SitterScript& script, int width, int height);

  // The picture at `time` after the first frame, with the sitter in `pose` before
  // `screen`. Valid until the next
  // call; rows and columns beyond width and height are there only to fill blocks.
  [[nodiscard]] ColourPlanes& Draw(const SitterPose& pose, const SitterScreen& screen,
                                   Duration time, uint32_t frame);

 private:
  [[nodiscard]] HeadPlace PlaceOf(const SitterPose& pose, double x) const;
  void DrawPeople(const SitterPose& pose, Duration time);
  void DrawPhotograph(const SitterPose& pose);

  // Takes the mean colour of the picture out of it, as far as it was noticed.
  void BalanceWhite(Duration time);

  const SitterScript script_;
  const int width_;
  const int height_;
  SceneLight light_;
  std::array<double, 2> first_colour_{}, balance_{};  // of cb and cr
  std::optional<Duration> balanced_at_;
  ColourPlanes room_;
  ColourPlanes photograph_;  // empty unless one is held up
  ColourPlanes picture_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCENE_H_
