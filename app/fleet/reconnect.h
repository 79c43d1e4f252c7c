#ifndef IDKIOSK_APP_FLEET_RECONNECT_H_
#define IDKIOSK_APP_FLEET_RECONNECT_H_

#include "platform/api/entropy.h"
#include "platform/base/time.h"

namespace idkiosk {

// When a broker that was lost is tried again. Thousands of kiosks lose it at the same moment, so
// the first try too waits by chance: they come back evenly over `spread`, and not all at once.
class Reconnect {
 public:
  static constexpr Duration kLongest = std::chrono::minutes(10);

  // Must outlive this.
  Reconnect(Entropy& entropy, Duration spread)
      : entropy_(entropy), spread_(spread), limit_(spread) {}

  // How long to wait before the next try: evenly from 0 to a limit, which doubles with each try in
  // vain.
  [[nodiscard]] Duration Next();
  void Succeeded() { limit_ = spread_; }

 private:
  Entropy& entropy_;
  const Duration spread_;
  Duration limit_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_RECONNECT_H_
