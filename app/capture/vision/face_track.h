#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_TRACK_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_TRACK_H_

#include <optional>

#include "app/capture/vision/observation.h"

namespace idkiosk {

// Follows one face from frame to frame.
class FaceTrack {
 public:
  // How closely. Pictures taken before may be a film of any frame rate: nobody knows how far a head
  // can get from one to the next.
  enum class Kind { kLive, kTakenBefore };

  enum class Verdict {
    kFollowed,  // the same face, or the first one
    kAway,      // nobody, or not alone; not yet for too long
    kBroken,    // away for too long, where no head can have got in that time, or in another film
  };

  // `lost_after` is how long the face may be away.
  FaceTrack(Duration lost_after, Kind kind) : lost_after_(lost_after), kind_(kind) {}

  [[nodiscard]] Verdict Follow(const FrameObservation& seen);
  void Reset() {
    last_.reset();
    scene_.reset();
  }

 private:
  struct Place {
    Box box;
    MonotonicTime at;
  };

  struct Scene {
    Appearance appearance;
    std::optional<FaceObservation> face;
    MonotonicTime at;
  };

  // How much the picture may differ from the one before, which was taken `passed` ago.
  [[nodiscard]] double MostChange(const FrameObservation& seen, Duration passed) const;
  [[nodiscard]] bool FilmWasCut(const FrameObservation& seen) const;
  [[nodiscard]] bool CanBeTheSame(const Box& to, Duration passed) const;

  Duration lost_after_;
  Kind kind_;
  std::optional<Place> last_;   // where the face was
  std::optional<Scene> scene_;  // the last frame, with a face or without
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_TRACK_H_
