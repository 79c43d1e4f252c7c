#include "platform/base/command_line/command_manual.h"

#include <gmock/gmock.h>

#include <cstdio>

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

// A program with what a real one has: options of all commands, a group, choices, files and flags.
struct Example {
  bool quiet = false;
  std::string config = {};
  std::string shape = {};
  std::vector<std::string> pictures = {};
  int sides = 3;

  [[nodiscard]] Command command() {
    return {
        .name = "draw-it",
        .summary = "Draws it.",
        .arguments = {{.name = "--config", .target = &config, .type = "FILE", .help = "Settings"},
                      {.name = "--quiet", .target = &quiet, .help = "Say nothing"}},
        .commands = {{.name = "paint",
                      .summary = "Paint a shape",
                      .arguments = {{.name = "shape",
                                     .target = &shape,
                                     .type = "SHAPE",
                                     .help = "round, or what's square",
                                     .required = true,
                                     .choices = {"round", "square"}},
                                    {.name = "--sides",
                                     .target = &sides,
                                     .help = "How many",
                                     .range = NumberRange{3, 9}}}},
                     {.name = "show",
                      .summary = "Show pictures",
                      .commands = {{.name = "all",
                                    .summary = ".hidden ones too",
                                    .arguments = {{.name = "files",
                                                   .target = &pictures,
                                                   .type = "FILE",
                                                   .help = "The back\\slash's file"}}}}}},
        .version = "draw-it 1.0",
        .exit_codes = {{"0", "Drawn"}, {"7", "No paint"}},
        .files = {{"/etc/draw", "Its paint"}}};
  }
};

// Returns what bash offers for the words of a command line, the last one not yet finished.
std::string Offered(const std::string& completion, const std::string& words) {
  const std::string script = completion + "\nCOMP_WORDS=(" + words +
                             ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\ncompopt() { echo files; }\n"
                             "_draw_it\necho \"${COMPREPLY[*]}\"\n";
  FILE* const shell = popen(("bash <<'END'\n" + script + "END\n").c_str(), "r");
  std::string said;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  pclose(shell);
  return said;
}

TEST(ManualPageTest, NamesEveryCommandWithWhatItTakes) {
  Example example;
  const std::string page = ManualPage(example.command());
  EXPECT_THAT(page, HasSubstr(".TH \"DRAW\\-IT\" 1 \"\" \"draw\\-it 1.0\""));
  EXPECT_THAT(
      page,
      HasSubstr("\\fBdraw\\-it paint\\fR \\fISHAPE\\fR [\\fB\\-\\-sides\\fR \\fINUMBER\\fR]"));
  EXPECT_THAT(page, HasSubstr("\\fBdraw\\-it help\\fR [\\fICOMMAND\\fR...]"));
  EXPECT_THAT(page, HasSubstr("How many (3 to 9)"));
  EXPECT_THAT(page, HasSubstr("\\fBdraw\\-it show all\\fR [\\fIFILE\\fR...]"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-quiet\\fR\nSay nothing"));
  EXPECT_THAT(page, HasSubstr("\\fB7\\fR\nNo paint"));
  EXPECT_THAT(page, HasSubstr("\\fB/etc/draw\\fR\nIts paint"));
}

TEST(ManualPageTest, KeepsWhatRoffWouldTakeForItsOwn) {
  Example example;
  const std::string page = ManualPage(example.command());
  EXPECT_THAT(page, HasSubstr("\n\\&.hidden ones too\n"));
  EXPECT_THAT(page, HasSubstr("The back\\eslash's file"));
}

TEST(CompletionTest, OffersInBashWhatMayComeNext) {
  Example example;
  const std::string completion = Completion(example.command(), "bash");
  EXPECT_EQ(Offered(completion, "draw-it ''"), "paint show help --config --quiet --help\n");
  EXPECT_EQ(Offered(completion, "draw-it h"), "help\n");
  EXPECT_EQ(Offered(completion, "draw-it help show a"), "all\n");
  EXPECT_EQ(Offered(completion, "draw-it --quiet show ''"), "all --config --quiet --help\n");
  EXPECT_EQ(Offered(completion, "draw-it paint s"), "square\n");
  EXPECT_EQ(Offered(completion, "draw-it paint --si"), "--sides\n");
  EXPECT_EQ(Offered(completion, "draw-it paint --sides ''"), "\n");
  EXPECT_EQ(Offered(completion, "draw-it show all x"), "files\n\n");
  EXPECT_EQ(Offered(completion, "draw-it paint --config ''"), "files\n\n");
}

TEST(CompletionTest, SaysTheSameToOtherShells) {
  Example example;
  const std::string zsh = Completion(example.command(), "zsh");
  EXPECT_THAT(zsh, HasSubstr("#compdef draw-it\n"));
  EXPECT_THAT(zsh, HasSubstr("'help:Print what a command takes and end'"));
  EXPECT_THAT(zsh, HasSubstr("'square:round, or what'\\''s square'"));
  EXPECT_THAT(zsh, HasSubstr("' paint:--sides') _message 'How many'"));
  EXPECT_THAT(zsh, HasSubstr("*':--config') _files"));
  const std::string fish = Completion(example.command(), "fish");
  EXPECT_THAT(fish, HasSubstr("-a paint -d 'Paint a shape'"));
  EXPECT_THAT(fish, HasSubstr("-a help -d 'Print what a command takes and end'"));
  EXPECT_THAT(fish, HasSubstr("complete -c draw-it -l config -r -F -d 'Settings'"));
  EXPECT_THAT(fish, Not(HasSubstr("-l quiet -x")));
}

TEST(ManualPageTest, AProgramsOwnCommandOfTheNameGoesBeforeTheWordHelp) {
  Example example;
  Command command = example.command();
  command.commands[0].name = "help";
  EXPECT_THAT(ManualPage(command), Not(HasSubstr("\\fICOMMAND\\fR...]")));
  EXPECT_EQ(Offered(Completion(command, "bash"), "draw-it h"), "help\n");
}

TEST(ManualPageTest, OfAProgramWithoutCommandsNamesNone) {
  Example example;
  Command command = example.command();
  command.commands.clear();
  const std::string page = ManualPage(command);
  EXPECT_THAT(page,
              HasSubstr(".SH SYNOPSIS\n\\fBdraw\\-it\\fR [\\fIOPTION\\fR]...\n.SH OPTIONS\n"));
  EXPECT_THAT(page, Not(HasSubstr("COMMAND")));
}

class DescriptionTest : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutCommands, DescriptionTest, testing::Bool());

TEST_P(DescriptionTest, IsPrintedByTheProgramItself) {
  Example example;
  Command command = example.command();
  if (!GetParam()) command.commands.clear();
  const std::string page = ManualPage(command);
  for (const std::string_view option : {"--manual", "--completion"}) {
    std::vector<std::string> words = {"draw-it", std::string(option)};
    if (option == "--completion") words.emplace_back("zsh");
    std::vector<char*> argv;
    for (std::string& each : words) argv.push_back(each.data());
    testing::internal::CaptureStdout();
    const auto chosen = ParseCommandLine(command, static_cast<int>(argv.size()), argv.data());
    const std::string printed = testing::internal::GetCapturedStdout();
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error(), 0);
    EXPECT_EQ(printed, (option == "--manual" ? page : Completion(command, "zsh")) + "\n");
  }
}

}  // namespace
}  // namespace idkiosk
