#ifndef IDKIOSK_APP_CAPTURE_VISION_HEAD_POSE_H_
#define IDKIOSK_APP_CAPTURE_VISION_HEAD_POSE_H_

#include <array>

#include "app/capture/vision/face.h"
#include "app/capture/vision/observation.h"

namespace idkiosk {

// The pose of an average head that looks so; `face` has landmarks.
//
// Yaw and roll follow from the landmarks' geometry. Pitch does not: at these sizes the network puts
// the nose's tip where noses mostly are. What moves as a head is raised is the nose between eyes
// and mouth together with its height in the box, so pitch is fitted on that. Faces differ in it:
// two people who look straight into the camera may differ by ten degrees, which is why looking up
// is measured against the person's own selfie.
[[nodiscard]] HeadPose PoseOf(const Face& face);

// The distance of the eyes' centres over the cosine of yaw, in pixels of the frame
// [InterEyeDistance]; not a number without landmarks. Requires a face.
[[nodiscard]] double InterEyeDistance(const FrameObservation& seen);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_HEAD_POSE_H_
