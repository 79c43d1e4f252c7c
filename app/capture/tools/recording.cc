#include "app/capture/tools/recording.h"

#include <algorithm>

#include "app/capture/image/jpeg_encoder.h"

namespace idkiosk {
namespace {

constexpr int kRecordedQuality = 95;

// A camera that writes down every frame it hands out.
class WritingCamera final : public Camera {
 public:
  WritingCamera(Camera& camera, const std::string& folder, Duration longest, FileSystem& files)
      : camera_(camera), folder_(folder), longest_(longest), files_(files) {}

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override {
    return camera_.Open(request);
  }
  void Close() override { camera_.Close(); }

  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override {
    auto frame = camera_.NextFrame(deadline);
    if (!frame) return frame;
    if (recording_.frames == 0) first_ = frame->captured_at;
    const Duration time = frame->captured_at - first_;
    if (time > longest_) {
      return Fail(ErrorCode::kCancelled, "recorded for {}", FormatDuration(longest_));
    }
    if (Status written = Write(*frame, time); !written) return std::unexpected(written.error());
    recording_.length = time;
    return frame;
  }

  [[nodiscard]] const Recording& recording() const { return recording_; }

 private:
  Status Write(const Frame& frame, Duration time) {
    ByteSpan jpeg = frame.data;
    SecretBytes encoded;
    if (frame.format != PixelFormat::kJpeg) {
      const Box whole{0, 0, static_cast<float>(frame.width), static_cast<float>(frame.height)};
      if (Status decoded = decoder_.DecodePart(frame, whole, std::max(frame.width, frame.height),
                                               JpegDecoder::Effort::kCareful, picture_);
          !decoded) {
        return decoded;
      }
      auto done = encoder_.Encode(picture_.view(), kRecordedQuality);
      if (!done) return std::unexpected(done.error());
      encoded = std::move(*done);
      jpeg = encoded.view();
    }
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    const std::string name =
        fmt::format("{}/frame-{:06}-{:07}ms.jpg", folder_, recording_.frames + 1, milliseconds);
    if (Status written = files_.WriteDurably(name, jpeg, FileAccess::kOwnerOnly); !written) {
      return written;
    }
    ++recording_.frames;
    recording_.bytes += jpeg.size();
    return {};
  }

  Camera& camera_;
  const std::string& folder_;
  const Duration longest_;
  FileSystem& files_;
  FrameDecoder decoder_;
  JpegEncoder encoder_;
  Picture picture_;
  MonotonicTime first_{};
  Recording recording_;
};

Status PrepareFolder(const std::string& folder, FileSystem& files) {
  if (Status created = files.CreateFolder(folder); !created) return created;
  const auto names = files.List(folder);
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    if (name.ends_with(".jpg") || name.ends_with(".png")) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "{} holds pictures already ({}): record into an empty folder", folder, name);
    }
  }
  return {};
}

}  // namespace

Result<Recording> Record(Camera& camera, const CameraInfo& info, const std::string& folder,
                         Duration longest, CaptureRunner& runner, FileSystem& files,
                         CaptureObserver& observer, std::stop_token stop) {
  if (Status ready = PrepareFolder(folder, files); !ready) return std::unexpected(ready.error());
  WritingCamera writing(camera, folder, longest, files);
  const auto captured = runner.Run(writing, info, observer, std::move(stop));
  Recording recording = writing.recording();
  recording.complete = captured.has_value();
  if (captured) return recording;
  const ErrorCode code = captured.error().code;
  // Nobody followed, or somebody pressed a key: the frames are there all the same.
  const bool harmless =
      code == ErrorCode::kTimeout || code == ErrorCode::kCancelled || code == ErrorCode::kRejected;
  if (harmless && recording.frames > 0) return recording;
  return std::unexpected(captured.error());
}

}  // namespace idkiosk
