#include "platform/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  // Warnings and errors are written out at once.
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

TEST_F(LogTest, MemorySurvivesAChangeOfFile) {
  LogInfo("before the change");
  ASSERT_TRUE(StartLogging(LogLevel::kInfo, folder_ / "other.log"));
  EXPECT_EQ(Newest().text, "before the change");
}

}  // namespace
}  // namespace idkiosk
