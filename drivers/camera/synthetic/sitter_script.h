#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCRIPT_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCRIPT_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "platform/base/error.h"
#include "platform/base/time.h"

namespace idkiosk {

// How a head is held. Angles in degrees, as HeadPose has them: left, up and towards the left
// shoulder are positive.
struct SitterPose {
  double yaw = 0;
  double pitch = 0;
  double roll = 0;
  // 1 is arm's length, the face half the height of the frame; 0.5 is twice as near.
  double distance = 1;
  double smile = 0;  // 0..1
  double blink = 0;  // 0 open .. 1 closed
  double mouth = 0;  // 0 closed .. 1 wide open
  bool operator==(const SitterPose&) const = default;
};

enum class SitterMask { kNone, kBlue, kWhite, kBlack, kBrown };
enum class SitterGlasses { kNone, kClear, kDark };

// What covers parts of the head.
struct SitterWear {
  SitterMask mask = SitterMask::kNone;
  SitterGlasses glasses = SitterGlasses::kNone;
  bool hand = false;   // before the mouth
  bool scarf = false;  // around the face
  bool beard = false;
  bool hat = false;
};

enum class SitterLight { kGood, kDim, kDark, kBright, kBehind, kSide, kWindow, kSun };

// The light of the screen before the sitter, as sRGB.
struct SitterScreen {
  uint8_t red = 255, green = 255, blue = 255;
  bool operator==(const SitterScreen&) const = default;
};

// A time at which something goes wrong, counted from the first frame, and for how long.
struct SitterFault {
  Duration from{};
  Duration length = Duration::max();

  [[nodiscard]] bool ActiveAt(Duration time) const { return time >= from && time - from < length; }
};

// The looks and actions of the sitter. Written on the command line behind `synthetic:` as
// KEY=VALUE,KEY=VALUE:
//
//   yaw=, pitch=, roll=   degrees; how the head is held without a cue
//   distance=0.4..3       1 is arm's length
//   smile=0..1, blink=0..1, mouth=0..1
//   tone=1..8             skin, from very light to very dark
//   mask=none|blue|white|black|brown
//   glasses=none|clear|dark
//   hand=yes              before the mouth
//   scarf=yes, beard=yes, hat=yes
//   light=good|dim|dark|bright|behind|side|window|sun
//                         side: a lamp in a room that throws nothing back, 27 times as bright as
//                         the dark half; window: in a room with white walls, 8 times
//   screen=#RRGGBB        the colour of the kiosk's screen; white, which is in the room's light
//   fade=MS               until it has gone from the colour before to that one
//   shine=0..2            how much light it gives at arm's length; a room in good light has about 1
//   latency=FRAMES        until the camera shows a change of it, at its own rate
//   awb=SECONDS           the camera's white balance follows the picture so slowly; 0: not at all
//   blur=PIXELS           out of focus: standard deviation at full size
//   noise=0..80           of the sensor: standard deviation of luma
//   people=0|1|2
//   fps=1..30             a slow camera: frames a second, at most those asked for
//   photo=yes             a flat photograph held up before the camera; turned and moved as a card
//   follow=no             ignores every cue
//   reaction=MS           from a cue to the first movement; 400 by default
//   seed=NUMBER           of noise and small movements; the same seed draws the same frames
//   freeze=, black=, silent=, unplug=, swap=, crowd=FROM[+LENGTH]
//                         seconds from the first frame: the same frame again and again, a black
//                         picture, no frames, a device that is gone, another person, a second one
struct SitterScript {
  SitterPose rest;
  int tone = 3;
  SitterWear wear;
  SitterLight light = SitterLight::kGood;
  SitterScreen screen;
  Duration fade{};
  double shine = 0.13;
  int latency = 2;
  double white_balance = 0;
  double blur = 0;
  double noise = 2;
  int people = 1;
  bool photo = false;
  bool follow = true;
  Duration reaction = std::chrono::milliseconds(400);
  uint32_t seed = 1;
  double fps = 30;  // at most
  std::optional<SitterFault> freeze, black, silent, unplug, swap, crowd;
};

// Errors: kInvalid, naming the key or value and what is allowed.
[[nodiscard]] Result<SitterScript> ParseSitterScript(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_SCRIPT_H_
