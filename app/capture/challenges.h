#ifndef IDKIOSK_APP_CAPTURE_CHALLENGES_H_
#define IDKIOSK_APP_CAPTURE_CHALLENGES_H_

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/api/entropy.h"
#include "platform/base/enum_rows.h"

namespace idkiosk {

// The action that a step of the capture asks for: the selfie, one of the challenges, nothing more.
enum class Prompt { kSelfie, kTurnLeft, kTurnRight, kLookUp, kComeCloser, kSmile, kDone };

// All that is to be known of a prompt. A challenge more is an enumerator and its row here; what
// follows from it is in the README's "Where a change begins".
struct PromptTraits {
  Prompt prompt;
  std::string_view name;
  std::string_view sentence;  // plain English

  // For challenges only. Returns how much of it `face` shows, as a share of what is asked for.
  // Turning is measured as the camera sees it; looking up and coming closer against the person's
  // own selfie, because faces and distances differ between people.
  double (*share)(const FaceObservation& face, const FaceObservation& selfie,
                  const CaptureSettings& settings) = nullptr;
  // The setting that says what is asked for, under its name in capture.json.
  struct Asked {
    std::string_view name;  // empty: it is no setting
    double CaptureSettings::* setting = nullptr;
  };
  Asked asked = {};
  // A frame without it does not show the prompt. Not every detector gives all of it.
  Detail detail = Detail::kNone;
  // The drawn sitter's answer, as a script of its own, from the pose that it rests in.
  std::string_view drawn = {};
};

inline constexpr PromptTraits kPrompts[] = {
    {.prompt = Prompt::kSelfie,
     .name = "selfie",
     .sentence = "Look into the camera.",
     .detail = Detail::kSelfie},
    {.prompt = Prompt::kTurnLeft,
     .name = "turn_left",
     .sentence = "Turn your head to the left.",
     .share = [](auto& face, auto&, auto& of) { return face.pose.yaw.value_or(0) / of.turn_yaw; },
     .asked = {"turn_yaw_degrees", &CaptureSettings::turn_yaw},
     .drawn = "yaw=36"},
    {.prompt = Prompt::kTurnRight,
     .name = "turn_right",
     .sentence = "Turn your head to the right.",
     .share = [](auto& face, auto&, auto& of) { return -face.pose.yaw.value_or(0) / of.turn_yaw; },
     .asked = {"turn_yaw_degrees", &CaptureSettings::turn_yaw},
     .drawn = "yaw=-36"},
    {.prompt = Prompt::kLookUp,
     .name = "look_up",
     .sentence = "Look up.",
     .share =
         [](auto& face, auto& selfie, auto& of) {
           // A turned head's pitch is not known well.
           const bool known = face.pose.pitch && selfie.pose.pitch && face.pose.yaw &&
                              std::abs(*face.pose.yaw) < of.turn_yaw;
           return known ? (*face.pose.pitch - *selfie.pose.pitch) / of.up_pitch : 0;
         },
     .asked = {"up_pitch_degrees", &CaptureSettings::up_pitch},
     .detail = Detail::kFace,
     .drawn = "pitch=28"},
    {.prompt = Prompt::kComeCloser,
     .name = "come_closer",
     .sentence = "Come a little closer.",
     .share =
         [](auto& face, auto& selfie, auto& of) {
           // The box's width alone changes with turning.
           return (std::sqrt(face.area / selfie.area) - 1) / (of.closer_factor - 1);
         },
     .asked = {"closer_factor", &CaptureSettings::closer_factor},
     .drawn = "distance=0.7"},
    {.prompt = Prompt::kSmile,
     .name = "smile",
     .sentence = "Smile.",
     .share = [](auto& face, auto&, auto&) { return face.smile.value_or(0) / 0.5; },
     .detail = Detail::kSmile,
     .drawn = "smile=1"},
    {.prompt = Prompt::kDone, .name = "done", .sentence = "Thank you. All pictures are taken."},
};
static_assert(HasEachRow(kPrompts, &PromptTraits::prompt));

inline constexpr std::span<const PromptTraits, std::size(kPrompts) - 2> kChallenges(
    std::begin(kPrompts) + 1, std::size(kPrompts) - 2);
static_assert(std::ranges::none_of(kChallenges, &std::string_view::empty, &PromptTraits::drawn));

[[nodiscard]] constexpr const PromptTraits& TraitsOf(Prompt prompt) {
  return kPrompts[static_cast<size_t>(prompt)];
}
[[nodiscard]] constexpr std::string_view Name(Prompt prompt) { return TraitsOf(prompt).name; }
[[nodiscard]] constexpr std::string_view Sentence(Prompt prompt) {
  return TraitsOf(prompt).sentence;
}

// Uniform over 0 .. count - 1.
[[nodiscard]] uint32_t DrawBelow(uint32_t count, Entropy& entropy);

template <typename Item>
void Shuffle(std::vector<Item>& items, Entropy& entropy) {
  for (size_t i = items.size() - 1; i > 0; --i) {
    std::swap(items[i], items[DrawBelow(static_cast<uint32_t>(i + 1), entropy)]);
  }
}

// Four of `challenges`, at least two, in an order that nobody can foresee: different ones as far as
// they reach, and never the same twice in a row.
[[nodiscard]] std::vector<Prompt> DrawChallenges(const std::vector<Prompt>& challenges,
                                                 Entropy& entropy);

// As CaptureSettings::left_out counts it.
[[nodiscard]] constexpr uint32_t BitOf(Prompt prompt) {
  return 1U << static_cast<unsigned>(prompt);
}
// Returns them but for those that are left out; all, where fewer than two would be left.
[[nodiscard]] std::vector<Prompt> Without(const std::vector<Prompt>& challenges, uint32_t left_out);

// Whether `face` shows `challenge`.
[[nodiscard]] bool Shows(Prompt challenge, const FaceObservation& face,
                         const FaceObservation& selfie, const CaptureSettings& settings);

// The same for somebody who showed it a moment ago: what is measured trembles, and a head does too.
[[nodiscard]] bool StillShows(Prompt challenge, const FaceObservation& face,
                              const FaceObservation& selfie, const CaptureSettings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CHALLENGES_H_
