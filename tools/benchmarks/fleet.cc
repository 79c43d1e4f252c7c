#include "tools/benchmarks/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

#include "app/queue/policy/retry_policy.h"

namespace idkiosk {
namespace {

// Quick and repeatable: a hundred thousand kiosks draw millions of numbers.
class SimulatedEntropy final : public Entropy {
 public:
  void Fill(MutableByteSpan out) override {
    for (size_t i = 0; i < out.size(); i += sizeof(uint64_t)) {
      uint64_t number = engine_();
      for (uint8_t& each : out.subspan(i, std::min(sizeof(number), out.size() - i))) {
        each = static_cast<uint8_t>(number);
        number >>= 8;
      }
    }
  }
  double Exponential(double mean) { return std::exponential_distribution(1 / mean)(engine_); }

 private:
  std::mt19937_64 engine_{20261120};
};

Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

double ToSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// One kiosk: its pace, the next person, and what waits.
struct Kiosk {
  DeliveryPace pace;
  double next_person = 0;
  std::vector<double> due;  // of each waiting call, in seconds
};

class Simulation {
 public:
  explicit Simulation(const Fleet& fleet) : fleet_(fleet), policy_(QueueSettings(), entropy_) {
    const size_t bins = static_cast<size_t>(std::ceil(End() / fleet.bin)) + 1;
    rates_.served.assign(bins, 0);
    rates_.refused.assign(bins, 0);
    kiosks_.resize(static_cast<size_t>(fleet.kiosks));
    for (size_t i = 0; i < kiosks_.size(); ++i) {
      kiosks_[i].next_person = entropy_.Exponential(fleet.call_every);
      events_.push({kiosks_[i].next_person, i});
    }
  }

  FleetRates Run() {
    while (!events_.empty() && events_.top().first < End()) {
      const auto [now, index] = events_.top();
      events_.pop();
      Kiosk& kiosk = kiosks_[index];
      // Put down before something changed the kiosk's mind.
      if (now + 1e-9 < NextEvent(kiosk)) {
        events_.push({NextEvent(kiosk), index});
        continue;
      }
      Act(kiosk, now);
      events_.push({NextEvent(kiosk), index});
    }
    for (auto* rates : {&rates_.served, &rates_.refused}) {
      for (double& each : *rates) each /= fleet_.bin;
    }
    Summarize();
    return std::move(rates_);
  }

 private:
  [[nodiscard]] double Back() const { return fleet_.before + fleet_.outage; }
  [[nodiscard]] double End() const { return Back() + fleet_.after; }
  [[nodiscard]] bool Up(double now) const { return now < fleet_.before || now >= Back(); }

  [[nodiscard]] double NextWaiting(const Kiosk& kiosk) const {
    if (kiosk.due.empty()) return End();
    return std::max(*std::ranges::min_element(kiosk.due),
                    ToSeconds(policy_.EarliestFor(kiosk.pace, false)));
  }
  [[nodiscard]] double NextEvent(const Kiosk& kiosk) const {
    return std::min(kiosk.next_person, NextWaiting(kiosk));
  }

  void Act(Kiosk& kiosk, double now) {
    if (now + 1e-9 >= kiosk.next_person) {
      kiosk.next_person = now + entropy_.Exponential(fleet_.call_every);
      if (!Send(kiosk, now)) kiosk.due.push_back(now + OwnBackoff(kiosk));
      return;
    }
    const auto first = std::ranges::min_element(kiosk.due);
    const double was = *first;
    kiosk.due.erase(first);
    if (!Send(kiosk, now)) {
      kiosk.due.push_back(std::max(now, was) + OwnBackoff(kiosk));
    } else if (kiosk.due.empty() && now >= Back()) {
      rates_.longest_wait = std::max(rates_.longest_wait, now - Back());
    }
  }

  double OwnBackoff(const Kiosk& kiosk) { return ToSeconds(policy_.Backoff(kiosk.pace.failures)); }

