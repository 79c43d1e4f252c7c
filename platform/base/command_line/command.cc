// The one file that sees CLI11, whose header costs a compiler many times what this file does.
#include "platform/base/command_line/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <span>
#include <sstream>
#include <utility>

#include "platform/base/command_line/command_manual.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/edit_distance.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr int kWrongUsage = 2;

// Refuses what is no number, and NaN, which is neither below nor above any.
CLI::Validator Within(const NumberRange& range) {
  const std::string words = fmt::format("{} to {}", range.least, range.most);
  return {[range, words](std::string& text) -> std::string {
            const auto number = ParseNumber<double>(text);
            const bool good = number && *number >= range.least && *number <= range.most;
            return good ? "" : fmt::format("\"{}\" is not a number from {}", text, words);
          },
          words};
}

// Refuses what is no whole number of this size: CLI11 takes the largest there is for a larger one.
template <typename T>
CLI::Validator Whole() {
  return {[](std::string& text) -> std::string {
            T number = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc::result_out_of_range) {
              return fmt::format("'{}' is larger than any number here", text);
            }
            return "";
          },
          "", "WHOLE"};
}

template <typename T>
CLI::Option* AddTo(CLI::App& parser, const Argument& argument, T& target) {
  if constexpr (std::is_same_v<T, bool>) {
    return parser.add_flag(argument.name, target, argument.help);
  } else {
    CLI::Option* option = parser.add_option(argument.name, target, argument.help);
    if (argument.range) option->check(Within(*argument.range));
    if constexpr (std::is_integral_v<T>) option->check(Whole<T>());
    return option;
  }
}

void AddArgument(CLI::App& parser, const Argument& argument) {
  CLI::Option* option =
      std::visit([&](auto* target) { return AddTo(parser, argument, *target); }, argument.target);
  if (!argument.type.empty()) option->type_name(argument.type);
  if (argument.required) option->required();
  if (argument.show_default) option->capture_default_str();
  if (argument.existing_folder) option->check(CLI::ExistingDirectory);
  if (!argument.choices.empty()) option->check(CLI::IsMember(argument.choices));
  if (argument.check) option->check(argument.check);
  if (!argument.excludes.empty()) option->excludes(parser.get_option(argument.excludes));
}

void Fill(CLI::App& parser, const Command& command) {
  for (const Argument& argument : command.arguments) AddArgument(parser, argument);
  if (!command.commands.empty()) parser.require_subcommand(1);
  for (const Command& part : command.commands) {
    Fill(*parser.add_subcommand(part.name, part.summary), part);
  }
  parser.footer(command.footer);
}

// For what is said of its value; it is parsed below.
const Argument& CompletionArgument() {
  static std::string nothing;
  static const Argument argument{.name = "--completion",
                                 .target = &nothing,
                                 .type = "SHELL",
                                 .choices = {kShells.begin(), kShells.end()}};
  return argument;
}

// What describes the whole program, for packages: each prints that and ends.
void AddDescriptions(CLI::App& parser, const Command& program) {
  const auto print = [](std::string text) { throw CLI::CallForVersion(std::move(text), 0); };
  parser.add_flag_callback(
      "--manual", [print, &program] { print(ManualPage(program)); },
      "Print the manual page for 'man -l -', and end");
  parser
      .add_option_function<std::string>(
          CompletionArgument().name,
          [print, &program](const std::string& shell) { print(Completion(program, shell)); },
          "Print this shell's command completions, and end")
      ->type_name(CompletionArgument().type)
      ->check(CLI::IsMember(CompletionArgument().choices));
}

// The innermost command that was named, and what may be given with it.
struct Place {
  std::string words;  // "idkiosk queue show"
  const Command* command = nullptr;
  std::vector<const Argument*> arguments;  // with the program's own
};

Place PlaceIn(const CLI::App& parser, const Command& program) {
  Place place{.words = program.name, .command = &program, .arguments = {&CompletionArgument()}};
  const CLI::App* named = &parser;
  for (const Command* next = &program; next != nullptr;) {
    place.command = next;
    for (const Argument& each : next->arguments) place.arguments.push_back(&each);
    const auto part = std::ranges::find_if(next->commands, [named](const Command& each) {
      return named->get_subcommand(each.name)->parsed();
    });
    if (part == place.command->commands.end()) break;
    next = &*part;
    named = named->get_subcommand(part->name);
    place.words += " " + part->name;
  }
  return place;
}

