#ifndef IDKIOSK_APP_DAEMON_CAMERA_THREAD_H_
#define IDKIOSK_APP_DAEMON_CAMERA_THREAD_H_

#include <functional>
#include <memory>
#include <optional>

#include "app/assembly/camera_opening.h"
#include "app/ui/metrics.h"
#include "app/workers/camera_slip_reader.h"
#include "app/workers/capture_worker.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The kiosk's camera, on a thread of its own: takes a person's pictures, reads slips, and is lent
// to whoever looks through it for something else.
class CameraThread {
 public:
  // All must outlive this, and `control` runs none of its tasks after that.
  struct Dependencies {
    // Both on the camera's thread. `light` turns the lamp that lights a face.
    std::function<Result<OpenCamera>(CameraPurpose)> open;
    std::function<void(bool on)> light;
    std::unique_ptr<CodeScanner> scanner;
    TaskRunner& control;
    Clock& clock;
    Entropy& entropy;
    PreviewSlot& preview;
    Metrics& metrics;
    Duration silence;  // no frame for so long: the camera is away
  };
  explicit CameraThread(Dependencies deps);

  // Ends the thread; it is lent to nobody afterwards. Called while everything lives that its
  // borrowers use.
  void End() { worker_.End(); }

  [[nodiscard]] CaptureWorker& worker() { return worker_; }
  [[nodiscard]] SlipReader& slips() { return slips_; }
  // Reads the code of an onboarding message.
  [[nodiscard]] SlipReader& messages() { return messages_; }
  [[nodiscard]] Heartbeat& heartbeat() { return heartbeat_; }

  // Opens and closes the camera, and says on the control thread whether it is there. A run or a
  // loan under way is stopped for it. Control thread.
  void Look(std::move_only_function<void(bool there)> then);

  // Opens the camera for a borrower. The camera's thread.
  [[nodiscard]] Result<OpenCamera> Open() const { return deps_.open(CameraPurpose::kLook); }

  // Returns how the newest capture went; nothing before the first. Any thread.
  [[nodiscard]] std::optional<CaptureRecord> last_capture() const;

 private:
  // On the camera's thread.
  [[nodiscard]] bool IsThere();
  [[nodiscard]] Result<CaptureResult> Capture(CaptureObserver& observer,
                                              const std::stop_token& stop);
  [[nodiscard]] Status ReadFrames(const std::function<bool(const Frame&)>& on_frame,
                                  const std::stop_token& stop);

  const Dependencies deps_;
  Heartbeat heartbeat_{deps_.clock};
  mutable Mutex mutex_;
  std::optional<CaptureRecord> last_capture_ GUARDED_BY(mutex_);
  CameraSlipReader slips_;
  CameraSlipReader messages_;
  std::string missed_;    // why it was not there when last looked for; empty: it was. Its thread
  CaptureWorker worker_;  // goes first: its thread uses all of the above
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_CAMERA_THREAD_H_
