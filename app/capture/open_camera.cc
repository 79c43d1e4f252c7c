#include "app/capture/open_camera.h"

#include <utility>

namespace idkiosk {

OpenCamera::~OpenCamera() {
  if (camera == nullptr) return;
  camera->Close();
  camera.reset();
  if (forget) forget();
}

Result<CaptureResult> OpenCamera::Capture(Clock& clock, Entropy& entropy, CaptureObserver& observer,
                                          std::stop_token stop) {
  CaptureRunner runner(limits, *analyzer, clock, entropy);
  FollowedObserver followed(*this, observer);
  auto result = runner.Run(*camera, info, followed, std::move(stop));
  if (saw_colours && runner.saw_colours()) saw_colours();
  light = runner.light();
  if (result) result->record.detector_compromise = compromise;
  return result;
}

void FollowedObserver::OnProgress(const CaptureProgress& progress) {
  if (camera_.follow) camera_.follow(DrawnAnswer(progress.prompt, progress.light, progress.fade));
  next_.OnProgress(progress);
}

}  // namespace idkiosk
