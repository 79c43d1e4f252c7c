#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_DETECTOR_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_DETECTOR_H_

#include <memory>
#include <span>
#include <string>

#include "app/capture/image/picture.h"
#include "app/capture/vision/face.h"
#include "app/capture/vision/face_mesh.h"
#include "app/capture/vision/smile_detector.h"
#include "app/settings/settings.h"
#include "platform/api/crypto.h"
#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// Finds faces in a small picture. One thread at a time.
class FaceDetector {
 public:
  virtual ~FaceDetector() = default;

  // The faces of an upright BGR picture, in its own pixels: each a pixel large at least, no more
  // than twice the picture, its middle inside of it, and all its numbers finite.
  // Errors: kInternal (the library failed on it), kInvalid (the picture is empty or too large).
  [[nodiscard]] Status Detect(const PictureView& bgr, FaceList& faces);

  // Whether its faces have landmarks, and so a pose.
  [[nodiscard]] virtual bool finds_landmarks() const = 0;

  // The longer side, in pixels, at which this detector sees best for its cost.
  [[nodiscard]] virtual int preferred_side() const = 0;

  // For people and records: "YuNet 2023mar", "OpenCV cascade frontalface_alt2".
  [[nodiscard]] virtual std::string_view name() const = 0;

 private:
  // What the library says, whatever it is.
  [[nodiscard]] virtual Status Find(const PictureView& bgr, FaceList& faces) = 0;
};

struct ChosenDetector {
  std::unique_ptr<FaceDetector> detector;
  std::unique_ptr<SmileDetector> smiles;  // nothing where its cascade is not there
  std::unique_ptr<FaceMesh> mesh;         // nothing where its model is not there
  // What is missing; empty where nothing is: "no face model at A or B".
  std::string compromise;
};

// The detector that `settings` ask for. With `auto`: YuNet if its model is there and right, else
// the cascades. The model is settings.model; where that is empty, the first of `model_places` that
// exists. The model of a face's points lies beside it, or in the first of those folders that has
// one. A model whose SHA-256 is not the expected one is never loaded.
// Errors: kNotFound (no model, no cascades; names the paths and the mend), kCorrupt (wrong digest,
// damaged cascade), kInvalid (unknown detector).
[[nodiscard]] Result<ChosenDetector> ChooseDetector(const CaptureSettings& settings,
                                                    std::span<const std::string> model_places,
                                                    FileSystem& files, const Crypto& crypto);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_DETECTOR_H_
