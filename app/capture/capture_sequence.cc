#include "app/capture/capture_sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// A film may have few frames a second and be played faster than it was taken.
constexpr Duration kHoldTakenBefore = std::chrono::milliseconds(60);

// For a selfie, and while a person has not begun to show what only a close look can see, every
// second frame of a camera with 30 a second is enough, and every one of a slower camera.
constexpr Duration kCloseLookEvery = std::chrono::milliseconds(55);

constexpr int kMostRetries = 2;  // of a sequence whose challenge nobody showed

// Once a challenge was shown, a face may be lost so often. A passer-by is no reason to send anybody
// away; whoever tries out what passes has to begin with another capture.
constexpr int kMostLost = 3;

// A stretch of frames that came again may be a fault of the camera. After the third nobody waits
// for a person any more.
constexpr int kMostRecordings = 3;

// Whoever held still in the wrong moment may try once more; whoever guesses may not try for long.
constexpr int kMostUnanswered = 1;

// The sun on a face is 30 times as bright as a room; a camera that exposes for less than this sees
// it, and a screen adds less than a hundredth. A film before the lens is no brighter than a room.
constexpr Duration kSunlit = std::chrono::microseconds(800);

// Whole pictures of a camera without colours have 0. A lens that looks at something grey has the
// noise of its sensor, and the tint of its white balance.
constexpr double kColourless = 0.3;
// A grey camera that begins, or whose frame was damaged, may show some colour for a moment.
constexpr int kColouredFrames = 5;  // in a row

double Share(Duration passed, Duration whole) {
  if (whole <= Duration::zero()) return 1;
  return std::clamp(static_cast<double>(passed.count()) / static_cast<double>(whole.count()), 0.0,
                    1.0);
}

// The first look at a frame does not show it.
bool NeedsCloseLook(Prompt challenge) { return TraitsOf(challenge).detail != Detail::kNone; }

// Which of several good selfies is the best: sharp, straight, level. Larger is better.
double SelfieScore(const FaceObservation& face, const CaptureSettings& settings) {
  const double sharpness = face.sharpness.value_or(0);
  double score = sharpness / (sharpness + 2 * settings.min_sharpness);
  score -= 0.5 * std::abs(face.pose.yaw.value_or(0)) / settings.max_yaw;
  score -= 0.25 * std::abs(face.pose.pitch.value_or(0)) / settings.max_pitch;
  score -= 0.25 * std::abs(face.pose.roll.value_or(0)) / settings.max_roll;
  return score;
}

}  // namespace

CaptureSequence::CaptureSequence(const CaptureSettings& settings, Entropy& entropy, Order order,
                                 std::vector<Prompt> challenges)
    : settings_(settings),
      entropy_(entropy),
      order_(order),
      challenges_(std::move(challenges)),
      track_(settings.lost_after,
             order == Order::kRandom ? FaceTrack::Kind::kLive : FaceTrack::Kind::kTakenBefore),
      gate_(settings) {
  Restart();
}

void CaptureSequence::AskForLight(LightPace pace, bool must) {
  light_plan_ = LightPlan{pace, must};
  Restart();
}

void CaptureSequence::Restart() {
  pictures_ = 0;
  drawn_ =
      order_ == Order::kRandom ? DrawChallenges(WithoutMissed(), entropy_) : std::vector<Prompt>();
  lights_.reset();
  if (light_plan_) lights_.emplace(light_plan_->pace, entropy_);
  instead_.reset();
  light_ = {};
  shown_.clear();
  selfie_.reset();
  holding_.reset();
  holding_since_.reset();
  track_.Reset();
  gate_.Reset();
}

std::vector<Prompt> CaptureSequence::WithoutMissed() const {
  std::vector<Prompt> asked = challenges_;
  if (missed_ && asked.size() > CaptureBundle::kLivenessPictures) std::erase(asked, *missed_);
  return asked;
}

Prompt CaptureSequence::prompt() const {
  if (done()) return Prompt::kDone;
  if (pictures_ == 0 || coloured()) return Prompt::kSelfie;
  return OpenChallenges().front();
}

