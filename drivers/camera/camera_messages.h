#ifndef IDKIOSK_DRIVERS_CAMERA_CAMERA_MESSAGES_H_
#define IDKIOSK_DRIVERS_CAMERA_CAMERA_MESSAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/base/error.h"

namespace idkiosk {

// What the program and its camera's process say to each other, over a socket of packets
// (SOCK_SEQPACKET). Each of these is one packet, as it lies in memory: both are of one board and of
// one version, which `protocol` tells. The program asks, the other answers each question once:
//
//   CameraQuestion, with the memory for the pictures (a memfd)  ->  CameraAnswer
//   FrameQuestion                                               ->  FrameAnswer, and the picture
//
// A picture lies at the beginning of the memory, row behind row without gaps, from the answer until
// the next question. The program believes nothing of what is answered: packet and picture are read
// once, into its own memory, and each number is judged there. When either closes the socket, all is
// over: the process is killed.
inline constexpr uint32_t kCameraProtocol = 0x69644301;

// The memory's size: a picture of 11 million pixels in colour, more than 4K has. What nobody writes
// takes no room.
inline constexpr size_t kMaxPictureBytes = size_t{32} << 20;

struct CameraQuestion {
  uint32_t protocol = kCameraProtocol;
  int32_t width = 0;  // of CameraRequest
  int32_t height = 0;
  int32_t frames_per_second = 0;
  uint32_t name_size = 0;
  std::array<char, 4096> name{};  // what stands behind "opencv:"; may hold a password
};

struct CameraAnswer {
  uint32_t protocol = kCameraProtocol;
  uint32_t trouble = 0;  // 0, or an ErrorCode plus 1
  int32_t width = 0;     // of CameraInfo
  int32_t height = 0;
  double frames_per_second = 0;
  uint32_t film = 0;  // 1: it has an end, and a time for each frame
  uint32_t unused = 0;
  std::array<char, 32> reader{};  // by which OpenCV reads it: "FFMPEG"
};

struct FrameQuestion {
  uint32_t protocol = kCameraProtocol;
  uint32_t unused = 0;
  uint64_t number = 0;
};

struct FrameAnswer {
  uint32_t protocol = kCameraProtocol;
  uint32_t trouble = 0;  // as above
  uint64_t number = 0;   // the question's
  int32_t width = 0;     // pixels
  int32_t height = 0;    // pixels
  int32_t channels = 0;  // 1: grey; 3: BGR
  int32_t unused = 0;
  int64_t captured_at = 0;  // nanoseconds of MonotonicTime
  uint64_t sequence = 0;    // counts the frames of the source
};

[[nodiscard]] constexpr uint32_t TroubleOf(ErrorCode code) {
  return static_cast<uint32_t>(code) + 1;
}

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_CAMERA_MESSAGES_H_
