#ifndef IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_
#define IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_

#include <array>
#include <string>
#include <string_view>

#include "platform/base/command_line/command.h"

namespace idkiosk {

// Returns the manual page of `program` with all of its commands, as man(7) has it.
[[nodiscard]] std::string ManualPage(const Command& program);

inline constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

// Returns what that shell reads to complete the commands, options and values of `program`. Requires
// one of kShells.
[[nodiscard]] std::string Completion(const Command& program, std::string_view shell);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_
