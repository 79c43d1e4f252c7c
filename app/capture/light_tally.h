#ifndef IDKIOSK_APP_CAPTURE_LIGHT_TALLY_H_
#define IDKIOSK_APP_CAPTURE_LIGHT_TALLY_H_

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/capture/light_sequence.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Whether the finding says that the screen's light could not be judged, by no fault of the person
// or of the face.
[[nodiscard]] constexpr bool IsAbstention(LightFinding finding) {
  return finding == LightFinding::kNoColours || finding == LightFinding::kTooBright ||
         finding == LightFinding::kTooNoisy;
}

// Whether the light was asked for, judged or not.
[[nodiscard]] constexpr bool WasAsked(LightFinding finding) {
  return IsAbstention(finding) || finding == LightFinding::kAnswered ||
         finding == LightFinding::kUnanswered;
}

// Counts what became of the light checks of a kiosk's captures, so that one whose check abstains
// too often is noticed. Any thread.
class LightTally {
 public:
  // So many of the newest checks are looked at, and fewer than that say nothing.
  static constexpr size_t kNewest = 20;
  static constexpr size_t kFewest = 5;

  // Counts the end of a capture. One that was asked for no light counts nothing.
  void Count(LightFinding finding);

  // How many ended so since the program began.
  [[nodiscard]] uint64_t CountOf(LightFinding finding) const;

  // The newest checks, where more than half of them abstained.
  struct TooRarely {
    size_t checks = 0;
    size_t abstained = 0;
    LightFinding mostly{};  // the most frequent reason
  };
  // Returns nothing where the light is judged often enough.
  [[nodiscard]] std::optional<TooRarely> JudgedTooRarely() const;

 private:
  mutable Mutex mutex_;
  std::vector<LightFinding> newest_ GUARDED_BY(mutex_);  // the oldest first
  std::array<uint64_t, kLightFindings> counts_ GUARDED_BY(mutex_){};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_LIGHT_TALLY_H_
