#ifndef IDKIOSK_APP_ASSEMBLY_CAMERA_SESSION_H_
#define IDKIOSK_APP_ASSEMBLY_CAMERA_SESSION_H_

#include <memory>
#include <stop_token>
#include <string>

#include "app/assembly/components.h"
#include "app/capture/capture_runner.h"

namespace idkiosk {

// An open camera and what looks through it, for one command. Shows each prompt on the terminal, and
// tells it to a drawn sitter. Closes the camera when it goes.
class CameraSession final : public CaptureObserver {
 public:
  // A verification takes nothing but a live camera, unless capture.allow_recorded says otherwise.
  enum class Purpose { kLook, kVerify };

  // `source` empty: the configuration's. The camera opens while the face detector loads.
  [[nodiscard]] static CommandResult<std::unique_ptr<CameraSession>> Open(
      Components& components, std::string source, Purpose purpose = Purpose::kLook);
  ~CameraSession() override;
  CameraSession(const CameraSession&) = delete;
  CameraSession& operator=(const CameraSession&) = delete;

  [[nodiscard]] Camera& camera() const { return *chosen_.camera; }
  [[nodiscard]] const CameraInfo& info() const { return info_; }
  [[nodiscard]] FrameAnalyzer& analyzer() const { return *analyzer_; }
  [[nodiscard]] const CaptureSettings& settings() const { return *settings_; }

  // Asked to stop when the process is (SIGINT, SIGTERM).
  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }

  // Sees what this sees, too; must outlive this.
  void set_witness(CaptureObserver* witness) { witness_ = witness; }

  // A drawn sitter does what is asked.
  void Follow(Prompt prompt) { chosen_.follow(prompt); }

  void OnProgress(const CaptureProgress& progress) override;
  void OnCameraTrouble(const Error& error) override;

 private:
  CameraSession(Components& components, ChosenCamera chosen)
      : components_(components), chosen_(std::move(chosen)) {}

  Components& components_;
  ChosenCamera chosen_;
  CameraInfo info_;
  FrameAnalyzer* analyzer_ = nullptr;
  const CaptureSettings* settings_ = nullptr;
  std::stop_source stop_;
  CaptureObserver* witness_ = nullptr;
  bool seen_first_ = false;
};

// One whole capture from a camera. `witness`, where there is one, sees every frame that is
// analysed.
[[nodiscard]] CommandResult<CaptureResult> CaptureFrom(Components& components,
                                                       const std::string& source,
                                                       CameraSession::Purpose purpose,
                                                       CaptureObserver* witness = nullptr);

// The same from five pictures in a folder.
[[nodiscard]] CommandResult<CaptureResult> BundleFrom(Components& components,
                                                      const std::string& folder);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_CAMERA_SESSION_H_
