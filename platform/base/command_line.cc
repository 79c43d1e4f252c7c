// The one file that sees CLI11, whose header costs a compiler many times what this file does.
#include "platform/base/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>

#include "platform/base/command_manual.h"
#include "platform/base/edit_distance.h"
#include "platform/base/printable.h"

namespace idkiosk {
namespace {

constexpr int kWrongUsage = 2;

// Refuses what is no number, and NaN, which is neither below nor above any.
CLI::Validator Within(const NumberRange& range) {
  const std::string words = fmt::format("{} to {}", range.least, range.most);
  return {[range, words](std::string& text) -> std::string {
            double number = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            const bool good = error == std::errc() && stop == end && number >= range.least &&
                              number <= range.most;
            return good ? "" : fmt::format("\"{}\" is not a number from {}", text, words);
          },
          words};
}

template <typename T>
CLI::Option* AddTo(CLI::App& parser, const Argument& argument, T& target) {
  if constexpr (std::is_same_v<T, bool>) {
    return parser.add_flag(argument.name, target, argument.help);
  } else {
    CLI::Option* option = parser.add_option(argument.name, target, argument.help);
    if (argument.range) option->check(Within(*argument.range));
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

// What describes the whole program, for packages: each prints that and ends.
void AddDescriptions(CLI::App& parser, const Command& program) {
  const auto print = [](std::string text) { throw CLI::CallForVersion(std::move(text), 0); };
  parser.add_flag_callback(
      "--manual", [print, &program] { print(ManualPage(program)); },
      "Print the manual page, as man -l - reads it, and end");
  parser
      .add_option_function<std::string>(
          "--completion",
          [print, &program](const std::string& shell) { print(Completion(program, shell)); },
          "Print what this shell completes commands by, and end")
      ->type_name("SHELL")
      ->check(CLI::IsMember(std::vector<std::string>(kShells.begin(), kShells.end())));
}

// The words that may stand where `unknown` does: the names of the innermost command that was named.
void CollectWords(const CLI::App& parser, std::vector<std::string>& words) {
  for (const CLI::Option* each : parser.get_options()) words.push_back(each->get_name());
  for (const CLI::App* part : parser.get_subcommands([](const CLI::App*) { return true; })) {
    if (part->parsed()) return CollectWords(*part, words);
  }
  for (const CLI::App* part : parser.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(part->get_name());
  }
}

int ComplainAbout(const CLI::App& parser, const std::string& unknown) {
  std::vector<std::string> words;
  CollectWords(parser, words);
  const std::string meant = NearestWord(unknown, words);
  fmt::print(stderr,
             "There is no command or option '{}' here{}\nRun with --help for those there are.\n",
             Printable(unknown), meant.empty() ? "." : fmt::format(": did you mean {}?", meant));
  return kWrongUsage;
}

// "NIN is required" without its words, which alone say nothing.
std::string WhatIsMissing(std::string said) {
  constexpr std::string_view kEnd = " is required";
  if (said.ends_with(kEnd)) said.resize(said.size() - kEnd.size());
  return said;
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
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 says only that a command is missing where one was mistyped.
    const auto unknown = parser.remaining(true);
    if (error.get_name() == "RequiredError" && !unknown.empty()) {
      return std::unexpected(ComplainAbout(parser, unknown.front()));
    }
    if (error.get_name() == "RequiredError") {
      fmt::print(stderr, "What is missing: {}. Run with --help for what there is.\n",
                 Printable(WhatIsMissing(error.what())));
      return std::unexpected(kWrongUsage);
    }
    std::ostringstream help;
    std::ostringstream complaint;
    const bool good = parser.exit(error, help, complaint) == 0;
    fmt::print("{}", help.str());
    // It repeats what was typed, or what a script passed on.
    fmt::print(stderr, "{}", Printable(complaint.str(), "\n\t"));
    // CLI11's own numbers for a bad command line are none of ours.
    return std::unexpected(good ? 0 : kWrongUsage);
  }
  return &Finish(parser, program);
}

}  // namespace idkiosk
