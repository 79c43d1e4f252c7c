#ifndef IDKIOSK_APP_CAPTURE_CAPTURE_RECORD_H_
#define IDKIOSK_APP_CAPTURE_CAPTURE_RECORD_H_

#include <string>
#include <vector>

#include "app/capture/capture_bundle.h"
#include "app/capture/challenges.h"
#include "app/capture/light_sequence.h"
#include "app/capture/measures.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/api/camera.h"
#include "platform/base/json.h"

namespace idkiosk {

// The measurements of one kept picture.
struct PictureRecord {
  std::string name;  // "selfie", "liveness-1"
  Prompt prompt = Prompt::kSelfie;
  FrameObservation seen;  // on the frame it was made of
  Duration after{};       // since the first frame
  int width = 0;          // of the JPEG
  int height = 0;
  int quality = 0;
  size_t bytes = 0;
};

// How a bundle came about. Holds no picture and nothing that identifies a person.
struct CaptureRecord {
  std::string detector;
  std::string detector_compromise;
  CameraInfo camera;  // not live: pictures taken before, challenges in the order that they show
  CaptureSettings settings;  // thresholds in force
  LightRecord light;
  std::vector<PictureRecord> pictures;
  Duration to_first_frame{};  // from the start of the run
  Duration to_selfie{};       // from the first frame
  Duration to_bundle{};       // from the first frame
  Duration own{};             // of which the program spent on the five kept pictures, at the end
  int frames = 0;             // analysed
  int damaged_frames = 0;
  int restarts = 0;  // the track was lost and the sequence began anew
};

// Takes over size, bytes and quality of the five pictures, the selfie first.
void NotePictures(const CaptureBundle& bundle, CaptureRecord& record);

// Writes kMeasures of one frame as a JSON object: no picture, no place of a landmark.
void WriteMeasures(JsonWriter& json, const FrameObservation& seen);

// The text of capture.json: units are part of each name (`_ms`, `_px`, `_degrees`).
[[nodiscard]] std::string ToJson(const CaptureRecord& record);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CAPTURE_RECORD_H_
