// The part of VisitController that waits before the camera.
#include <utility>

#include "app/session/visit/visit_controller.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// For as long as the page may take to see it between two snapshots.
constexpr Duration kRestarted = std::chrono::milliseconds(500);
// Seconds before the first picture: a camera takes its time to open.
constexpr int kOpensBefore = 1;

}  // namespace

void VisitController::EnterCamera() {
  person_.bundle.reset();
  Show(Screen::kCamera);
  view_.camera = UiSnapshot::Camera();
  view_.camera->gentle = person_.pace == LightPace::kGentle;
  deps_.camera.LeaveOut(person_.left_out);
  const auto seconds = static_cast<int>(deps_.settings.ui.get_ready / std::chrono::seconds(1));
  if (seconds == 0) return deps_.camera.Start(*this, Duration::zero(), person_.pace);
  WaitForCamera(seconds);
}

Status VisitController::SlowLight(JsonView arguments) {
  const auto gentle = arguments["gentle"].AsBool();
  if (!gentle) return Fail(ErrorCode::kInvalid, "gentle must be true or false");
  const LightPace pace = *gentle ? LightPace::kGentle : LightPace::kUsual;
  const bool is_same = std::exchange(person_.pace, pace) == pace;
  if (view_.screen == Screen::kCannot) {
    ApproachCamera();
    return {};
  }
  if (is_same) return {};
  view_.camera->gentle = *gentle;
  // Pictures that are being taken begin anew; those to come will be taken so.
  const auto& starts_in = view_.camera->starts_in;
  if (!starts_in || *starts_in <= kOpensBefore) {
    deps_.camera.Start(*this, std::chrono::seconds(starts_in.value_or(0)), pace);
  }
  return {};
}

void VisitController::WaitForCamera(int seconds) {
  view_.camera->starts_in = seconds > 0 ? std::optional(seconds) : std::nullopt;
  if (seconds == kOpensBefore)
    deps_.camera.Start(*this, std::chrono::seconds(kOpensBefore), person_.pace);
  if (seconds > 0) CountDown();
}

void VisitController::OnStep(const CaptureStep& step) {
  control_thread_.Check();
  const MonotonicTime now = deps_.clock.Now();
  if (step.restarted) {
    restart_ = step.restarted;
    restarted_until_ = now + kRestarted;
  }
  if (view_.camera->starts_in) return;  // its second is not over, and the next step soon comes
  view_.camera = {.starts_in = std::nullopt,
                  .prompt = step.prompt,
                  .guidance = step.guidance,
                  .step = step.pictures,
                  .held = step.held,
                  .trouble = std::nullopt,
                  .restarted = now < restarted_until_ ? restart_ : std::nullopt,
                  .gentle = person_.pace == LightPace::kGentle};
  if (step.light != kWhiteScreen || step.fade != Duration::zero()) {
    view_.camera->light = step.light;
    view_.camera->fade = step.fade;
  }
  if (step.face_seen) Touched();  // who stands there is not idle
  Publish();
}

void VisitController::OnTrouble(CameraTrouble trouble) {
  control_thread_.Check();
  view_.camera->trouble = trouble;
  Publish();
}

void VisitController::OnPictures(Result<CaptureBundle> pictures) {
  control_thread_.Check();
  if (pictures) {
    camera_is_there_ = true;
    person_.bundle = std::move(*pictures);
    Show(Screen::kLook);
    Touched();
  } else {
    LogWarning("no pictures: {}", pictures.error().message);
    const ErrorCode code = pictures.error().code;
    // The camera works where nobody, or a recording, is before it.
    const bool nobody_followed = (code == ErrorCode::kTimeout || code == ErrorCode::kRejected) &&
                                 !(view_.camera && view_.camera->trouble);
    camera_is_there_ = nobody_followed;
    EnterStopped(nobody_followed ? StopReason::kCaptureTimeout : StopReason::kCameraAway, true);
    Touched();
  }
  Publish();
}

void VisitController::LookAtCamera() {
  if (camera_is_there_ == true || !deps_.look_at_camera) return;
  deps_.look_at_camera([this, session = view_.session](bool there) {
    camera_is_there_ = there;
    // Whoever has come meanwhile is told where the camera would open.
    if (session == view_.session && view_.screen == Screen::kWelcome) SayWhetherOpen();
  });
}

}  // namespace idkiosk
