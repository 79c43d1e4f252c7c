#ifndef IDKIOSK_APP_FLEET_RECONNECT_H_
#define IDKIOSK_APP_FLEET_RECONNECT_H_

#include <algorithm>

#include "platform/api/entropy.h"
#include "platform/base/time.h"

namespace idkiosk {

// When a broker that was lost is tried again. Thousands of kiosks lose it at the same moment, so
// the first try too waits by chance: they come back evenly over `spread`, and not all at once.
class Reconnect {
 public:
  // Must outlive this.
  Reconnect(Entropy& entropy, Duration spread)
      : entropy_(entropy), spread_(spread), limit_(spread) {}

  // How long to wait before the next try: evenly from 0 to a limit, which doubles with each try in
  // vain.
  [[nodiscard]] Duration Next();
  void Succeeded() { limit_ = spread_; }
  // The highest limit. Above the spread also where that is long: kiosks that all wait from 0 to the
  // same limit again and again ask 2.7 times as often for a moment, and then twice.
  [[nodiscard]] Duration longest() const { return std::max(kLeastLongest, 4 * spread_); }

 private:
  static constexpr Duration kLeastLongest = std::chrono::minutes(10);

  Entropy& entropy_;
  const Duration spread_;
  Duration limit_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_RECONNECT_H_
