#include "app/capture/vision/repeat_watch.h"

#include <algorithm>

namespace idkiosk {

int RepeatWatch::Follow(uint64_t digest, const FrameObservation& seen) {
  if (!seen.face) return again_ = 0;
  if (digest == last_) return again_;
  last_ = digest;
  again_ = std::ranges::find(digests_, digest) == digests_.end() ? 0 : again_ + 1;
  if (digests_.size() < kFrames) {
    digests_.push_back(digest);
  } else {
    digests_[next_] = digest;
    next_ = (next_ + 1) % kFrames;
  }
  return again_;
}

}  // namespace idkiosk
