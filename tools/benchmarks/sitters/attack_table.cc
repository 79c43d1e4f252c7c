#include "tools/benchmarks/sitters/attack_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "app/capture/bundle_encoder.h"
#include "app/capture/capture_runner.h"
#include "app/capture/image/mat.h"
#include "app/capture/vision/face_detector.h"
#include "drivers/camera/picture_file.h"
#include "drivers/camera/supervised_camera.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/sitters/attack_stage.h"
#include "tools/benchmarks/sitters/attack_witness.h"

namespace idkiosk {
namespace {

constexpr size_t kTones = 8;
// The goals, in percent.
constexpr double kLeastHonest = 98, kMostAttacks = 2, kMostFilmsWithoutLight = 20;
constexpr double kMostSeconds = 6;
constexpr double kNoise = 2;  // of the camera's sensor

// A kiosk's camera, and what is before it.
class StageCamera final : public Camera {
 public:
  StageCamera(std::unique_ptr<Trick> trick, uint32_t seed, StageClock& clock, const Prompt& asked,
              const ScreenColour& lit)
      : trick_(std::move(trick)), clock_(clock), asked_(asked), lit_(lit), random_(seed) {}

  Result<CameraInfo> Open(const CameraRequest&) override {
    // Somebody was before it already.
    return CameraInfo{.name = "stage",
                      .source = "stage:",
                      .format = PixelFormat::kBgr,
                      .width = kStageSize.width,
                      .height = kStageSize.height,
                      .frames_per_second = kStageRate,
                      .coloured = true};
  }
  void Close() override {}
  Result<Frame> NextFrame(MonotonicTime) override {
    clock_.MoveTo(clock_.Now() + std::chrono::nanoseconds(std::chrono::seconds(1)) / kStageRate);
    if (!began_) began_ = clock_.Now();
    cv::Mat picture = trick_->Show(clock_.Now() - *began_, asked_, lit_);
    if (!trick_->injected()) picture = Taken(picture);
    const size_t row = static_cast<size_t>(picture.cols) * 3;
    Bytes bytes(row * static_cast<size_t>(picture.rows));
    for (int y = 0; y < picture.rows; ++y) {
      std::copy_n(picture.ptr(y), row, bytes.begin() + static_cast<ptrdiff_t>(row) * y);
    }
    Frame frame = Frame::Owning(PixelFormat::kBgr, picture.cols, picture.rows,
                                static_cast<int>(row), std::move(bytes));
    frame.captured_at = clock_.Now();
    frame.sequence = ++sequence_;
    return frame;
  }

 private:
  // Adds a sensor's noise: another part of one large field for each picture, which costs less than
  // a field for each.
  [[nodiscard]] cv::Mat Taken(const cv::Mat& picture) {
    constexpr int kMore = 128;
    if (noise_.empty()) {
      noise_.create(picture.rows + kMore, picture.cols + kMore, CV_16SC3);
      random_.fill(noise_, cv::RNG::NORMAL, 0, kNoise);
    }
    cv::Mat out;
    cv::add(
        picture,
        noise_({random_.uniform(0, kMore), random_.uniform(0, kMore), picture.cols, picture.rows}),
        out, cv::noArray(), CV_8U);
    return out;
  }

