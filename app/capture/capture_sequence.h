#ifndef IDKIOSK_APP_CAPTURE_CAPTURE_SEQUENCE_H_
#define IDKIOSK_APP_CAPTURE_CAPTURE_SEQUENCE_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/capture_bundle.h"
#include "app/capture/challenges.h"
#include "app/capture/light_sequence.h"
#include "app/capture/measures.h"
#include "app/capture/quality_gate.h"
#include "app/capture/vision/face_track.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/api/entropy.h"
#include "platform/base/enum_rows.h"

namespace idkiosk {

// Why a capture begins anew.
enum class Restart {
  kLost,       // the face was away, jumped, or became another one
  kNotShown,   // the challenge was not shown in time
  kRecording,  // the camera shows what it had shown before
  kNoLight,    // the face did not answer the screen's light
};
[[nodiscard]] constexpr std::string_view Name(Restart restart) {
  constexpr std::string_view kNames[] = {"lost", "not_shown", "recording", "no_light"};
  static_assert(std::size(kNames) == EnumeratorCount<Restart>());
  return kNames[static_cast<size_t>(restart)];
}

// The way from the first frame to five pictures: a selfie, then four challenges. Knows neither
// camera nor thread nor clock: it is fed with what was seen in each frame, and says what to do with
// it.
//
// Challenges deter somebody who holds up a photograph; they do not certify that a person is alive.
class CaptureSequence {
 public:
  // kRandom draws challenges that nobody can know before. kAsShown is for pictures that were taken
  // before and cannot follow: any four different challenges, in the order in which they appear.
  enum class Order { kRandom, kAsShown };

  // The decision about the frame that was fed.
  enum class Keep {
    kNothing,
    kSelfie,    // the best selfie so far: replaces the one kept before
    kLiveness,  // liveness picture number `liveness`
  };

  struct Decision {
    Prompt prompt = Prompt::kSelfie;  // what the person is asked for from now on
    Guidance guidance = Guidance::kNone;
    Keep keep = Keep::kNothing;
    size_t liveness = 0;               // 0..3, where keep is kLiveness
    Prompt shown = Prompt::kSelfie;    // what the kept frame shows
    int pictures = 0;                  // complete so far: 0..5
    double held = 0;                   // 0..1 of the time that this step must be held
    std::optional<Restart> restarted;  // everything kept before this frame is void
    ScreenColour light;                // the colour that the screen goes to
    ScreenColour lit;                  // and the one that it shows by now
    Duration fade{};                   // of the way to it
  };

  // `challenges` are those that the analyzer can tell, at least two. `settings` and `entropy` must
  // outlive this.
  CaptureSequence(const CaptureSettings& settings, Entropy& entropy, Order order,
                  std::vector<Prompt> challenges);

  // Asks for an answer to the screen's light, too, between the selfie and the challenges. Where it
  // cannot be measured and `must`, the sequence ends. Before the first frame.
  void AskForLight(LightPace pace, bool must);
  // The camera has shown colours, now or before: what it shows without any is grey itself.
  void NoteColours() { coloured_camera_ = true; }
  [[nodiscard]] bool saw_colours() const { return coloured_camera_; }
  // Whether Feed needs FrameObservation::exposure.
  [[nodiscard]] bool WantsExposure() const { return lights_ && holding_since_ && pictures_ == 0; }
  // How that went, once done() or failed; not asked while nothing is judged yet.
  [[nodiscard]] const LightRecord& light() const { return light_; }

  // The detail that Feed needs of this frame, which costs extra.
  [[nodiscard]] Detail WantsDetail(const FrameObservation& seen) const;

  // Frames come in the order of their times.
  [[nodiscard]] Decision Feed(const FrameObservation& seen);

  [[nodiscard]] bool done() const { return pictures_ == kPictures; }
  // Set when the sequence cannot be completed any more: kTimeout, naming what was missing, or that
  // the face was lost too often; kRejected, for a recording, and without an answer to the light.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  // For people: "no good selfie: of the newest frame, the face is blurred",
  // "the selfie and 2 of 4 challenges (turn_left, look_up)".
  [[nodiscard]] std::string Progress() const;

 private:
  static constexpr int kPictures = 1 + CaptureBundle::kLivenessPictures;

