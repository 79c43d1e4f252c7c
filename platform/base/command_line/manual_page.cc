#include <fmt/format.h>

#include <algorithm>

#include "platform/base/command_line/command_manual.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// Returns `text` so that roff prints it as it stands.
std::string Roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (escaped.empty() && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    if (c == '\n') escaped += "\\&";
  }
  return escaped;
}

bool IsOption(const Argument& argument) { return argument.name.starts_with('-'); }

// "FILE"; a word for the variable's type, where the argument says none; nothing for a flag.
std::string ValueOf(const Argument& argument) {
  if (std::holds_alternative<bool*>(argument.target)) return {};
  if (!argument.type.empty()) return argument.type;
  const bool is_text = std::holds_alternative<std::string*>(argument.target) ||
                       std::holds_alternative<std::vector<std::string>*>(argument.target);
  return is_text ? "TEXT" : "NUMBER";
}

// "\fB\-\-config\fR \fIFILE\fR"
std::string Shown(const Argument& argument) {
  const std::string value = ValueOf(argument);
  if (!IsOption(argument)) return fmt::format("\\fI{}\\fR", Roff(value));
  const std::string name = fmt::format("\\fB{}\\fR", Roff(argument.name));
  return value.empty() ? name : fmt::format("{} \\fI{}\\fR", name, Roff(value));
}

std::string InSynopsis(const Argument& argument) {
  const bool many = std::holds_alternative<std::vector<std::string>*>(argument.target);
  const std::string shown = Shown(argument) + (many ? "..." : "");
  return argument.required ? shown : fmt::format("[{}]", shown);
}

std::string Explained(const Argument& argument) {
  std::string text = argument.help;
  // Not where the help lists them already.
  const bool listed = std::ranges::all_of(argument.choices, [&](const std::string& choice) {
    return text.find(choice) != std::string::npos;
  });
  if (!listed) text += fmt::format(": {}", fmt::join(argument.choices, ", "));
  if (argument.range)
    text += fmt::format(" ({} to {})", argument.range->least, argument.range->most);
  return text;
}

void AddArguments(std::string& page, const std::vector<Argument>& arguments) {
  for (const Argument& each : arguments) {
    page += fmt::format(".TP\n{}\n{}\n", Shown(each), Roff(Explained(each)));
  }
}

// One section for each command, whose name begins with `path`.
void AddCommands(std::string& page, const std::string& path, const Command& group) {
  for (const Command& each : group.commands) {
    const std::string name = path + " " + each.name;
    if (!each.commands.empty()) {
      AddCommands(page, name, each);
      continue;
    }
    page += fmt::format(".SS \"{}\"\n\\fB{}\\fR", Roff(name), Roff(name));
    for (const Argument& argument : each.arguments) page += " " + InSynopsis(argument);
    page += fmt::format("\n.PP\n{}\n", Roff(each.summary));
    AddArguments(page, each.arguments);
    if (!each.footer.empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(each.footer));
  }
}

void AddNotes(std::string& page, std::string_view title, const std::vector<Note>& notes) {
  if (notes.empty()) return;
  page += fmt::format(".SH \"{}\"\n", title);
  for (const Note& each : notes) {
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", Roff(each.name), Roff(each.text));
  }
}

}  // namespace

bool TakesHelpWord(const Command& program) {
  return !program.commands.empty() &&
         std::ranges::find(program.commands, "help", &Command::name) == program.commands.end();
}

std::string ManualPage(const Command& program) {
  std::string page =
      fmt::format(".TH \"{}\" 1 \"\" \"{}\" \"User commands\"\n", Roff(UpperCase(program.name)),
                  Roff(program.version.empty() ? program.name : program.version));
  page += fmt::format(".SH NAME\n{} \\- {}\n", Roff(program.name), Roff(program.summary));
  const bool alone = program.commands.empty();
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR {}[\\fIOPTION\\fR]...\n", Roff(program.name),
                      alone ? "" : "\\fICOMMAND\\fR ");
  page += alone ? ".SH OPTIONS\n" : ".SH \"OPTIONS OF EVERY COMMAND\"\n";
  AddArguments(page, program.arguments);
  page += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint what a command takes and end\n";
  if (!alone) page += ".SH COMMANDS\n";
  if (TakesHelpWord(program)) {
    const std::string name = Roff(program.name + " help");
    page += fmt::format(".SS \"{}\"\n\\fB{}\\fR [\\fICOMMAND\\fR...]\n.PP\n{}\n", name, name,
                        kHelpSummary);
  }
  AddCommands(page, program.name, program);
  AddNotes(page, "EXIT STATUS", program.exit_codes);
  AddNotes(page, "FILES", program.files);
  return page;
}

}  // namespace idkiosk
