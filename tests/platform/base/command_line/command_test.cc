#include "platform/base/command_line/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

// What one mistake of each kind can be made in.
struct CommandExample {
  bool quiet = false;
  std::string config = {};
  std::string shape = {};
  std::string ink = {};
  std::string pencil = {};
  std::string folder = {};
  std::string date = {};
  int sides = 3;
  int64_t copies = 1;
  double width = 1;
  std::vector<std::string> pictures = {};

  [[nodiscard]] Command command() {
    return {
        .name = "draw-it",
        .summary = "Draws it.",
        .arguments = {{.name = "--config", .target = &config, .type = "FILE", .help = "Settings"},
                      {.name = "--quiet", .target = &quiet, .help = "Say nothing"}},
        .commands = {
            {.name = "paint",
             .summary = "Paint a shape",
             .arguments = {{.name = "shape",
                            .target = &shape,
                            .type = "SHAPE",
                            .help = "round or square",
                            .required = true,
                            .choices = {"round", "square"}},
                           {.name = "--ink",
                            .target = &ink,
                            .type = "COLOUR",
                            .help = "What it is painted with",
                            .required = true},
                           {.name = "--pencil", .target = &pencil, .excludes = "--ink"},
                           {.name = "--sides", .target = &sides, .range = NumberRange{3, 9}},
                           {.name = "--copies", .target = &copies},
                           {.name = "--width", .target = &width},
                           {.name = "--folder", .target = &folder, .existing_folder = true},
                           {.name = "--date",
                            .target = &date,
                            .check =
                                [](const std::string& text) {
                                  return text == "today" ? std::string() : "write it as 2026-11-20";
                                }}}},
            {.name = "show",
             .summary = "Show pictures",
             .commands = {{.name = "all", .summary = "All of them"},
                          {.name = "some",
                           .summary = "Some of them",
                           .arguments = {{.name = "files",
                                          .target = &pictures,
                                          .type = "FILE",
                                          .required = true}}}}}}};
  }
};

// What is said of these arguments; empty where nothing is wrong with them.
std::string SaidOf(std::vector<std::string> words) {
  CommandExample example;
  const Command command = example.command();
  words.insert(words.begin(), "draw-it");
  std::vector<char*> argv;
  for (std::string& each : words) argv.push_back(each.data());
  testing::internal::CaptureStderr();
  const auto parsed = ParseCommandLine(command, static_cast<int>(argv.size()), argv.data());
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(parsed.has_value(), said.empty()) << said;
  EXPECT_EQ(parsed ? 2 : parsed.error(), 2) << said;
  return said;
}

TEST(CommandTest, TakesWhatIsRight) {
  EXPECT_EQ(SaidOf({"paint", "round", "--ink", "red", "--sides", "4", "--date", "today"}), "");
  EXPECT_EQ(SaidOf({"--quiet", "show", "some", "a", "b"}), "");
}

