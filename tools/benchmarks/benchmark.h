#ifndef IDKIOSK_TOOLS_BENCHMARKS_BENCHMARK_H_
#define IDKIOSK_TOOLS_BENCHMARKS_BENCHMARK_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace idkiosk {

// One measured thing beside its floor: the least that any program must do for it, measured in turn
// with it in the same run, so that a busy machine slows both.
struct Figure {
  std::string name;
  std::string unit;
  double value = 0;  // median
  std::optional<double> p99;
  std::optional<double> floor;  // median
  std::optional<double> ratio;  // median of the pairs' ratios
  std::string goal;             // for people: "at most 1.25 times the floor"
  std::optional<bool> met;
  std::string note;  // what the floor is
};

using Work = std::function<void()>;

// Times in microseconds, each of `work` directly after one of `floor`.
struct Paired {
  std::vector<double> work;
  std::vector<double> floor;

  [[nodiscard]] double MedianRatio() const;
};
[[nodiscard]] Paired MeasureInTurn(const Work& work, const Work& floor, int runs, int warm_up);

[[nodiscard]] double Median(std::vector<double> values);
[[nodiscard]] double Percentile(std::vector<double> values, double percent);

// A figure without a floor, met where its value is at most `most`.
[[nodiscard]] Figure ToFigure(std::string name, double value, std::string unit, double most);

// A figure from pairs, in `unit` = microseconds divided by `scale`.
[[nodiscard]] Figure ToFigure(std::string name, const Paired& pairs, double most_allowed_ratio,
                              std::string note);

// Ends the program with a sentence: a benchmark that cannot run must not look like one that did.
[[noreturn]] void GiveUp(const std::string& why);

// The areas; each in a source of its own.
void MeasureCapture(std::vector<Figure>& figures);
void MeasureCamera(std::vector<Figure>& figures);
void MeasureSitting(std::vector<Figure>& figures);
void MeasureProcess(std::vector<Figure>& figures);
void MeasureUi(std::vector<Figure>& figures);
void MeasureTouch(std::vector<Figure>& figures);  // of MeasureUi
void MeasureQueue(std::vector<Figure>& figures);
void MeasureDelivery(std::vector<Figure>& figures);
// `plots`: a folder for an SVG of the rates; empty: none is drawn.
void MeasureFleet(std::vector<Figure>& figures, const std::string& plots);

// A model or programs that lie beside this program.
[[nodiscard]] std::string ProgramFolder();

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_BENCHMARK_H_
