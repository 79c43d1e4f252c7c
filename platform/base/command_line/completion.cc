#include <fmt/format.h>

#include <functional>

#include "platform/base/command_line/command_manual.h"

namespace idkiosk {
namespace {

// What may be typed behind the words of `path`, such as " queue list": nothing is before the first.
struct CommandPath {
  std::string path;
  const Command* command;
};

void CollectPlaces(std::string path, const Command& command, std::vector<CommandPath>& places) {
  places.push_back({path, &command});
  for (const Command& each : command.commands) {
    CollectPlaces(path + " " + each.name, each, places);
  }
}

struct Word {
  std::string name;
  std::string summary;
};

// The commands and options of a place, those of the whole program too, and the values of what is
// told by its position.
std::vector<Word> WordsOf(const CommandPath& place, const Command& program) {
  std::vector<Word> words;
  for (const Command& each : place.command->commands) words.push_back({each.name, each.summary});
  if (place.command == &program && TakesHelpWord(program)) {
    words.push_back({"help", std::string(kHelpSummary)});
  }
  const auto add = [&](const Argument& each) {
    if (each.name.starts_with('-')) {
      words.push_back({each.name, each.help});
    } else {
      for (const std::string& choice : each.choices) words.push_back({choice, each.help});
    }
  };
  for (const Argument& each : place.command->arguments) add(each);
  if (place.command != &program) {
    for (const Argument& each : program.arguments) add(each);
  }
  words.push_back({"--help", "Print what it takes and end"});
  return words;
}

bool TakesFile(const Argument& argument) {
  return argument.existing_folder || argument.type.find("FILE") != std::string::npos ||
         argument.type.find("DIR") != std::string::npos ||
         argument.type.find("FOLDER") != std::string::npos;
}

// Between single quotes, as bash and zsh read them.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// An option behind which a value comes: its place and name as a shell's pattern.
struct Value {
  std::string pattern;
  const Argument* argument;
};

std::vector<Value> ValuesOf(const std::vector<CommandPath>& places, const Command& program) {
  std::vector<Value> values;
  for (const CommandPath& place : places) {
    for (const Argument& each : place.command->arguments) {
      if (!each.name.starts_with('-') || std::holds_alternative<bool*>(each.target)) continue;
      const bool everywhere = place.command == &program;
      values.push_back(
          {(everywhere ? "*" : "") + Quoted((everywhere ? "" : place.path) + ":" + each.name),
           &each});
    }
  }
  return values;
}

// As fish reads them.
std::string QuotedForFish(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// A function's name has no '-' in every shell.
std::string FunctionName(std::string_view program) {
  std::string name = "_";
  for (const char c : program) name += c == '-' ? '_' : c;
  return name;
}

std::string PathPattern(const std::vector<CommandPath>& places) {
  std::string pattern;
  for (const CommandPath& each : places) {
    if (each.path.empty()) continue;
    pattern += (pattern.empty() ? "" : " | ") + Quoted(each.path);
  }
  return pattern;
}

std::string Bash(const Command& program, const std::vector<CommandPath>& places) {
  const std::string name = FunctionName(program.name);
  std::string text = fmt::format(
      "{}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} place='' words='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"$place ${{COMP_WORDS[i]}}\" in\n"
      "      {}) place+=\" ${{COMP_WORDS[i]}}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$place:${{COMP_WORDS[COMP_CWORD - 1]}}\" in\n",
      name, PathPattern(places));
  for (const auto& [pattern, argument] : ValuesOf(places, program)) {
    if (TakesFile(*argument)) {
      text += fmt::format("    {}) compopt -o default; return ;;\n", pattern);
    } else {
      text += fmt::format("    {}) words={} ;;\n", pattern,
                          Quoted(fmt::format("{}", fmt::join(argument->choices, " "))));
    }
  }
  text += "    *)\n      case $place in\n";
  for (const CommandPath& place : places) {
    std::string words;
    for (const Word& each : WordsOf(place, program))
      words += (words.empty() ? "" : " ") + each.name;
    text += fmt::format("        {}) words={} ;;\n", Quoted(place.path), Quoted(words));
  }
  text += "      esac\n";
  // Files, where a command takes some by their position.
  text += "      case $place in\n";
  for (const CommandPath& place : places) {
    for (const Argument& each : place.command->arguments) {
      if (each.name.starts_with('-') || !TakesFile(each)) continue;
      text += fmt::format("        {}) compopt -o default ;;\n", Quoted(place.path));
    }
  }
  text += fmt::format(
      "      esac\n"
      "      ;;\n"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "}}\n"
      "complete -F {} {}\n",
      name, program.name);
  return text;
}

std::string Zsh(const Command& program, const std::vector<CommandPath>& places) {
  std::string text = fmt::format(
      "#compdef {}\n"
      "local place='' i\n"
      "local -a choices\n"
      "for ((i = 2; i < CURRENT; i++)); do\n"
      "  case \"$place ${{words[i]}}\" in\n"
      "    {}) place+=\" ${{words[i]}}\" ;;\n"
      "  esac\n"
      "done\n"
      "case \"$place:${{words[CURRENT - 1]}}\" in\n",
      program.name, PathPattern(places));
  for (const auto& [pattern, argument] : ValuesOf(places, program)) {
    std::string action = "_files";
    if (!argument->choices.empty()) {
      action = fmt::format("compadd -- {}", fmt::join(argument->choices, " "));
    } else if (!TakesFile(*argument)) {
      action = "_message " + Quoted(argument->help);
    }
    text += fmt::format("  {}) {}; return ;;\n", pattern, action);
  }
  text += "esac\ncase $place in\n";
  for (const CommandPath& place : places) {
    text += fmt::format("  {})\n    choices=(\n", Quoted(place.path));
    for (const Word& each : WordsOf(place, program)) {
      text += "      " + Quoted(each.name + ":" + each.summary) + "\n";
    }
    text += "    ) ;;\n";
  }
  return text + "esac\n_describe command choices || _files\n";
}

std::string Fish(const Command& program, const std::vector<CommandPath>& places) {
  const std::string name = "_" + FunctionName(program.name) + "_place";
  std::string text = fmt::format(
      "function {}\n  set -l place ''\n  for word in (commandline -opc)[2..]\n    switch \"$place "
      "$word\"\n      case",
      name);
  for (const CommandPath& each : places) {
    if (!each.path.empty()) text += " " + QuotedForFish(each.path);
  }
  text +=
      "\n        set place \"$place $word\"\n    end\n  end\n  test \"$place\" = "
      "\"$argv[1]\"\nend\n";
  text += fmt::format("complete -c {} -f\n", program.name);
  for (const CommandPath& place : places) {
    const std::string begin =
        fmt::format("complete -c {} -n {}", program.name,
                    QuotedForFish(fmt::format("{} {}", name, QuotedForFish(place.path))));
    for (const Command& each : place.command->commands) {
      text += fmt::format("{} -a {} -d {}\n", begin, each.name, QuotedForFish(each.summary));
    }
    if (place.command == &program && TakesHelpWord(program)) {
      text += fmt::format("{} -a help -d {}\n", begin, QuotedForFish(kHelpSummary));
    }
    for (const Argument& each : place.command->arguments) {
      const std::string choices = QuotedForFish(fmt::format("{}", fmt::join(each.choices, " ")));
      if (!each.name.starts_with("--")) {
        text += TakesFile(each) ? begin + " -F\n" : fmt::format("{} -a {}\n", begin, choices);
        continue;
      }
      const bool everywhere = place.command == &program;
      std::string value;
      if (!std::holds_alternative<bool*>(each.target)) {
        value = TakesFile(each) ? " -r -F" : fmt::format(" -x -a {}", choices);
      }
      text += fmt::format("{} -l {}{} -d {}\n",
                          everywhere ? fmt::format("complete -c {}", program.name) : begin,
                          each.name.substr(2), value, QuotedForFish(each.help));
    }
  }
  return text;
}

}  // namespace

std::string Completion(const Command& program, std::string_view shell) {
  std::vector<CommandPath> places;
  CollectPlaces("", program, places);
  if (shell == "zsh") return Zsh(program, places);
  if (shell == "fish") return Fish(program, places);
  return Bash(program, places);
}

}  // namespace idkiosk
