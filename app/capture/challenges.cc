#include "app/capture/challenges.h"

#include <array>
#include <cstring>
#include <utility>

#include "app/capture/capture_bundle.h"

namespace idkiosk {
namespace {

// Of what is asked for; a smile of the darkest of the drawn sitters is seen as 0.4 to 0.8.
constexpr double kStillShown = 0.7;

}  // namespace

uint32_t DrawBelow(uint32_t count, Entropy& entropy) {
  // What would favour the first numbers is drawn again.
  const uint32_t end = UINT32_MAX - UINT32_MAX % count;
  for (;;) {
    std::array<uint8_t, sizeof(uint32_t)> bytes;
    entropy.Fill(bytes);
    uint32_t value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    if (value < end) return value % count;
  }
}

std::vector<Prompt> DrawChallenges(const std::vector<Prompt>& challenges, Entropy& entropy) {
  std::vector<Prompt> drawn;
  while (drawn.size() < CaptureBundle::kLivenessPictures) {
    std::vector<Prompt> round = challenges;
    Shuffle(round, entropy);
    if (!drawn.empty() && round.front() == drawn.back()) std::swap(round.front(), round.back());
    drawn.insert(drawn.end(), round.begin(), round.end());
  }
  drawn.resize(CaptureBundle::kLivenessPictures);
  return drawn;
}

std::vector<Prompt> Without(const std::vector<Prompt>& challenges, uint32_t left_out) {
  constexpr size_t kFewest = 2;
  std::vector<Prompt> others = challenges;
  std::erase_if(others, [left_out](Prompt each) { return (BitOf(each) & left_out) != 0; });
  return others.size() < kFewest ? challenges : others;
}

bool Shows(Prompt challenge, const FaceObservation& face, const FaceObservation& selfie,
           const CaptureSettings& settings) {
  return TraitsOf(challenge).share(face, selfie, settings) >= 1;
}

bool StillShows(Prompt challenge, const FaceObservation& face, const FaceObservation& selfie,
                const CaptureSettings& settings) {
  return TraitsOf(challenge).share(face, selfie, settings) >= kStillShown;
}

}  // namespace idkiosk
