#include "app/session/face_pictures.h"

#include <utility>

namespace idkiosk {

FacePictures TakePictures(CaptureBundle bundle) {
  FacePictures pictures;
  pictures.selfie = std::move(bundle.selfie.jpeg);
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    pictures.liveness[i] = std::move(bundle.liveness[i].jpeg);
  }
  pictures.means = bundle.means;
  return pictures;
}

}  // namespace idkiosk
