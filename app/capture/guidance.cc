#include "app/capture/guidance.h"

namespace idkiosk {

std::string_view Name(Guidance guidance) {
  switch (guidance) {
    case Guidance::kNone:
      return "none";
    case Guidance::kNoFace:
      return "no_face";
    case Guidance::kOnePersonOnly:
      return "one_person_only";
    case Guidance::kMoveCloser:
      return "move_closer";
    case Guidance::kMoveBack:
      return "move_back";
    case Guidance::kMoveToTheMiddle:
      return "move_to_the_middle";
    case Guidance::kMoreLight:
      return "more_light";
    case Guidance::kLessLight:
      return "less_light";
    case Guidance::kLightBehind:
      return "light_behind";
    case Guidance::kLookStraight:
      return "look_straight";
    case Guidance::kHoldStill:
      return "hold_still";
    case Guidance::kFollowPrompt:
      return "follow_prompt";
  }
  return "none";
}

std::string_view Sentence(Guidance guidance) {
  switch (guidance) {
    case Guidance::kNone:
      return "Good. Hold still.";
    case Guidance::kNoFace:
      return "Look into the camera.";
    case Guidance::kOnePersonOnly:
      return "Only one person may be in the picture.";
    case Guidance::kMoveCloser:
      return "Come a little closer.";
    case Guidance::kMoveBack:
      return "Move back a little.";
    case Guidance::kMoveToTheMiddle:
      return "Move to the middle of the picture.";
    case Guidance::kMoreLight:
      return "It is too dark. Turn towards the light.";
    case Guidance::kLessLight:
      return "It is too bright. Turn away from the light.";
    case Guidance::kLightBehind:
      return "The light is behind you. Turn around, or move.";
    case Guidance::kLookStraight:
      return "Look straight into the camera.";
    case Guidance::kHoldStill:
      return "Hold still.";
    case Guidance::kFollowPrompt:
      return "";
  }
  return "";
}

}  // namespace idkiosk
