#ifndef IDKIOSK_APP_CLI_TERMINAL_CAPTURE_H_
#define IDKIOSK_APP_CLI_TERMINAL_CAPTURE_H_

#include <stop_token>
#include <string>

#include "app/assembly/camera_opening.h"

namespace idkiosk {

// Shows the prompts of a capture on the terminal, and stops it when the process is asked to stop
// (SIGINT, SIGTERM, SIGHUP).
class TerminalObserver final : public CaptureObserver {
 public:
  // Both must outlive this. `witness` sees the same; null: nobody does.
  explicit TerminalObserver(Components& components, CaptureObserver* witness = nullptr)
      : components_(components), witness_(witness) {}

  // For the capture.
  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }

  void OnProgress(const CaptureProgress& progress) override;
  void OnCameraTrouble(const Error& error) override;

 private:
  void StopWithProcess();

  Components& components_;
  CaptureObserver* const witness_;
  std::stop_source stop_;
  bool seen_first_ = false;
};

// Returns the pictures of one whole capture, which the person follows on the terminal.
[[nodiscard]] CommandResult<CaptureResult> CaptureFrom(Components& components,
                                                       const std::string& source,
                                                       CameraPurpose purpose,
                                                       CaptureObserver* witness = nullptr);

// Returns the same of five pictures in a folder.
[[nodiscard]] CommandResult<CaptureResult> BundleFrom(Components& components,
                                                      const std::string& folder);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_TERMINAL_CAPTURE_H_
