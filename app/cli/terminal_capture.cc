#include "app/cli/terminal_capture.h"

#include <utility>

#include "app/assembly/stop_deadline.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

std::string ProgressLine(const CaptureProgress& progress) {
  const bool follow =
      progress.guidance == Guidance::kNone || progress.guidance == Guidance::kFollowPrompt;
  return fmt::format("[{}/5] {}", progress.pictures,
                     follow ? Sentence(progress.prompt) : Sentence(progress.guidance));
}

}  // namespace

void TerminalObserver::OnProgress(const CaptureProgress& progress) {
  if (!std::exchange(seen_first_, true)) LogDebug("first frame analysed");
  StopWithProcess();
  components_.terminal().ShowProgress(ProgressLine(progress));
  if (witness_ != nullptr) witness_->OnProgress(progress);
}

void TerminalObserver::OnCameraTrouble(const Error& error) {
  StopWithProcess();
  components_.terminal().Say(error.message);
}

void TerminalObserver::StopWithProcess() {
  if (components_.stopping()) stop_.request_stop();
}

CommandResult<CaptureResult> CaptureFrom(Components& components, const std::string& source,
                                         CameraPurpose purpose, CaptureObserver* witness) {
  const StopDeadline soon(components, ExitCode::kCapture);
  auto camera = OpenCameraOf(components, source, purpose);
  if (!camera) return std::unexpected(camera.error());
  TerminalObserver observer(components, witness);
  auto result = camera->Capture(components.drivers().clock, components.drivers().entropy, observer,
                                observer.stop_token());
  if (!result) return StopWith(ExitCode::kCapture, result.error());
  return std::move(*result);
}

CommandResult<CaptureResult> BundleFrom(Components& components, const std::string& folder) {
  const auto settings = components.capture_settings();
  if (!settings) return std::unexpected(settings.error());
  const auto analyzer = components.analyzer();
  if (!analyzer) return std::unexpected(analyzer.error());
  const Drivers& drivers = components.drivers();
  const StopDeadline soon(components, ExitCode::kCapture);
  auto result = BundleFromPictures(folder, **settings, **analyzer, drivers.files,
                                   drivers.read_picture, drivers.clock);
  components.ForgetFaces();
  if (!result) return StopWith(ExitCode::kCapture, result.error());
  return std::move(*result);
}

}  // namespace idkiosk
