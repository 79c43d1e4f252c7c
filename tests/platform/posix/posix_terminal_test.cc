#include "platform/posix/posix_terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <string>

#include "platform/posix/file_descriptor.h"

namespace idkiosk {
namespace {

// Standard output is a terminal or a pipe while this lives; what is written to it can be read.
class Output {
 public:
  explicit Output(bool terminal) : before_(dup(STDOUT_FILENO)) {
    int ends[2] = {-1, -1};
    const int made = terminal ? openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) : pipe(ends);
    EXPECT_EQ(made, 0);
    read_ = FileDescriptor(ends[0]);
    write_ = FileDescriptor(ends[1]);
    fflush(stdout);
    dup2(write_.get(), STDOUT_FILENO);
  }
  ~Output() { dup2(before_.get(), STDOUT_FILENO); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  std::string Read() {
    char text[256];
    const ssize_t size = read(read_.get(), text, sizeof text);
    return size > 0 ? std::string(text, static_cast<size_t>(size)) : "";
  }

 private:
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

}  // namespace
}  // namespace idkiosk
