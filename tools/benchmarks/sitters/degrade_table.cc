#include "tools/benchmarks/sitters/degrade_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "app/capture/bundle_encoder.h"
#include "app/capture/image/jpeg_encoder.h"
#include "app/capture/image/mat.h"
#include "app/capture/quality_gate.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/frame_analyzer.h"
#include "drivers/camera/picture_file.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/sitters/degradations.h"
#include "tools/benchmarks/sitters/face_covers.h"

namespace idkiosk {
namespace {

constexpr int kSkinTones = 8;
constexpr int kSide = 640;  // of a photograph's head, as a selfie is sent
constexpr int kTile = 150;  // of a contact sheet, pixels

// How light skin is: by the individual typology angle (degrees) of the skin between the eyes and
// below them, as a picture shows it; a drawn person's by the tone that was drawn.
constexpr size_t kGroups = 3;
constexpr std::string_view kGroupNames[kGroups] = {"light", "medium", "dark"};
constexpr double kLightFrom = 35, kMediumFrom = 5;
size_t GroupOfTone(int tone) { return tone <= 3 ? 0 : tone <= 5 ? 1 : 2; }

struct Person {
  std::string name;
  int tone = 0;  // of a drawn one
  Subject subject;
  size_t group = 0;  // of kGroupNames
};

// The verdicts about one degradation.
struct Verdicts {
  int all = 0;
  int accepted = 0;
  int accepted_without_points = 0;
  std::map<std::string_view, int> reasons;
};

struct Share {
  int all = 0, accepted = 0, accepted_without_points = 0;
};

class DegradeTable {
 public:
  explicit DegradeTable(const DegradeOptions& options)
      : sheets_(options.sheets), only_(options.only) {
    settings_.detector = "yunet";
    const std::string places[] = {ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx"};
    auto chosen = ChooseDetector(settings_, places, files_, MbedtlsCrypto());
    if (!chosen) GiveUp(chosen.error().message);
    if (!chosen->mesh) GiveUp(chosen->compromise);
    chosen_ = std::move(*chosen);
    analyzer_.emplace(settings_, *chosen_.detector, chosen_.smiles.get(), chosen_.mesh.get());
  }

  void AddDrawn() {
    for (int tone = 1; tone <= kSkinTones; ++tone) {
      const std::string script = ScriptOf(tone);
      Add(script, tone, Shoot(script));
    }
  }

  void AddPhotograph(const std::string& path) {
    auto frame = ReadPictureFile(files_, path);
    if (!frame) GiveUp(frame.error().message);
    Add(path.substr(path.rfind('/') + 1), 0, *frame);
  }

  void Print() {
    const auto photographs = std::ranges::count(people_, 0, &Person::tone);
    fmt::print("{} drawn people, {} photographs; the gate with {}, and without its points\n\n",
               static_cast<int64_t>(people_.size()) - photographs, photographs,
               analyzer_->detector_name());
    fmt::print("{:<32} {:<7} {:>9} {:>9}  refused because\n", "", "should", "accepted", "without");
    for (const Degradation& each : Degradations()) {
      if (each.name.find(only_) == std::string_view::npos) continue;
      PrintRow(each, CountOf(each));
      std::fflush(stdout);
    }
    PrintSums();
    PrintGroups();
    PrintTones();
  }

 private:
  [[nodiscard]] static std::string ScriptOf(int tone) {
    return fmt::format("tone={},seed={},distance=0.95", tone, tone);
  }

  [[nodiscard]] Frame Shoot(const std::string& script) {
    const auto parsed = ParseSitterScript(script);
    if (!parsed) GiveUp(parsed.error().message);
    SyntheticCamera camera("synthetic", *parsed, clock_, [](MonotonicTime) {});
    if (const auto opened = camera.Open({960, 720, 30}); !opened) GiveUp(opened.error().message);
    auto frame = camera.NextFrame(clock_.Now() + std::chrono::seconds(1));
    if (!frame) GiveUp(frame.error().message);
    return std::move(*frame);
  }

  void Add(const std::string& name, int tone, const Frame& frame) {
    const auto seen = analyzer_->AnalyzeThoroughly(frame);
    if (!seen) GiveUp(name + ": " + seen.error().message);
    if (!seen->face) GiveUp(name + ": no face is in it");
    const Box whole{0, 0, static_cast<float>(seen->width), static_cast<float>(seen->height)};
    const Box head = tone > 0 ? whole : HeadCut(seen->face->face.box, seen->width, seen->height);
    Picture picture;
    const Status decoded = analyzer_->decoder().DecodePart(frame, head, tone > 0 ? 960 : kSide,
                                                           JpegDecoder::Effort::kCareful, picture);
    if (!decoded) GiveUp(name + ": " + decoded.error().message);
    FaceList face;
    face.Add(seen->face->face.MovedBy(-head.x, -head.y));
    face.Scale(static_cast<float>(picture.width()) / head.width);
    const auto mesh = chosen_.mesh->Look(picture.view(), face[0]);
    if (!mesh) GiveUp(name + ": " + mesh.error().message);
    Person& person =
        people_.emplace_back(name, tone, Subject{AsMat(picture).clone(), mesh->points});
    person.group = tone > 0 ? GroupOfTone(tone) : GroupOfSkin(SkinOf(person.subject));
  }

  [[nodiscard]] static size_t GroupOfSkin(const cv::Scalar& bgr) {
    cv::Mat lab;
    const cv::Vec3f colour(static_cast<float>(bgr[0] / 255), static_cast<float>(bgr[1] / 255),
                           static_cast<float>(bgr[2] / 255));
    cv::cvtColor(cv::Mat(1, 1, CV_32FC3, cv::Scalar(colour)), lab, cv::COLOR_BGR2Lab);
    const cv::Vec3f skin = lab.at<cv::Vec3f>(0, 0);
    const double angle = std::atan2(double{skin[0]} - 50, double{skin[2]}) * 180 / CV_PI;
    return angle >= kLightFrom ? 0 : angle >= kMediumFrom ? 1 : 2;
  }

  [[nodiscard]] Frame FrameOf(const cv::Mat& picture) {
    const PictureView view{picture.data, picture.cols, picture.rows,
                           static_cast<int>(picture.step[0])};
    const auto jpeg = encoder_.Encode(view, 92);
    if (!jpeg) GiveUp(jpeg.error().message);
    const ByteSpan bytes = jpeg->view();
    return Frame::Owning(PixelFormat::kJpeg, 0, 0, 0, Bytes(bytes.begin(), bytes.end()));
  }

  [[nodiscard]] Verdicts CountOf(const Degradation& each) {
    Verdicts count;
    std::vector<cv::Mat> tiles;
    for (const Person& person : people_) {
      if (each.apply == nullptr && person.tone == 0) continue;
      const Frame frame = each.apply != nullptr
                              ? FrameOf(each.apply(person.subject))
                              : Shoot(fmt::format("{},{}", ScriptOf(person.tone), each.script));
      const bool accepted = Judge(frame, each, person, count);
      if (!sheets_.empty()) tiles.push_back(Tile(frame, accepted == each.refuse));
    }
    if (!sheets_.empty()) WriteSheet(each.name, tiles);
    sums_[each.refuse].all += count.all;
    sums_[each.refuse].accepted += count.accepted;
    sums_[each.refuse].accepted_without_points += count.accepted_without_points;
    return count;
  }

  bool Judge(const Frame& frame, const Degradation& each, const Person& person, Verdicts& count) {
    auto seen = analyzer_->AnalyzeThoroughly(frame);
    Share& share = shares_[person.tone == 0][each.refuse][person.group];
    ++count.all, ++share.all;
    if (!seen) {
      ++count.reasons["unreadable"];
      return false;
    }
    const auto flaw = FirstFlaw(*seen, Purpose::kSelfieStill, settings_);
    if (!flaw) {
      ++count.accepted, ++share.accepted;
    } else {
      ++count.reasons[Name(flaw->guidance)];
      if (!each.refuse && person.tone > 0) ++false_by_tone_[flaw->measure->name][person.tone - 1];
    }
    if (seen->face) seen->face->parts.reset();
    if (!FirstFlaw(*seen, Purpose::kSelfieStill, settings_)) {
      ++count.accepted_without_points, ++share.accepted_without_points;
    }
    return !flaw;
  }

  static void PrintRow(const Degradation& each, const Verdicts& count) {
    std::vector<std::string> reasons;
    for (const auto& [reason, times] : count.reasons) {
      reasons.push_back(fmt::format("{} {}", reason, times));
    }
    fmt::print("{:<32} {:<7} {:>4} of {:<3} {:>5}  {}\n", each.name,
               each.refuse ? "refuse" : "pass", count.accepted, count.all,
               count.accepted_without_points, fmt::join(reasons, ", "));
  }

  void PrintSums() {
    const Verdicts &bad = sums_[true], &good = sums_[false];
    const auto percent = [](int part, int all) { return 100.0 * part / std::max(all, 1); };
    fmt::print("\nwrongly accepted: {} of {} ({:.1f} %); without the points {} ({:.1f} %)\n",
               bad.accepted, bad.all, percent(bad.accepted, bad.all), bad.accepted_without_points,
               percent(bad.accepted_without_points, bad.all));
    fmt::print("wrongly refused: {} of {} ({:.1f} %); without the points {} ({:.1f} %)\n",
               good.all - good.accepted, good.all, percent(good.all - good.accepted, good.all),
               good.all - good.accepted_without_points,
               percent(good.all - good.accepted_without_points, good.all));
  }

  // The same by how light skin is.
  void PrintGroups() const {
    fmt::print("\n{:<14}{:<8}{:>7}{:>22}{:>9}{:>22}{:>9}\n", "", "skin", "people",
               "wrongly accepted", "without", "wrongly refused", "without");
    for (const bool photographs : {false, true}) {
      for (size_t group = 0; group < kGroups; ++group) {
        const auto people = std::ranges::count_if(people_, [&](const Person& each) {
          return (each.tone == 0) == photographs && each.group == group;
        });
        if (people == 0) continue;
        const Share &bad = shares_[photographs][true][group],
                    &good = shares_[photographs][false][group];
        const auto of = [](int part, int all) {
          return fmt::format("{} of {} ({:.1f} %)", part, all, 100.0 * part / std::max(all, 1));
        };
        fmt::print("{:<14}{:<8}{:>7}{:>22}{:>9}{:>22}{:>9}\n",
                   photographs ? "photographed" : "drawn", kGroupNames[group], people,
                   of(bad.accepted, bad.all), bad.accepted_without_points,
                   of(good.all - good.accepted, good.all), good.all - good.accepted_without_points);
      }
    }
  }

  void PrintTones() const {
    fmt::print("\nwrongly refused drawn people, by measure and tone\n{:<24}", "");
    for (int tone = 1; tone <= kSkinTones; ++tone) fmt::print("{:>4}", tone);
    fmt::print("\n");
    for (const auto& [measure, counts] : false_by_tone_) {
      fmt::print("{:<24}", measure);
      for (int count : counts) fmt::print("{:>4}", count);
      fmt::print("\n");
    }
    if (false_by_tone_.empty()) fmt::print("none\n");
  }

  // A wrong verdict has a red edge.
  [[nodiscard]] cv::Mat Tile(const Frame& frame, bool wrong) {
    Picture small;
    cv::Mat tile(kTile, kTile, CV_8UC3, cv::Scalar::all(60));
    if (!analyzer_->decoder().DecodeSmall(frame, kTile - 8, small)) return tile;
    tile = wrong ? cv::Scalar(0, 0, 255) : cv::Scalar(90, 140, 90);
    AsMat(small).copyTo(tile(cv::Rect(4, 4, small.width(), small.height())));
    return tile;
  }

  void WriteSheet(std::string_view name, const std::vector<cv::Mat>& tiles) {
    constexpr int kColumns = 8;
    const int rows = (static_cast<int>(tiles.size()) + kColumns - 1) / kColumns;
    cv::Mat sheet(std::max(1, rows) * kTile, kColumns * kTile, CV_8UC3, cv::Scalar::all(30));
    for (int i = 0; i < static_cast<int>(tiles.size()); ++i) {
      tiles[static_cast<size_t>(i)].copyTo(
          sheet(cv::Rect(i % kColumns * kTile, i / kColumns * kTile, kTile, kTile)));
    }
    std::string file(name);
    std::ranges::replace_if(file, [](char c) { return c == ' ' || c == ':' || c == ','; }, '-');
    const Frame frame = FrameOf(sheet);
    const Status written = files_.WriteDurably(fmt::format("{}/{}.jpg", sheets_, file), frame.data,
                                               FileAccess::kOwnerOnly);
    if (!written) GiveUp(written.error().message);
  }

  const std::string sheets_, only_;
  PosixFileSystem files_;
  SystemClock clock_;
  CaptureSettings settings_;
  ChosenDetector chosen_;
  std::optional<FrameAnalyzer> analyzer_;
  JpegEncoder encoder_;
  std::vector<Person> people_;
  std::map<bool, Verdicts> sums_;  // by what should be refused
  Share shares_[2][2][kGroups];    // of photographs, of what should be refused, by group
  std::map<std::string_view, std::array<int, kSkinTones>> false_by_tone_;
};

}  // namespace

void PrintDegradations(const DegradeOptions& options) {
  DegradeTable table(options);
  table.AddDrawn();
  for (const std::string& path : options.photographs) table.AddPhotograph(path);
  table.Print();
}

}  // namespace idkiosk
