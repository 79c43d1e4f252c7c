#ifndef IDKIOSK_PLATFORM_BASE_TEXT_AMOUNT_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_AMOUNT_H_

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace idkiosk {

// "100.00", of hundredths. Exact for every number.
[[nodiscard]] inline std::string FormatAmount(int64_t hundredths) {
  const auto bits = static_cast<uint64_t>(hundredths);
  const uint64_t size = hundredths < 0 ? 0 - bits : bits;
  return fmt::format("{}{}.{:02}", hundredths < 0 ? "-" : "", size / 100, size % 100);
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_AMOUNT_H_
