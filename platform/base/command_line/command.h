#ifndef IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_H_
#define IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace idkiosk {

// The variable for an argument's value; what it holds before is the default. A bool is a flag: it
// takes no value. An optional stays empty unless the argument is given.
using ArgumentTarget =
    std::variant<bool*, int*, int64_t*, uint64_t*, double*, std::string*, std::vector<std::string>*,
                 std::optional<bool>*, std::optional<int>*, std::optional<int64_t>*,
                 std::optional<double>*>;

struct NumberRange {
  double least;
  double most;
};

// An argument of a command: "--name" takes a value or is a flag, "name" is told by its position.
struct Argument {
  std::string name;
  ArgumentTarget target;
  std::string type =
      {};  // what --help calls its value: "FILE"; empty: a word for the target's type
  std::string help = {};
  bool required = false;
  bool show_default = false;  // in --help
  std::optional<NumberRange> range = {};
  std::vector<std::string> choices = {};  // if there are any, its value is one of them
  bool existing_folder = false;
  // Returns what is wrong with a value, or nothing.
  std::function<std::string(const std::string&)> check = {};
  std::string excludes = {};  // the name of an argument before it that may not be given with it
  bool* given = nullptr;      // where to write whether it was given
};

// A line of a program's manual: a file or an exit code, and what it means.
struct Note {
  std::string name;
  std::string text;
};

// A command, a group of commands, or the whole program.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Argument> arguments = {};
  std::vector<Command> commands = {};  // if there are any, one of them must be named
  std::string footer = {};             // the last lines of --help
  std::string version = {};            // of the whole program: what --version prints
  std::vector<Note> exit_codes = {};   // of the whole program: for its manual
  std::vector<Note> files = {};
  std::function<void()> action = {};  // for the caller of ParseCommandLine() to call
};

// Fills the targets of `program` and of the command that was named, and returns that command. The
// program's own arguments may also stand behind a command. Keeps no copy of an argument. Where
// --help was asked for, prints the help and returns 0; where something is wrong, says so and
// returns 2. In the help, the text about an argument begins at `help_column`. Every program also
// takes --manual and --completion SHELL, which print what ManualPage() and Completion() return.
[[nodiscard]] std::expected<const Command*, int> ParseCommandLine(const Command& program, int argc,
                                                                  char** argv,
                                                                  size_t help_column = 30);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_COMMAND_LINE_COMMAND_H_