CaptureSequence::OpenList CaptureSequence::OpenChallenges() const {
  OpenList open;
  if (AsksInstead()) {
    open.Add(*instead_);
    return open;
  }
  if (order_ == Order::kRandom) {
    open.Add(drawn_[shown_.size()]);
    return open;
  }
  for (Prompt challenge : challenges_) {
    if (std::ranges::find(shown_, challenge) == shown_.end()) open.Add(challenge);
  }
  if (!open.empty()) return open;
  // All that can be told apart was shown: anything but the last again.
  for (Prompt challenge : challenges_) {
    if (challenge != shown_.back()) open.Add(challenge);
  }
  return open;
}

std::optional<Prompt> CaptureSequence::ShownChallenge(const FaceObservation& face) const {
  for (Prompt challenge : OpenChallenges()) {
    const bool shown = holding_ == challenge ? StillShows(challenge, face, *selfie_, settings_)
                                             : Shows(challenge, face, *selfie_, settings_);
    if (shown) return challenge;
  }
  return std::nullopt;
}

Detail CaptureSequence::WantsDetail(const FrameObservation& seen) const {
  if (done() || !seen.face || coloured()) return Detail::kNone;
  if (pictures_ == 0) {
    const bool good = QualityGate(settings_).Judge(seen, selfie_purpose()) == Guidance::kNone;
    return good && !MaySpare(seen.captured_at) ? Detail::kSelfie : Detail::kNone;
  }
  Detail wanted = Detail::kNone;
  for (Prompt challenge : OpenChallenges()) {
    const bool closely = NeedsCloseLook(challenge);
    if (closely && MaySpare(seen.captured_at)) continue;
    const Detail detail = TraitsOf(challenge).detail;
    if (!With(Detail::kFace, detail)) {  // more than any face is measured for
      return order_ == Order::kRandom ? detail : detail | Detail::kFace;
    }
    if (closely || Shows(challenge, *seen.face, *selfie_, settings_)) wanted = Detail::kFace;
  }
  return wanted;
}

bool CaptureSequence::MaySpare(MonotonicTime now) const {
  return order_ == Order::kRandom && !holding_ && now - looked_closely_at_ < kCloseLookEvery;
}

bool CaptureSequence::WasSpared(const FrameObservation& seen) const {
  return seen.face && !seen.face->sharpness && NeedsCloseLook(prompt()) &&
         MaySpare(seen.captured_at);
}

bool CaptureSequence::CheckTime(MonotonicTime now) {
  if (now - *began_ > settings_.timeout) {
    failure_ = Error{ErrorCode::kTimeout, fmt::format("{}; so far: {}", WhyTooLate(), Progress())};
    return false;
  }
  const bool late =
      order_ == Order::kRandom && pictures_ > 0 && now - step_since_ > settings_.challenge_timeout;
  if (!late) return false;
  // Not everybody can do everything: new challenges, without this one, may suit better.
  missed_ = prompt();
  if (retries_++ < kMostRetries) return true;
  failure_ = Error{
      ErrorCode::kTimeout,
      fmt::format("the challenge {} was not shown within {}, and neither were the two before it",
                  Name(prompt()), FormatDuration(settings_.challenge_timeout))};
  return false;
}

bool CaptureSequence::CheckLive(const FrameObservation& seen) {
  const int before = std::exchange(stretches_, seen.shown_before / kStretch);
  if (stretches_ <= before || order_ != Order::kRandom) return false;
  LogWarning("capture: {} frames in a row had been shown before", seen.shown_before);
  if (++recordings_ < kMostRecordings) return true;
  failure_ = Error{ErrorCode::kRejected,
                   "the camera shows a recording: the same frames came again and again"};
  return false;
}

void CaptureSequence::CountLost() {
  if (order_ != Order::kRandom || ++lost_ <= kMostLost) return;
  failure_ = Error{ErrorCode::kTimeout,
                   fmt::format("the capture began anew too often: the face was lost {} times, and "
                               "there is {}",
                               lost_, Progress())};
}

