// idkiosk-sitters: what each detector and the quality gate make of the drawn sitter in every skin
// tone, light, distance and turn. One row for each tone and light.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/quality_gate.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/frame_analyzer.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/sitters/attack_table.h"
#include "tools/benchmarks/sitters/degrade_table.h"

namespace idkiosk {
namespace {

constexpr const char* kLights[] = {"good", "dim", "side", "behind", "bright", "dark"};
constexpr double kDistances[] = {0.85, 1.0, 1.3};
constexpr int kYaws[] = {-35, -20, 0, 20, 35};

struct Row {
  int frames = 0;
  int found = 0;
  double yaw_error = 0;  // degrees, summed over those found
  int worst_error = 0;
  int straight = 0;  // frames that look into the camera
  int accepted = 0;  // of those
  std::map<std::string_view, int> refused;
};

Frame Shoot(const std::string& script) {
  static SystemClock clock;
  const auto parsed = ParseSitterScript(script);
  if (!parsed) GiveUp(parsed.error().message);
  SyntheticCamera camera("synthetic", *parsed, clock, [](MonotonicTime) {});
  if (const auto opened = camera.Open({1280, 720, 30}); !opened) GiveUp(opened.error().message);
  auto frame = camera.NextFrame(clock.Now() + std::chrono::seconds(1));
  if (!frame) GiveUp(frame.error().message);
  return std::move(*frame);
}

void Look(FrameAnalyzer& analyzer, const CaptureSettings& settings, const std::string& script,
          int yaw, Row& row) {
  const Frame frame = Shoot(script);
  auto seen = analyzer.Analyze(frame);
  if (!seen) GiveUp(seen.error().message);
  if (auto measured = analyzer.MeasureDetail(frame, Detail::kFace, *seen); !measured) {
    GiveUp(measured.error().message);
  }
  ++row.frames;
  if (seen->face) {
    ++row.found;
    const double error = std::abs(seen->face->pose.yaw.value_or(0) - yaw);
    row.yaw_error += error;
    row.worst_error = std::max(row.worst_error, static_cast<int>(error));
  }
  if (yaw != 0) return;
  ++row.straight;
  const Guidance guidance = QualityGate(settings).Judge(*seen, Purpose::kSelfie);
  if (guidance == Guidance::kNone) {
    ++row.accepted;
  } else {
    ++row.refused[Name(guidance)];
  }
}

void PrintTable(const std::string& wanted) {
  PosixFileSystem files;
  CaptureSettings settings;
  settings.detector = wanted;
  const std::string places[] = {ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx"};
  const auto chosen = ChooseDetector(settings, places, files, MbedtlsCrypto());
  if (!chosen) GiveUp(chosen.error().message);
  FrameAnalyzer analyzer(settings, *chosen->detector);
  fmt::print("{}\n{:>5} {:<7} {:>7} {:>10} {:>6} {:>9}  refused because\n",
             chosen->detector->name(), "tone", "light", "found", "yaw error", "worst", "accepted");
  for (int tone = 1; tone <= 8; ++tone) {
    for (const char* light : kLights) {
      Row row;
      for (double distance : kDistances) {
        for (int yaw : kYaws) {
          const std::string script = fmt::format("tone={},light={},distance={},yaw={},seed={}",
                                                 tone, light, distance, yaw, tone * 100 + yaw + 50);
          Look(analyzer, settings, script, yaw, row);
        }
      }
      std::vector<std::string> reasons;
      for (const auto& [reason, count] : row.refused) {
        reasons.push_back(fmt::format("{} {}", reason, count));
      }
      fmt::print("{:>5} {:<7} {:>3}/{:<3} {:>10.1f} {:>6} {:>5}/{:<3}  {}\n", tone, light,
                 row.found, row.frames, row.found > 0 ? row.yaw_error / row.found : 0,
                 row.worst_error, row.accepted, row.straight, fmt::join(reasons, ", "));
    }
  }
}

constexpr char kUsage[] =
    "usage: idkiosk-sitters [yunet | cascade]\n"
    "       idkiosk-sitters degrade [--sheets FOLDER] [--only NAME] [PICTURE...]\n"
    "       idkiosk-sitters attack [--runs N] [--seed N] [--only NAME] [--short] [--without-light] "
    "[--strict] [--why] [--room LIGHT] [PICTURE...]\n\n"
    "Prints how each face detector, or the one that is named, judges drawn people of every skin "
    "tone, light, distance and turn of the head.\n"
    "With 'degrade', how many pictures of drawn people and of the named photographs pass the "
    "quality check when covered, turned, cut, blurred or discoloured in some eighty ways. --sheets "
    "writes one contact sheet for each way, wrong verdicts edged in red; --only plays just the "
    "ways with NAME in their name.\n"
    "With 'attack', how many of some forty ways to deceive the kiosk pass a whole capture, played "
    "by drawn people and with the photographs that are named, and by which rule the others are "
    "stopped. --strict fails where a row misses its goal; --why prints which checks refused the "
    "frames of each run that did not pass, with values and limits; --room puts attackers and "
    "victims into a light that the drawn sitter knows, such as dim or side.\n";

// Returns the number that was given, which ends the program where it is none.
uint32_t NumberOf(const std::string& word) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(word.c_str(), &end, 10);
  if (word.empty() || *end != 0 || number > 1'000'000) GiveUp(word + " is no number up to 1000000");
  return static_cast<uint32_t>(number);
}

int RunAttack(const std::vector<std::string>& words) {
  AttackOptions options;
  bool strict = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    if (words[i] == "--strict") {
      strict = true;
    } else if (words[i] == "--without-light") {
      options.light = "off";
    } else if (words[i] == "--why") {
      options.why = true;
    } else if (words[i] == "--short") {
      options.brief = true;
    } else if (words[i] == "--runs" && more) {
      options.runs = static_cast<int>(NumberOf(words[++i]));
    } else if (words[i] == "--seed" && more) {
      options.seed = NumberOf(words[++i]);
    } else if (words[i] == "--only" && more) {
      options.only = words[++i];
    } else if (words[i] == "--room" && more) {
      options.room = words[++i];
    } else {
      options.photographs.push_back(words[i]);
    }
  }
  return PrintAttacks(options) || !strict ? 0 : 1;
}

int RunDegrade(const std::vector<std::string>& words) {
  DegradeOptions options;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    if (words[i] == "--sheets" && more) {
      options.sheets = words[++i];
    } else if (words[i] == "--only" && more) {
      options.only = words[++i];
    } else {
      options.photographs.push_back(words[i]);
    }
  }
  PrintDegradations(options);
  return 0;
}

}  // namespace
}  // namespace idkiosk

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    idkiosk::PrintTable("yunet");
    fmt::print("\n");
    idkiosk::PrintTable("cascade");
  } else if (words[0] == "--help") {
    fmt::print("{}", idkiosk::kUsage);
  } else if (words[0] == "degrade") {
    return idkiosk::RunDegrade({words.begin() + 1, words.end()});
  } else if (words[0] == "attack") {
    return idkiosk::RunAttack({words.begin() + 1, words.end()});
  } else {
    idkiosk::PrintTable(words[0]);
  }
  return 0;
}
