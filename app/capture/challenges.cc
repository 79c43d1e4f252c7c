#include "app/capture/challenges.h"

#include <cmath>
#include <cstring>
#include <utility>

namespace idkiosk {
namespace {

// Uniform over 0 .. count - 1: what would favour the first numbers is drawn again.
uint32_t DrawBelow(uint32_t count, Entropy& entropy) {
  const uint32_t end = UINT32_MAX - UINT32_MAX % count;
  for (;;) {
    std::array<uint8_t, sizeof(uint32_t)> bytes;
    entropy.Fill(bytes);
    uint32_t value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    if (value < end) return value % count;
  }
}

}  // namespace

std::vector<Prompt> DrawChallenges(Entropy& entropy) {
  std::vector<Prompt> drawn(kChallenges.begin(), kChallenges.end());
  for (size_t i = drawn.size() - 1; i > 0; --i) {
    std::swap(drawn[i], drawn[DrawBelow(static_cast<uint32_t>(i + 1), entropy)]);
  }
  drawn.resize(CaptureBundle::kLivenessPictures);
  return drawn;
}

bool NeedsDetail(Prompt challenge) { return challenge == Prompt::kLookUp; }

bool Shows(Prompt challenge, const FaceObservation& face, const FaceObservation& selfie,
           const CaptureSettings& settings) {
  switch (challenge) {
    case Prompt::kTurnLeft:
      return face.pose && face.pose->yaw >= settings.turn_yaw;
    case Prompt::kTurnRight:
      return face.pose && face.pose->yaw <= -settings.turn_yaw;
    case Prompt::kLookUp:
      return face.pose && face.has_detail() && selfie.pose &&
             face.pose->pitch - selfie.pose->pitch >= settings.up_pitch &&
             std::abs(face.pose->yaw) < settings.turn_yaw;
    case Prompt::kComeCloser: {
      // The box's width alone changes with turning.
      const double growth = std::sqrt(face.area / selfie.area);
      return growth >= settings.closer_factor;
    }
    default:
      return false;
  }
}

}  // namespace idkiosk
