#ifndef IDKIOSK_APP_CAPTURE_CHALLENGES_H_
#define IDKIOSK_APP_CAPTURE_CHALLENGES_H_

#include <array>
#include <vector>

#include "app/capture/capture_bundle.h"
#include "app/capture/guidance.h"
#include "app/capture/observation.h"
#include "app/settings/settings.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// Everything that a person may be asked to show after the selfie.
inline constexpr std::array kChallenges = {Prompt::kTurnLeft, Prompt::kTurnRight, Prompt::kLookUp,
                                           Prompt::kComeCloser};

// Four different ones in an order that nobody can foresee.
[[nodiscard]] std::vector<Prompt> DrawChallenges(Entropy& entropy);

// Whether only a frame's detail tells if the challenge is shown.
[[nodiscard]] bool NeedsDetail(Prompt challenge);

// Whether `face` shows `challenge`. Turning is measured as the camera sees it; looking up and
// coming closer against the person's own selfie, because faces and distances differ between people.
[[nodiscard]] bool Shows(Prompt challenge, const FaceObservation& face,
                         const FaceObservation& selfie, const CaptureSettings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CHALLENGES_H_
