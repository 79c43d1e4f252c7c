#include "platform/posix/posix_terminal.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr size_t kLongestSecret = 4096;

// Returns whether all of it was taken, or nobody reads it any more.
bool Write(int to, std::string_view line, std::string_view end) {
  std::string text(line);
  text += end;
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = write(to, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    rest.remove_prefix(static_cast<size_t>(count));
  }
  const bool taken = rest.empty() || errno == EPIPE;
  Wipe(text);
  return taken;
}

// What a terminal is shown may come from outside, and must not be taken for a command to it: words
// for people never are, as logs and pagers show them later. Who reads data from a pipe or a file
// gets every byte.
bool WriteLine(int to, std::string_view line, bool as_it_is) {
  if (as_it_is) return Write(to, line, "\n");
  std::string text = Printable(line, "\n\t");
  const bool taken = Write(to, text, "\n");
  Wipe(text);
  return taken;
}

// Switches a terminal's echo off while it lives.
class EchoOff {
 public:
  explicit EchoOff(bool terminal) : on_(terminal && tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!on_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  }
  ~EchoOff() {
    if (!on_) return;
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    (void)Write(STDERR_FILENO, "", "\n");
  }
  EchoOff(const EchoOff&) = delete;
  EchoOff& operator=(const EchoOff&) = delete;

 private:
  termios before_{};
  bool on_;
};

// Byte by byte: what follows the line belongs to the next reader. Errors also: kCancelled, where a
// signal came that the program catches. Reading alone would go on after it; waiting does not.
Result<SecretBytes> ReadLine() {
  SecretBytes line(kLongestSecret);
  for (size_t length = 0;;) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, -1) < 0 && errno == EINTR) {
      return Fail(ErrorCode::kCancelled, "stopped: nothing was changed");
    }
    char c = 0;
    const ssize_t count = read(STDIN_FILENO, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 && length == 0) {
      return Fail(ErrorCode::kUnavailable, "standard input ended before it came");
    }
    if (count <= 0 || c == '\n') {
      if (length > 0 && line.view()[length - 1] == '\r') --length;
      line.Truncate(length);
      return line;
    }
    if (length == kLongestSecret) {
      return Fail(ErrorCode::kInvalid, "it is longer than {} bytes", kLongestSecret);
    }
    line.mutable_view()[length++] = static_cast<uint8_t>(c);
  }
}

}  // namespace

PosixTerminal::PosixTerminal()
    : input_is_terminal_(isatty(STDIN_FILENO) == 1),
      data_is_terminal_(isatty(STDOUT_FILENO) == 1),
      words_are_terminal_(isatty(STDERR_FILENO) == 1) {}

PosixTerminal::~PosixTerminal() { EndProgress(); }

void PosixTerminal::Print(std::string_view line) {
  EndProgress();
  if (!WriteLine(STDOUT_FILENO, line, !data_is_terminal_)) lost_data_ = true;
}

void PosixTerminal::Say(std::string_view line) {
  if (quiet_) return;
  EndProgress();
  (void)WriteLine(STDERR_FILENO, line, false);
}

void PosixTerminal::ShowProgress(std::string_view line) {
  if (quiet_ || !words_are_terminal_) return;
  (void)Write(STDERR_FILENO, "\r\x1b[K" + Printable(line), "");
  in_progress_ = true;
}

void PosixTerminal::EndProgress() {
  if (!in_progress_) return;
  (void)Write(STDERR_FILENO, "\r\x1b[K", "");
  in_progress_ = false;
}

Result<SecretBytes> PosixTerminal::AskSecret(std::string_view question) {
  EndProgress();
  if (input_is_terminal_) (void)Write(STDERR_FILENO, question, ": ");
  const EchoOff silent(input_is_terminal_);
  auto answer = ReadLine();
  if (answer && answer->empty()) {
    return Fail(ErrorCode::kInvalid, "{}: nothing was given", question);
  }
  if (!answer && answer.error().code != ErrorCode::kCancelled) {
    return std::unexpected(answer.error().Within(question));
  }
  return answer;
}

Result<SecretBytes> PosixTerminal::ReadAll(size_t max_size) {
  SecretBytes all(max_size + 1);
  size_t length = 0;
  while (length <= max_size) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, -1) < 0 && errno == EINTR) {
      return Fail(ErrorCode::kCancelled, "stopped: nothing was changed");
    }
    const ssize_t count =
        read(STDIN_FILENO, all.mutable_view().data() + length, max_size + 1 - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += static_cast<size_t>(count);
  }
  if (length > max_size) {
    return Fail(ErrorCode::kInvalid, "standard input is longer than {} bytes", max_size);
  }
  all.Truncate(length);
  return all;
}

bool PosixTerminal::Confirm(std::string_view question) {
  if (!input_is_terminal_) return false;
  EndProgress();
  (void)Write(STDERR_FILENO, Printable(question, "\n\t"), " Type yes to go on: ");
  const auto answer = ReadLine();
  return answer &&
         (EqualsIgnoringCase(answer->text(), "yes") || EqualsIgnoringCase(answer->text(), "y"));
}

}  // namespace idkiosk
