#ifndef IDKIOSK_APP_CAPTURE_FRAME_ANALYZER_H_
#define IDKIOSK_APP_CAPTURE_FRAME_ANALYZER_H_

#include "app/capture/face_detector.h"
#include "app/capture/frame_decoder.h"
#include "app/capture/observation.h"
#include "app/settings/settings.h"
#include "platform/base/error.h"
#include "platform/base/frame.h"

namespace idkiosk {

// Looks at one frame after the other: decodes it small, finds faces, measures the largest. Keeps
// its buffers, so that it allocates nothing once it has seen a frame of that size. One thread at a
// time.
class FrameAnalyzer {
 public:
  // `settings` and `detector` must outlive this.
  FrameAnalyzer(const CaptureSettings& settings, FaceDetector& detector);

  // Everything but sharpness.
  // Errors: kCorrupt (damaged picture), kInvalid (more than FrameDecoder::kMaxPixels, a format we
  // do not read), kInternal.
  [[nodiscard]] Result<FrameObservation> Analyze(const Frame& frame);

  // The same with several looks at growing size, for pictures that were taken by somebody else: a
  // face may be small in them. Costs some ten times as much.
  [[nodiscard]] Result<FrameObservation> AnalyzeThoroughly(const Frame& frame);

  // Fills observation.face->sharpness by decoding the face's part of `frame` again, larger.
  // `observation` is what Analyze said of this frame; without a face nothing happens.
  [[nodiscard]] Status MeasureSharpness(const Frame& frame, FrameObservation& observation);

  [[nodiscard]] const FaceDetector& detector() const { return detector_; }

 private:
  const CaptureSettings& settings_;
  FaceDetector& detector_;
  FrameDecoder decoder_;
  Picture small_;
  FaceList faces_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_FRAME_ANALYZER_H_
