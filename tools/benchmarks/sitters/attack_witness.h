#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_WITNESS_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_WITNESS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/capture_runner.h"

namespace idkiosk {

// Notes what the kiosk said during one capture, and what it measured when it said so.
class Witness final : public CaptureObserver {
 public:
  // `settings` are those of the capture, and must outlive this.
  explicit Witness(const CaptureSettings& settings) : settings_(settings) {}

  std::optional<LightPace> ShowsLight() override { return LightPace::kUsual; }
  void OnProgress(const CaptureProgress& progress) override;

  [[nodiscard]] const Prompt& asked() const { return asked_; }
  [[nodiscard]] const ScreenColour& lit() const { return lit_; }
  [[nodiscard]] Guidance said() const { return said_last_; }

  // Returns which rule stopped it: the restarts, and what was said most of the time.
  [[nodiscard]] std::string Rule() const;

  // Returns a line for each step and check that refused frames: how many, the values' median and
  // range, and the limit. Of a challenge that was not shown in full the check is "share", of what
  // is asked for; its limit is 1.
  [[nodiscard]] std::vector<std::string> Refusals() const;

 private:
  struct Refused {
    std::vector<double> values;
    double limit = 0;
  };

  const CaptureSettings& settings_;
  Prompt asked_ = Prompt::kSelfie;
  ScreenColour lit_;
  Guidance said_last_ = Guidance::kNone;
  std::map<std::string_view, int> restarts_;
  std::map<Guidance, int> said_;
  std::optional<FaceObservation> selfie_;  // the newest good one
  std::map<std::pair<Prompt, std::string_view>, Refused> refused_;
  std::map<Prompt, int> frames_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_WITNESS_H_
