#include "app/capture/tools/camera_look.h"

#include <cmath>
#include <optional>
#include <utility>

namespace idkiosk {
namespace {

constexpr Duration kBetweenMeasures = std::chrono::milliseconds(250);
constexpr Duration kLongestWait = std::chrono::seconds(1);

// Sharpness has no upper limit; what a good camera gives is some times the least.
constexpr double kSharpness = 10;

double Rounded(double value, double step) { return std::round(value / step) * step; }

// `step`: no finer than a person can read while it moves.
Measure Between(std::string name, double value, double step, std::string unit, double low,
                double high) {
  return {std::move(name),
          Rounded(value, step),
          std::move(unit),
          low,
          high,
          value >= low && value <= high,
          fmt::format("{:g} to {:g}", low, high)};
}

void AddAngle(std::vector<Measure>& measures, std::string name, std::optional<double> angle,
              double limit) {
  if (angle) measures.push_back(Between(std::move(name), *angle, 1, "deg", -limit, limit));
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
  const int faces = (seen.face ? 1 : 0) + seen.other_faces;
  std::vector<Measure> measures = {
      {"Faces", static_cast<double>(faces), "", 0, 1, faces == 1, "exactly 1"},
      {"Picture's luma", Rounded(seen.luma, 1), "", 0, 255, true, ""},
  };
  if (!seen.face) return measures;
  const FaceObservation& face = *seen.face;
  measures.push_back(
      Between("Face area", face.area, 0.01, "", limits.min_face_area, limits.max_face_area));
  AddAngle(measures, "Yaw", face.pose.yaw, limits.max_yaw);
  AddAngle(measures, "Pitch", face.pose.pitch, limits.max_pitch);
  AddAngle(measures, "Roll", face.pose.roll, limits.max_roll);
  measures.push_back(
      Between("Face's luma", face.light.mean, 1, "", limits.min_luma, limits.max_luma));
  if (face.sharpness) {
    measures.push_back(Between("Sharpness", *face.sharpness, 1, "", limits.min_sharpness,
                               kSharpness * limits.min_sharpness));
    measures.back().good = *face.sharpness >= limits.min_sharpness;
    measures.back().limits = fmt::format("at least {:g}", limits.min_sharpness);
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
