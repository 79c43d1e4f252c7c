#include "app/daemon/camera_thread.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// The lamp is on for as long as this lives.
class LitFace {
 public:
  explicit LitFace(const std::function<void(bool)>& light) : light_(light) { light_(true); }
  ~LitFace() { light_(false); }
  LitFace(const LitFace&) = delete;
  LitFace& operator=(const LitFace&) = delete;

 private:
  const std::function<void(bool)>& light_;
};

// What is wrong with the message itself is said where it is read.
Result<SecretBytes> MessageInCode(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && text[begin] == '{') return SecretBytes::CopyOf(text);
  return Fail(ErrorCode::kInvalid, "the code that was seen is no onboarding message");
}

}  // namespace

CameraThread::CameraThread(Dependencies deps)
    : deps_(std::move(deps)),
      slips_({worker_,
              [this](const auto& on_frame, const auto& stop) { return ReadFrames(on_frame, stop); },
              *deps_.scanner, deps_.control, deps_.clock, deps_.preview, heartbeat_}),
      messages_(
          {worker_,
           [this](const auto& on_frame, const auto& stop) { return ReadFrames(on_frame, stop); },
           *deps_.scanner, deps_.control, deps_.clock, deps_.preview, heartbeat_, &MessageInCode}),
      worker_([this](auto& observer, const auto& stop) { return Capture(observer, stop); },
              deps_.control, deps_.clock, deps_.preview, heartbeat_) {}

Result<CaptureResult> CameraThread::Capture(CaptureObserver& observer,
                                            const std::stop_token& stop) {
  auto camera = deps_.open(CameraPurpose::kVerify);
  if (!camera) {
    deps_.metrics.CountFailedCapture(camera.error().code);
    return std::unexpected(camera.error());
  }
  camera->limits.left_out = worker_.left_out();
  const LitFace lit(deps_.light);
  auto result = camera->Capture(deps_.clock, deps_.entropy, observer, stop);
  deps_.metrics.lights().Count(camera->light);
  if (result) {
    deps_.metrics.CountCapture(result->record.frames, result->record.to_bundle);
    const MutexLock lock(mutex_);
    last_capture_ = result->record;
  } else if (result.error().code != ErrorCode::kCancelled) {
    deps_.metrics.CountFailedCapture(result.error().code);
  }
  return result;
}

Status CameraThread::ReadFrames(const std::function<bool(const Frame&)>& on_frame,
                                const std::stop_token& stop) {
  const auto open = deps_.open(CameraPurpose::kVerify);
  if (!open) return std::unexpected(open.error());
  while (!stop.stop_requested()) {
    const auto frame = open->camera->NextFrame(deps_.clock.Now() + deps_.silence);
    if (!frame && frame.error().code == ErrorCode::kCorrupt) continue;
    if (!frame) return Fail(ErrorCode::kUnavailable, "{}", frame.error().message);
    if (!on_frame(*frame)) return {};
  }
  return {};
}

bool CameraThread::IsThere() {
  const auto camera = deps_.open(CameraPurpose::kVerify);
  const std::string missed = camera ? "" : camera.error().message;
  const std::string before = std::exchange(missed_, missed);
  // It is looked for every few seconds: once a reason is enough.
  if (missed != before) {
    camera ? LogInfo("camera: it is there again") : LogWarning("camera: {}", missed);
  }
  return camera.has_value();
}

void CameraThread::Look(std::move_only_function<void(bool there)> then) {
  worker_.Lend([this, answer = std::move(then)](const std::stop_token& stop) mutable {
    const bool there = IsThere();
    deps_.control.Post([this, stop, told = std::move(answer), there]() mutable {
      // Only this thread stops a run: unless it has, the loan is still the newest.
      if (!stop.stop_requested()) worker_.Stop();
      told(there);
    });
  });
}

std::optional<CaptureRecord> CameraThread::last_capture() const {
  const MutexLock lock(mutex_);
  return last_capture_;
}

}  // namespace idkiosk