  bool Send(Kiosk& kiosk, double now) {
    const bool up = Up(now);
    const size_t bin = static_cast<size_t>(now / fleet_.bin);
    (up ? rates_.served : rates_.refused)[bin] += 1;
    if (!up) {
      kiosk.pace = policy_.AfterFailure(kiosk.pace, FromSeconds(now));
      return false;
    }
    kiosk.pace =
        policy_.AfterAnswer(kiosk.pace, FromSeconds(now), static_cast<int64_t>(kiosk.due.size()));
    if (!fleet_.spread) kiosk.pace = {};
    return true;
  }

  void Summarize() {
    const auto bin_of = [this](double time) {
      return rates_.served.begin() + static_cast<std::ptrdiff_t>(time / fleet_.bin);
    };
    // The first five minutes may be uneven.
    double sum = 0;
    for (auto it = bin_of(300); it != bin_of(fleet_.before); ++it) sum += *it;
    rates_.steady = sum / static_cast<double>(bin_of(fleet_.before) - bin_of(300));
    rates_.peak = *std::max_element(bin_of(Back()), rates_.served.end());
  }

  const Fleet fleet_;
  SimulatedEntropy entropy_;
  const RetryPolicy policy_;
  std::vector<Kiosk> kiosks_;
  using Event = std::pair<double, size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  FleetRates rates_;
};

// Plot area in SVG units.
constexpr double kLeft = 70;
constexpr double kTop = 40;
constexpr double kChartWidth = 860;
constexpr double kChartHeight = 360;

std::string Line(const std::vector<double>& rates, double highest, std::string_view style) {
  std::string points;
  for (size_t i = 0; i + 1 < rates.size(); ++i) {
    const double x =
        kLeft + kChartWidth * static_cast<double>(i) / static_cast<double>(rates.size() - 1);
    const double y = kTop + kChartHeight * (1 - std::min(rates[i] / highest, 1.0));
    points += fmt::format("{:.1f},{:.1f} ", x, y);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", points, style);
}

}  // namespace

FleetRates Simulate(const Fleet& fleet) { return Simulation(fleet).Run(); }

std::string DrawRates(const Fleet& fleet, const FleetRates& product, const FleetRates& at_once) {
  const double highest = 3 * product.steady;
  const double end = fleet.before + fleet.outage + fleet.after;
  const auto x_of = [end](double time) { return kLeft + kChartWidth * time / end; };
  const auto y_of = [highest](double rate) { return kTop + kChartHeight * (1 - rate / highest); };
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 460\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"960\" height=\"460\" fill=\"white\"/>\n";
  svg +=
      fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#eeeeee\"/>\n",
                  x_of(fleet.before), kTop, x_of(fleet.outage) - kLeft, kChartHeight);
  svg +=
      fmt::format("<text x=\"{:.1f}\" y=\"{}\">outage</text>\n", x_of(fleet.before) + 6, kTop + 16);
  for (int step = 0; step <= 6; ++step) {
    const double rate = product.steady * step / 2;
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.0f}</text>\n",
        kLeft, kLeft + kChartWidth, y_of(rate), kLeft - 6, y_of(rate) + 4, rate);
  }
  for (double time = 0; time <= end; time += 1800) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>\n",
                       x_of(time), kTop + kChartHeight + 18, time / 60);
  }
  svg += Line(at_once.served, highest, "stroke=\"#bbbbbb\" stroke-dasharray=\"4 3\"");
  svg += Line(product.served, highest, "stroke=\"#0b5c8a\" stroke-width=\"2\"");
  svg += fmt::format(
      "<text x=\"{0}\" y=\"16\">{1} kiosks: requests a second that reach the service, over "
      "minutes.</text>\n<text x=\"{0}\" y=\"33\">Solid: as built, peak {2:.2f} times the steady "
      "rate. Dashed: backlogs sent at once, {3:.1f} times.</text>\n</svg>\n",
      kLeft, fleet.kiosks, product.peak / product.steady, at_once.peak / at_once.steady);
  return svg;
}

}  // namespace idkiosk
