#ifndef IDKIOSK_TOOLS_BENCHMARKS_FLEET_H_
#define IDKIOSK_TOOLS_BENCHMARKS_FLEET_H_

#include <string>
#include <vector>

namespace idkiosk {

// Many kiosks on a virtual clock, one service, one outage. Each kiosk follows the product's own
// retry policy: a person's call is tried at once, waiting calls by its pace.
struct Fleet {
  int kiosks = 100'000;
  double call_every = 300;  // seconds from one person to the next at one kiosk, on average
  double before = 1800;     // seconds of ordinary days before the outage
  double outage = 1800;     // seconds
  double after = 10'800;    // seconds watched after it
  double bin = 10;          // seconds that one rate is the mean of
  // False: kiosks send their backlog as soon as they can.
  bool spread = true;
};

struct FleetRates {
  std::vector<double> served;   // requests a second that reached the service, by bin
  std::vector<double> refused;  // connections a second that found nobody, by bin
  double steady = 0;            // requests a second before the outage
  double peak = 0;              // the highest rate from the outage's end on
  double longest_wait = 0;      // seconds from the outage's end until the last backlog is gone
};

[[nodiscard]] FleetRates Simulate(const Fleet& fleet);

// An SVG of both rates over time, with the outage and the steady rate marked.
[[nodiscard]] std::string DrawRates(const Fleet& fleet, const FleetRates& product,
                                    const FleetRates& at_once);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_FLEET_H_
