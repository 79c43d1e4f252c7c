#ifndef IDKIOSK_APP_CAPTURE_VISION_FRAME_ANALYZER_H_
#define IDKIOSK_APP_CAPTURE_VISION_FRAME_ANALYZER_H_

#include <vector>

#include "app/capture/challenges.h"
#include "app/capture/image/frame_decoder.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/face_measures.h"
#include "app/capture/vision/face_mesh.h"
#include "app/capture/vision/observation.h"
#include "app/capture/vision/smile_detector.h"
#include "app/settings/settings.h"
#include "platform/base/error.h"
#include "platform/base/frame.h"

namespace idkiosk {

// Looks at one frame after the other: decodes it small, finds faces, measures the largest. Keeps
// its buffers. One thread at a time.
//
// Errors of every function: kCorrupt (damaged picture), kInvalid (more than
// FrameDecoder::kMaxPixels, or colours that we do not read), kInternal.
class FrameAnalyzer {
 public:
  // All must outlive this. Without `smiles` nobody is asked to smile; without `mesh` no face has
  // parts.
  FrameAnalyzer(const CaptureSettings& settings, FaceDetector& detector,
                SmileDetector* smiles = nullptr, FaceMesh* mesh = nullptr);

  // The challenges that this detector can judge.
  [[nodiscard]] std::vector<Prompt> challenges() const;

  // Everything but detail, at the detector's preferred size.
  [[nodiscard]] Result<FrameObservation> Analyze(const Frame& frame);

  // The same with detail and with several looks at growing size, for pictures that somebody else
  // took: a face may be small in them. Costs some ten times as much.
  [[nodiscard]] Result<FrameObservation> AnalyzeThoroughly(const Frame& frame);

  // A second look at the face, larger. `observation` is what Analyze said of this frame; without a
  // face nothing happens.
  [[nodiscard]] Status MeasureDetail(const Frame& frame, Detail detail,
                                     FrameObservation& observation);

  // The faces of the last call, largest first, in pixels of the upright frame at full size.
  [[nodiscard]] const FaceList& faces() const { return faces_; }

  // For people and records: "YuNet 2023mar and FaceMesh 468".
  [[nodiscard]] std::string detector_name() const;
  // For those who keep pictures of the frames that they analysed.
  [[nodiscard]] FrameDecoder& decoder() { return decoder_; }

 private:
  [[nodiscard]] FrameObservation Describe(const Frame& frame, FrameDecoder::Size size,
                                          float scale) const;

  [[nodiscard]] Status Refine(const Box& around, FaceObservation& seen);
  [[nodiscard]] Result<bool> IsUpsideDown(float score);
  [[nodiscard]] Status LookAtParts(const Box& around, FrameObservation& observation);

  const CaptureSettings& settings_;
  FaceDetector& detector_;
  SmileDetector* const smiles_;
  FaceMesh* const mesh_;
  FrameDecoder decoder_;
  SharpnessMeter sharpness_;
  Picture small_;
  Picture part_;
  Picture smaller_;  // part_, for the second look
  Picture turned_;   // smaller_, by half a circle
  FaceList faces_;
  FaceList refined_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FRAME_ANALYZER_H_
