#ifndef IDKIOSK_APP_CAPTURE_CAPTURE_RUNNER_H_
#define IDKIOSK_APP_CAPTURE_CAPTURE_RUNNER_H_

#include <optional>
#include <stop_token>

#include "app/capture/capture_bundle.h"
#include "app/capture/capture_record.h"
#include "app/capture/capture_sequence.h"
#include "app/capture/vision/frame_analyzer.h"
#include "app/settings/settings.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// The state of a capture for the person's screen, once a frame.
struct CaptureProgress {
  const Frame& frame;  // as the camera gave it, for the preview; copy it to keep it
  const FrameObservation& seen;
  Prompt prompt;      // what is asked of the person now
  Guidance guidance;  // what keeps this frame from being good
  int pictures = 0;   // kept so far, 0..5
  double held = 0;    // how much of the time that this step must be held has passed: 0..1
  std::optional<Restart> restarted = std::nullopt;  // everything begins anew with this frame
  ScreenColour light = {};                          // the colour that the screen goes to
  ScreenColour lit = {};                            // and the one that it shows by now
  Duration fade = {};                               // of the way to it
};

class CaptureObserver {
 public:
  virtual ~CaptureObserver() = default;
  // All on the thread that runs the capture.
  // Returns whether this frame is only for the preview: nobody is asked for anything yet.
  [[nodiscard]] virtual bool ShowsOnly(const Frame&) { return false; }
  // Returns how colours are shown that CaptureProgress::light asks for; nothing where they are not.
  [[nodiscard]] virtual std::optional<LightPace> ShowsLight() { return std::nullopt; }
  virtual void OnProgress(const CaptureProgress& progress) = 0;
  // The camera gives nothing that can be looked at: silent, frozen, away, covered. Told again every
  // two seconds until it is back, or the run ends with the same error.
  virtual void OnCameraTrouble(const Error&) {}
};

struct CaptureResult {
  CaptureBundle bundle;
  CaptureRecord record;
};

// Runs one capture after the other. One thread at a time.
//
//   auto detector = std::async(std::launch::async, [&] { return ChooseDetector(...); });
//   auto camera_info = camera->Open(request);              // both take their time: side by side
//   FrameAnalyzer analyzer(settings, *detector.get()->detector);
//   CaptureRunner runner(settings, analyzer, clock, entropy);
//   auto result = runner.Run(*camera, *camera_info, observer, stop);
class CaptureRunner {
 public:
  // All must outlive this.
  CaptureRunner(const CaptureSettings& settings, FrameAnalyzer& analyzer, Clock& clock,
                Entropy& entropy);

  // Pulls frames from an open camera until the five pictures are kept. Does not close the camera.
  // Errors: kTimeout (nobody followed in time; names the step and what was missing), kCancelled
  // (`stop`), kRejected (pictures taken before that do not show what is needed; a live camera that
  // shows a recording again and again; a face that does not answer the screen's light), and what
  // the camera reports, or what is wrong with its pictures, when that has lasted for ten seconds.
  [[nodiscard]] Result<CaptureResult> Run(Camera& camera, const CameraInfo& info,
                                          CaptureObserver& observer, std::stop_token stop);
  // Whether the camera of the newest run has shown colours, as CameraInfo::coloured.
  [[nodiscard]] bool saw_colours() const { return saw_colours_; }
  // What became of the light in the newest run, also in one that failed.
  [[nodiscard]] LightFinding light() const { return light_; }

 private:
  class Attempt;

  const CaptureSettings& settings_;
  FrameAnalyzer& analyzer_;
  Clock& clock_;
  Entropy& entropy_;
  bool saw_colours_ = false;
  LightFinding light_ = LightFinding::kNotAsked;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CAPTURE_RUNNER_H_
