#include "app/capture/capture_runner.h"

#include <array>

#include "app/capture/bundle_encoder.h"

namespace idkiosk {
namespace {

// A camera that says nothing for so long, or nothing readable, is broken.
constexpr Duration kSilence = std::chrono::seconds(2);
constexpr int kMaxDamagedInARow = 60;

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
                  analyzer_.challenges()) {
    record_.detector = analyzer_.detector().name();
    record_.camera = info;
    record_.settings = settings_;
  }

  // kNotFound from the camera is no error here yet: only the caller knows what the frames were for.
  [[nodiscard]] Status PullFrames(Camera& camera, CaptureObserver& observer,
                                  const std::stop_token& stop) {
    while (!sequence_.done()) {
      if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "the capture was stopped");
      const auto frame = camera.NextFrame(clock_.Now() + kSilence);
      if (!frame && frame.error().code == ErrorCode::kNotFound) {
        return Fail(ErrorCode::kRejected, "the pictures of {} end with {}", record_.camera.source,
                    sequence_.Progress());
      }
      Result<FrameObservation> seen = frame ? Look(*frame) : std::unexpected(frame.error());
      if (seen) {
        const Detail detail = sequence_.WantsDetail(*seen);
        if (auto measured = analyzer_.MeasureDetail(*frame, detail, *seen); !measured) {
          seen = std::unexpected(measured.error());
        }
      }
      if (!seen) {
        if (Status usable = CountDamaged(seen.error()); !usable) return usable;
        continue;
      }
      damaged_in_a_row_ = 0;
      Take(*frame, *seen, observer);
      if (sequence_.failure()) return std::unexpected(*sequence_.failure());
    }
    return {};
  }

  [[nodiscard]] Result<CaptureResult> Finish() {
    const MonotonicTime complete = clock_.Now();
    BundleEncoder encoder(settings_, analyzer_.decoder());
    auto bundle = encoder.Encode(selfie_, liveness_);
    if (!bundle) return std::unexpected(bundle.error());
    NotePictures(*bundle, record_);
    const MonotonicTime end = clock_.Now();
    record_.own = end - complete;
    record_.to_bundle = end - first_frame_;
    return CaptureResult{std::move(*bundle), std::move(record_)};
  }

 private:
  Result<FrameObservation> Look(const Frame& frame) {
    auto seen = analyzer_.Analyze(frame);
    // Who films something else than a kiosk does may have smaller faces in the picture.
    const bool look_again = seen && !seen->face && !record_.camera.live;
    return look_again ? analyzer_.AnalyzeThoroughly(frame) : seen;
  }

  Status CountDamaged(const Error& error) {
    if (error.code != ErrorCode::kCorrupt) return std::unexpected(error);
    ++record_.damaged_frames;
    if (++damaged_in_a_row_ < kMaxDamagedInARow) return {};
    return std::unexpected(error.Within(
        fmt::format("{} frames in a row are damaged, the last one", damaged_in_a_row_)));
  }

  void Take(const Frame& frame, const FrameObservation& seen, CaptureObserver& observer) {
    if (++record_.frames == 1) {
      first_frame_ = frame.captured_at;
      record_.to_first_frame = clock_.Now() - started_;
    }
    const CaptureSequence::Decision decision = sequence_.Feed(seen);
    if (decision.restarted) {
      ++record_.restarts;
      record_.pictures.clear();
    }
    if (decision.keep == CaptureSequence::Keep::kSelfie) {
      selfie_ = Keep(frame, seen);
      record_.pictures.assign(1, Note("selfie", Prompt::kSelfie, seen));
    } else if (decision.keep == CaptureSequence::Keep::kLiveness) {
      liveness_[decision.liveness] = Keep(frame, seen);
      record_.pictures.push_back(
          Note(fmt::format("liveness-{}", decision.liveness + 1), decision.shown, seen));
    }
    if (decision.pictures == 1 && pictures_ == 0)
      record_.to_selfie = seen.captured_at - first_frame_;
    pictures_ = decision.pictures;
    observer.OnProgress({frame, seen, decision.prompt, decision.guidance, decision.pictures,
                         decision.held, decision.restarted});
  }

  [[nodiscard]] static KeptFrame Keep(const Frame& frame, const FrameObservation& seen) {
    return {CopyOf(frame), HeadCut(seen.face->face.box, seen.width, seen.height)};
  }

  [[nodiscard]] PictureRecord Note(std::string name, Prompt prompt,
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
  CaptureSequence sequence_;
  CaptureRecord record_;
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
  if (Status pulled = attempt.PullFrames(camera, observer, stop); !pulled) {
    return std::unexpected(pulled.error());
  }
  return attempt.Finish();
}

}  // namespace idkiosk
