#include "app/capture/quality_gate.h"

#include <cmath>

namespace idkiosk {
namespace {

// How much better than its threshold a refused value must get.
constexpr double kHysteresis = 0.06;

}  // namespace

std::string Flaw::Text(const FrameObservation& seen) const {
  const std::string_view flaw = TraitsOf(guidance).flaw;
  if (measure->counted) return std::string(flaw);
  return fmt::format("{} ({} {:.3g}, at {} {:g} is {})", flaw, measure->name, measure->read(seen),
                     below ? "least" : "most", limit, below ? "needed" : "allowed");
}

std::optional<Flaw> FlawOf(const MeasureTraits& measure, const FrameObservation& seen,
                           Purpose purpose, const CaptureSettings& settings, Guidance refused) {
  if (measure.of_face && !seen.face) return std::nullopt;
  if (measure.asked != nullptr && !measure.asked(seen, purpose)) return std::nullopt;
  const double value = measure.read(seen);
  const auto share = [&](Guidance guidance, double hysteresis) {
    return guidance == refused && !measure.counted ? 1 + hysteresis : 1;
  };
  if (measure.least.otherwise != Guidance::kNone) {
    const Guidance guidance =
        measure.because == nullptr ? measure.least.otherwise : measure.because(seen);
    const double held =
        measure.against_least == nullptr ? value : measure.against_least(seen, purpose);
    const double limit = measure.least.In(settings);
    if (held < limit * share(guidance, kHysteresis)) return Flaw{guidance, &measure, limit, true};
  }
  if (const Guidance guidance = measure.most.otherwise; guidance != Guidance::kNone) {
    const double held = measure.either_side ? std::abs(value) : value;
    const double limit = measure.most.In(settings);
    if (held > limit * share(guidance, -kHysteresis)) return Flaw{guidance, &measure, limit, false};
  }
  return std::nullopt;
}

std::optional<Flaw> FirstFlaw(const FrameObservation& seen, Purpose purpose,
                              const CaptureSettings& settings, Guidance refused) {
  for (const MeasureTraits& each : kMeasures) {
    if (auto flaw = FlawOf(each, seen, purpose, settings, refused)) return flaw;
  }
  return std::nullopt;
}

}  // namespace idkiosk
