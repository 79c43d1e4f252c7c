#include "tests/app/capture/sitting.h"

#include <gtest/gtest.h>

namespace idkiosk {

void CueingObserver::OnProgress(const CaptureProgress& progress) {
  if (sitter_ != nullptr) {
    EXPECT_TRUE(sitter_->Cue(DrawnAnswer(progress.prompt, progress.lit))) << Name(progress.prompt);
  }
  if (prompts.empty() || prompts.back() != progress.prompt) prompts.push_back(progress.prompt);
  if (guidance.empty() || guidance.back() != progress.guidance) {
    guidance.push_back(progress.guidance);
  }
  if (progress.restarted) ++restarts;
  ++looks;
}

Sitting::Sitting(std::string_view script, const std::string& detector_name, int frames_per_second)
    : studio(script, 480, 270, frames_per_second),
      detector(MakeDetector(detector_name)),
      analyzer(settings, *detector.detector, detector.smiles.get(), detector.mesh.get()),
      runner(settings, analyzer, studio.clock(), entropy),
      observer(&studio.camera()) {}

Result<CaptureResult> Sitting::Capture() {
  return runner.Run(studio.camera(), studio.info(), observer, {});
}

}  // namespace idkiosk
