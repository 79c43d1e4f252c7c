#ifndef IDKIOSK_TESTS_INTEGRATION_EXIT_CODES_H_
#define IDKIOSK_TESTS_INTEGRATION_EXIT_CODES_H_

namespace idkiosk {

// What `idkiosk` ends with, as its README and its manual page have it.
inline constexpr int kDone = 0;
inline constexpr int kNotVerified = 1;
inline constexpr int kUsage = 2;
inline constexpr int kConfiguration = 3;
inline constexpr int kKept = 4;
inline constexpr int kNeedsPerson = 5;
inline constexpr int kCapture = 6;

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_EXIT_CODES_H_
