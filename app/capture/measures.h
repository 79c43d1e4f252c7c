#ifndef IDKIOSK_APP_CAPTURE_MEASURES_H_
#define IDKIOSK_APP_CAPTURE_MEASURES_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "app/capture/vision/head_pose.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/base/enum_rows.h"

namespace idkiosk {

// The reason why the current frame is not good, most urgent first: a person is told one thing at a
// time, in the order in which they can act on it.
enum class Guidance {
  kNone,             // nothing: hold it
  kNoFace,           // look into the camera
  kOnePersonOnly,    // somebody else is in the picture
  kRecording,        // the same frames come again
  kMoveCloser,       // the face is too small
  kMoveBack,         // the face is too large
  kMoveToTheMiddle,  // the face is cut off, or far from the middle
  kMoreLight,        // too dark to see
  kLessLight,        // overexposed
  kLightBehind,      // a window or lamp behind the person hides the face
  kWhiteLight,       // skin has no skin's colour
  kLookStraight,     // turned or tilted too far
  kFreeMouth,        // covered by a mask, a hand, a scarf
  kFreeEyes,         // covered, or behind dark glasses
  kOpenEyes,         // closed, or nearly
  kCloseMouth,       // wide open
  kHoldStill,        // blurred
  kFollowPrompt,     // a good frame, but the challenge is not shown yet
};

struct GuidanceTraits {
  Guidance guidance;
  std::string_view name;      // also of its sentence in the catalogues of app/ui/web/words
  std::string_view sentence;  // plain English, to the person
  std::string_view flaw;      // of a picture, to whoever looks for the reason
};

inline constexpr GuidanceTraits kGuidance[] = {
    {Guidance::kNone, "none", "Good. Hold still.", "it is good"},
    {Guidance::kNoFace, "no_face", "Look into the camera.", "no face is in it"},
    {Guidance::kOnePersonOnly, "one_person_only", "Only one person may be in the picture.",
     "more than one person is in it; cut it to the one"},
    {Guidance::kRecording, "recording", "This is a recording. Come before the camera yourself.",
     "it is of a recording that is played again and again"},
    {Guidance::kMoveCloser, "move_closer", "Come a little closer.",
     "the face is too small; take it from nearer"},
    {Guidance::kMoveBack, "move_back", "Move back a little.", "the face is too large"},
    {Guidance::kMoveToTheMiddle, "move_to_the_middle", "Move to the middle of the picture.",
     "the face is not in the middle"},
    {Guidance::kMoreLight, "more_light", "It is too dark. Turn towards the light.",
     "the face is too dark"},
    {Guidance::kLessLight, "less_light", "It is too bright. Turn away from the light.",
     "the face is too bright"},
    {Guidance::kLightBehind, "light_behind", "The light is behind you. Turn around, or move.",
     "the light is behind the person"},
    {Guidance::kWhiteLight, "white_light", "The light is coloured. Turn towards white light.",
     "its colours are not natural"},
    {Guidance::kLookStraight, "look_straight", "Look straight into the camera.",
     "the person does not look into the camera"},
    {Guidance::kFreeMouth, "free_mouth", "Take away what covers your mouth and nose.",
     "the mouth is covered"},
    {Guidance::kFreeEyes, "free_eyes", "Take off dark glasses and keep your eyes free.",
     "the eyes are covered"},
    {Guidance::kOpenEyes, "open_eyes", "Open your eyes.", "the eyes are closed"},
    {Guidance::kCloseMouth, "close_mouth", "Close your mouth.", "the mouth is open"},
    {Guidance::kHoldStill, "hold_still", "Hold still.", "the face is blurred"},
    {Guidance::kFollowPrompt, "follow_prompt", "", "the challenge is not shown"},
};
static_assert(HasEachRow(kGuidance, &GuidanceTraits::guidance));

[[nodiscard]] constexpr const GuidanceTraits& TraitsOf(Guidance guidance) {
  return kGuidance[static_cast<size_t>(guidance)];
}
[[nodiscard]] constexpr std::string_view Name(Guidance guidance) { return TraitsOf(guidance).name; }
[[nodiscard]] constexpr std::string_view Sentence(Guidance guidance) {
  return TraitsOf(guidance).sentence;
}

// The use of a picture, which decides its limits.
enum class Purpose {
  kSelfie,       // live: everything
  kLiveness,     // live: the prompt asks for another pose and distance
  kSelfieStill,  // taken elsewhere: nobody can move any more, and its background is cut off
  kLivenessStill,
};

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// A limit of a measure: a setting, or a constant of ours.
struct MeasureLimit {
  Guidance otherwise = Guidance::kNone;  // kNone: nothing is asked of it
  double constant = kNotMeasured;
  std::string_view name = {};  // of the setting in capture.json
  double CaptureSettings::* setting = nullptr;

