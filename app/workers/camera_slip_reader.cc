#include "app/workers/camera_slip_reader.h"

#include <utility>

#include "app/capture/image/frame_decoder.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_feed.h"

namespace idkiosk {
namespace {

// Longer than anybody holds a paper up.
constexpr Duration kLongestLook = std::chrono::seconds(25);
// Enough for the modules of a code that fills a quarter of the picture.
constexpr int kSide = 1280;  // pixels

}  // namespace

void CameraSlipReader::Start(Then then) {
  control_thread_.Check();
  Stop();
  then_ = std::move(then);
  deps_.camera.Lend([this, look = look_](const std::stop_token& stop) {
    deps_.control.Post(
        [this, look, nin = LookOnCameraThread(stop)]() mutable { End(look, std::move(nin)); });
  });
}

void CameraSlipReader::Stop() {
  control_thread_.Check();
  ++look_;
  if (std::exchange(then_, nullptr)) deps_.camera.Stop();
}

void CameraSlipReader::End(uint64_t look, Result<SecretBytes> nin) {
  control_thread_.Check();
  if (look != look_) return;
  Then then = std::exchange(then_, nullptr);
  deps_.camera.Stop();
  then(std::move(nin));
}

Result<SecretBytes> CameraSlipReader::LookOnCameraThread(const std::stop_token& stop) {
  const MonotonicTime end = deps_.clock.Now() + kLongestLook;
  Result<SecretBytes> read = Fail(ErrorCode::kTimeout, "no code was seen");
  PreviewFeed feed(deps_.preview, deps_.clock);
  FrameDecoder decoder;
  Picture picture;
  const Status looked = deps_.frames(
      [&](const Frame& frame) {
        deps_.heartbeat.Beat(kCameraBeat);
        feed.Show(frame);
        if (!decoder.DecodeSmall(frame, kSide, picture)) return deps_.clock.Now() < end;
        const size_t bytes = static_cast<size_t>(picture.stride()) * picture.height();
        const ByteSpan pixels{picture.row(0), bytes};
        for (const SecretBytes& text :
             deps_.scanner.Read(pixels, picture.width(), picture.height())) {
          read = deps_.judge(text.text());
          // A paper may show other codes beside the one that counts.
          if (read || read.error().code == ErrorCode::kRejected) return false;
        }
        return deps_.clock.Now() < end;
      },
      stop);
  if (!looked) return std::unexpected(looked.error());
  return read;
}

}  // namespace idkiosk