CaptureSequence::Decision CaptureSequence::Feed(const FrameObservation& seen) {
  Decision decision;
  if (!began_) began_ = seen.captured_at;
  ++frames_;
  coloured_frames_ = seen.colour >= kColourless ? coloured_frames_ + 1 : 0;
  if (coloured_frames_ >= kColouredFrames) NoteColours();
  const bool too_late = !done() && CheckTime(seen.captured_at);
  const bool recorded = !done() && CheckLive(seen);
  const bool unlit = !done() && CheckLight(seen);
  if (done() || failure_) {
    decision.prompt = prompt();
    decision.pictures = pictures_;
    return decision;
  }
  FaceTrack::Verdict track = track_.Follow(seen);
  if (track == FaceTrack::Verdict::kBroken || too_late || recorded || unlit) {
    if (selfie_) {
      decision.restarted = recorded   ? Restart::kRecording
                           : unlit    ? Restart::kNoLight
                           : too_late ? Restart::kNotShown
                                      : Restart::kLost;
    }
    if (decision.restarted == Restart::kLost && pictures_ > 1) CountLost();
    Restart();
    track = track_.Follow(seen);
  }
  if (pictures_ == 0) {
    FeedSelfie(seen, decision);
  } else if (coloured()) {
    FeedLight(seen, decision);
  } else {
    FeedChallenge(seen, decision);
  }
  if (lights_) {
    decision.light = lights_->Tell(std::max(seen.captured_at, seen.known_at));
    decision.lit = lights_->Shown(seen.captured_at);
    decision.fade = lights_->timing().fade;
  }
  decision.prompt = prompt();
  decision.pictures = pictures_;
  return decision;
}

Guidance CaptureSequence::JudgeSpared(const FrameObservation& seen, Purpose purpose) const {
  const Guidance guidance = QualityGate(gate_).Judge(seen, purpose);
  return guidance == Guidance::kNone ? said_closely_ : guidance;
}

void CaptureSequence::NoteCloseLook(const FrameObservation& seen, Guidance guidance) {
  if (!seen.face || !seen.face->has_detail()) return;
  looked_closely_at_ = seen.captured_at;
  said_closely_ = guidance;
}

void CaptureSequence::FeedSelfie(const FrameObservation& seen, Decision& decision) {
  const bool spared = WasSpared(seen);
  decision.guidance =
      spared ? JudgeSpared(seen, selfie_purpose()) : gate_.Judge(seen, selfie_purpose());
  NoteCloseLook(seen, decision.guidance);
  said_of_selfie_ = decision.guidance;
  if (decision.guidance == Guidance::kNone && !spared) {
    if (!holding_since_) holding_since_ = seen.captured_at;
    const double score = SelfieScore(*seen.face, settings_);
    if (!selfie_ || score > selfie_score_) {
      selfie_ = seen.face;
      selfie_score_ = score;
      decision.keep = Keep::kSelfie;
    }
  }
  if (!holding_since_) return;
  const Duration held = seen.captured_at - *holding_since_;
  decision.held = Share(held, settings_.selfie_window);
  if (held < settings_.selfie_window) return;
  pictures_ = 1;
  holding_since_.reset();
  step_since_ = kept_at_ = seen.captured_at;
  said_closely_ = Guidance::kFollowPrompt;
  if (lights_) BeginLight(seen);
}

void CaptureSequence::BeginLight(const FrameObservation& seen) {
  const bool grey = !coloured_camera_;
  if (!grey && !(exposure_ && *exposure_ < kSunlit)) {
    lights_->Begin(seen.captured_at);
    return;
  }
  Abstain(grey ? LightFinding::kNoColours : LightFinding::kTooBright);
}

void CaptureSequence::Abstain(LightFinding finding) {
  lights_.reset();
  light_.finding = finding;
  const std::string_view why =
      finding == LightFinding::kNoColours
          ? "the camera sees no colours"
          : "it is too bright before the camera to see the screen's light on a face";
  LogWarning("capture: the screen's light is not judged: {}", why);
  if (!light_plan_->must) {
    instead_ = DrawInstead();
    return;
  }
  failure_ = Error{ErrorCode::kRejected, fmt::format("{}, and capture.light_sequence is on", why)};
}

Prompt CaptureSequence::DrawInstead() {
  // One that is not asked for anyway, as far as they reach; never one twice in a row, and never one
  // that the person could not show.
  std::vector<Prompt> left = WithoutMissed();
  std::erase(left, drawn_[0]);
  if (left.size() > 1) std::erase(left, drawn_[1]);
  std::vector<Prompt> fresh = left;
  std::erase_if(fresh, [this](Prompt each) { return std::ranges::count(drawn_, each) > 0; });
  const std::vector<Prompt>& from = fresh.empty() ? left : fresh;
  return from[DrawBelow(static_cast<uint32_t>(from.size()), entropy_)];
}

