#include "drivers/opencv_camera/frame_server.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "drivers/camera/camera_messages.h"
#include "drivers/camera/packet_socket.h"
#include "drivers/opencv_camera/opencv_camera.h"
#include "drivers/opencv_camera/source_confinement.h"
#include "platform/base/secret_bytes.h"
#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

// Whoever asks closes the connection when it has waited enough.
constexpr Duration kForEver = std::chrono::hours(24 * 365);

// The libraries may write what they like, addresses with passwords, too.
void SilenceOutput() {
  const FileDescriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    (void)dup2(nothing.get(), each);
  }
}

CameraAnswer AnswerOf(const Result<CameraInfo>& opened) {
  CameraAnswer answer;
  if (!opened) {
    answer.trouble = TroubleOf(opened.error().code);
    return answer;
  }
  answer.width = opened->width;
  answer.height = opened->height;
  answer.frames_per_second = opened->frames_per_second;
  answer.film = opened->live ? 0 : 1;
  opened->name.copy(answer.reader.data(), answer.reader.size());
  return answer;
}

FrameAnswer AnswerOf(const Result<Frame>& frame, uint64_t number) {
  FrameAnswer answer{.number = number};
  if (!frame) {
    answer.trouble = TroubleOf(frame.error().code);
    return answer;
  }
  answer.width = frame->width;
  answer.height = frame->height;
  answer.channels = frame->format == PixelFormat::kBgr ? 3 : 1;
  answer.captured_at = frame->captured_at.time_since_epoch().count();
  answer.sequence = frame->sequence;
  return answer;
}

bool IsWhole(const CameraQuestion& question, const FileDescriptor& memory) {
  struct stat about{};
  return question.protocol == kCameraProtocol && question.name_size <= question.name.size() &&
         memory.valid() && fstat(memory.get(), &about) == 0 &&
         about.st_size >= static_cast<off_t>(kMaxPictureBytes);
}

}  // namespace

void ServeFrames(const FileDescriptor& connection) {
  SilenceOutput();
  CameraQuestion question;
  FileDescriptor memory;
  const Arrival arrival = AwaitPacket(connection.get(), RoomIn(question), memory);
  if (arrival == Arrival::kEnded) return;
  if (arrival != Arrival::kWhole || !IsWhole(question, memory)) {
    // Which tells another version from none.
    (void)SendPacket(connection.get(),
                     PacketOf(CameraAnswer{.trouble = TroubleOf(ErrorCode::kInvalid)}));
    return;
  }
  void* const mapped =
      mmap(nullptr, kMaxPictureBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  if (mapped == MAP_FAILED) return;
  memory.Reset();
  const std::string name(question.name.data(), question.name_size);
  Wipe(RoomIn(question.name));
  ConfineTo(NeedsOf(name));

  SystemClock clock;
  OpenCvCamera camera(name, {static_cast<uint8_t*>(mapped), kMaxPictureBytes}, clock);
  const auto opened = camera.Open({.width = question.width,
                                   .height = question.height,
                                   .frames_per_second = question.frames_per_second});
  if (!SendPacket(connection.get(), PacketOf(AnswerOf(opened))) || !opened) return;
  for (;;) {
    FrameQuestion asked;
    FileDescriptor none;
    if (AwaitPacket(connection.get(), RoomIn(asked), none) != Arrival::kWhole) return;
    const auto frame = camera.NextFrame(clock.Now() + kForEver);
    if (!SendPacket(connection.get(), PacketOf(AnswerOf(frame, asked.number)))) return;
  }
}

}  // namespace idkiosk
