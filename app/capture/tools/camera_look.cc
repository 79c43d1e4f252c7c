#include "app/capture/tools/camera_look.h"

#include <cmath>
#include <optional>
#include <utility>

#include "app/capture/quality_gate.h"

namespace idkiosk {
namespace {

constexpr Duration kBetweenMeasures = std::chrono::milliseconds(250);
constexpr Duration kLongestWait = std::chrono::seconds(1);

// Where a measure has no upper limit, the scale goes to so many times the least.
constexpr double kScale = 10;

Measure Shown(const MeasureTraits& measure, const FrameObservation& seen,
              const CaptureSettings& settings) {
  const double value = measure.read(seen);
  const double least = measure.least.In(settings), most = measure.most.In(settings);
  Measure shown{.name = std::string(measure.label),
                .value = std::round(value / measure.step) * measure.step,
                .unit = std::string(measure.unit),
                .low = measure.either_side ? -most : 0,
                .high = std::isnan(most) ? kScale * least : most,
                .good = !FlawOf(measure, seen, Purpose::kSelfie, settings),
                .limits = ""};
  if (measure.most.otherwise == Guidance::kNone) {
    if (std::isnan(least)) return shown;
    shown.low = least;
    shown.limits = fmt::format("at least {:g}", least);
  } else if (least == most) {
    shown.limits = fmt::format("exactly {:g}", most);
  } else {
    if (!std::isnan(least)) shown.low = least;
    shown.limits = fmt::format("{:g} to {:g}", shown.low, shown.high);
  }
  return shown;
}

// A camera that is away is looked for while it is asked for its next frame.
bool MayPass(ErrorCode code) {
  return code == ErrorCode::kTimeout || code == ErrorCode::kCorrupt ||
         code == ErrorCode::kUnavailable;
}

Result<std::vector<Measure>> Look(const Frame& frame, FrameAnalyzer& analyzer,
                                  const CaptureSettings& limits) {
  auto seen = analyzer.Analyze(frame);
  if (!seen) return std::unexpected(seen.error());
  if (auto detailed = analyzer.MeasureDetail(frame, Detail::kFaceAndSmile, *seen); !detailed) {
    return std::unexpected(detailed.error());
  }
  return MeasuresOf(*seen, limits);
}

}  // namespace

std::vector<Measure> MeasuresOf(const FrameObservation& seen, const CaptureSettings& limits) {
  std::vector<Measure> measures;
  for (const MeasureTraits& each : kMeasures) {
    if (each.label.empty() || (each.of_face && !seen.face)) continue;
    if (!std::isnan(each.read(seen))) measures.push_back(Shown(each, seen, limits));
  }
  return measures;
}

Status LookThrough(Camera& camera, FrameAnalyzer& analyzer, const CaptureSettings& limits,
                   const Clock& clock, CameraWatcher& watcher, const std::stop_token& stop) {
  std::optional<MonotonicTime> measured_at;
  while (!stop.stop_requested()) {
    const auto frame = camera.NextFrame(clock.Now() + kLongestWait);
    if (!frame) {
      watcher.OnTrouble(frame.error());
      if (!MayPass(frame.error().code)) return std::unexpected(frame.error());
      continue;
    }
    watcher.OnFrame(*frame);
    const MonotonicTime now = clock.Now();
    if (measured_at && now - *measured_at < kBetweenMeasures) continue;
    measured_at = now;
    if (auto measures = Look(*frame, analyzer, limits)) {
      watcher.OnMeasures(std::move(*measures));
    } else {
      watcher.OnTrouble(measures.error());
    }
  }
  return {};
}

}  // namespace idkiosk
