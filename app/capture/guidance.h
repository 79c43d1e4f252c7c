#ifndef IDKIOSK_APP_CAPTURE_GUIDANCE_H_
#define IDKIOSK_APP_CAPTURE_GUIDANCE_H_

#include <string_view>

namespace idkiosk {

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

// "none", "no_face", "one_person_only", "move_closer", ...
[[nodiscard]] std::string_view Name(Guidance guidance);
// A plain English sentence: "Come a little closer."
[[nodiscard]] std::string_view Sentence(Guidance guidance);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_GUIDANCE_H_
