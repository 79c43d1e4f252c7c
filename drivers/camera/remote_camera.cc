#include "drivers/camera/remote_camera.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "drivers/camera/frame_buffers.h"
#include "drivers/camera/packet_socket.h"

namespace idkiosk {
namespace {

constexpr double kMostFramesPerSecond = 1000;
constexpr int kMostPixelsInARow = 1 << 16;
// Eight months at a thousand a second: their times can be reckoned.
constexpr uint64_t kMostFrames = uint64_t{1} << 34;
constexpr std::chrono::duration<double> kLongestFilm = std::chrono::days(365);

// Memory that the other process writes, and this one reads: always as long as it is now, because
// whoever reads behind the end of a file that was made shorter is ended by the kernel.
class PictureMemory {
 public:
  PictureMemory() : file_(memfd_create("idkiosk-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (ftruncate(file_.get(), kMaxPictureBytes) != 0 ||
        fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
      return;
    }
    void* const mapped = mmap(nullptr, kMaxPictureBytes, PROT_READ, MAP_SHARED, file_.get(), 0);
    if (mapped != MAP_FAILED) mapped_ = static_cast<const uint8_t*>(mapped);
  }
  ~PictureMemory() {
    if (valid()) (void)munmap(const_cast<uint8_t*>(mapped_), kMaxPictureBytes);
  }
  PictureMemory(const PictureMemory&) = delete;
  PictureMemory& operator=(const PictureMemory&) = delete;

  [[nodiscard]] bool valid() const { return mapped_ != nullptr; }
  [[nodiscard]] int file() const { return file_.get(); }
  // The one place where it is read: the copy is judged and used, and changes no more.
  void CopyTo(MutableByteSpan picture) const {
    std::memcpy(picture.data(), mapped_, picture.size());
  }

