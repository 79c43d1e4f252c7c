#include "app/assembly/camera_session.h"

#include <future>
#include <utility>

#include "app/capture/live_camera.h"
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

CommandResult<std::unique_ptr<CameraSession>> CameraSession::Open(Components& components,
                                                                  std::string source,
                                                                  Purpose purpose) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  const CameraSettings& camera = (*settings)->camera;
  if (source.empty()) source = camera.source;
  auto chosen = components.drivers().make_camera(source, camera);
  if (!chosen) return StopWith(ExitCode::kUsage, chosen.error());

  std::unique_ptr<CameraSession> session(new CameraSession(components, std::move(*chosen)));
  auto opening = std::async(std::launch::async, [&] {
    return session->camera().Open({.width = camera.width,
                                   .height = camera.height,
                                   .frames_per_second = camera.frames_per_second});
  });
  const auto analyzer = components.analyzer();
  const auto info = opening.get();
  if (!info) return StopWith(ExitCode::kCapture, info.error());
  if (purpose == Purpose::kVerify) {
    if (Status live = RequireLive(*info, (*settings)->capture); !live) {
      return StopWith(ExitCode::kConfiguration, live.error());
    }
  }
  if (!analyzer) return std::unexpected(analyzer.error());
  session->info_ = *info;
  session->analyzer_ = *analyzer;
  session->settings_ = *components.capture_settings();
  return session;
}

CameraSession::~CameraSession() { chosen_.camera->Close(); }

void CameraSession::OnProgress(const CaptureProgress& progress) {
  if (!std::exchange(seen_first_, true)) LogDebug("first frame analysed");
  if (components_.stopping()) stop_.request_stop();
  chosen_.follow(progress.prompt);
  components_.terminal().ShowProgress(ProgressLine(progress));
  if (witness_ != nullptr) witness_->OnProgress(progress);
}

void CameraSession::OnCameraTrouble(const Error& error) {
  if (components_.stopping()) stop_.request_stop();
  components_.terminal().Say(error.message);
}

CommandResult<CaptureResult> CaptureFrom(Components& components, const std::string& source,
                                         CameraSession::Purpose purpose, CaptureObserver* witness) {
  auto session = CameraSession::Open(components, source, purpose);
  if (!session) return std::unexpected(session.error());
  (*session)->set_witness(witness);
  CaptureRunner runner((*session)->settings(), (*session)->analyzer(), components.drivers().clock,
                       components.drivers().entropy);
  auto result =
      runner.Run((*session)->camera(), (*session)->info(), **session, (*session)->stop_token());
  if (!result) return StopWith(ExitCode::kCapture, result.error());
  result->record.detector_compromise = components.detector_compromise();
  return std::move(*result);
}

CommandResult<CaptureResult> BundleFrom(Components& components, const std::string& folder) {
  const auto settings = components.capture_settings();
  if (!settings) return std::unexpected(settings.error());
  const auto analyzer = components.analyzer();
  if (!analyzer) return std::unexpected(analyzer.error());
  const Drivers& drivers = components.drivers();
  auto result = BundleFromPictures(folder, **settings, **analyzer, drivers.files,
                                   drivers.read_picture, drivers.clock);
  if (!result) return StopWith(ExitCode::kCapture, result.error());
  return std::move(*result);
}

}  // namespace idkiosk
