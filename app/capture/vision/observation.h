#ifndef IDKIOSK_APP_CAPTURE_VISION_OBSERVATION_H_
#define IDKIOSK_APP_CAPTURE_VISION_OBSERVATION_H_

#include <cstdint>
#include <optional>

#include "app/capture/image/appearance.h"
#include "app/capture/vision/face.h"
#include "platform/base/time.h"

// Where ISO/IEC 29794-5 (whose reference program is OFIQ) has a measure of the same thing, its name
// stands in brackets. Values here are native ones in the units given, not its scores of 0..100, and
// are taken from frames as cameras give them, not from its aligned pictures. It parses the face for
// occlusion and eyewear, of which here colours at the face's points tell; of glare nothing does.
namespace idkiosk {

// Where a head points, in degrees, as the camera sees it. Zero looks into the camera. What cannot
// be told is absent. [HeadPoseYaw, HeadPosePitch, HeadPoseRoll]
struct HeadPose {
  std::optional<double> yaw;    // positive: to the person's left, the right of the picture
  std::optional<double> pitch;  // positive: up; only with detail
  std::optional<double> roll;   // positive: towards the person's left shoulder, clockwise
};

// Light on a face: luma (BT.601, 0..255) inside the middle of the box, without hair and background.
struct FaceLight {
  double mean = 0;       // [LuminanceMean]
  double low = 0;        // 5th percentile [UnderExposurePrevention]
  double high = 0;       // 95th percentile [DynamicRange, with low]
  double clipped = 0;    // share at 250 and above: 0..1 [OverExposurePrevention]
  double surround = 0;   // mean luma of the picture outside the box
  double imbalance = 0;  // |left half - right half| / mean: 0 for even light
                         // [IlluminationUniformity]
};

// A colour without its brightness, which does not change with the strength of white light:
// ln(red / green) and ln(blue / green) of the means of an area.
struct Tint {
  double red = 0;
  double blue = 0;
  Tint operator-(const Tint& other) const { return {red - other.red, blue - other.blue}; }
};

// What the detail of a face is made of.
struct Grain {
  // Variance of the second differences along rows or along columns, whichever is less: where a
  // camera or a head moves, the detail of one direction goes.
  double one_way = 0;
  double balance = 1;    // that, over the variance in the other direction
  double noise = 0;      // the share of the sharpness that is a sensor's noise
  double deviation = 0;  // of that noise, in grey levels
  double flat = 0;       // the share of pixels that equal their neighbours: little in a photograph
};

// What the points of a face tell (FaceMesh).
struct FaceParts {
  double score = 0;       // 0..1: an upright face is there, covered or not
  double eyes_open = 0;   // the lids' distance over the eye's width, mean of both [EyesOpen]
  double mouth_open = 0;  // the lips' distance over the mouth's width [MouthClosed]
  double roll = 0;        // degrees over the full circle, as HeadPose::roll [HeadPoseRoll]
  // From the frame's edge to the nearest of forehead, chin and cheeks, over the face's height;
  // below zero where one is outside. [MarginAboveOfTheFaceImage and the three like it]
  double room = 0;
  // 1 and more: nothing covers it. [EyesVisible, MouthOcclusionPrevention]
  double eyes_seen = 1;
  double mouth_seen = 1;
  // Of the skin between the eyes and below them: ln(red / green) and ln(blue / green), which do not
  // change with the strength of white light. [NaturalColour]
  double skin_red = 0;
  double skin_blue = 0;
};

struct FaceObservation {
  Face face;  // in pixels of the upright frame at full size
  HeadPose pose;
  // The box's share of the largest upright 3:4 window that fits into the frame: the same person at
  // the same distance has the same area on a wide and on an upright camera of that height.
  // [HeadSize]
  double area = 0;
  FaceLight light;
  // Of the middle of the face, and of what is seen to both sides of the head. Nothing where it is
  // overexposed, or outside of the picture.
  std::optional<Tint> tint, tint_behind;
  // Variance of the Laplacian on the face at 112 px, after its luma was stretched to full contrast.
  // [Sharpness]
  // It and exact landmarks are detail: nothing where that was not asked for, because it costs a
  // second look at the frame.
  std::optional<double> sharpness;
  std::optional<Grain> grain;  // where sharpness is, of the same pixels
  // 0..1; 0.5 and more is a smile. Nothing where that was not asked for. [ExpressionNeutrality]
  std::optional<double> smile;
  // Nothing where that was not asked for, and without the model of a face's points.
  std::optional<FaceParts> parts;

  [[nodiscard]] bool has_detail() const { return sharpness.has_value(); }
};

// A second look at the face of a frame. Bits.
enum class Detail : unsigned {
  kNone = 0,
  kFace = 1,   // sharpness, exact landmarks, pitch
  kSmile = 2,  // sharpness and the smile
  kFaceAndSmile = kFace | kSmile,
  kParts = 4,  // sharpness and the face's parts
  kSelfie = kFace | kParts,
  kAll = kFace | kSmile | kParts,
};

[[nodiscard]] constexpr Detail operator|(Detail one, Detail other) {
  return static_cast<Detail>(static_cast<unsigned>(one) | static_cast<unsigned>(other));
}

// Returns whether `detail` has all of `part`.
[[nodiscard]] constexpr bool With(Detail detail, Detail part) {
  return (static_cast<unsigned>(detail) & static_cast<unsigned>(part)) ==
         static_cast<unsigned>(part);
}

// The measurements of one frame.
struct FrameObservation {
  MonotonicTime captured_at;
  MonotonicTime known_at{};  // when this was known, and can be answered; epoch: at once
  uint64_t sequence = 0;
  int width = 0;        // pixels of the upright frame
  int height = 0;       // pixels
  double luma = 0;      // mean of the whole frame, 0..255
  double contrast = 0;  // standard deviation of its luma
  double colour = 0;    // mean distance of its strongest channel from its weakest, 0..255
  Appearance appearance;
  // Frames in a row, up to this one, that a live camera had shown before: RepeatWatch.
  int shown_before = 0;
  // How long the camera exposed; nothing where that was not asked for, or it does not say.
  std::optional<Duration> exposure;
  std::optional<FaceObservation> face;  // the largest
  // Further ones with an area of at least CaptureSettings::other_face_area, or a good third of the
  // largest.
  int other_faces = 0;  // [SingleFacePresent]
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_OBSERVATION_H_
