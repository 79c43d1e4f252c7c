#include "tools/benchmarks/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace idkiosk {
namespace {

double TimeOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

Paired MeasureInTurn(const Work& work, const Work& floor, int runs, int warm_up) {
  for (int i = 0; i < warm_up; ++i) {
    floor();
    work();
  }
  Paired pairs;
  for (int i = 0; i < runs; ++i) {
    pairs.floor.push_back(TimeOf(floor));
    pairs.work.push_back(TimeOf(work));
  }
  return pairs;
}

double Paired::MedianRatio() const {
  std::vector<double> ratios;
  for (size_t i = 0; i < work.size(); ++i) ratios.push_back(work[i] / floor[i]);
  return Median(ratios);
}

double Percentile(std::vector<double> values, double percent) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(last * percent / 100)];
}

double Median(std::vector<double> values) { return Percentile(std::move(values), 50); }

Figure ToFigure(std::string name, const Paired& pairs, double most_allowed_ratio,
                std::string note) {
  Figure figure;
  figure.name = std::move(name);
  figure.unit = "ms";
  figure.value = Median(pairs.work) / 1000;
  figure.p99 = Percentile(pairs.work, 99) / 1000;
  figure.floor = Median(pairs.floor) / 1000;
  figure.ratio = pairs.MedianRatio();
  figure.goal = fmt::format("at most {:g} times the floor", most_allowed_ratio);
  figure.met = *figure.ratio <= most_allowed_ratio;
  figure.note = std::move(note);
  return figure;
}

Figure ToFigure(std::string name, double value, std::string unit, double most) {
  Figure figure;
  figure.name = std::move(name);
  figure.value = value;
  figure.goal = fmt::format("at most {:g} {}", most, unit);
  figure.unit = std::move(unit);
  figure.met = value <= most;
  return figure;
}

void GiveUp(const std::string& why) {
  fmt::print(stderr, "idkiosk-bench: {}\n", why);
  std::exit(1);
}

std::string ProgramFolder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

}  // namespace idkiosk
