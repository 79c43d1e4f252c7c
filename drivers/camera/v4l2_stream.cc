#include "drivers/camera/v4l2_stream.h"

#include <linux/videodev2.h>

#include <cerrno>

namespace idkiosk {
namespace {

// One is filled by the device, one waits, and two may be looked at elsewhere.
constexpr uint32_t kBuffers = 4;
constexpr int kLeastForDevice = 2;

v4l2_buffer BufferNumber(uint32_t index) {
  v4l2_buffer buffer{};
  buffer.index = index;
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  return buffer;
}

Duration StampOf(const v4l2_buffer& buffer) {
  if ((buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) != V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) return {};
  return std::chrono::seconds(buffer.timestamp.tv_sec) +
         std::chrono::microseconds(buffer.timestamp.tv_usec);
}

}  // namespace

V4l2Stream::V4l2Stream(VideoKernel& kernel, int fd, std::string path)
    : kernel_(kernel), fd_(fd), path_(std::move(path)) {}

V4l2Stream::~V4l2Stream() {
  Stop();
  for (const Mapping& mapping : buffers_) {
    if (mapping.memory != nullptr) kernel_.Unmap(mapping.memory, mapping.length);
  }
  kernel_.Close(fd_);
}

Error V4l2Stream::Gone() const {
  return {ErrorCode::kUnavailable, fmt::format("the camera {} was unplugged", path_)};
}

Status V4l2Stream::Start() {
  v4l2_requestbuffers request{};
  request.count = kBuffers;
  request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  request.memory = V4L2_MEMORY_MMAP;
  if (const int failed = kernel_.Ioctl(fd_, VIDIOC_REQBUFS, &request); failed != 0) {
    if (failed == -EBUSY) {
      return Fail(ErrorCode::kUnavailable, "another program uses the camera {}: close that program",
                  path_);
    }
    return std::unexpected(
        ErrnoError(-failed, fmt::format("the camera {} gives no buffers", path_)));
  }
  if (request.count < static_cast<uint32_t>(kLeastForDevice)) {
    return Fail(ErrorCode::kExhausted, "the camera {} has memory for only {} frames", path_,
                request.count);
  }
  buffers_.resize(request.count);
  for (uint32_t i = 0; i < request.count; ++i) {
    v4l2_buffer buffer = BufferNumber(i);
    if (const int failed = kernel_.Ioctl(fd_, VIDIOC_QUERYBUF, &buffer); failed != 0) {
      return std::unexpected(
          ErrnoError(-failed, fmt::format("the camera {} does not take its buffers", path_)));
    }
    buffers_[i].length = buffer.length;
    buffers_[i].memory = static_cast<uint8_t*>(kernel_.Map(fd_, buffer.length, buffer.m.offset));
    if (buffers_[i].memory == nullptr) {
      return Fail(ErrorCode::kExhausted, "a buffer of the camera {} cannot be mapped", path_);
    }
    if (const int failed = Enqueue(i); failed != 0) {
      return std::unexpected(
          ErrnoError(-failed, fmt::format("the camera {} does not take its buffers", path_)));
    }
  }
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (const int failed = kernel_.Ioctl(fd_, VIDIOC_STREAMON, &type); failed != 0) {
    // A camera that shares its bus with others says this when there is no room left on it.
    if (failed == -ENOSPC) {
      return Fail(ErrorCode::kUnavailable,
                  "the USB bus of the camera {} is too busy: plug it in elsewhere, or ask for a "
                  "smaller picture",
                  path_);
    }
    return std::unexpected(ErrnoError(-failed, fmt::format("the camera {} does not start", path_)));
  }
  streaming_ = true;
  return {};
}

int V4l2Stream::Enqueue(uint32_t index) {
  v4l2_buffer buffer = BufferNumber(index);
  return kernel_.Ioctl(fd_, VIDIOC_QBUF, &buffer);
}

std::shared_ptr<const void> V4l2Stream::Lend(uint32_t index) {
  ++lent_;
  return {buffers_[index].memory, [stream = shared_from_this(), index](const void*) {
            --stream->lent_;
            // A failure shows when the next frame is asked for.
            if (stream->streaming_) (void)stream->Enqueue(index);
          }};
}

Result<V4l2Stream::Filled> V4l2Stream::Next(Duration timeout) {
  const int ready = kernel_.Wait(fd_, timeout);
  if (ready == -EIO) {
    return Fail(ErrorCode::kUnavailable, "the camera {} stopped: its driver reports an error",
                path_);
  }
  if (ready < 0) return std::unexpected(Gone());
  if (ready == 0) {
    return Fail(ErrorCode::kTimeout, "the camera {} is silent: no frame came", path_);
  }
  v4l2_buffer newest = BufferNumber(0);
  if (const int failed = kernel_.Ioctl(fd_, VIDIOC_DQBUF, &newest); failed != 0) {
    if (failed == -EAGAIN) return Fail(ErrorCode::kTimeout, "the camera {} had no frame", path_);
    if (failed == -EIO) return Fail(ErrorCode::kCorrupt, "the camera {} lost a frame", path_);
    return std::unexpected(Gone());
  }
  for (v4l2_buffer next = BufferNumber(0); kernel_.Ioctl(fd_, VIDIOC_DQBUF, &next) == 0;
       next = BufferNumber(0)) {
    (void)Enqueue(newest.index);
    newest = next;
  }
  if (newest.index >= buffers_.size()) {
    return Fail(ErrorCode::kInternal, "the camera {} filled a buffer that it was not given", path_);
  }
  const Mapping& mapping = buffers_[newest.index];
  Filled filled;
  filled.bytes = {mapping.memory, std::min<size_t>(newest.bytesused, mapping.length)};
  filled.stamp = StampOf(newest);
  filled.sequence = newest.sequence;
  filled.damaged = (newest.flags & V4L2_BUF_FLAG_ERROR) != 0 || filled.bytes.empty();
  const bool enough_left = static_cast<int>(buffers_.size()) - lent_.load() > kLeastForDevice;
  if (enough_left && !filled.damaged) {
    filled.owner = Lend(newest.index);
    return filled;
  }
  auto copy = std::make_shared<const Bytes>(filled.bytes.begin(), filled.bytes.end());
  (void)Enqueue(newest.index);
  filled.bytes = *copy;
  filled.owner = std::move(copy);
  return filled;
}

void V4l2Stream::Stop() {
  if (!streaming_.exchange(false)) return;
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  (void)kernel_.Ioctl(fd_, VIDIOC_STREAMOFF, &type);
  // Gives the device up: whoever has buffers is its owner, for as long as a held frame keeps this
  // open. Mapped memory stays (since Linux 4.20, which refuses nothing of this; before, held frames
  // keep the device busy).
  v4l2_requestbuffers none{};
  none.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  none.memory = V4L2_MEMORY_MMAP;
  (void)kernel_.Ioctl(fd_, VIDIOC_REQBUFS, &none);
}

}  // namespace idkiosk
