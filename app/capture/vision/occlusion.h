#ifndef IDKIOSK_APP_CAPTURE_VISION_OCCLUSION_H_
#define IDKIOSK_APP_CAPTURE_VISION_OCCLUSION_H_

#include "app/capture/vision/face_mesh.h"
#include "app/capture/vision/observation.h"

namespace idkiosk {

// Measures how the face's skin, lips and eyes look against each other, into `parts`.
void MeasureCovers(const MeshObservation& mesh, FaceParts& parts);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_OCCLUSION_H_