  [[nodiscard]] constexpr double In(const CaptureSettings& settings) const {
    return setting == nullptr ? constant : settings.*setting;
  }
};

// One thing that is measured on a frame; observation.h says what each is. A measure more is its row
// here, and a row of guidance above with its sentence in each catalogue where none says the same.
struct MeasureTraits {
  std::string_view name;  // in capture.json, with its unit; empty: it is not written there
  // Returns kNotMeasured where it was not. Requires a face, if `of_face`.
  double (*read)(const FrameObservation& seen);
  bool of_face = true;

  MeasureLimit least = {}, most = {};
  bool either_side = false;  // `most` holds below zero, too
  bool counted = false;      // a whole number, which does not tremble
  // Returns whether the limits hold for such a picture. Null: always.
  bool (*asked)(const FrameObservation& seen, Purpose purpose) = nullptr;
  // Returns what must reach `least`. Null: what is read.
  double (*against_least)(const FrameObservation& seen, Purpose purpose) = nullptr;
  // Returns which guidance it is below `least`. Null: least.otherwise.
  Guidance (*because)(const FrameObservation& seen) = nullptr;

  // For the operator.
  std::string_view label = {};  // empty: it is not shown
  std::string_view unit = {};
  double step = 1;  // no finer than a person can read while it moves
};

// So many frames in a row that had been shown before are a recording: a fault of a camera's buffers
// repeats one or two.
inline constexpr int kStretch = 8;

// A face may stand out of the frame by this share of its size: a box is not exact.
inline constexpr double kMayStandOut = 0.06;

// Returns by which share of its height the face's box stands out of the frame. Requires a face.
[[nodiscard]] constexpr double StandsOut(const FrameObservation& seen) {
  const Box& box = seen.face->face.box;
  return std::max({-double{box.x}, -double{box.y}, double{box.x} + box.width - seen.width,
                   double{box.y} + box.height - seen.height}) /
         box.height;
}

[[nodiscard]] constexpr bool IsSelfie(const FrameObservation&, Purpose purpose) {
  return purpose == Purpose::kSelfie || purpose == Purpose::kSelfieStill;
}

// Returns one value of the face's grain; kNotMeasured without it. Requires a face.
template <double Grain::* part>
[[nodiscard]] constexpr double GrainOf(const FrameObservation& seen) {
  return seen.face->grain ? (*seen.face->grain).*part : kNotMeasured;
}

// Returns one value of the face's parts; kNotMeasured without them. Requires a face.
template <double FaceParts::* part>
[[nodiscard]] constexpr double PartOf(const FrameObservation& seen) {
  return seen.face->parts ? (*seen.face->parts).*part : kNotMeasured;
}

// In the order in which a person can act on them.
inline constexpr MeasureTraits kMeasures[] = {
    {.name = "faces",
     .read = [](auto& seen) { return (seen.face ? 1.0 : 0.0) + seen.other_faces; },
     .of_face = false,
     .least = {Guidance::kNoFace, 1},
     .most = {Guidance::kOnePersonOnly, 1},
     .counted = true,
     .label = "Faces"},
    {.name = "shown_before",
     .read = [](auto& seen) { return double(seen.shown_before); },
     .of_face = false,
     .most = {Guidance::kRecording, kStretch - 1},
     .counted = true},
    // A still must have pixels enough to recognise somebody by. ISO/IEC 29794-5 asks for 90 px
    // between the eyes; the service's own limit is not known, so only what is hopeless is refused.
    {.name = "face_width_px",
     .read = [](auto& seen) { return double{seen.face->face.box.width}; },
     .least = {Guidance::kMoveCloser, 60},
     .asked =
         [](auto&, Purpose purpose) {
           return purpose == Purpose::kSelfieStill || purpose == Purpose::kLivenessStill;
         }},
    {.name = "face_area",
     .read = [](auto& seen) { return seen.face->area; },
     .least = {Guidance::kMoveCloser, 0, "min_face_area", &CaptureSettings::min_face_area},
     .most = {Guidance::kMoveBack, 1, "max_face_area", &CaptureSettings::max_face_area},
     .asked = [](auto&, Purpose purpose) { return purpose == Purpose::kSelfie; },
     .against_least =
         [](auto& seen, Purpose) {
           // Light from the side: measured 0.7 and more, and 0.26 at most in every other light
           // (drawn sitters of all tones). The network then sees little of the dark half, and the
           // box of a dark face is up to a fifth too small: nothing to come closer for.
           return seen.face->area / (seen.face->light.imbalance > 0.5 ? 0.75 : 1);
         },
     .label = "Face area",
     .step = 0.01},
    {.name = "stands_out",
     .read = [](auto& seen) { return StandsOut(seen); },
     .most = {Guidance::kMoveToTheMiddle, kMayStandOut},
     .asked = [](auto&, Purpose purpose) { return purpose == Purpose::kSelfie; }},
    {.name = "off_centre",  // of the frame's width
     .read = [](auto& seen) -> double {
       const Box& box = seen.face->face.box;
       return std::abs(double{box.centre().x} / std::max(seen.width, 1) - 0.5);
     },
     .most = {Guidance::kMoveToTheMiddle, 0.27},
     // Somebody who is asked to come close may stand out, and then is not in the middle.
     .asked =
         [](auto& seen, Purpose purpose) {
           return purpose == Purpose::kSelfie ||
                  (purpose == Purpose::kLiveness && StandsOut(seen) <= kMayStandOut);
         }},
    {.name = "luma",
     .read = [](auto& seen) { return seen.face->light.mean; },
     .least = {Guidance::kMoreLight, 0, "min_luma", &CaptureSettings::min_luma},
     .most = {Guidance::kLessLight, 255, "max_luma", &CaptureSettings::max_luma},
     .against_least =
         [](auto& seen, Purpose) {
           // Dark skin in good light is dark in the mean, but has its highlights, and the whites of
           // the eyes are bright; a face in the dark has neither. Below 0.4 of the least mean
           // nothing can be seen, highlights or not.
           const FaceLight& light = seen.face->light;
           return std::min(light.mean / 0.4, std::max(light.mean, light.high / 1.6));
         },
     .because =
         [](auto& seen) {
           const FaceLight& light = seen.face->light;
           return light.surround > 2.5 * light.mean ? Guidance::kLightBehind : Guidance::kMoreLight;
         },
     .label = "Face's luma"},
    {.name = "clipped",
     .read = [](auto& seen) { return seen.face->light.clipped; },
     .most = {Guidance::kLessLight, 0.12}},
    // Light from one side: the drawn sitter's is 0.7 to 0.8, half a face in the dark 1 and more.
    {.name = "light_imbalance",
     .read = [](auto& seen) { return seen.face->light.imbalance; },
     .most = {Guidance::kMoreLight, 0.9},
     .asked = &IsSelfie},
    // From the 5th percentile to the 95th, over the mean: good photographs have 0.5 and more, fog
    // and a dirty lens 0.1.
    {.name = "contrast_of_face",
     .read =
         [](auto& seen) {
           const FaceLight& light = seen.face->light;
           return (light.high - light.low) / (light.mean + 1);
         },
     .least = {Guidance::kMoreLight, 0.25},
     .asked = &IsSelfie},
    // Good photographs, also in warm and in cool light: -0.05 to 1.1. Without colours: 0.
    {.name = "skin_warmth",
     .read =
         [](auto& seen) {
           const auto& parts = seen.face->parts;
           return parts ? parts->skin_red - parts->skin_blue : kNotMeasured;
         },
     .least = {Guidance::kWhiteLight, -0.08},
     .most = {Guidance::kWhiteLight, 1.35},
     .asked = &IsSelfie},
    // The same: 0 to 0.66; in green light -0.3 and less.
    {.name = "skin_red",
     .read = &PartOf<&FaceParts::skin_red>,
     .least = {Guidance::kWhiteLight, -0.15},
     .asked = &IsSelfie},
    {.name = "yaw_degrees",
     .read = [](auto& seen) { return seen.face->pose.yaw.value_or(kNotMeasured); },
     .most = {Guidance::kLookStraight, 90, "max_yaw_degrees", &CaptureSettings::max_yaw},
     .either_side = true,
     .asked = &IsSelfie,
     .label = "Yaw",
     .unit = "deg"},
    {.name = "pitch_degrees",
     .read = [](auto& seen) { return seen.face->pose.pitch.value_or(kNotMeasured); },
     .most = {Guidance::kLookStraight, 90, "max_pitch_degrees", &CaptureSettings::max_pitch},
     .either_side = true,
     .asked = &IsSelfie,
     .label = "Pitch",
     .unit = "deg"},
    {.name = "roll_degrees",
     .read =
         [](auto& seen) {
           const auto& parts = seen.face->parts;
           return parts ? parts->roll : seen.face->pose.roll.value_or(kNotMeasured);
         },
     .most = {Guidance::kLookStraight, 90, "max_roll_degrees", &CaptureSettings::max_roll},
     .either_side = true,
     .asked = &IsSelfie,
     .label = "Roll",
     .unit = "deg"},
    {.name = "points_score",
     .read = &PartOf<&FaceParts::score>,
     .least = {Guidance::kLookStraight, 0.5},
     .asked = &IsSelfie},
    // The points of what is outside are guesses.
    {.name = "room_around",
     .read = &PartOf<&FaceParts::room>,
     .least = {Guidance::kMoveToTheMiddle, -0.05},
     .asked = &IsSelfie},
    {.name = "mouth_seen",
     .read = &PartOf<&FaceParts::mouth_seen>,
     .least = {Guidance::kFreeMouth, 0, "min_mouth_seen", &CaptureSettings::min_mouth_seen},
     .asked = &IsSelfie,
     .label = "Mouth seen",
     .step = 0.1},
    {.name = "eyes_seen",
     .read = &PartOf<&FaceParts::eyes_seen>,
     .least = {Guidance::kFreeEyes, 0, "min_eyes_seen", &CaptureSettings::min_eyes_seen},
     .asked = &IsSelfie,
     // Closed eyes are not seen either, and the points of covered ones mostly lie open.
     .because =
         [](auto& seen) {
           return PartOf<&FaceParts::eyes_open>(seen) < 0.26 ? Guidance::kOpenEyes
                                                             : Guidance::kFreeEyes;
         },
     .label = "Eyes seen",
     .step = 0.1},
    {.name = "eyes_open",
     .read = &PartOf<&FaceParts::eyes_open>,
     .least = {Guidance::kOpenEyes, 0, "min_eyes_open", &CaptureSettings::min_eyes_open},
     .asked = &IsSelfie,
     // Eyes that are narrow, or laugh, are 0.12 in some people; the points of closed ones are
     // seldom nearer. Where iris and whites are seen, such eyes are open.
     .against_least =
         [](auto& seen, Purpose) {
           const auto& parts = seen.face->parts;
           if (!parts) return kNotMeasured;
           return parts->eyes_open * std::clamp(1.15 * parts->eyes_seen, 1.0, 1.5);
         },
     .label = "Eyes open",
     .step = 0.01},
    {.name = "mouth_open",
     .read = &PartOf<&FaceParts::mouth_open>,
     .most = {Guidance::kCloseMouth, 1, "max_mouth_open", &CaptureSettings::max_mouth_open},
     .asked = &IsSelfie,
     .label = "Mouth open",
     .step = 0.01},
    {.name = "sharpness",
     .read = [](auto& seen) { return seen.face->sharpness.value_or(kNotMeasured); },
     .least = {Guidance::kHoldStill, 0, "min_sharpness", &CaptureSettings::min_sharpness},
     // A turned or tilted head loses detail to motion and to the side of the face.
     .against_least =
         [](auto& seen, Purpose purpose) {
           return seen.face->sharpness.value_or(kNotMeasured) / (IsSelfie(seen, purpose) ? 1 : 0.5);
         },
     .label = "Sharpness"},
    // Good photographs: 7 and more; those of a camera that moves: 0.6 to 8.
    {.name = "sharpness_one_way",
     .read = &GrainOf<&Grain::one_way>,
     .least = {Guidance::kHoldStill, 5},
     .asked = &IsSelfie},
    // Good photographs: 0.26 and more; of a head or camera that moved down: 0.06 to 0.3.
    {.name = "sharpness_balance",
     .read = &GrainOf<&Grain::balance>,
     .least = {Guidance::kHoldStill, 0.2},
     .asked = &IsSelfie},
    // Good photographs: at most 0.24; drawings, mosaics and fog: 0.2 to 0.8. Dark skin in dim light
    // is flatter than a good photograph, and is told of the light.
    {.name = "flat_share",
     .read = &GrainOf<&Grain::flat>,
     .most = {Guidance::kHoldStill, 0.45},
     .asked = &IsSelfie},
    // Good photographs: at most 0.2, a grainy one 0.74; with a noise of 30: 0.4 to 1.1.
    {.name = "noise_share",
     .read = &GrainOf<&Grain::noise>,
     .most = {Guidance::kMoreLight, 0.8},
     .asked = &IsSelfie},
    // Of 324 good photographs at most 3.1 grey levels at 112 pixels; with a noise of 30, and with
    // salt and pepper, 4.2 and more, also where a face is so sharp that its share is small.
    {.name = "noise_luma",
     .read = &GrainOf<&Grain::deviation>,
     .most = {Guidance::kMoreLight, 4.1},
     .asked = &IsSelfie},
    // Nothing is asked of the others.
    {.name = "frame_width_px",
     .read = [](auto& seen) { return double(seen.width); },
     .of_face = false},
    {.name = "frame_height_px",
     .read = [](auto& seen) { return double(seen.height); },
     .of_face = false},
    {.name = "other_faces",
     .read = [](auto& seen) { return double(seen.other_faces); },
     .of_face = false},
    {.name = "frame_luma",
     .read = [](auto& seen) { return seen.luma; },
     .of_face = false,
     .most = {.constant = 255},
     .label = "Picture's luma"},
    {.name = "score", .read = [](auto& seen) { return double{seen.face->face.score}; }},
    {.name = "inter_eye_distance_px", .read = &InterEyeDistance},
    {.name = "luma_low", .read = [](auto& seen) { return seen.face->light.low; }},
    {.name = "luma_high", .read = [](auto& seen) { return seen.face->light.high; }},
    {.name = "surround_luma", .read = [](auto& seen) { return seen.face->light.surround; }},
    {.name = "smile", .read = [](auto& seen) { return seen.face->smile.value_or(kNotMeasured); }},
};

// Returns the one of that name; it does not compile if there is none.
[[nodiscard]] consteval const MeasureTraits& MeasureNamed(std::string_view name) {
  return *std::ranges::find(kMeasures, name, &MeasureTraits::name);
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_MEASURES_H_
