#ifndef IDKIOSK_APP_CAPTURE_CHALLENGES_H_
#define IDKIOSK_APP_CAPTURE_CHALLENGES_H_

#include <vector>

#include "app/capture/guidance.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// Four of `challenges`, at least two, in an order that nobody can foresee: different ones as far as
// they reach, and never the same twice in a row.
[[nodiscard]] std::vector<Prompt> DrawChallenges(const std::vector<Prompt>& challenges,
                                                 Entropy& entropy);

// Whether `face` shows `challenge`. Turning is measured as the camera sees it; looking up and
// coming closer against the person's own selfie, because faces and distances differ between people.
[[nodiscard]] bool Shows(Prompt challenge, const FaceObservation& face,
                         const FaceObservation& selfie, const CaptureSettings& settings);

// The same for somebody who showed it a moment ago: what is measured trembles, and a head does too.
[[nodiscard]] bool StillShows(Prompt challenge, const FaceObservation& face,
                              const FaceObservation& selfie, const CaptureSettings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CHALLENGES_H_
