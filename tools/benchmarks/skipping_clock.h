#ifndef IDKIOSK_TOOLS_BENCHMARKS_SKIPPING_CLOCK_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SKIPPING_CLOCK_H_

#include <memory>
#include <optional>

#include "drivers/camera/frame_pacer.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// Time as a kiosk with a real camera has it, made quickly: what the program does takes as long as
// it takes, waiting is skipped, and drawing the sitter, which no kiosk does, takes no time. One
// thread.
class SkippingClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override;
  [[nodiscard]] WallTime WallNow() const override;
  [[nodiscard]] std::chrono::seconds AheadOfUtc(WallTime) const override { return {}; }
  [[nodiscard]] bool WallIsTrusted() const override { return true; }
  [[nodiscard]] std::string BootId() const override { return "benchmark"; }

  // For whoever would wait.
  [[nodiscard]] WaitUntil Skip();

  // The camera's frames, drawn outside of this time. Must not outlive this.
  [[nodiscard]] std::unique_ptr<Camera> Outside(std::unique_ptr<Camera> camera);

  // Processor time of this thread, without what was spent on drawing.
  [[nodiscard]] Duration Spent() const;

 private:
  class OutsideCamera;

  // While the camera draws: when that began, without what was skipped by then.
  std::optional<Duration> stopped_;
  Duration skipped_{};
  Duration drawing_{};        // real time
  Duration drawing_spent_{};  // processor time
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SKIPPING_CLOCK_H_