bool IsOption(std::string_view word) { return word.starts_with('-'); }

// "--ink COLOUR", "--ink", "SHAPE": as it is typed.
std::string FormOf(const Argument& argument) {
  if (!IsOption(argument.name)) return argument.type.empty() ? argument.name : argument.type;
  const bool is_flag = std::holds_alternative<bool*>(argument.target);
  return is_flag
             ? argument.name
             : fmt::format("{} {}", argument.name, argument.type.empty() ? "VALUE" : argument.type);
}

// Before what is wrong with its value.
std::string NameOf(const Argument& argument) {
  return IsOption(argument.name) ? argument.name : FormOf(argument);
}

std::string NamesOf(const Command& group) {
  std::vector<std::string_view> names;
  for (const Command& each : group.commands) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string NotKnown(const Place& place, const std::string& unknown) {
  std::vector<std::string> words;
  for (const Argument* each : place.arguments) words.push_back(each->name);
  for (const Command& each : place.command->commands) words.push_back(each.name);
  std::string nearest = NearestWord(unknown, words);
  if (IsOption(unknown) && !place.command->commands.empty()) {
    std::string bare = unknown;
    bare.erase(0, bare.find_first_not_of('-'));  // all of a lone "-"
    if (nearest.empty()) nearest = NearestWord(bare, words);
    if (nearest.empty()) {
      return fmt::format("There is no option {} here: name a command of '{}' first: {}.", unknown,
                         place.words, NamesOf(*place.command));
    }
  }
  const std::string meant = nearest.empty() ? "." : fmt::format(": did you mean {}?", nearest);
  if (IsOption(unknown)) return fmt::format("There is no option {} here{}", unknown, meant);
  if (!place.command->commands.empty()) {
    return fmt::format("There is no command '{} {}'{}", place.words, unknown, meant);
  }
  return fmt::format(
      "'{}' is one word more than '{}' takes: put quotes round a text that holds spaces.", unknown,
      place.words);
}

std::string Missing(const Place& place, const Argument* argument) {
  if (argument != nullptr) {
    return fmt::format("{} is missing{}{}.", FormOf(*argument), argument->help.empty() ? "" : ": ",
                       argument->help);
  }
  return fmt::format("Name a command of '{}': {}.", place.words, NamesOf(*place.command));
}

std::string WrongKind(const Argument& argument, std::string_view value) {
  if (std::holds_alternative<bool*>(argument.target)) {
    return fmt::format("{} is a switch: write it without a value.", argument.name);
  }
  const bool has_decimals = std::holds_alternative<double*>(argument.target) ||
                            std::holds_alternative<std::optional<double>*>(argument.target);
  if (std::holds_alternative<std::optional<bool>*>(argument.target)) {
    return fmt::format("{}: '{}' is neither true nor false.", NameOf(argument), value);
  }
  const std::string before = IsOption(argument.name) ? argument.name + " " : "";
  return has_decimals
             ? fmt::format("{0}: '{1}' is no number: write it such as {2}2.5.", NameOf(argument),
                           value, before)
             : fmt::format("{0}: '{1}' is no whole number: write digits alone, such as {2}5.",
                           NameOf(argument), value, before);
}

std::string_view Behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

// `said`: CLI11's words behind the argument's name.
std::string WrongValue(const Argument& argument, std::string_view said) {
  if (!argument.choices.empty()) {
    return fmt::format("{}: '{}' is none of {}.", NameOf(argument),
                       said.substr(0, said.rfind(" not in ")), fmt::join(argument.choices, ", "));
  }
  if (argument.existing_folder) {
    return fmt::format("{}: there is no folder '{}': make it, or name another.", NameOf(argument),
                       Behind(said, ": "));
  }
  return fmt::format("{}: {}{}", NameOf(argument), said, said.ends_with('.') ? "" : ".");
}

// The argument that CLI11 names in its words, which begin with it or name it behind "convert: ".
const Argument* ArgumentIn(const Place& place, std::string_view said) {
  constexpr std::string_view kConvert = "Could not convert: ";
  if (said.starts_with(kConvert)) said.remove_prefix(kConvert.size());
  const std::string_view name = said.substr(0, said.find_first_of(": "));
  const auto found = std::ranges::find(place.arguments, name, &Argument::name);
  return found == place.arguments.end() ? nullptr : *found;
}

// CLI11's own words say what it found, and not what to do.
std::string WhatIsWrong(const Place& place, const CLI::App& parser, const CLI::ParseError& error) {
  const std::string kind = error.get_name();
  const std::string_view said = error.what();
  const auto unknown = parser.remaining(true);
  const auto option = std::ranges::find_if(unknown, &IsOption);
  // A mistyped option leaves its value to stand for something else.
  if (option != unknown.end()) return NotKnown(place, *option);
  const bool is_extra = said.starts_with("The following argument");  // its kind is the command's
  if (!unknown.empty() && (is_extra || kind == "RequiredError")) {
    return NotKnown(place, unknown.front());
  }
  // CLI11 forgets the word where it could have been the program's own.
  if (is_extra) return NotKnown(place, std::string(Behind(said, ": ")));
  const Argument* const argument = ArgumentIn(place, said);
  if (kind == "RequiredError") return Missing(place, argument);
  if (argument == nullptr) return fmt::format("This makes no sense here: {}.", said);
  if (kind == "ArgumentMismatch") {
    return said.ends_with(" missing")
               ? fmt::format("{} needs a value: write {}.", argument->name, FormOf(*argument))
               : fmt::format("{} is given more than once: give it once.", NameOf(*argument));
  }
  if (kind == "ConversionError") {
    const size_t value = said.find(" = ");
    return WrongKind(*argument, value == said.npos ? "" : said.substr(value + 3));
  }
  if (kind == "ExcludesError") {
    return fmt::format("{} and {} do not go together: give one of them.", argument->name,
                       said.substr(said.rfind(' ') + 1));
  }
  return WrongValue(*argument, Behind(said, ": "));
}

// Returns the innermost command that was named.
const Command& Finish(const CLI::App& parser, const Command& command) {
  for (const Argument& argument : command.arguments) {
    if (argument.given != nullptr) *argument.given = parser.count(argument.name) > 0;
  }
  for (const Command& part : command.commands) {
    const CLI::App* named = parser.get_subcommand(part.name);
    if (named->parsed()) return Finish(*named, part);
  }
  return command;
}

// Whether `words`, behind the program's name, ask for help by a word: "help queue show".
bool AsksByWord(const Command& program, std::span<char* const> words) {
  return !words.empty() && std::string_view(words.front()) == "help" && TakesHelpWord(program);
}

// Prints the help of the command that the words behind "help" name. Returns the exit code.
int HelpByWord(const CLI::App& parser, const Command& program, std::span<char* const> words) {
  Place place{.words = program.name, .command = &program, .arguments = {}};
  const CLI::App* named = &parser;
  std::string before;
  for (const std::string_view word : words) {
    const auto part = std::ranges::find(place.command->commands, word, &Command::name);
    if (part == place.command->commands.end()) {
      fmt::print(stderr, "{}\nRun '{} --help' for all that it takes.\n",
                 Printable(NotKnown(place, std::string(word))), place.words);
      return kWrongUsage;
    }
    place.command = &*part;
    before = std::exchange(place.words, place.words + " " + part->name);
    named = named->get_subcommand(part->name);
  }
  fmt::print("{}", named->help(before));
  return 0;
}

}  // namespace

std::expected<const Command*, int> ParseCommandLine(const Command& program, int argc, char** argv,
                                                    size_t help_column) {
  CLI::App parser(program.summary, program.name);
  parser.fallthrough(!program.arguments.empty());
  parser.get_formatter()->column_width(help_column);
  if (!program.version.empty()) {
    parser.set_version_flag("--version", program.version, "Print the version and end");
  }
  Fill(parser, program);
  AddDescriptions(parser, program);
  const std::span<char* const> words(argv + std::min(argc, 1), argv + argc);
  if (AsksByWord(program, words)) {
    return std::unexpected(HelpByWord(parser, program, words.subspan(1)));
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      (void)parser.exit(error, help, help);
      fmt::print("{}", help.str());
      return std::unexpected(0);
    }
    const Place place = PlaceIn(parser, program);
    // It repeats what was typed, or what a script passed on.
    fmt::print(stderr, "{}\nRun '{} --help' for all that it takes.\n",
               Printable(WhatIsWrong(place, parser, error)), place.words);
    // CLI11's own numbers for a bad command line are none of ours.
    return std::unexpected(kWrongUsage);
  }
  return &Finish(parser, program);
}

}  // namespace idkiosk
