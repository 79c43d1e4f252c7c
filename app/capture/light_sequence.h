#ifndef IDKIOSK_APP_CAPTURE_LIGHT_SEQUENCE_H_
#define IDKIOSK_APP_CAPTURE_LIGHT_SEQUENCE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/challenges.h"
#include "app/capture/vision/observation.h"
#include "app/settings/contrast.h"
#include "platform/api/entropy.h"
#include "platform/base/enum_rows.h"
#include "platform/base/time.h"

namespace idkiosk {

// "#ff607c".
[[nodiscard]] std::string HexOf(const ScreenColour& colour);

// The drawn sitter's answer to a prompt before a screen that goes to that colour within `fade`, as
// a script of its own.
[[nodiscard]] std::string DrawnAnswer(Prompt prompt, const ScreenColour& light, Duration fade = {});

struct NamedColour {
  std::string_view name;
  ScreenColour colour;
};

// Six hues, as far from each other as a screen can show them. None is a saturated red (WCAG 2.3.1:
// red is less than 0.8 of the light), which flashes worse than others.
inline constexpr NamedColour kLightColours[] = {
    {"rose", {255, 96, 124}}, {"yellow", {245, 225, 70}}, {"green", {80, 230, 90}},
    {"cyan", {60, 220, 235}}, {"blue", {80, 120, 255}},   {"violet", {235, 90, 240}}};

// kGentle is for whoever cannot bear quick colours: each glides into the next.
enum class LightPace { kUsual, kGentle };
struct LightTiming {
  Duration each;  // colour, of which the first
  Duration fade;  // is the way to it from the one before
};
// At most three changes a second: 1.5 flashes, where WCAG 2.3.1 allows 3.
[[nodiscard]] constexpr LightTiming TimingOf(LightPace pace) {
  using std::chrono::milliseconds;
  return pace == LightPace::kUsual ? LightTiming{milliseconds(350), milliseconds(150)}
                                   : LightTiming{milliseconds(1200), milliseconds(1000)};
}

// What became of the question whether the face answers the screen's light.
enum class LightFinding {
  kNotAsked,    // capture.light_sequence is off, or pictures were taken before
  kNoScreen,    // nothing here shows colours: the command line
  kNoColours,   // the camera sees none
  kTooBright,   // the camera's exposure says that a screen adds nothing to the light there
  kTooNoisy,    // face and background change so much that no answer would be seen: counts as none
  kUnanswered,  // the face kept its colours, or changed as what is behind it
  kAnswered,
};
inline constexpr size_t kLightFindings = EnumeratorCount<LightFinding>();
[[nodiscard]] constexpr std::string_view Name(LightFinding finding) {
  constexpr std::string_view kNames[] = {"not_asked", "no_screen",  "no_colours", "too_bright",
                                         "too_noisy", "unanswered", "answered"};
  static_assert(std::size(kNames) == kLightFindings);
  return kNames[static_cast<size_t>(finding)];
}

// What was asked and what was seen, for the record. No picture.
struct LightRecord {
  LightFinding finding = LightFinding::kNotAsked;
  LightPace pace = LightPace::kUsual;
  std::vector<std::string_view> asked;  // names of colours
  // How the face's tint differed from the mean while it answered to each.
  std::vector<Tint> seen;
  double correlation = 0;  // of the face's tint with what the screen showed, a lag before
  double strength = 0;     // of the answer: of ln(red / green) for a full change of the screen
  double behind = 0;       // of what is behind, of which a wall near the face has some
  double noise = 0;        // of what is behind or of the face, the smaller one; 0: not known
  std::optional<Prompt> instead;  // the challenge that was shown where the light was not judged
  Duration lag{};                 // of screen, face and camera together
  int frames = 0;                 // that were looked at
  bool against_behind = false;    // the tint was taken against that of what is behind
};

// The colours of one capture in an order that nobody can know before, and the judgement whether a
// face answered them. Knows neither screen nor camera nor clock.
//
// A camera, or a machine with much to do, may look at few frames, and at them late. So a colour
// stays until it was told for some frames, and the face is held against the colours at the times at
// which the screen was told of them, not at those at which they were due.
//
// A camera's white balance changes what is behind a face as the face itself, so the difference of
// the two does not know of it; and a print, a screen and a film answer as their own background
// does.
class LightSequence {
 public:
  // Draws the colours.
  LightSequence(LightPace pace, Entropy& entropy);
  void Begin(MonotonicTime start) { start_ = due_ = start; }

  // Returns the colour that the screen is to go to from now on, from the one before and within its
  // fade: white before Begin and after the last. For each frame, in the order of their times.
  ScreenColour Tell(MonotonicTime now);
  [[nodiscard]] LightTiming timing() const { return TimingOf(pace_); }
  // The colour that the screen shows at that time, as far as it was told and has come.
  [[nodiscard]] ScreenColour Shown(MonotonicTime time) const;
  // Whether colours are being shown.
  [[nodiscard]] bool under_way() const { return start_ && !end_; }
  // Whether the last colour is over, and the slowest camera has shown that.
  [[nodiscard]] bool settled(MonotonicTime now) const;

  // Notes a frame, also of some time before the first colour. Without a tint it counts nothing.
  void Note(MonotonicTime captured_at, const std::optional<Tint>& face,
            const std::optional<Tint>& behind);
  // Judges what was noted. Requires Begin.
  [[nodiscard]] LightRecord Judge() const;

 private:
  struct Sample {
    MonotonicTime at;
    Tint face;
    std::optional<Tint> behind;
  };
  struct Fit;
  // What is compared with the screen: the face, what is behind, or the difference of the two.
  enum class Of { kFace, kBehind, kDifference };
  [[nodiscard]] Fit FitAt(Duration lag, Of what) const;
  // Returns the standard deviation of what is noise from frame to frame, of the face or of what is
  // behind it, whichever is less. Requires that something is seen behind.
  [[nodiscard]] double NoiseOf() const;
  [[nodiscard]] bool IsTooNoisy(double noise) const;
  [[nodiscard]] std::vector<Tint> SeenOfEach(const LightRecord& record) const;

  // A change that the screen was told of.
  struct Change {
    MonotonicTime at;
    ScreenColour to;
  };
  // The last one up to that time, as its number; changes_.size(): none.
  [[nodiscard]] size_t ChangeBefore(MonotonicTime time) const;

  const LightPace pace_;
  std::optional<MonotonicTime> start_, end_;
  MonotonicTime due_{};          // the next change
  int frames_ = 0;               // since the last one
  std::vector<size_t> colours_;  // of kLightColours
  std::vector<Change> changes_;  // one to each of them, and one to white
  std::vector<Sample> samples_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_LIGHT_SEQUENCE_H_
