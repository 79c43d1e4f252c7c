#ifndef IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_
#define IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_

#include <optional>
#include <string>

#include "app/capture/measures.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"

namespace idkiosk {

// One measure that does not keep its limit.
struct Flaw {
  Guidance guidance;
  const MeasureTraits* measure;
  double limit;
  bool below;  // or above

  // For a log: "the face is too dark (luma 31, at least 50 is needed)". `seen` is what was judged.
  [[nodiscard]] std::string Text(const FrameObservation& seen) const;
};

// Returns nothing where the limits are kept, or do not hold for such a picture. `refused` is what
// the picture before was refused for: what trembles must have got clearly better since.
[[nodiscard]] std::optional<Flaw> FlawOf(const MeasureTraits& measure, const FrameObservation& seen,
                                         Purpose purpose, const CaptureSettings& settings,
                                         Guidance refused = Guidance::kNone);

// Returns what a person can act on first, nothing for a good picture. What was not measured counts
// as good.
[[nodiscard]] std::optional<Flaw> FirstFlaw(const FrameObservation& seen, Purpose purpose,
                                            const CaptureSettings& settings,
                                            Guidance refused = Guidance::kNone);

// Says whether a picture is good enough, and if not, the one thing to do about it first. What it
// refused once it takes back only after the value has got clearly better, so that a person on the
// edge of a threshold does not see two sentences flicker.
class QualityGate {
 public:
  // `settings` must outlive this.
  explicit QualityGate(const CaptureSettings& settings) : settings_(settings) {}

  // Returns kNone for a good picture.
  [[nodiscard]] Guidance Judge(const FrameObservation& seen, Purpose purpose) {
    const auto flaw = FirstFlaw(seen, purpose, settings_, last_);
    return last_ = flaw ? flaw->guidance : Guidance::kNone;
  }

  // Forgets what it refused.
  void Reset() { last_ = Guidance::kNone; }

 private:
  const CaptureSettings& settings_;
  Guidance last_ = Guidance::kNone;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_
