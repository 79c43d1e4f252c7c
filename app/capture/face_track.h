#ifndef IDKIOSK_APP_CAPTURE_FACE_TRACK_H_
#define IDKIOSK_APP_CAPTURE_FACE_TRACK_H_

#include <optional>

#include "app/capture/observation.h"

namespace idkiosk {

// Follows one face from frame to frame.
class FaceTrack {
 public:
  enum class Verdict {
    kFollowed,  // the same face, or the first one
    kAway,      // nobody, or not alone; not yet for too long
    kBroken,    // away for too long, or where no head can have got in that time
  };

  // `lost_after` is how long the face may be away.
  explicit FaceTrack(Duration lost_after) : lost_after_(lost_after) {}

  [[nodiscard]] Verdict Follow(const FrameObservation& seen);
  void Reset() { last_.reset(); }

 private:
  struct Place {
    Box box;
    MonotonicTime at;
  };

  Duration lost_after_;
  std::optional<Place> last_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_FACE_TRACK_H_
