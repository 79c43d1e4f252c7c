#ifndef IDKIOSK_APP_FLEET_METRIC_DELTAS_H_
#define IDKIOSK_APP_FLEET_METRIC_DELTAS_H_

#include <map>
#include <string>
#include <string_view>

namespace idkiosk {

// Prometheus' text, of which only what has changed is sent.
class MetricDeltas {
 public:
  // Returns the message for a text: {"full":false,"values":{"idkiosk_x{state=\"y\"}":3}}, or
  // nothing where no value is another than the one that was told last. Of a size ("..._bytes") that
  // is a twentieth more or less.
  [[nodiscard]] std::string Next(std::string_view text);
  // The next message tells all of them.
  void StartOver() { sent_.clear(); }

 private:
  std::map<std::string, std::string, std::less<>> sent_;  // by name with its labels
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_METRIC_DELTAS_H_
