#include "tools/benchmarks/sitters/attack_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/capture/image/frame_decoder.h"
#include "app/capture/image/mat.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

SitterScript Parsed(const std::string& script) {
  const auto parsed = ParseSitterScript(script);
  if (!parsed) GiveUp(parsed.error().message);
  return *parsed;
}

}  // namespace

Performer::Performer(const std::string& script, cv::Size size)
    : began_(clock_.Now()), camera_("stage", Parsed(script), clock_, [this](MonotonicTime time) {
        clock_.MoveTo(time);
      }) {
  const auto opened = camera_.Open({size.width, size.height, 30});
  if (!opened) GiveUp(opened.error().message);
}

cv::Mat MatOf(const Frame& frame) {
  FrameDecoder decoder;
  Picture picture;
  if (const auto decoded = decoder.DecodeSmall(frame, 4096, picture); !decoded) {
    GiveUp(decoded.error().message);
  }
  return AsMat(picture).clone();
}

cv::Mat Performer::Show(Duration time, Prompt asked, const ScreenColour& lit) {
  return MatOf(Shoot(time, asked, lit));
}

Frame Performer::Shoot(Duration time, Prompt asked, const ScreenColour& lit) {
  if (!camera_.Cue(DrawnAnswer(asked, lit))) GiveUp("the sitter does not know what is asked");
  clock_.MoveTo(began_ + time);
  auto frame = camera_.NextFrame(clock_.Now() + std::chrono::seconds(1));
  if (!frame) GiveUp(frame.error().message);
  return std::move(*frame);
}

std::shared_ptr<const Film> Victim::film() {
  if (!film_) film_ = std::make_shared<Film>(script);
  return film_;
}

std::shared_ptr<const Film> Victim::earlier_visit() {
  if (!earlier_visit_) earlier_visit_ = std::make_shared<Film>(script, 1);
  return earlier_visit_;
}

const Subject& Stage::StillOf(Prompt asked) const {
  const auto& stills = impersonated->stills;
  const auto found = std::ranges::find(stills, asked, &std::pair<Prompt, Subject>::first);
  return found == stills.end() ? still() : found->second;
}

std::string Stage::victim() const {
  return impersonated ? impersonated->script : fmt::format("tone={},seed={}", tone, seed);
}

std::string Stage::attacker() const {
  return fmt::format("tone={},seed={}{}", tone % 8 + 1, seed + 1000,
                     light.empty() ? "" : ",light=" + light);
}

}  // namespace idkiosk