TEST(CommandTest, SaysOfEachMistakeWhatIsWrongAndHowToMendIt) {
  constexpr const char* kPaint = "Run 'draw-it paint --help' for all that it takes.\n";
  constexpr const char* kShow = "Run 'draw-it show --help' for all that it takes.\n";
  const struct {
    std::vector<std::string> words;
    std::string said;
    std::string end;
  } kMistakes[] = {
      {{"pait"}, "There is no command 'draw-it pait': did you mean paint?", "Run 'draw-it --help'"},
      {{}, "Name a command of 'draw-it': paint, show.", "Run 'draw-it --help'"},
      {{"show"}, "Name a command of 'draw-it show': all, some.", kShow},
      {{"show", "smoe"}, "There is no command 'draw-it show smoe': did you mean some?", kShow},
      {{"paint", "round", "--ink", "red", "--sizes", "4"},
       "There is no option --sizes here: did you mean --sides?",
       kPaint},
      {{"paint", "round", "--ink", "red", "-x"}, "There is no option -x here.", kPaint},
      {{"show", "--files", "a"},
       "There is no option --files here: name a command of 'draw-it show' first: all, some.",
       kShow},
      {{"show", "-"},
       "There is no option - here: name a command of 'draw-it show' first: all, some.",
       kShow},
      {{"show", "--all"}, "There is no option --all here: did you mean all?", kShow},
      {{"--completion", "powershell"},
       "--completion: 'powershell' is none of bash, zsh, fish.",
       "Run 'draw-it --help'"},
      {{"--completion"},
       "--completion needs a value: write --completion SHELL.",
       "Run 'draw-it --help'"},
      {{"help", "pait"},
       "There is no command 'draw-it pait': did you mean paint?",
       "Run 'draw-it --help'"},
      {{"help", "show", "smoe"},
       "There is no command 'draw-it show smoe': did you mean some?",
       kShow},
      {{"paint", "round", "--ink", "red", "square"},
       "'square' is one word more than 'draw-it paint' takes: put quotes round a text that holds "
       "spaces.",
       kPaint},
      {{"paint", "--ink", "red"}, "SHAPE is missing: round or square.", kPaint},
      {{"paint", "round"}, "--ink COLOUR is missing: What it is painted with.", kPaint},
      {{"show", "some"}, "FILE is missing.", "Run 'draw-it show some --help'"},
      {{"paint", "round", "--ink"}, "--ink needs a value: write --ink COLOUR.", kPaint},
      {{"paint", "round", "--ink", "red", "--ink", "blue"},
       "--ink is given more than once: give it once.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--copies", "many"},
       "--copies: 'many' is no whole number: write digits alone, such as --copies 5.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--copies", "99999999999999999999"},
       "--copies: '99999999999999999999' is larger than any number here.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--width", "wide"},
       "--width: 'wide' is no number: write it such as --width 2.5.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--sides", "12"},
       "--sides: \"12\" is not a number from 3 to 9.",
       kPaint},
      {{"paint", "oval", "--ink", "red"}, "SHAPE: 'oval' is none of round, square.", kPaint},
      {{"paint", "round", "--ink", "red", "--folder", "/no/such"},
       "--folder: there is no folder '/no/such': make it, or name another.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--date", "soon"},
       "--date: write it as 2026-11-20.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--pencil", "b"},
       "--ink and --pencil do not go together: give one of them.",
       kPaint},
      {{"paint", "round", "--ink", "red", "--quiet=perhaps"},
       "--quiet is a switch: write it without a value.",
       kPaint},
  };
  for (const auto& each : kMistakes) {
    const std::string said = SaidOf(each.words);
    EXPECT_TRUE(said.starts_with(each.said)) << said;
    EXPECT_THAT(said, HasSubstr(each.end));
    EXPECT_EQ(std::ranges::count(said, '\n'), 2) << said;
    for (const char* theirs : {"not expected", "required", "excludes", "Could not convert",
                               "not in {", "subcommand", "does not exist", "more information"}) {
      EXPECT_THAT(said, Not(HasSubstr(theirs)));
    }
  }
}

TEST(CommandTest, HelpsByTheWordAsByTheOption) {
  const auto printed = [](std::vector<std::string> words) {
    CommandExample example;
    const Command command = example.command();
    words.insert(words.begin(), "draw-it");
    std::vector<char*> argv;
    for (std::string& each : words) argv.push_back(each.data());
    testing::internal::CaptureStdout();
    const auto parsed = ParseCommandLine(command, static_cast<int>(argv.size()), argv.data());
    EXPECT_EQ(parsed ? 2 : parsed.error(), 0);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(printed({"help"}), printed({"--help"}));
  EXPECT_EQ(printed({"help", "paint"}), printed({"paint", "--help"}));
  EXPECT_EQ(printed({"help", "show", "some"}), printed({"show", "some", "--help"}));
  EXPECT_THAT(printed({"help", "show"}), HasSubstr("all"));
}

// What a script passed on moves no cursor.
TEST(CommandTest, RepeatsNoControlCharacter) {
  for (const char* word : {"a\x1b[2J", "--a\nb"}) {
    const std::string said = SaidOf({"paint", "round", "--ink", "red", word});
    EXPECT_THAT(said, Not(HasSubstr("\x1b")));
    EXPECT_EQ(std::ranges::count(said, '\n'), 2) << said;
  }
}

}  // namespace
}  // namespace idkiosk
