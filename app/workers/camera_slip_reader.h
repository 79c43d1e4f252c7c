#ifndef IDKIOSK_APP_WORKERS_CAMERA_SLIP_READER_H_
#define IDKIOSK_APP_WORKERS_CAMERA_SLIP_READER_H_

#include <functional>
#include <stop_token>

#include "app/session/visit/slip_reader.h"
#include "app/workers/capture_worker.h"
#include "platform/api/code_scanner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Looks for codes in the frames of the kiosk's own camera, on the thread that owns it.
class CameraSlipReader final : public SlipReader {
 public:
  // Hands out frames of the open camera until `on_frame` says no or it is asked to stop; on the
  // camera's thread. Errors: the camera's.
  using Frames = std::function<Status(const std::function<bool(const Frame&)>& on_frame,
                                      const std::stop_token& stop)>;
  // What counts of a code's text. kRejected ends the look; any other error goes on looking.
  using Judge = std::function<Result<SecretBytes>(std::string_view text)>;
  // All must outlive this, and `control` runs none of its tasks after that.
  struct Dependencies {
    CaptureWorker& camera;
    Frames frames;
    CodeScanner& scanner;
    TaskRunner& control;
    const Clock& clock;
    PreviewSlot& preview;
    Heartbeat& heartbeat;
    Judge judge = &NinInSlip;
  };
  explicit CameraSlipReader(Dependencies deps) : deps_(std::move(deps)) {}

  void Start(Then then) override;
  void Stop() override;

 private:
  [[nodiscard]] Result<SecretBytes> LookOnCameraThread(const std::stop_token& stop);
  void End(uint64_t look, Result<SecretBytes> nin);

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  uint64_t look_ GUARDED_BY(control_thread_) = 0;
  Then then_ GUARDED_BY(control_thread_);  // of the look under way
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_CAMERA_SLIP_READER_H_
