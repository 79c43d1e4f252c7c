#ifndef IDKIOSK_APP_CAPTURE_OPEN_CAMERA_H_
#define IDKIOSK_APP_CAPTURE_OPEN_CAMERA_H_

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "app/capture/capture_runner.h"

namespace idkiosk {

// An open camera, and what looks through it. Closes the camera when it goes. One thread at a time.
struct OpenCamera {
  OpenCamera() = default;
  OpenCamera(OpenCamera&&) = default;
  ~OpenCamera();

  // Runs one capture, as CaptureRunner::Run does; a drawn sitter follows its prompts.
  [[nodiscard]] Result<CaptureResult> Capture(Clock& clock, Entropy& entropy,
                                              CaptureObserver& observer, std::stop_token stop);

  std::unique_ptr<Camera> camera;
  // Tells a drawn sitter what is asked, as a script of its own; may be empty.
  std::function<void(std::string_view)> follow;
  CameraInfo info;
  FrameAnalyzer* analyzer = nullptr;
  CaptureSettings limits;
  // Told after each capture in which the camera showed colours; may be empty.
  std::function<void()> saw_colours;
  // What became of the screen's light in the newest capture, also in one that failed.
  LightFinding light = LightFinding::kNotAsked;
  std::string compromise;  // of the face detector: why it is not the better one; empty: it is
  // Lets go of what `analyzer` keeps of faces that it saw, and of itself; once the camera is
  // closed. May be empty.
  std::function<void()> forget;
};

// Tells a drawn sitter what the person is asked for, and passes everything on.
class FollowedObserver final : public CaptureObserver {
 public:
  // Both must outlive this.
  FollowedObserver(const OpenCamera& camera, CaptureObserver& next)
      : camera_(camera), next_(next) {}

  bool ShowsOnly(const Frame& frame) override { return next_.ShowsOnly(frame); }
  std::optional<LightPace> ShowsLight() override { return next_.ShowsLight(); }
  void OnProgress(const CaptureProgress& progress) override;
  void OnCameraTrouble(const Error& error) override { next_.OnCameraTrouble(error); }

 private:
  const OpenCamera& camera_;
  CaptureObserver& next_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_OPEN_CAMERA_H_
