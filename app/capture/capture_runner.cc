#include "app/capture/capture_runner.h"

#include <array>

#include "app/capture/bundle_encoder.h"
#include "app/capture/camera_watch.h"
#include "app/capture/vision/repeat_watch.h"
#include "platform/base/digest.h"

namespace idkiosk {
namespace {

// The longest that is waited for one frame, so that a stop is noticed.
constexpr Duration kLongestWait = std::chrono::seconds(2);
constexpr int kDamagedIsTrouble = 30;  // frames in a row

// When nobody was seen for so long, five looks a second are enough.
constexpr Duration kIdleAfter = std::chrono::seconds(3);
constexpr Duration kIdleLook = std::chrono::milliseconds(190);

// A frame's bytes in memory of their own: the camera wants its buffer back.
Frame CopyOf(const Frame& frame) {
  Frame copy = frame;
  auto bytes = std::make_shared<const SecretBytes>(SecretBytes::CopyOf(frame.data));
  copy.data = bytes->view();
  copy.owner = std::move(bytes);
  return copy;
}

}  // namespace

// One capture, from the first frame to the bundle.
class CaptureRunner::Attempt {
 public:
  Attempt(CaptureRunner& runner, const CameraInfo& info)
      : settings_(runner.settings_),
        analyzer_(runner.analyzer_),
        clock_(runner.clock_),
        started_(clock_.Now()),
        sequence_(settings_, runner.entropy_,
                  info.live ? CaptureSequence::Order::kRandom : CaptureSequence::Order::kAsShown,
                  Without(analyzer_.challenges(), settings_.left_out)),
        watch_(info.source) {
    record_.detector = analyzer_.detector_name();
    record_.camera = info;
    record_.settings = settings_;
    if (info.coloured) sequence_.NoteColours();
  }

  [[nodiscard]] bool saw_colours() const { return sequence_.saw_colours(); }
  [[nodiscard]] LightFinding light() const {
    return no_screen_ ? LightFinding::kNoScreen : sequence_.light().finding;
  }

  // Errors: kRejected.
  [[nodiscard]] Status AskForLight(CaptureObserver& observer) {
    const std::string& asked = settings_.light_sequence;
    if (!record_.camera.live || asked == "off") return {};
    const bool must = asked == "on";
    if (const auto pace = observer.ShowsLight()) {
      sequence_.AskForLight(*pace, must);
      return {};
    }
    no_screen_ = true;
    if (!must) return {};
    return Fail(ErrorCode::kRejected,
                "capture.light_sequence is on, and nothing here shows colours: take the pictures "
                "at the kiosk's page");
  }

  [[nodiscard]] Status PullFrames(Camera& camera, CaptureObserver& observer,
                                  const std::stop_token& stop) {
    while (!sequence_.done()) {
      if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "the capture was stopped");
      const auto frame = camera.NextFrame(clock_.Now() + kLongestWait);
      if (frame && (observer.ShowsOnly(*frame) || NobodyIsThere(*frame))) continue;
      const auto seen = frame ? Look(*frame, camera) : std::unexpected(frame.error());
      const Status taken = seen ? Take(*frame, *seen, observer) : Endure(seen.error(), observer);
      if (!taken) return taken;
    }
    return {};
  }

  [[nodiscard]] Result<CaptureResult> Finish() {
    const MonotonicTime complete = clock_.Now();
    BundleEncoder encoder(settings_, analyzer_.decoder());
    auto bundle = encoder.Encode(selfie_, liveness_);
    if (!bundle) return std::unexpected(bundle.error());
    record_.light = sequence_.light();
    record_.light.finding = light();
    bundle->means = MeansOf(record_.camera);
    NotePictures(*bundle, record_);
    const MonotonicTime end = clock_.Now();
    record_.own = end - complete;
    record_.to_bundle = end - first_frame_;
    return CaptureResult{std::move(*bundle), std::move(record_)};
  }

 private:
  // While nobody is there, a look now and then is enough to see somebody come.
  [[nodiscard]] bool NobodyIsThere(const Frame& frame) const {
    return record_.camera.live && record_.frames > 0 && pictures_ == 0 &&
           frame.captured_at - face_at_ > kIdleAfter && frame.captured_at - looked_at_ < kIdleLook;
  }

  [[nodiscard]] Result<FrameObservation> Look(const Frame& frame, Camera& camera) {
    auto seen = analyzer_.Analyze(frame);
    // Who films something else than a kiosk does may have smaller faces in the picture.
    const bool look_again = seen && !seen->face && !record_.camera.live;
    if (look_again) seen = analyzer_.AnalyzeThoroughly(frame);
    if (!seen) return seen;
    if (record_.camera.live) seen->shown_before = repeats_.Follow(DigestOf(frame.data), *seen);
    if (sequence_.WantsExposure()) seen->exposure = camera.Exposure();
    const Detail detail = sequence_.WantsDetail(*seen);
    if (auto measured = analyzer_.MeasureDetail(frame, detail, *seen); !measured) {
      return std::unexpected(measured.error());
    }
    seen->known_at = clock_.Now();
    return seen;
  }

