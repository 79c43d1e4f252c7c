#ifndef IDKIOSK_TESTS_APP_CAPTURE_SITTING_H_
#define IDKIOSK_TESTS_APP_CAPTURE_SITTING_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/capture/capture_runner.h"
#include "tests/app/capture/pictures.h"
#include "tests/fakes/fake_entropy.h"

namespace idkiosk {

// Tells the drawn sitter what the person would read on the screen, and notes what that was.
class CueingObserver final : public CaptureObserver {
 public:
  explicit CueingObserver(SyntheticCamera* sitter) : sitter_(sitter) {}

  std::optional<LightPace> ShowsLight() override { return pace; }
  void OnProgress(const CaptureProgress& progress) override;
  void OnCameraTrouble(const Error& error) override { troubles.push_back(error.message); }

  std::optional<LightPace> pace;   // of the screen's colours; nothing: there are none
  std::vector<Prompt> prompts;     // each once, when it changed
  std::vector<Guidance> guidance;  // the same
  std::vector<std::string> troubles;
  int restarts = 0;
  int looks = 0;  // frames that were analysed

 private:
  SyntheticCamera* const sitter_;
};

// A whole capture of the drawn sitter, in virtual time.
class Sitting {
 public:
  // `detector`: "auto" takes the better one of this machine.
  explicit Sitting(std::string_view script, const std::string& detector = "auto",
                   int frames_per_second = 15);

  [[nodiscard]] Result<CaptureResult> Capture();

  CaptureSettings settings;
  Studio studio;
  FakeEntropy entropy;
  ChosenDetector detector;
  FrameAnalyzer analyzer;
  CaptureRunner runner;
  CueingObserver observer;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_CAPTURE_SITTING_H_