  const std::unique_ptr<Trick> trick_;
  StageClock& clock_;
  const Prompt& asked_;
  const ScreenColour& lit_;
  cv::RNG random_;
  cv::Mat noise_;
  std::optional<MonotonicTime> began_;
  uint64_t sequence_ = 0;
};

struct Count {
  int runs = 0;
  int passed = 0;
  std::array<int, kTones> runs_of{}, passed_of{};  // by tone, of drawn people
  std::vector<double> times;                       // seconds from the first frame to the pictures
  std::map<std::string, int> rules;
};

class AttackTable {
 public:
  explicit AttackTable(const AttackOptions& options) : options_(options) {
    settings_.detector = options.detector;
    settings_.light_sequence = options.light;
    const std::string places[] = {ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx"};
    auto chosen = ChooseDetector(settings_, places, files_, MbedtlsCrypto());
    if (!chosen) GiveUp(chosen.error().message);
    if (!chosen->mesh) GiveUp(chosen->compromise);
    chosen_ = std::move(*chosen);
    analyzer_.emplace(settings_, *chosen_.detector, chosen_.smiles.get(), chosen_.mesh.get());
    for (const std::string& path : options.photographs) photographs_.push_back(ReadStill(path));
  }

  [[nodiscard]] bool Print() {
    fmt::print("{} runs of each row and {} photographs; {}; the screen's light: {}\n\n",
               options_.runs, photographs_.size(), analyzer_->detector_name(), options_.light);
    fmt::print("{:<40}{:>5}{:>8}{:>6}  stopped by\n", "", "runs", "passed", "goal");
    Count honest;
    std::vector<std::string_view> missed;
    for (const Attack& each : Attacks()) {
      if (each.name.find(options_.only) == std::string_view::npos) continue;
      if (options_.brief && !each.brief) continue;
      const Count count = Play(each);
      if (!PrintRow(each, count)) missed.push_back(each.name);
      if (each.honest) Add(count, honest);
    }
    if (honest.runs > 0) PrintHonest(honest);
    fmt::print("\nrows that miss their goal: {}\n",
               missed.empty() ? "none" : fmt::format("{}", fmt::join(missed, "; ")));
    return missed.empty();
  }

 private:
  // Prints what became of a row, and returns whether it meets its goal.
  [[nodiscard]] bool PrintRow(const Attack& attack, const Count& count) const {
    const bool spared = attack.film && options_.light == "off";
    const double goal = attack.honest ? kLeastHonest
                        : spared      ? kMostFilmsWithoutLight
                                      : kMostAttacks;
    const double share = 100.0 * count.passed / std::max(count.runs, 1);
    const bool met = attack.honest ? share >= goal : share <= goal;
    std::vector<std::string> rules;
    for (const auto& [rule, stopped] : count.rules) {
      rules.push_back(fmt::format("{} {}", rule, stopped));
    }
    fmt::print("{:<40}{:>5}{:>8}{:>6}  {}{}\n", attack.name, count.runs, count.passed,
               fmt::format("{}{:g}%", attack.honest ? ">" : "<", goal), met ? "" : "MISSED; ",
               fmt::join(rules, ", "));
    std::fflush(stdout);
    return met;
  }

  static void Add(const Count& count, Count& sum) {
    sum.runs += count.runs, sum.passed += count.passed;
    sum.times.insert(sum.times.end(), count.times.begin(), count.times.end());
    for (size_t i = 0; i < kTones; ++i) {
      sum.runs_of[i] += count.runs_of[i], sum.passed_of[i] += count.passed_of[i];
    }
  }

  static void PrintHonest(const Count& honest) {
    fmt::print("\npeople who passed: {} of {}; by tone, from light to dark:", honest.passed,
               honest.runs);
    for (size_t i = 0; i < kTones; ++i) {
      if (honest.runs_of[i] > 0) fmt::print(" {}/{}", honest.passed_of[i], honest.runs_of[i]);
    }
    if (!honest.times.empty()) {
      fmt::print("\ntheir median time to the pictures: {:.1f} s; the goal is at most {:g} s",
                 Median(honest.times), kMostSeconds);
    }
    fmt::print("\n");
  }

  [[nodiscard]] Count Play(const Attack& attack) {
    Count count;
    for (int run = 0; run < options_.runs; ++run) {
      Stage stage;
      stage.seed = options_.seed + static_cast<uint32_t>(run);
      stage.tone = run % static_cast<int>(kTones) + 1;
      if (!attack.honest) {
        stage.light = options_.room;
        stage.impersonated = VictimOf(stage.tone);
      }
      const int before = count.passed;
      PlayOnce(attack, stage, count);
      const auto tone = static_cast<size_t>(stage.tone - 1);
      ++count.runs_of[tone];
      count.passed_of[tone] += count.passed - before;
    }
    if (!attack.of_photographs) return count;
    for (const Subject& photograph : photographs_) {
      Stage stage;
      stage.seed = options_.seed + static_cast<uint32_t>(count.runs);
      stage.impersonated = std::make_shared<Victim>();
      stage.impersonated->stills = {{Prompt::kSelfie, photograph}};
      PlayOnce(attack, stage, count);
    }
    return count;
  }

  // One person of each tone, who is drawn once for all rows.
  [[nodiscard]] std::shared_ptr<Victim> VictimOf(int tone) {
    std::shared_ptr<Victim>& victim = victims_[static_cast<size_t>(tone - 1)];
    if (victim) return victim;
    victim = std::make_shared<Victim>();
    victim->script =
        fmt::format("tone={},seed={}{}", tone, options_.seed + static_cast<uint32_t>(tone),
                    options_.room.empty() ? "" : ",light=" + options_.room);
    victim->stills = DrawStills(victim->script);
    return victim;
  }

  void PlayOnce(const Attack& attack, const Stage& stage, Count& count) {
    StageClock clock;
    Witness witness(settings_);
    SeededEntropy entropy(stage.seed);
    SupervisedCamera camera(std::make_unique<StageCamera>(attack.make(stage), stage.seed, clock,
                                                          witness.asked(), witness.lit()),
                            {}, clock, [&clock](MonotonicTime time) { clock.MoveTo(time); });
    const auto info = camera.Open({});
    if (!info) GiveUp(info.error().message);
    CaptureRunner runner(settings_, *analyzer_, clock, entropy);
    const auto result = runner.Run(camera, *info, witness, {});
    // After a restart all pictures are of the second person, who is there and deceives nobody.
    const bool passed = result && !(attack.of_two && result->record.restarts > 0);
    ++count.runs;
    if (passed) {
      ++count.passed;
      count.times.push_back(std::chrono::duration<double>(result->record.to_bundle).count());
    } else {
      ++count.rules[witness.Rule()];
      if (options_.why) PrintWhy(stage, result, witness);
    }
  }

  static void PrintWhy(const Stage& stage, const Result<CaptureResult>& result,
                       const Witness& witness) {
    fmt::print("  run of seed {}, tone {}: {}\n", stage.seed, stage.tone,
               result ? "of two people" : result.error().message);
    for (const std::string& line : witness.Refusals()) fmt::print("    {}\n", line);
    std::fflush(stdout);
  }

  // One still of everything that can be asked for.
  [[nodiscard]] std::vector<std::pair<Prompt, Subject>> DrawStills(const std::string& script) {
    std::vector<std::pair<Prompt, Subject>> stills;
    const auto add = [&](Prompt asked) {
      Performer performer(script, {1280, 720});
      (void)performer.Show({}, asked);
      const cv::Mat whole = performer.Show(std::chrono::seconds(2), asked);
      const int side = (whole.cols - whole.rows * 3 / 4) / 2;
      stills.emplace_back(asked, SubjectOf(whole.colRange(side, whole.cols - side).clone(),
                                           stills.empty() ? nullptr : &stills.front().second));
    };
    add(Prompt::kSelfie);
    for (const PromptTraits& each : kChallenges) add(each.prompt);
    return stills;
  }

  // The points of `like`, where the person in that looks straight ahead.
  [[nodiscard]] Subject SubjectOf(const cv::Mat& picture, const Subject* like) {
    if (like != nullptr) return {picture, like->points};
    const PictureView view{picture.data, picture.cols, picture.rows,
                           static_cast<int>(picture.step[0])};
    FaceList faces;
    if (const auto found = chosen_.detector->Detect(view, faces); !found) {
      GiveUp(found.error().message);
    }
    if (faces.empty()) GiveUp("no face is in a still");
    const auto mesh = chosen_.mesh->Look(view, faces[0]);
    if (!mesh) GiveUp(mesh.error().message);
    return {picture, mesh->points};
  }

  [[nodiscard]] Subject ReadStill(const std::string& path) {
    const auto frame = ReadPictureFile(files_, path);
    if (!frame) GiveUp(frame.error().message);
    const auto seen = analyzer_->AnalyzeThoroughly(*frame);
    if (!seen) GiveUp(path + ": " + seen.error().message);
    if (!seen->face) GiveUp(path + ": no face is in it");
    const Box head = HeadCut(seen->face->face.box, seen->width, seen->height);
    Picture picture;
    const Status decoded =
        analyzer_->decoder().DecodePart(*frame, head, 720, JpegDecoder::Effort::kCareful, picture);
    if (!decoded) GiveUp(path + ": " + decoded.error().message);
    return SubjectOf(AsMat(picture).clone(), nullptr);
  }

  const AttackOptions& options_;
  PosixFileSystem files_;
  CaptureSettings settings_;
  ChosenDetector chosen_;
  std::optional<FrameAnalyzer> analyzer_;
  std::vector<Subject> photographs_;
  std::array<std::shared_ptr<Victim>, kTones> victims_;
};

}  // namespace

bool PrintAttacks(const AttackOptions& options) { return AttackTable(options).Print(); }

}  // namespace idkiosk
