#include "app/fleet/reconnect.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace idkiosk {

Duration Reconnect::Next() {
  std::array<uint8_t, 4> bytes{};
  entropy_.Fill(bytes);
  uint32_t drawn = 0;
  std::memcpy(&drawn, bytes.data(), sizeof drawn);
  const Duration wait{
      static_cast<Duration::rep>(static_cast<double>(limit_.count()) * (drawn / 4294967296.0))};
  limit_ = std::min(2 * limit_, longest());
  return wait;
}

}  // namespace idkiosk
