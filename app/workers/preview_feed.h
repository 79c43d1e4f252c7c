#ifndef IDKIOSK_APP_WORKERS_PREVIEW_FEED_H_
#define IDKIOSK_APP_WORKERS_PREVIEW_FEED_H_

#include "app/capture/image/frame_decoder.h"
#include "app/capture/image/jpeg_encoder.h"
#include "app/workers/preview_slot.h"
#include "platform/api/clock.h"
#include "platform/base/frame.h"

namespace idkiosk {

// Makes of a camera's frames what the page shows: its JPEGs as they are, of other formats a smaller
// picture now and then. One thread at a time.
class PreviewFeed {
 public:
  // Both must outlive this.
  PreviewFeed(PreviewSlot& slot, const Clock& clock) : slot_(slot), clock_(clock) {}

  // Copies: the camera wants its buffer back. Does nothing while nobody watches.
  void Show(const Frame& frame);

 private:
  PreviewSlot& slot_;
  const Clock& clock_;
  MonotonicTime encoded_at_{};
  FrameDecoder decoder_;
  JpegEncoder encoder_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_PREVIEW_FEED_H_
