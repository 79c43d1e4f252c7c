// Whole captures of the drawn sitter, who reacts 400 ms after each prompt: the person's time, the
// program's share of it, and the processor's.
#include <fmt/format.h>

#include <opencv2/dnn.hpp>

#include "app/capture/capture_runner.h"
#include "app/capture/image/jpeg_decoder.h"
#include "drivers/camera/supervised_camera.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "platform/posix/system_entropy.h"
#include "tools/benchmarks/bench_queue.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/skipping_clock.h"

namespace idkiosk {
namespace {

constexpr int kCaptures = 16;
constexpr int kFramesPerSecond = 30;

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// The sitter reads the prompts.
class Reader final : public CaptureObserver {
 public:
  explicit Reader(SyntheticCamera& sitter) : sitter_(sitter) {}
  std::optional<LightPace> ShowsLight() override { return LightPace::kUsual; }
  void OnProgress(const CaptureProgress& progress) override {
    sitter_.Cue(DrawnAnswer(progress.prompt, progress.lit));
    last_frame_ = progress.seen.captured_at;
    if (idle_from && progress.seen.captured_at >= *idle_from && !idle_spent) {
      idle_spent = clock->Spent();
    }
  }
  [[nodiscard]] MonotonicTime last_frame() const { return last_frame_; }

  // Processor time spent when the first frame after `idle_from` had been looked at.
  const SkippingClock* clock = nullptr;
  std::optional<MonotonicTime> idle_from;
  std::optional<Duration> idle_spent;

 private:
  SyntheticCamera& sitter_;
  MonotonicTime last_frame_{};
};

// What is kept from one person to the next.
struct Equipment {
  Equipment() {
    settings.detector = "yunet";
    const std::string places[] = {ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx"};
    auto chosen = ChooseDetector(settings, places, files, crypto);
    if (!chosen) GiveUp(chosen.error().message);
    detector = std::move(*chosen);
    analyzer = std::make_unique<FrameAnalyzer>(settings, *detector.detector, detector.smiles.get(),
                                               detector.mesh.get());
  }

  CaptureSettings settings;
  PosixFileSystem files;
  MbedtlsCrypto crypto;
  SystemEntropy entropy;
  ChosenDetector detector;
  std::unique_ptr<FrameAnalyzer> analyzer;
};

// One person's visit.
struct Visit {
  explicit Visit(const std::string& script) {
    auto drawn = std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(script), clock,
                                                   clock.Skip());
    reader.emplace(*drawn);
    camera = std::make_unique<SupervisedCamera>(clock.Outside(std::move(drawn)),
                                                SupervisedCamera::Patience(), clock, clock.Skip());
    auto opened = camera->Open({1280, 720, kFramesPerSecond});
    if (!opened) GiveUp(opened.error().message);
    info = *opened;
  }

  Result<CaptureResult> Run(Equipment& equipment) {
    CaptureRunner runner(equipment.settings, *equipment.analyzer, clock, equipment.entropy);
    return runner.Run(*camera, info, *reader, {});
  }

