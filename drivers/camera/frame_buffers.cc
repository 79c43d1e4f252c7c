#include "drivers/camera/frame_buffers.h"

#include <utility>

namespace idkiosk {

std::shared_ptr<Bytes> FrameBuffers::Take(size_t size) {
  Bytes bytes;
  {
    const MutexLock lock(spare_->mutex);
    if (!spare_->buffers.empty()) {
      bytes = std::move(spare_->buffers.back());
      spare_->buffers.pop_back();
    }
  }
  // Of another camera's size.
  if (bytes.size() != size) bytes = Bytes(size);
  return {new Bytes(std::move(bytes)), [spare = std::weak_ptr(spare_)](Bytes* used) {
            const std::unique_ptr<Bytes> owner(used);
            const auto place = spare.lock();
            if (!place) return;
            const MutexLock lock(place->mutex);
            if (place->buffers.size() < kMost) place->buffers.push_back(std::move(*used));
          }};
}

}  // namespace idkiosk