 private:
  const FileDescriptor file_;
  const uint8_t* mapped_ = nullptr;
};

// An ErrorCode that the other process may mean; kInternal for none.
ErrorCode CodeOf(uint32_t trouble) {
  for (const ErrorCode code : {ErrorCode::kUnavailable, ErrorCode::kForbidden, ErrorCode::kNotFound,
                               ErrorCode::kCorrupt, ErrorCode::kInvalid}) {
    if (trouble == TroubleOf(code)) return code;
  }
  return ErrorCode::kInternal;
}

// OpenCV's readers are words in capitals: FFMPEG, GSTREAMER, V4L2, CV_MJPEG.
std::string ReaderIn(const CameraAnswer& answer) {
  std::string reader;
  for (const char each : answer.reader) {
    const bool belongs =
        (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') || each == '_';
    if (!belongs) break;
    reader += each;
  }
  return reader;
}

int SizeOr0(int32_t size) { return size > 0 && size < kMostPixelsInARow ? size : 0; }

}  // namespace

struct RemoteCamera::Session {
  FileDescriptor connection;
  const PictureMemory memory;
  FrameBuffers buffers;
  bool film = false;
  double frames_per_second = 0;
  MonotonicTime started{};
  uint64_t questions = 0;
  bool asked = false;  // and not answered yet
  MonotonicTime asked_at{};
  uint64_t last = 0;  // the sequence of the newest frame
};

RemoteCamera::RemoteCamera(std::string name, Connect connect, const Clock& clock, Duration patience)
    : name_(std::move(name)),
      source_(ParseOpenCvSource(name_)),
      shown_(ShownOpenCvName(name_)),
      connect_(std::move(connect)),
      clock_(clock),
      patience_(patience) {}
RemoteCamera::~RemoteCamera() = default;

void RemoteCamera::Close() { session_.reset(); }

std::unexpected<Error> RemoteCamera::Broken(std::string_view rule) {
  Close();
  return Fail(ErrorCode::kUnavailable,
              "the process of the camera {} was stopped: it answered with {}", shown_, rule);
}

std::unexpected<Error> RemoteCamera::Ended() {
  Close();
  return Fail(ErrorCode::kUnavailable, "the process of the camera {} has ended", shown_);
}

Error RemoteCamera::OpeningFailed(ErrorCode code) const {
  switch (code) {
    case ErrorCode::kNotFound:
      return {code, fmt::format("there is no video file at {}; a source can also be a number, an "
                                "address, or a pipeline that ends with '! appsink'",
                                shown_)};
    case ErrorCode::kForbidden:
      return {code, fmt::format("the camera's process may not read {}: let its user read it "
                                "(idkiosk-camera, where it has one of its own)",
                                shown_)};
    case ErrorCode::kInvalid:
      return {code, fmt::format("OpenCV cannot open {}: not a video that it can read", shown_)};
    default:
      return {ErrorCode::kUnavailable,
              fmt::format("OpenCV cannot open {}: {}", shown_,
                          source_.kind == OpenCvSource::Kind::kPipeline
                              ? "does 'gst-launch-1.0' run it, up to its appsink?"
                              : "is it there and not in use, and is its password right?")};
  }
}

Error RemoteCamera::ReadingFailed(const Session& session, ErrorCode code) const {
  switch (code) {
    case ErrorCode::kCorrupt:
      return {code, fmt::format("a frame of {} is damaged", shown_)};
    case ErrorCode::kInvalid:
      return {code, fmt::format("{} gives frames in a format, or of a size, that idkiosk does not "
                                "read",
                                shown_)};
    case ErrorCode::kNotFound:
      if (session.film) return {code, fmt::format("{} has no more frames", shown_)};
      [[fallthrough]];
    default:
      return {ErrorCode::kUnavailable, fmt::format("the camera {} gives no more frames", shown_)};
  }
}

Result<CameraAnswer> RemoteCamera::Ask(const Session& session, const CameraRequest& request) {
  CameraQuestion question{.width = request.width,
                          .height = request.height,
                          .frames_per_second = request.frames_per_second,
                          .name_size = static_cast<uint32_t>(name_.size())};
  if (name_.size() > question.name.size()) {
    return Fail(ErrorCode::kInvalid, "the name of the camera {} is longer than {} characters",
                shown_, question.name.size());
  }
  std::ranges::copy(name_, question.name.begin());
  if (!SendPacket(session.connection.get(), PacketOf(question), session.memory.file())) {
    return Ended();
  }
  CameraAnswer answer;
  if (!AwaitArrival(session.connection.get(), clock_.Now() + patience_, clock_)) {
    return Fail(ErrorCode::kUnavailable, "OpenCV cannot open {}: it did not answer within {}",
                shown_, FormatDuration(patience_));
  }
  switch (TakePacket(session.connection.get(), RoomIn(answer))) {
    case Arrival::kWhole:
      if (answer.protocol == kCameraProtocol) return answer;
      [[fallthrough]];
    case Arrival::kWrong:
    case Arrival::kNone:
      return Broken("no message of this version of idkiosk: install both of one version");
    case Arrival::kEnded:
      return Ended();
  }
  return Ended();
}

Result<CameraInfo> RemoteCamera::Open(const CameraRequest& request) {
  Close();
  auto connection = connect_();
  if (!connection) return std::unexpected(connection.error());
  auto session = std::make_unique<Session>();
  session->connection = std::move(*connection);
  if (!session->memory.valid()) {
    return std::unexpected(ErrnoError(errno, "no memory for the pictures of a camera"));
  }
  const auto answer = Ask(*session, request);
  if (!answer) return std::unexpected(answer.error());
  if (answer->trouble != 0) return std::unexpected(OpeningFailed(CodeOf(answer->trouble)));
  const double rate = answer->frames_per_second;
  session->frames_per_second =
      std::isfinite(rate) && rate > 0 && rate < kMostFramesPerSecond ? rate : 0;
  // Nothing makes a camera of a file; a film that comes from an address has an end.
  session->film = source_.kind == OpenCvSource::Kind::kFile ||
                  (source_.kind == OpenCvSource::Kind::kAddress && answer->film != 0);
  session->started = clock_.Now();
  const CameraInfo info{
      .name = "OpenCV " + ReaderIn(*answer),
      .source = "opencv:" + shown_,
      .format = PixelFormat::kBgr,
      .width = SizeOr0(answer->width),
      .height = SizeOr0(answer->height),
      .frames_per_second = session->frames_per_second,
      .live = !session->film && source_.means == PictureMeans::kLive,
  };
  session_ = std::move(session);
  return info;
}

Result<Frame> RemoteCamera::Read(Session& session, const FrameAnswer& answer) {
  const int64_t row = int64_t{answer.width} * answer.channels;
  const bool readable = (answer.channels == 1 || answer.channels == 3) && answer.width > 0 &&
                        answer.width < kMostPixelsInARow && answer.height > 0 &&
                        answer.height < kMostPixelsInARow;
  if (!readable || row * answer.height > static_cast<int64_t>(kMaxPictureBytes)) {
    return Broken("a picture whose size is impossible");
  }
  if (answer.sequence <= session.last || answer.sequence > kMostFrames) {
    return Broken("a frame out of its turn");
  }
  session.last = answer.sequence;
  const auto bytes = session.buffers.Take(static_cast<size_t>(row * answer.height));
  session.memory.CopyTo(*bytes);
  Frame frame{.format = answer.channels == 3 ? PixelFormat::kBgr : PixelFormat::kGrey,
              .width = answer.width,
              .height = answer.height,
              .stride = static_cast<int>(row),
              .data = ByteSpan(*bytes),
              .owner = bytes,
              .captured_at = {},
              .sequence = answer.sequence,
              .orientation = 1};
  if (session.film && session.frames_per_second > 0) {
    const std::chrono::duration<double> into(static_cast<double>(answer.sequence - 1) /
                                             session.frames_per_second);
    frame.captured_at =
        session.started + std::chrono::duration_cast<Duration>(std::min(into, kLongestFilm));
  } else {
    frame.captured_at = std::clamp(MonotonicTime(Duration(answer.captured_at)), session.asked_at,
                                   std::max(session.asked_at, clock_.Now()));
  }
  return frame;
}

Result<Frame> RemoteCamera::NextFrame(MonotonicTime deadline) {
  if (session_ == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "the camera {} is not open", shown_);
  }
  Session& session = *session_;
  const int connection = session.connection.get();
  FrameAnswer answer;
  const auto take = [&]() -> Result<bool> {
    const Arrival arrival = TakePacket(connection, RoomIn(answer));
    if (arrival == Arrival::kNone) return false;
    if (arrival == Arrival::kEnded) return Ended();
    if (arrival == Arrival::kWrong || answer.protocol != kCameraProtocol || !session.asked ||
        answer.number != session.questions) {
      return Broken("what it was not asked");
    }
    session.asked = false;
    return true;
  };
  if (session.film) {
    deadline = std::max(deadline, clock_.Now() + patience_);
  } else {
    // What came while nobody waited shows what was then: it is asked again.
    if (const auto late = take(); !late) return std::unexpected(late.error());
  }
  if (!session.asked) {
    session.asked_at = clock_.Now();
    const FrameQuestion question{.number = ++session.questions};
    if (!SendPacket(connection, PacketOf(question))) return Ended();
    session.asked = true;
  }
  for (;;) {
    if (!AwaitArrival(connection, deadline, clock_)) {
      return Fail(ErrorCode::kTimeout, "the camera {} is silent: no frame came", shown_);
    }
    const auto taken = take();
    if (!taken) return std::unexpected(taken.error());
    if (!*taken) continue;
    if (answer.trouble != 0) {
      return std::unexpected(ReadingFailed(session, CodeOf(answer.trouble)));
    }
    return Read(session, answer);
  }
}

}  // namespace idkiosk
