#ifndef IDKIOSK_TESTS_FUZZ_INPUTS_H_
#define IDKIOSK_TESTS_FUZZ_INPUTS_H_

#include <span>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"

namespace idkiosk {

// Bytes that idkiosk reads and that others may have written.
struct InputKind {
  std::string_view name;
  // What it usually is.
  Bytes (*usual)();
  std::vector<std::string_view> words;  // what the format is made of
  // Reads it as the program does. Returns what does not hold that a header promises; empty:
  // nothing.
  std::string_view (*read)(ByteSpan bytes);
};

// Answers of the service, the profile, configuration, onboarding message, ledger, copies of calls,
// vault, and commands of headquarters.
[[nodiscard]] const std::vector<InputKind>& InputKinds();

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FUZZ_INPUTS_H_
