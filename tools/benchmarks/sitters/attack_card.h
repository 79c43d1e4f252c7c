#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_CARD_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_CARD_H_

#include <array>
#include <functional>
#include <opencv2/core.hpp>

#include "tools/benchmarks/sitters/attack_stage.h"

// Something flat that a hand holds before the camera.
namespace idkiosk {

// What the kiosk's screen adds to a room's light at arm's length, at the wall, and to what a screen
// shows of itself, by the glass before it.
inline constexpr double kShine = 0.13, kShineAtWall = 0.01, kShineOnGlass = 0.01;

[[nodiscard]] inline double Seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// Returns the picture of something that such a share of the screen's light falls on.
[[nodiscard]] cv::Mat Lit(const cv::Mat& picture, const ScreenColour& lit, double shine);

// How something flat is held: degrees, and the share of its distance.
struct Pose {
  double yaw = 0, pitch = 0, distance = 1;
};

// A hand that follows what is asked, a reaction time later, and is never quite still.
class Hand {
 public:
  explicit Hand(uint32_t seed);
  // Returns what was asked a reaction time ago.
  [[nodiscard]] Prompt Noticed(Duration time, Prompt asked);
  // Returns where it is, on its way to `target`.
  [[nodiscard]] Pose Follow(Duration time, const Pose& target);
  [[nodiscard]] double Shake(Duration time, size_t which, double most) const;

 private:
  std::array<double, 5> phases_{};
  Prompt asked_ = Prompt::kSelfie, noticed_ = Prompt::kSelfie;
  Duration asked_at_{}, last_{};
  Pose pose_;
};

// Something flat that is held up. What is on it may change with what is asked.
class Card final : public Trick {
 public:
  using Face = std::function<cv::Mat(Duration time, Prompt noticed, Pose& pose)>;
  enum class Follows { kNothing, kDistance, kAll };

  // `shine`: the share of the kiosk's light that it sends back.
  Card(uint32_t seed, Follows follows, Face face, double shine = kShineOnGlass);

  cv::Mat Show(Duration time, Prompt asked, const ScreenColour& lit) override;

 private:
  Hand hand_;
  const Follows follows_;
  const Face face_;
  const double shine_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_CARD_H_
