#include "platform/posix/posix_terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "platform/base/file_descriptor.h"

namespace idkiosk {
namespace {

// Standard output, or error, is a terminal or a pipe while this lives; what is written to it can be
// read.
class Output {
 public:
  explicit Output(bool terminal, int to = STDOUT_FILENO) : to_(to), before_(dup(to)) {
    int ends[2] = {-1, -1};
    const int made = terminal ? openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) : pipe(ends);
    EXPECT_EQ(made, 0);
    read_ = FileDescriptor(ends[0]);
    write_ = FileDescriptor(ends[1]);
    fflush(stdout);
    dup2(write_.get(), to_);
  }
  ~Output() { dup2(before_.get(), to_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  std::string Read() {
    char text[256];
    const ssize_t size = read(read_.get(), text, sizeof text);
    return size > 0 ? std::string(text, static_cast<size_t>(size)) : "";
  }

 private:
  const int to_;
  FileDescriptor before_;
  FileDescriptor read_;
  FileDescriptor write_;
};

std::string Printed(bool terminal, std::string_view text) {
  Output output(terminal);
  PosixTerminal().Print(text);
  return output.Read();
}

TEST(PosixTerminalTest, ATerminalGetsNoCommandsFromOutsideAndAPipeGetsEveryByte) {
  EXPECT_EQ(Printed(true, "\x1b[2Jgone\tnot"), "?[2Jgone\tnot\r\n");
  EXPECT_EQ(Printed(false, "\x1b[2Jgone\tnot"), "\x1b[2Jgone\tnot\n");
}

// A log keeps them, and a pager shows them later.
TEST(PosixTerminalTest, WordsForPeopleHoldNoCommandsWhereverTheyGo) {
  for (const bool terminal : {true, false}) {
    Output output(terminal, STDERR_FILENO);
    PosixTerminal().Say("\x1b]0;mine\x07 no amount");
    EXPECT_THAT(output.Read(), testing::StartsWith("?]0;mine? no amount"));
  }
}

// Whoever presses Ctrl-C at a question is not asked on, and nothing that was typed counts.
TEST(PosixTerminalTest, ACaughtSignalEndsAQuestion) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  const FileDescriptor reader(ends[0]);
  const FileDescriptor writer(ends[1]);
  const FileDescriptor before(dup(STDIN_FILENO));
  ASSERT_GE(dup2(reader.get(), STDIN_FILENO), 0);
  const auto handler = std::signal(SIGALRM, [](int) {});
  ASSERT_EQ(write(writer.get(), "12", 2), 2);
  // Again and again, until one comes while the question waits.
  const itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 1000},
                        .it_value = {.tv_sec = 0, .tv_usec = 1000}};
  ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
  const auto secret = PosixTerminal().AskSecret("PIN");
  const itimerval never{};
  (void)setitimer(ITIMER_REAL, &never, nullptr);
  (void)std::signal(SIGALRM, handler);
  (void)dup2(before.get(), STDIN_FILENO);
  ASSERT_FALSE(secret);
  EXPECT_EQ(secret.error().code, ErrorCode::kCancelled);
}

TEST(PosixTerminalTest, TakesAYesInAnyFormThatToolsTake) {
  FileDescriptor keyboard;
  FileDescriptor input;
  int ends[2] = {-1, -1};
  ASSERT_EQ(openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr), 0);
  keyboard = FileDescriptor(ends[0]);
  input = FileDescriptor(ends[1]);
  const FileDescriptor before(dup(STDIN_FILENO));
  ASSERT_GE(dup2(input.get(), STDIN_FILENO), 0);
  std::string taken;
  for (const std::string typed : {"yes", "y", "Y", "Yes", "n", "no", "", "yesterday", "ye"}) {
    const std::string line = typed + "\n";
    EXPECT_EQ(write(keyboard.get(), line.data(), line.size()), std::ssize(line));
    if (PosixTerminal().Confirm("Is it whole?")) taken += "<" + typed + ">";
  }
  (void)dup2(before.get(), STDIN_FILENO);
  EXPECT_EQ(taken, "<yes><y><Y><Yes>");
}

}  // namespace
}  // namespace idkiosk
