#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_STAGE_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_STAGE_H_

#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "app/capture/challenges.h"
#include "app/capture/light_sequence.h"
#include "app/capture/measures.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "platform/api/clock.h"
#include "platform/api/entropy.h"
#include "tools/benchmarks/sitters/attack_film.h"
#include "tools/benchmarks/sitters/degradations.h"

// What is held up before the kiosk's camera: a person, or what somebody shows in place of one.
namespace idkiosk {

inline const cv::Size kStageSize(640, 360);
inline constexpr int kStageRate = 15;  // frames a second

// Time that moves only when it is told to.
class StageClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override { return now_; }
  [[nodiscard]] WallTime WallNow() const override { return {}; }
  [[nodiscard]] std::chrono::seconds AheadOfUtc(WallTime) const override { return {}; }
  [[nodiscard]] bool WallIsTrusted() const override { return true; }
  [[nodiscard]] std::string BootId() const override { return "stage"; }
  void MoveTo(MonotonicTime time) { now_ = std::max(now_, time); }

 private:
  MonotonicTime now_{std::chrono::seconds(1)};
};

// The same numbers for the same seed.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(uint64_t seed) : random_(seed) {}
  void Fill(MutableByteSpan out) override {
    for (uint8_t& byte : out) byte = static_cast<uint8_t>(random_.uniform(0, 256));
  }

 private:
  cv::RNG random_;
};

// Returns the picture of a frame. Ends the program where it cannot be decoded.
[[nodiscard]] cv::Mat MatOf(const Frame& frame);

// A drawn person who does what is asked of them, 400 ms later.
class Performer {
 public:
  explicit Performer(const std::string& script, cv::Size size = kStageSize);

  // Returns the picture at `time`, which never goes back, before a screen of that colour. Whatever
  // was asked last is still done.
  [[nodiscard]] cv::Mat Show(Duration time, Prompt asked, const ScreenColour& lit = {});
  // Returns the same as the camera's JPEG. Valid until the next call.
  [[nodiscard]] Frame Shoot(Duration time, Prompt asked, const ScreenColour& lit = {});

 private:
  StageClock clock_;
  const MonotonicTime began_;
  SyntheticCamera camera_;
};

// What is shown to the camera. Begins at time zero.
class Trick {
 public:
  virtual ~Trick() = default;
  // Returns the picture at `time`, of kStageSize, without the camera's noise. `asked` is what the
  // kiosk's screen said last, `lit` its colour.
  [[nodiscard]] virtual cv::Mat Show(Duration time, Prompt asked, const ScreenColour& lit) = 0;
  // Whether its bytes reach the program as they are, past any lens.
  [[nodiscard]] virtual bool injected() const { return false; }
};

// A drawn person who is impersonated. Many runs share one: drawing takes the most time of all.
struct Victim {
  std::string script;
  // What an attacker has of that person, by what each still shows; the first looks straight ahead.
  // Of a photograph there is no other.
  std::vector<std::pair<Prompt, Subject>> stills;

  // Recordings, drawn when first asked for: in white light, and of an earlier visit.
  [[nodiscard]] std::shared_ptr<const Film> film();
  [[nodiscard]] std::shared_ptr<const Film> earlier_visit();

 private:
  std::shared_ptr<const Film> film_, earlier_visit_;
};

// One run's circumstances.
struct Stage {
  uint32_t seed = 1;
  int tone = 3;
  std::string light;                     // of the sitter's script; empty: good
  std::shared_ptr<Victim> impersonated;  // null: nobody, the person is honest

  [[nodiscard]] const Subject& still() const { return impersonated->stills.front().second; }
  // Returns the one that shows `asked`; still() where there is none.
  [[nodiscard]] const Subject& StillOf(Prompt asked) const;
  // The script of the person whose picture is shown, and of the one who shows it.
  [[nodiscard]] std::string victim() const;
  [[nodiscard]] std::string attacker() const;
};

// One way to come before the camera.
struct Attack {
  std::string_view name;
  bool honest = false;
  bool of_photographs = false;  // also with a still that is given
  std::unique_ptr<Trick> (*make)(const Stage& stage) = nullptr;
  bool brief = false;  // played in the short form, too
  // A recording of the person, with everything that can be asked for. Without the screen's light
  // one of five such may pass, where of everything else one of fifty may.
  bool film = false;
  bool of_two = false;  // a second person stays in the place of the first
};

[[nodiscard]] const std::vector<Attack>& Attacks();

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_STAGE_H_
