#include "tools/benchmarks/sitters/attack_card.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace idkiosk {
namespace {

using cv::Mat;

constexpr Duration kReaction = std::chrono::milliseconds(400);

Mat Wall() {
  Mat wall(kStageSize, CV_8UC3);
  for (int y = 0; y < wall.rows; ++y) wall.row(y) = cv::Scalar::all(150 - 40.0 * y / wall.rows);
  return wall;
}

// Returns `wall` with `picture` held before it, as high as the frame where its distance is 1.
Mat Held(const Mat& picture, const Pose& pose, cv::Point2d moved, const Mat& wall) {
  const double focus = 1.3 * kStageSize.width, high = kStageSize.height;
  const double half_high = high / 2, half_wide = half_high * picture.cols / picture.rows;
  const double yaw = pose.yaw * CV_PI / 180, pitch = pose.pitch * CV_PI / 180;
  const auto seen = [&](double x, double y) {
    const double turned = x * std::cos(yaw), away = -x * std::sin(yaw);
    const double raised = y * std::cos(pitch), tilted = y * std::sin(pitch);
    const double depth = focus * pose.distance + away + tilted;
    return cv::Point2f(
        static_cast<float>(kStageSize.width / 2.0 + moved.x + focus * turned / depth),
        static_cast<float>(high / 2 + moved.y + focus * raised / depth));
  };
  const auto right = static_cast<float>(picture.cols), bottom = static_cast<float>(picture.rows);
  const cv::Point2f from[] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
  const cv::Point2f to[] = {seen(-half_wide, -half_high), seen(half_wide, -half_high),
                            seen(half_wide, half_high), seen(-half_wide, half_high)};
  Mat out = wall.clone();
  cv::warpPerspective(picture, out, cv::getPerspectiveTransform(from, to), out.size(),
                      cv::INTER_AREA, cv::BORDER_TRANSPARENT);
  return out;
}

// What a hand can do with something flat.
Pose FlatAnswer(Prompt asked) {
  switch (asked) {
    case Prompt::kTurnLeft:
      return {.yaw = 42};
    case Prompt::kTurnRight:
      return {.yaw = -42};
    case Prompt::kLookUp:
      return {.pitch = 30};
    case Prompt::kComeCloser:
      return {.distance = 0.68};
    case Prompt::kSelfie:
    case Prompt::kSmile:
    case Prompt::kDone:
      return {};
  }
  return {};
}

}  // namespace

cv::Mat Lit(const Mat& picture, const ScreenColour& lit, double shine) {
  if (lit == kWhiteScreen) return picture;
  const auto part = [shine](uint8_t value) {
    return std::pow(1 + shine * (std::pow(value / 255.0, 2.2) - 1), 1 / 2.2);
  };
  Mat out;
  cv::multiply(picture, cv::Scalar(part(lit.blue), part(lit.green), part(lit.red)), out);
  return out;
}

Hand::Hand(uint32_t seed) {
  cv::RNG random(seed);
  for (double& phase : phases_) phase = random.uniform(0.0, 6.28);
}

Prompt Hand::Noticed(Duration time, Prompt asked) {
  if (asked != asked_) asked_ = asked, asked_at_ = time;
  if (time - asked_at_ >= kReaction) noticed_ = asked_;
  return noticed_;
}

Pose Hand::Follow(Duration time, const Pose& target) {
  const double way = 1 - std::exp(-Seconds(time - last_) / 0.25);
  last_ = time;
  pose_.yaw += (target.yaw - pose_.yaw) * way;
  pose_.pitch += (target.pitch - pose_.pitch) * way;
  pose_.distance += (target.distance - pose_.distance) * way;
  Pose shaken = pose_;
  shaken.yaw += Shake(time, 0, 1.5), shaken.pitch += Shake(time, 1, 1.5);
  shaken.distance += Shake(time, 2, 0.01);
  return shaken;
}

double Hand::Shake(Duration time, size_t which, double most) const {
  const double at = Seconds(time);
  return most * (0.6 * std::sin(2.1 * at + phases_.at(which)) +
                 0.4 * std::sin(5.3 * at + 2 * phases_.at(which)));
}

Card::Card(uint32_t seed, Follows follows, Face face, double shine)
    : hand_(seed), follows_(follows), face_(std::move(face)), shine_(shine) {}

cv::Mat Card::Show(Duration time, Prompt asked, const ScreenColour& lit) {
  static const Mat wall = Wall();
  const Prompt noticed = hand_.Noticed(time, asked);
  Pose target = follows_ == Follows::kNothing ? Pose() : FlatAnswer(noticed);
  if (follows_ == Follows::kDistance) target = {.distance = target.distance};
  Pose pose = hand_.Follow(time, target);
  const Mat face = Lit(face_(time, noticed, pose), lit, shine_);
  return Held(face, pose, {hand_.Shake(time, 3, 3), hand_.Shake(time, 4, 3)},
              Lit(wall, lit, kShineAtWall));
}

}  // namespace idkiosk
