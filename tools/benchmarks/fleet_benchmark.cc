// A hundred thousand kiosks after half an hour without the service.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/fleet.h"

namespace idkiosk {
namespace {

constexpr double kMostPeak = 1.5;

Figure ToFigure(const Fleet& fleet, const FleetRates& rates) {
  Figure figure;
  figure.name = fmt::format("fleet: peak, a person every {:.0f} min", fleet.call_every / 60);
  figure.unit = "/s";
  figure.value = rates.peak;
  figure.floor = rates.steady;
  figure.ratio = rates.peak / rates.steady;
  figure.note = "the steady rate before the outage";
  return figure;
}

}  // namespace

void MeasureFleet(std::vector<Figure>& figures, const std::string& plots) {
  const Fleet fleet;
  const FleetRates product = Simulate(fleet);
  Figure busy = ToFigure(fleet, product);
  busy.goal = fmt::format("at most {:g} times the steady rate", kMostPeak);
  busy.met = *busy.ratio <= kMostPeak;
  figures.push_back(busy);

  // Seldom-used kiosks ask oftener for a service that is down than for one that is up.
  Fleet quiet = fleet;
  quiet.call_every = 600;
  figures.push_back(ToFigure(quiet, Simulate(quiet)));

  Fleet hasty = fleet;
  hasty.spread = false;
  const FleetRates at_once = Simulate(hasty);
  Figure without = ToFigure(hasty, at_once);
  without.name = "fleet: the same, backlogs sent at once";
  figures.push_back(without);

  if (plots.empty()) return;
  std::filesystem::create_directories(plots);
  const std::string file = plots + "/fleet.svg";
  if (!(std::ofstream(file) << DrawRates(fleet, product, at_once))) GiveUp("cannot write " + file);
}

}  // namespace idkiosk