  // Nothing could be seen. Goes on as long as that may pass.
  [[nodiscard]] Status Endure(const Error& error, CaptureObserver& observer) {
    switch (error.code) {
      case ErrorCode::kNotFound:
        return Fail(ErrorCode::kRejected, "the pictures of {} ended too soon, with {}",
                    record_.camera.source, sequence_.Progress());
      case ErrorCode::kCorrupt:
        ++record_.damaged_frames;
        // One damaged frame is no trouble; a folder of pictures ends by itself.
        if (++damaged_in_a_row_ < kDamagedIsTrouble || !record_.camera.live) return {};
        break;
      case ErrorCode::kTimeout:
      case ErrorCode::kUnavailable:
        break;
      default:
        return std::unexpected(watch_.trouble().value_or(error));
    }
    return Report(watch_.Trouble(error, clock_.Now()), observer);
  }

  [[nodiscard]] Status Report(const CameraWatch::Verdict& verdict, CaptureObserver& observer) {
    if (verdict.tell) observer.OnCameraTrouble(*watch_.trouble());
    if (verdict.give_up) return std::unexpected(*watch_.trouble());
    return {};
  }

  [[nodiscard]] Status Take(const Frame& frame, const FrameObservation& seen,
                            CaptureObserver& observer) {
    damaged_in_a_row_ = 0;
    looked_at_ = frame.captured_at;
    if (++record_.frames == 1) {
      first_frame_ = face_at_ = frame.captured_at;
      record_.to_first_frame = clock_.Now() - started_;
    }
    if (seen.face) face_at_ = frame.captured_at;
    Note(frame, seen, sequence_.Feed(seen), observer);
    if (sequence_.failure()) return std::unexpected(*sequence_.failure());
    return record_.camera.live ? Report(watch_.Seen(seen, clock_.Now()), observer) : Status();
  }

  void Note(const Frame& frame, const FrameObservation& seen,
            const CaptureSequence::Decision& decision, CaptureObserver& observer) {
    if (decision.restarted) {
      ++record_.restarts;
      record_.pictures.clear();
    }
    if (decision.keep == CaptureSequence::Keep::kSelfie) {
      selfie_ = Keep(frame, seen);
      record_.pictures.assign(1, RecordOf("selfie", Prompt::kSelfie, seen));
    } else if (decision.keep == CaptureSequence::Keep::kLiveness) {
      liveness_[decision.liveness] = Keep(frame, seen);
      record_.pictures.push_back(
          RecordOf(fmt::format("liveness-{}", decision.liveness + 1), decision.shown, seen));
    }
    if (decision.pictures == 1 && pictures_ == 0) {
      record_.to_selfie = seen.captured_at - first_frame_;
    }
    pictures_ = decision.pictures;
    observer.OnProgress({frame, seen, decision.prompt, decision.guidance, decision.pictures,
                         decision.held, decision.restarted, decision.light, decision.lit,
                         decision.fade});
  }

  [[nodiscard]] static KeptFrame Keep(const Frame& frame, const FrameObservation& seen) {
    return {CopyOf(frame), HeadCut(seen.face->face.box, seen.width, seen.height)};
  }

  [[nodiscard]] PictureRecord RecordOf(std::string name, Prompt prompt,
                                       const FrameObservation& seen) const {
    PictureRecord picture;
    picture.name = std::move(name);
    picture.prompt = prompt;
    picture.seen = seen;
    picture.after = seen.captured_at - first_frame_;
    return picture;
  }

  const CaptureSettings& settings_;
  FrameAnalyzer& analyzer_;
  Clock& clock_;
  const MonotonicTime started_;
  MonotonicTime first_frame_{};
  MonotonicTime face_at_{};    // when somebody was seen last
  MonotonicTime looked_at_{};  // when a frame was analysed last
  CaptureSequence sequence_;
  CameraWatch watch_;
  RepeatWatch repeats_;
  CaptureRecord record_;
  bool no_screen_ = false;
  int pictures_ = 0;
  int damaged_in_a_row_ = 0;
  KeptFrame selfie_;
  std::array<KeptFrame, CaptureBundle::kLivenessPictures> liveness_;
};

CaptureRunner::CaptureRunner(const CaptureSettings& settings, FrameAnalyzer& analyzer, Clock& clock,
                             Entropy& entropy)
    : settings_(settings), analyzer_(analyzer), clock_(clock), entropy_(entropy) {}

Result<CaptureResult> CaptureRunner::Run(Camera& camera, const CameraInfo& info,
                                         CaptureObserver& observer, std::stop_token stop) {
  Attempt attempt(*this, info);
  if (Status asked = attempt.AskForLight(observer); !asked) return std::unexpected(asked.error());
  const Status pulled = attempt.PullFrames(camera, observer, stop);
  saw_colours_ = attempt.saw_colours();
  light_ = attempt.light();
  if (!pulled) return std::unexpected(pulled.error());
  return attempt.Finish();
}

}  // namespace idkiosk