  SkippingClock clock;
  std::optional<Reader> reader;
  std::unique_ptr<Camera> camera;
  CameraInfo info;
};

// Processor seconds of what must be done for each of `count` frames at the least: a look at 1/8.
double BareLooks(const Frame& frame, int count) {
  cv::dnn::Net net =
      cv::dnn::readNetFromONNX(ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx");
  const std::vector<std::string> outputs = net.getUnconnectedOutLayersNames();
  const cv::Mat blob = cv::dnn::blobFromImage(cv::Mat(96, 160, CV_8UC3, cv::Scalar(90, 90, 90)));
  std::vector<cv::Mat> results;
  JpegDecoder jpeg(50'000'000);
  Picture small;
  const SkippingClock clock;
  Duration before{};
  for (int i = -20; i < count; ++i) {
    if (i == 0) before = clock.Spent();
    if (!jpeg.Decode(frame.data, 1, {0, 0, 1280, 720}, JpegDecoder::Effort::kQuick, small)) {
      GiveUp("the drawn frame cannot be decoded");
    }
    net.setInput(blob);
    net.forward(results, outputs);
  }
  return Seconds(clock.Spent() - before);
}

void MeasureVisits(Equipment& equipment, std::vector<Figure>& figures) {
  BenchQueue queue("sitting");
  std::vector<double> to_sealed, own, load, least_load;
  for (int i = 0; i <= kCaptures; ++i) {
    Visit visit(fmt::format("seed={},tone={}", i + 1, i % 8 + 1));
    auto first = visit.camera->NextFrame(visit.clock.Now() + std::chrono::seconds(1));
    if (!first) GiveUp(first.error().message);
    const Duration spent_before = visit.clock.Spent();
    auto captured = visit.Run(equipment);
    if (!captured) GiveUp(captured.error().message);
    const Duration spent = visit.clock.Spent() - spent_before;
    VerificationCall call = queue.MakeCall();
    call.pictures.selfie = std::move(captured->bundle.selfie.jpeg);
    for (size_t k = 0; k < call.pictures.liveness.size(); ++k) {
      call.pictures.liveness[k] = std::move(captured->bundle.liveness[k].jpeg);
    }
    if (auto kept = queue.queue().Accept(call, {}); !kept) GiveUp(kept.error().message);
    const MonotonicTime sealed = visit.clock.Now();
    if (i == 0) continue;  // everything is done for the first time
    const CaptureRecord& record = captured->record;
    const Duration after_last = sealed - visit.reader->last_frame();
    own.push_back(Seconds(after_last));
    to_sealed.push_back(Seconds(record.to_bundle - record.own + after_last));
    const double time = Seconds(record.to_bundle);
    load.push_back(100 * Seconds(spent) / time);
    least_load.push_back(100 * BareLooks(*first, record.frames) / time);
  }
  Figure person = ToFigure("person: first frame to sealed call", Median(to_sealed), "s", 9);
  person.p99 = Percentile(to_sealed, 95);
  person.note = "none; the second figure is the 95th percentile of the 16 sitters";
  figures.push_back(person);
  Figure share = ToFigure("of that, the program's own share", Median(own), "s", 0.3);
  share.p99 = Percentile(own, 95);
  share.note = "none: from the last frame's moment to the sealed call";
  figures.push_back(share);
  Figure processor = ToFigure("processor: a capture at 30 frames/s", Median(load), "%", 15);
  processor.p99 = Percentile(load, 95);
  processor.floor = Median(least_load);
  processor.ratio = processor.value / *processor.floor;
  processor.note = "bare decode at 1/8 and bare forward pass for as many frames; of one core";
  figures.push_back(processor);
}

void MeasureIdleness(Equipment& equipment, std::vector<Figure>& figures) {
  Visit visit("people=0");
  CaptureSettings settings = equipment.settings;
  equipment.settings.timeout = std::chrono::seconds(30);
  const MonotonicTime from = visit.clock.Now() + std::chrono::seconds(5);
  visit.reader->clock = &visit.clock;
  visit.reader->idle_from = from;
  const auto ended = visit.Run(equipment);
  equipment.settings = settings;
  if (ended || !visit.reader->idle_spent) GiveUp("somebody was seen where nobody is");
  const double time = Seconds(visit.reader->last_frame() - from);
  const Duration spent = visit.clock.Spent() - *visit.reader->idle_spent;
  figures.push_back(ToFigure("processor: nobody there", 100 * Seconds(spent) / time, "%", 2));
}

}  // namespace

void MeasureSitting(std::vector<Figure>& figures) {
  cv::setNumThreads(1);
  Equipment equipment;
  MeasureVisits(equipment, figures);
  MeasureIdleness(equipment, figures);
}

}  // namespace idkiosk
