#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_PARTS_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_PARTS_H_

#include "app/capture/vision/face_mesh.h"
#include "app/capture/vision/observation.h"

namespace idkiosk {

// Returns what the points of a face tell. `width` and `height` are those of the frame, in whose
// pixels mesh.points are.
[[nodiscard]] FaceParts MeasureParts(const MeshObservation& mesh, int width, int height);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_PARTS_H_
