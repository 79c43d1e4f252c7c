#include "drivers/camera/synthetic/synthetic_camera.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace idkiosk {
namespace {

constexpr int kQuality = 85;
// Of the screen, that are remembered: those of more than two seconds.
constexpr size_t kMostChanges = 64;

}  // namespace

SyntheticCamera::SyntheticCamera(std::string source, const SitterScript& script, Clock& clock,
                                 WaitUntil wait_until)
    : source_(std::move(source)),
      script_(script),
      clock_(clock),
      pacer_(clock, std::move(wait_until)),
      motion_(script) {}

Duration SyntheticCamera::SinceFirstFrame() const {
  return first_frame_ ? clock_.Now() - *first_frame_ : Duration::zero();
}

bool SyntheticCamera::Unplugged() const {
  return script_.unplug && first_frame_ && script_.unplug->ActiveAt(SinceFirstFrame());
}

Result<CameraInfo> SyntheticCamera::Open(const CameraRequest& request) {
  if (Unplugged()) {
    return Fail(ErrorCode::kNotFound, "the drawn camera is unplugged, as its script says");
  }
  width_ = std::clamp(request.width, 320, 1920) / 2 * 2;
  height_ = std::clamp(request.height, 240, 1080) / 2 * 2;
  scene_.emplace(script_, width_, height_);
  const double rate = std::clamp<double>(request.frames_per_second, 1, script_.fps);
  latency_ =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(script_.latency / rate));
  pacer_.Start(rate);
  return CameraInfo{"drawn sitter", source_, PixelFormat::kJpeg, width_, height_, rate, true, true};
}

Result<Frame> SyntheticCamera::NextFrame(MonotonicTime deadline) {
  if (!scene_) return Fail(ErrorCode::kFailedPrecondition, "the drawn camera is not open");
  if (script_.silent && first_frame_ && script_.silent->ActiveAt(SinceFirstFrame())) {
    pacer_.WaitFor(deadline);
    return Fail(ErrorCode::kTimeout, "the drawn camera is silent, as its script says");
  }
  const auto due = pacer_.WaitForFrame(deadline);
  if (!due) return Fail(ErrorCode::kTimeout, "the drawn camera had no frame in time");
  if (Unplugged()) {
    Close();
    return Fail(ErrorCode::kUnavailable, "the drawn camera was unplugged, as its script says");
  }
  if (!first_frame_) first_frame_ = clock_.Now();
  const MonotonicTime now = clock_.Now();  // what the picture shows, however long drawing it takes
  const Duration time = SinceFirstFrame();
  sequence_ += *due;
  const bool frozen = script_.freeze && script_.freeze->ActiveAt(time) && !last_.data.empty();
  if (!frozen) {
    const SitterPose pose = motion_.Advance(time, cue_);
    auto jpeg = EncodeMjpeg(
        scene_->Draw(pose, ScreenAt(now - latency_), time, static_cast<uint32_t>(sequence_)),
        width_, height_, kQuality);
    if (!jpeg) return std::unexpected(jpeg.error());
    last_ = Frame::Owning(PixelFormat::kJpeg, width_, height_, 0, std::move(*jpeg));
  }
  last_.captured_at = now;
  last_.sequence = sequence_;
  return last_;
}

std::optional<Duration> SyntheticCamera::Exposure() {
  using std::chrono::microseconds;
  // A picture that is too bright is one for which the camera could expose no shorter.
  const bool least = script_.light == SitterLight::kSun || script_.light == SitterLight::kBright;
  return least ? microseconds(300) : microseconds(15600);
}

bool SyntheticCamera::Cue(std::string_view script) {
  if (script == cue_script_) return true;
  const auto parsed = ParseSitterScript(script);
  if (!parsed) return false;
  cue_script_ = script;
  cue_ = parsed->rest;
  const SitterScreen before = screens_.empty() ? script_.screen : screens_.back().to;
  if (parsed->screen == before) return true;
  screens_.push_back({clock_.Now(), parsed->screen, parsed->fade});
  if (screens_.size() > kMostChanges) screens_.pop_front();
  return true;
}

SitterScreen SyntheticCamera::ScreenAt(MonotonicTime time) const {
  SitterScreen from = script_.screen, to = script_.screen;
  double share = 1;
  for (const ScreenChange& each : screens_) {
    if (each.at > time) break;
    from = std::exchange(to, each.to);
    share = each.fade > Duration::zero()
                ? std::min(1.0, static_cast<double>((time - each.at).count()) /
                                    static_cast<double>(each.fade.count()))
                : 1;
  }
  const auto mixed = [share](uint8_t a, uint8_t b) {
    return static_cast<uint8_t>(std::lround(a + share * (b - a)));
  };
  return {mixed(from.red, to.red), mixed(from.green, to.green), mixed(from.blue, to.blue)};
}

void SyntheticCamera::Close() { scene_.reset(); }

}  // namespace idkiosk