  [[nodiscard]] std::string WhyTooLate() const;
  void Restart();
  // The challenges that are drawn from: not the one that was not shown, as far as the others reach.
  [[nodiscard]] std::vector<Prompt> WithoutMissed() const;
  // May set failure_.
  void CountLost();
  // True if the sequence must start over because a challenge was not shown; may set failure_.
  [[nodiscard]] bool CheckTime(MonotonicTime now);
  // True if the sequence must start over because a stretch of frames came again; may set failure_.
  [[nodiscard]] bool CheckLive(const FrameObservation& seen);
  [[nodiscard]] Prompt prompt() const;
  // People in pictures taken before cannot be asked to come closer.
  [[nodiscard]] Purpose selfie_purpose() const {
    return order_ == Order::kRandom ? Purpose::kSelfie : Purpose::kSelfieStill;
  }
  // Challenges that may be shown now, the one that is asked for first. Made for every frame, so it
  // allocates nothing.
  class OpenList {
   public:
    void Add(Prompt challenge) { prompts_.at(count_++) = challenge; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Prompt front() const { return prompts_.front(); }
    [[nodiscard]] const Prompt* begin() const { return prompts_.data(); }
    [[nodiscard]] const Prompt* end() const { return begin() + count_; }

   private:
    std::array<Prompt, kChallenges.size()> prompts_{};
    size_t count_ = 0;
  };
  [[nodiscard]] OpenList OpenChallenges() const;
  // Whether a frame of that moment may go without detail although the prompt is seen only there.
  [[nodiscard]] bool MaySpare(MonotonicTime now) const;
  [[nodiscard]] bool WasSpared(const FrameObservation& seen) const;
  // What is wrong with such a frame, and if nothing is, what was said at the last close look.
  [[nodiscard]] Guidance JudgeSpared(const FrameObservation& seen, Purpose purpose) const;
  void NoteCloseLook(const FrameObservation& seen, Guidance guidance);
  [[nodiscard]] std::optional<Prompt> ShownChallenge(const FaceObservation& face) const;
  // Goes on without an answer to the light: one more challenge takes its place. May set failure_.
  void Abstain(LightFinding finding);
  [[nodiscard]] Prompt DrawInstead();
  // Whether that challenge is what is asked for: after the first one, before the second.
  [[nodiscard]] bool AsksInstead() const { return instead_ && !shown_.empty(); }
  // Whether the screen goes through its colours.
  [[nodiscard]] bool coloured() const { return lights_ && lights_->under_way(); }
  // Begins the colours, or says why not; may set failure_.
  void BeginLight(const FrameObservation& seen);
  // True if the sequence must start over because the light was not answered; may set failure_.
  [[nodiscard]] bool CheckLight(const FrameObservation& seen);
  void FeedLight(const FrameObservation& seen, Decision& decision);
  // The challenge before is done.
  void BeginStep(MonotonicTime now);
  void FeedSelfie(const FrameObservation& seen, Decision& decision);
  void FeedChallenge(const FrameObservation& seen, Decision& decision);

  const CaptureSettings& settings_;
  Entropy& entropy_;
  const Order order_;
  const std::vector<Prompt> challenges_;
  FaceTrack track_;
  QualityGate gate_;

  int pictures_ = 0;
  int frames_ = 0;
  Guidance said_of_selfie_ = Guidance::kNoFace;  // the newest
  int retries_ = 0;
  int lost_ = 0;                  // faces, after the first challenge
  std::optional<Prompt> missed_;  // the challenge that was not shown in time
  int stretches_ = 0;             // of frames shown before, of which the last frame was the end
  int recordings_ = 0;            // such stretches in all
  struct LightPlan {
    LightPace pace;
    bool must;
  };
  std::optional<LightPlan> light_plan_;
  std::optional<LightSequence> lights_;  // until it is judged
  bool coloured_camera_ = false;
  int coloured_frames_ = 0;  // in a row, up to the newest
  std::optional<Duration> exposure_;
  int unanswered_ = 0;  // sequences of colours
  LightRecord light_;
  std::optional<Prompt> instead_;  // a challenge in the light's place, of which no picture is kept
  std::vector<Prompt> drawn_;      // empty for kAsShown
  std::vector<Prompt> shown_;
  std::optional<FaceObservation> selfie_;
  double selfie_score_ = 0;
  std::optional<Prompt> holding_;               // the challenge that is being shown
  std::optional<MonotonicTime> began_;          // the first frame of all
  std::optional<MonotonicTime> holding_since_;  // the first good frame of this step
  MonotonicTime step_since_{};
  MonotonicTime kept_at_{};
  MonotonicTime looked_closely_at_{};                // at the last frame with detail,
  Guidance said_closely_ = Guidance::kFollowPrompt;  // and what was said of it
  std::optional<Error> failure_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CAPTURE_SEQUENCE_H_
