#ifndef IDKIOSK_TESTS_APP_CAPTURE_OBSERVATIONS_H_
#define IDKIOSK_TESTS_APP_CAPTURE_OBSERVATIONS_H_

#include <gtest/gtest.h>

#include <vector>

#include "app/capture/challenges.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings_table.h"
#include "drivers/camera/synthetic/sitter_script.h"

namespace idkiosk {

// A good frame of 1280 x 720: one face in the middle, straight, sharp, in good light.
inline FrameObservation GoodFrame() {
  FrameObservation seen;
  seen.captured_at = MonotonicTime(std::chrono::hours(1));
  seen.width = 1280;
  seen.height = 720;
  seen.luma = 120;
  seen.contrast = 45;
  seen.colour = 25;
  FaceObservation& face = seen.face.emplace();
  face.face.box = {500, 180, 280, 370};
  face.face.score = 0.9F;
  face.face.has_landmarks = true;
  face.area = 0.266;
  face.pose = {0.0, 0.0, 0.0};
  face.light = {.mean = 120, .low = 80, .high = 180, .surround = 130};
  face.sharpness = 150;
  face.grain = {.one_way = 70, .balance = 0.5, .noise = 0.05, .deviation = 1, .flat = 0.15};
  face.smile = 0.0;
  face.parts = {.score = 1,
                .eyes_open = 0.3,
                .mouth_open = 0.02,
                .roll = 0,
                .room = 0.4,
                .eyes_seen = 2,
                .mouth_seen = 3,
                .skin_red = 0.25,
                .skin_blue = -0.2};
  return seen;
}

// The same face, showing a challenge as the drawn sitter does.
inline FrameObservation Showing(Prompt challenge) {
  const SitterPose pose = ParseSitterScript(TraitsOf(challenge).drawn)->rest;
  FrameObservation seen = GoodFrame();
  FaceObservation& face = *seen.face;
  face.pose = {pose.yaw, pose.pitch, pose.roll};
  face.area /= pose.distance * pose.distance;
  face.smile = pose.smile;
  return seen;
}

inline std::vector<Prompt> AllChallenges() {
  std::vector<Prompt> all;
  for (const PromptTraits& each : kChallenges) all.push_back(each.prompt);
  return all;
}

// Expects a setting whose key is that name without its unit.
inline void ExpectSetting(std::string_view name, double CaptureSettings::* member) {
  const size_t unit = name.find("_degrees");
  const Setting* const found = FindSetting(fmt::format("capture.{}", name.substr(0, unit)));
  ASSERT_NE(found, nullptr) << name;
  Settings settings;
  EXPECT_EQ(&std::get<double& (*)(Settings&)>(found->member)(settings), &(settings.capture.*member))
      << name;
}

// Nobody.
inline FrameObservation EmptyFrame() {
  FrameObservation seen = GoodFrame();
  seen.face.reset();
  return seen;
}

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_CAPTURE_OBSERVATIONS_H_
