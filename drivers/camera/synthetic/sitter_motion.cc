#include "drivers/camera/synthetic/sitter_motion.h"

#include <algorithm>
#include <cmath>

namespace idkiosk {
namespace {

// A critically damped spring of this rate turns a head by 35 degrees within half a second.
constexpr double kRate = 9;  // 1/s
constexpr Duration kStep = std::chrono::milliseconds(5);

// Nobody holds still: tremor and breath.
constexpr double kTremor = 0.5;                         // degrees
constexpr double kBlinkEvery = 3.7, kBlinkTime = 0.16;  // seconds

double InSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

SitterMotion::SitterMotion(const SitterScript& script) : script_(script) {
  const SitterPose& rest = script.rest;
  springs_[0].value = rest.yaw;
  springs_[1].value = rest.pitch;
  springs_[2].value = rest.roll;
  springs_[3].value = rest.distance;
  springs_[4].value = rest.smile;
}

void SitterMotion::Spring::Step(double target, double seconds) {
  speed += (kRate * kRate * (target - value) - 2 * kRate * speed) * seconds;
  value += speed * seconds;
}

SitterPose SitterMotion::Target() const {
  SitterPose pose = script_.rest;
  pose.yaw += cue_.yaw;
  pose.pitch += cue_.pitch;
  pose.roll += cue_.roll;
  pose.distance *= cue_.distance;
  pose.smile = std::max(pose.smile, cue_.smile);
  return pose;
}

SitterPose SitterMotion::Advance(Duration time, const SitterPose& cue) {
  if (cue != noticed_) {
    noticed_ = cue;
    noticed_at_ = time;
  }
  for (; now_ < time; now_ += kStep) {
    if (script_.follow && now_ >= noticed_at_ + script_.reaction) cue_ = noticed_;
    const SitterPose target = Target();
    const std::array targets = {target.yaw, target.pitch, target.roll, target.distance,
                                target.smile};
    for (size_t i = 0; i < springs_.size(); ++i) springs_[i].Step(targets[i], InSeconds(kStep));
  }
  const double t = InSeconds(time) + script_.seed;
  SitterPose pose{springs_[0].value,
                  springs_[1].value,
                  springs_[2].value,
                  springs_[3].value,
                  std::clamp(springs_[4].value, 0.0, 1.0),
                  script_.rest.blink,
                  script_.rest.mouth};
  pose.yaw += kTremor * (std::sin(2.1 * t) + 0.5 * std::sin(5.3 * t));
  pose.pitch += kTremor * (std::sin(1.7 * t + 1) + 0.4 * std::sin(4.9 * t));
  pose.roll += 0.5 * kTremor * std::sin(1.3 * t + 2);
  const double into_blink = std::fmod(t, kBlinkEvery);
  if (into_blink < kBlinkTime) {
    pose.blink = std::max(pose.blink, std::sin(3.14159 * into_blink / kBlinkTime));
  }
  return pose;
}

}  // namespace idkiosk
