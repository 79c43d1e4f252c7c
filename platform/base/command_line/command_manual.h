#ifndef IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_
#define IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_

#include <array>
#include <string>
#include <string_view>

#include "platform/base/command_line/command.h"

namespace idkiosk {

// Returns whether the word "help" before a command's name prints that command's help: in a program
// with commands, none of which is called so.
[[nodiscard]] bool TakesHelpWord(const Command& program);
inline constexpr std::string_view kHelpSummary = "Print what a command takes and end";

// Returns the manual page of `program` with all of its commands, as man(7) has it.
[[nodiscard]] std::string ManualPage(const Command& program);

inline constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

// Returns what that shell reads to complete the commands, options and values of `program`. Requires
// one of kShells.
[[nodiscard]] std::string Completion(const Command& program, std::string_view shell);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_MANUAL_H_
