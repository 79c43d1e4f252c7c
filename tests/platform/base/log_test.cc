#include "platform/base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

// The log of one test in a file of its own.
class LogTest : public testing::Test {
 protected:
  LogTest() {
    const auto started = StartLogging(LogLevel::kInfo, file());
    EXPECT_TRUE(started) << started.error().message;
  }
  ~LogTest() override { (void)StartLogging(LogLevel::kWarning, ""); }

  [[nodiscard]] std::string file() const { return folder_ / "idkiosk.log"; }
  [[nodiscard]] std::string Written() const {
    std::ifstream stream(file());
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  static LogLine Newest() {
    const auto lines = NewestLogLines();
    return lines.empty() ? LogLine() : lines.back();
  }

  ScratchFolder folder_;
};

TEST_F(LogTest, LineIsLogfmt) {
  LogWarning("camera: no picture for {} s", 3);
  EXPECT_THAT(Written(), MatchesRegex("time=[0-9-]+T[0-9:]+\\.[0-9]+Z level=warning "
                                      "msg=\"camera: no picture for 3 s\"\n"));
}

TEST_F(LogTest, WhatIsSaidIsInTheFileBeforeAKill) {
  LogInfo("a browser was let in");
  EXPECT_THAT(Written(), HasSubstr("a browser was let in"));
}

TEST_F(LogTest, NoInputForgesALineOrAField) {
  LogWarning("{}", "said \"x\" level=error\nmsg=\"y\\");
  EXPECT_THAT(Written(), HasSubstr("msg=\"said \\\"x\\\" level=error?msg=\\\"y\\\\\"\n"));
}

TEST_F(LogTest, NewestLinesAreKeptInMemoryAsTheyWereSaid) {
  LogError("a \"quoted\" back\\slash");
  EXPECT_EQ(Newest().text, "a \"quoted\" back\\slash");
  EXPECT_EQ(Newest().level, LogLevel::kError);
  LogInfo("what goes well");
  EXPECT_EQ(Newest().text, "what goes well");
  LogDebug("below what is logged");
  EXPECT_EQ(Newest().text, "what goes well");
}

TEST_F(LogTest, KeepsNoMoreThanTheNewestLines) {
  for (size_t i = 0; i < 3 * kKeptLogLines; ++i) LogInfo("line {}", i);
  const auto lines = NewestLogLines();
  ASSERT_EQ(lines.size(), kKeptLogLines);
  EXPECT_EQ(lines.front().text, fmt::format("line {}", 2 * kKeptLogLines));
  EXPECT_EQ(lines.back().text, fmt::format("line {}", 3 * kKeptLogLines - 1));
}

TEST_F(LogTest, CutsALineThatIsTooLong) {
  LogInfo("{}", std::string(100'000, 'x'));
  EXPECT_EQ(Newest().text.size(), kLongestLogText + 4);
  EXPECT_TRUE(Newest().text.ends_with("x ..."));
}

TEST(StderrLogTest, WaitsForNobodyAndSaysHowManyLinesAreLeftOut) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, 0), 0) << "whoever writes would wait";
  const int before = dup(STDERR_FILENO);
  ASSERT_EQ(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
  // More than any pipe holds.
  constexpr int kLines = 5000;
  for (int i = 0; i < kLines; ++i) LogWarning("line {} {}", i, std::string(1000, 'x'));
  const auto read_all = [&] {
    std::string text;
    char part[4096];
    for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) {
      text.append(part, static_cast<size_t>(got));
    }
    return text;
  };
  const std::string first = read_all();
  LogWarning("there is room again");
  const std::string then = read_all();
  dup2(before, STDERR_FILENO);
  for (const int each : {ends[0], ends[1], before}) close(each);
  EXPECT_THAT(first, HasSubstr("msg=\"line 0 "));
  EXPECT_THAT(first, Not(HasSubstr(fmt::format("line {} ", kLines - 1))));
  EXPECT_TRUE(first.ends_with("x\"\n")) << "no line is cut";
  EXPECT_THAT(then, MatchesRegex("time=.* level=warning msg=\"[0-9]+ lines are left out here: "
                                 "nobody read them\"\ntime=.* msg=\"there is room again\"\n"));
}

TEST_F(LogTest, MemorySurvivesAChangeOfFile) {
  LogInfo("before the change");
  ASSERT_TRUE(StartLogging(LogLevel::kInfo, folder_ / "other.log"));
  EXPECT_EQ(Newest().text, "before the change");
}

}  // namespace
}  // namespace idkiosk
