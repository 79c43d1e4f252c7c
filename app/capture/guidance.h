#ifndef IDKIOSK_APP_CAPTURE_GUIDANCE_H_
#define IDKIOSK_APP_CAPTURE_GUIDANCE_H_

#include <string_view>

namespace idkiosk {

// The action that a step of the capture asks for.
enum class Prompt { kSelfie, kTurnLeft, kTurnRight, kLookUp, kComeCloser, kSmile, kDone };

// The reason why the current frame is not good, most urgent first: a person is told one thing at a
// time, in the order in which they can act on it.
enum class Guidance {
  kNone,             // nothing: hold it
  kNoFace,           // look into the camera
  kOnePersonOnly,    // somebody else is in the picture
  kMoveCloser,       // the face is too small
  kMoveBack,         // the face is too large
  kMoveToTheMiddle,  // the face is cut off, or far from the middle
  kMoreLight,        // too dark to see
  kLessLight,        // overexposed
  kLightBehind,      // a window or lamp behind the person hides the face
  kLookStraight,     // turned or tilted too far
  kHoldStill,        // blurred
  kFollowPrompt,     // a good frame, but the challenge is not shown yet
};

// "selfie", "turn_left", "turn_right", "look_up", "come_closer", "smile", "done".
[[nodiscard]] std::string_view Name(Prompt prompt);
// "none", "no_face", "one_person_only", "move_closer", ...
[[nodiscard]] std::string_view Name(Guidance guidance);
// A plain English sentence: "Turn your head to the left.", "Come a little closer."
[[nodiscard]] std::string_view Sentence(Prompt prompt);
[[nodiscard]] std::string_view Sentence(Guidance guidance);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_GUIDANCE_H_
