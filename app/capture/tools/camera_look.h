#ifndef IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_LOOK_H_
#define IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_LOOK_H_

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/capture/vision/frame_analyzer.h"
#include "app/settings/settings.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

// Looking through a camera without taking anything: for the person who sets a kiosk up.
namespace idkiosk {

// One thing that is measured on a picture, with the limits that a selfie must keep.
struct Measure {
  std::string name;  // "Yaw"
  double value = 0;
  std::string unit;  // "deg"
  double low = 0;
  double high = 0;
  bool good = false;
  std::string limits;  // "0.15 to 0.5", "at least 30"; empty: there are none
  bool operator==(const Measure&) const = default;
};

// Without a face only what can be told of the picture as a whole. `limits`: those in force.
[[nodiscard]] std::vector<Measure> MeasuresOf(const FrameObservation& seen,
                                              const CaptureSettings& limits);

class CameraWatcher {
 public:
  virtual ~CameraWatcher() = default;
  // Each frame, for a preview; copy it to keep it.
  virtual void OnFrame(const Frame& frame) = 0;
  // Called with the measures of a frame at least a quarter of a second after the one before.
  virtual void OnMeasures(std::vector<Measure> measures) = 0;
  // Nothing comes from the camera, or nothing that can be looked at; told again while it lasts.
  virtual void OnTrouble(const Error& error) = 0;
};

// Pulls frames from an open camera until it is asked to stop. Frames that cannot be analysed are
// trouble, not the end. Errors: what the camera reports when it must be opened anew.
[[nodiscard]] Status LookThrough(Camera& camera, FrameAnalyzer& analyzer,
                                 const CaptureSettings& limits, const Clock& clock,
                                 CameraWatcher& watcher, const std::stop_token& stop);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_LOOK_H_
