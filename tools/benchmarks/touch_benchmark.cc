// A touch until it is seen, in Chromium with the program itself.
#include <fmt/format.h>

#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/browser_script.h"

namespace idkiosk {
namespace {

constexpr double kMost = 50;  // milliseconds, for 95 of 100 touches
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
  const auto output = RunBrowserScript(
      fmt::format("touch_bench.mjs {0}/idkiosk {0}/idkiosk-sandbox", ProgramFolder()));
  if (!output) return;
  const std::vector<double> kiosk = NumbersOf(*output, "kiosk");
  const std::vector<double> bare = NumbersOf(*output, "bare");
  figures.push_back(At(50, "a touch until its digit is painted", kiosk, bare));
  figures.back().p99 = Percentile(kiosk, 99);
  figures.back().note = "an empty page with a bare handler, in the same browser";
  figures.push_back(At(95, "the same, 95 of 100 touches", kiosk, bare));
  figures.back().goal = fmt::format("at most {:g} ms", kMost);
  figures.back().met = figures.back().value <= kMost;
}

}  // namespace idkiosk
