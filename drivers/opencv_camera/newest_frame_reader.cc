#include "drivers/opencv_camera/newest_frame_reader.h"

#include <utility>

namespace idkiosk {

NewestFrameReader::NewestFrameReader(Source source)
    : source_(std::move(source)), thread_([this] { Read(); }) {}

NewestFrameReader::~NewestFrameReader() {
  const MutexLock lock(mutex_);
  stopping_ = true;
}

void NewestFrameReader::Read() {
  for (;;) {
    Status grabbed = source_.grab();
    MutexLock lock(mutex_);
    if (stopping_) return;
    if (!grabbed) {
      ended_ = std::move(grabbed.error());
      changed_.NotifyAll();
      return;
    }
    // What nobody waits for is not worth its conversion.
    if (!wanted_) continue;
    lock.Unlock();
    auto frame = source_.retrieve();
    lock.Lock();
    answer_ = std::move(frame);
    wanted_ = false;
    changed_.NotifyAll();
  }
}

Result<Frame> NewestFrameReader::Next(Duration timeout) {
  MutexLock lock(mutex_);
  answer_.reset();  // came too late for whoever asked for it
  wanted_ = true;
  const bool there =
      changed_.WaitFor(lock, timeout, [this]() REQUIRES(mutex_) { return answer_ || ended_; });
  if (!there) return Fail(ErrorCode::kTimeout, "no frame came");
  if (answer_) return *std::exchange(answer_, std::nullopt);
  return std::unexpected(*ended_);
}

}  // namespace idkiosk
