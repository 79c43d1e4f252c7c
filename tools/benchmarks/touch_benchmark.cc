// A touch until it is seen, in Chromium with the program itself.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>

#include "platform/base/json.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

constexpr double kMost = 50;  // milliseconds, for 95 of 100 touches
// What the script ends with where there is no browser, and the shell where there is no node.
constexpr int kNoBrowser = 77;
constexpr int kNoNode = 127;

// What a program prints; nothing where it cannot run here. Gives up if it fails.
std::string OutputOf(const std::string& command) {
  FILE* const program = popen(command.c_str(), "r");
  if (program == nullptr) GiveUp("this cannot be started: " + command);
  std::string output;
  char part[4096];
  for (size_t count = 0; (count = fread(part, 1, sizeof part, program)) > 0;) {
    output.append(part, count);
  }
  const int status = pclose(program);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == kNoBrowser || code == kNoNode) return {};
  if (code != 0) GiveUp("this failed: " + command);
  return output;
}

std::vector<double> Times(const JsonDocument& document, std::string_view name) {
  std::vector<double> times;
  for (const JsonView each : document.root()[name].children()) {
    times.push_back(each.AsNumber().value_or(0));
  }
  if (times.empty()) GiveUp("the browser measured nothing");
  return times;
}

Figure At(double percent, std::string name, const std::vector<double>& kiosk,
          const std::vector<double>& bare) {
  Figure figure;
  figure.name = std::move(name);
  figure.unit = "ms";
  figure.value = Percentile(kiosk, percent);
  figure.floor = Percentile(bare, percent);
  figure.ratio = figure.value / *figure.floor;
  return figure;
}

}  // namespace

void MeasureTouch(std::vector<Figure>& figures) {
  const std::string output = OutputOf(fmt::format(
      "node tests/web/touch_bench.mjs {0}/idkiosk {0}/idkiosk-sandbox", ProgramFolder()));
  if (output.empty()) {
    fmt::print(stderr,
               "idkiosk-bench: no touch is measured without node and Chromium: run tools/setup\n");
    return;
  }
  const auto document = JsonDocument::Parse(output);
  if (!document) GiveUp(document.error().message);
  const std::vector<double> kiosk = Times(*document, "kiosk");
  const std::vector<double> bare = Times(*document, "bare");
  figures.push_back(At(50, "a touch until its digit is painted", kiosk, bare));
  figures.back().p99 = Percentile(kiosk, 99);
  figures.back().note = "an empty page with a bare handler, in the same browser";
  figures.push_back(At(95, "the same, 95 of 100 touches", kiosk, bare));
  figures.back().goal = fmt::format("at most {:g} ms", kMost);
  figures.back().met = figures.back().value <= kMost;
}

}  // namespace idkiosk