bool CaptureSequence::CheckLight(const FrameObservation& seen) {
  if (!lights_) return false;
  if (seen.exposure) exposure_ = seen.exposure;
  const bool steady = holding_since_ || pictures_ > 0;  // nobody comes nearer any more
  if (steady && seen.face) {
    lights_->Note(seen.captured_at, seen.face->tint, seen.face->tint_behind);
  }
  if (pictures_ == 0 || !lights_->settled(seen.captured_at)) return false;
  light_ = lights_->Judge();
  lights_.reset();
  if (light_.finding == LightFinding::kAnswered) return false;
  // A film may flicker as well as a lamp does: what cannot be seen for it is no answer.
  const bool flickers = light_.finding == LightFinding::kTooNoisy;
  LogWarning(
      "capture: the face did not answer the screen's light: correlation {:.2f}, strength {:.3f}{}",
      light_.correlation, light_.strength, flickers ? "; what is before the camera flickers" : "");
  if (unanswered_++ < kMostUnanswered) return true;
  failure_ = Error{
      ErrorCode::kRejected,
      flickers ? "the screen's light could not be seen on the face, twice: it is a recording, or a "
                 "lamp there flickers; put another lamp there (capture.light_sequence)"
               : "the face did not answer the screen's light, twice: it is a recording, or other "
                 "light there is too bright (capture.light_sequence)"};
  return false;
}

void CaptureSequence::FeedLight(const FrameObservation& seen, Decision& decision) {
  decision.guidance = gate_.Judge(seen, Purpose::kLiveness);
  step_since_ = kept_at_ = seen.captured_at;
}

void CaptureSequence::FeedChallenge(const FrameObservation& seen, Decision& decision) {
  const Purpose purpose = order_ == Order::kRandom ? Purpose::kLiveness : Purpose::kLivenessStill;
  if (WasSpared(seen)) {
    decision.guidance = JudgeSpared(seen, purpose);
    return;
  }
  decision.guidance = gate_.Judge(seen, purpose);
  std::optional<Prompt> shown;
  if (decision.guidance == Guidance::kNone) {
    shown = ShownChallenge(*seen.face);
    if (!shown) decision.guidance = Guidance::kFollowPrompt;
  }
  NoteCloseLook(seen, decision.guidance);
  if (shown != holding_ || !shown) {
    holding_ = shown;
    holding_since_ = seen.captured_at;
  }
  if (!shown) return;
  const Duration held = seen.captured_at - *holding_since_;
  const Duration long_enough =
      order_ == Order::kRandom ? settings_.hold : std::min(settings_.hold, kHoldTakenBefore);
  decision.held = Share(held, long_enough);
  if (held < long_enough || seen.captured_at - kept_at_ < settings_.spacing) return;
  if (lights_) return;  // and are not judged yet
  // What is kept shows it in full.
  if (!Shows(*shown, *seen.face, *selfie_, settings_)) return;
  if (AsksInstead()) {
    light_.instead = std::exchange(instead_, std::nullopt);
    BeginStep(seen.captured_at);
    return;
  }
  decision.keep = Keep::kLiveness;
  decision.liveness = shown_.size();
  decision.shown = *shown;
  shown_.push_back(*shown);
  ++pictures_;
  BeginStep(seen.captured_at);
}

void CaptureSequence::BeginStep(MonotonicTime now) {
  holding_.reset();
  step_since_ = kept_at_ = now;
  said_closely_ = Guidance::kFollowPrompt;
}

std::string CaptureSequence::WhyTooLate() const {
  const std::string time = FormatDuration(settings_.timeout);
  // Of fewer, people who move seldom leave a good one.
  constexpr double kFewestInASecond = 3;
  if (frames_ < kFewestInASecond * std::chrono::duration<double>(settings_.timeout).count()) {
    return fmt::format(
        "only {} frames came within {}: the camera is too slow, or this machine too busy", frames_,
        time);
  }
  return fmt::format("not all pictures could be taken within {}", time);
}

std::string CaptureSequence::Progress() const {
  if (pictures_ == 0) {
    return said_of_selfie_ == Guidance::kNone
               ? "no selfie that was good for long enough"
               : fmt::format("no good selfie: of the newest frame, {}",
                             TraitsOf(said_of_selfie_).flaw);
  }
  std::vector<std::string_view> names;
  for (Prompt challenge : shown_) names.push_back(Name(challenge));
  return fmt::format("the selfie and {} of {} challenges{}", shown_.size(),
                     CaptureBundle::kLivenessPictures,
                     names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", ")));
}

}  // namespace idkiosk
