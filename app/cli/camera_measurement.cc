#include "app/cli/camera_measurement.h"

#include <algorithm>

namespace idkiosk {

CommandResult<CameraTuning> MeasureCamera(Components& components, const OpenCamera& camera,
                                          Duration time, int enough) {
  constexpr Duration kLongestWait = std::chrono::seconds(2);
  const Clock& clock = components.drivers().clock;
  CameraTuning tuning(camera.limits);
  const MonotonicTime end = clock.Now() + time;
  for (MonotonicTime now = clock.Now();
       (now < end || tuning.needs_more()) && tuning.used() < enough; now = clock.Now()) {
    if (components.stopping()) return StopWith(ExitCode::kCapture, "the measurement was stopped");
    const auto frame = camera.camera->NextFrame(now + kLongestWait);
    if (!frame && frame.error().code == ErrorCode::kCorrupt) continue;
    if (!frame && frame.error().code == ErrorCode::kNotFound) break;  // pictures taken before
    if (!frame) return StopWith(ExitCode::kCapture, frame.error());
    auto seen = camera.analyzer->Analyze(*frame);
    if (!seen) continue;
    if (!camera.analyzer->MeasureDetail(*frame, Detail::kFace, *seen)) continue;
    tuning.Add(*seen);
    components.terminal().ShowProgress(fmt::format(
        "Look straight into the camera: {} s more, {} good frames",
        std::chrono::ceil<std::chrono::seconds>(std::max(end - now, Duration())).count(),
        tuning.used()));
  }
  return tuning;
}

}  // namespace idkiosk
