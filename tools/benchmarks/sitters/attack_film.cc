#include "tools/benchmarks/sitters/attack_film.h"

#include "app/capture/light_sequence.h"
#include "tools/benchmarks/sitters/attack_stage.h"

namespace idkiosk {

using std::chrono::milliseconds;

Film::Film(const std::string& script, std::optional<uint32_t> colours) {
  Performer performer(script);
  std::optional<LightSequence> lights;
  const auto play = [&](Prompt asked, Duration length) {
    constexpr Duration kStep = Duration(std::chrono::seconds(1)) / kStageRate;
    for (Duration at{}; at < length; at += kStep) {
      const Duration time = kStep * static_cast<int64_t>(frames_.size());
      if (lights) lights->Tell(MonotonicTime(time));
      const ScreenColour lit = lights ? lights->Shown(MonotonicTime(time)) : kWhiteScreen;
      frames_.push_back(performer.Shoot(time, asked, lit));
    }
  };
  play(Prompt::kSelfie, milliseconds(1500));
  scenes_[0] = {0, 0, frames_.size()};
  if (colours) {
    SeededEntropy entropy(*colours + 77);
    lights.emplace(LightPace::kUsual, entropy);
    lights->Begin(MonotonicTime(milliseconds(700)));
    play(Prompt::kSelfie, milliseconds(2500));
  }
  constexpr size_t kUntilAtRest = kStageRate;  // a reaction and a movement: a second
  for (const PromptTraits& each : kChallenges) {
    const size_t first = frames_.size();
    play(each.prompt, milliseconds(1600));
    scenes_[static_cast<size_t>(each.prompt)] = {first, first + kUntilAtRest, frames_.size()};
    play(Prompt::kSelfie, milliseconds(900));
  }
}

cv::Mat Film::At(size_t number) const { return MatOf(frames_[number % frames_.size()]); }

}  // namespace idkiosk
