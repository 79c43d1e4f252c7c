#include "tests/integration/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

namespace idkiosk {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& each : texts) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

// A file in memory with this text, to be read from its beginning.
int FileOf(const std::string& text) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  EXPECT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  EXPECT_EQ(lseek(file, 0, SEEK_SET), 0);
  return file;
}

std::array<int, 2> Pipe() {
  std::array<int, 2> ends{-1, -1};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  return ends;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::string& input,
                 const std::vector<std::string>& variables) {
  const std::vector<std::string> environment = EnvironmentWith(variables);
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(environment);
  const int in = FileOf(input);
  const auto out = Pipe();
  const auto err = Pipe();
  id_ = fork();
  if (id_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const bool redirected = dup2(in, STDIN_FILENO) == STDIN_FILENO &&
                            dup2(out[1], STDOUT_FILENO) == STDOUT_FILENO &&
                            dup2(err[1], STDERR_FILENO) == STDERR_FILENO;
    if (redirected) execvpe(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(in);
  close(out[1]);
  close(err[1]);
  out_.from = out[0];
  err_.from = err[0];
  reader_ = std::jthread([this] { Read(); });
}

Process::~Process() {
  if (!reaped_) {
    Signal(SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  reader_.join();
  close(out_.from);
  close(err_.from);
}

void Process::Read() {
  char buffer[4096];
  for (std::vector<Stream*> open = {&out_, &err_}; !open.empty();) {
    std::vector<pollfd> files;
    for (const Stream* each : open) files.push_back({each->from, POLLIN, 0});
    if (poll(files.data(), files.size(), -1) < 0) continue;
    for (size_t i = files.size(); i > 0; --i) {
      if (files[i - 1].revents == 0) continue;
      const ssize_t count = read(files[i - 1].fd, buffer, sizeof buffer);
      const MutexLock lock(mutex_);
      Stream& stream = *open[i - 1];
      if (count > 0) {
        stream.text.append(buffer, static_cast<size_t>(count));
      } else {
        stream.ended = true;
        open.erase(open.begin() + static_cast<long>(i - 1));
      }
      changed_.NotifyAll();
    }
  }
}

bool Process::Await(MutexLock& lock, const Stream& stream, const std::string& text) {
  changed_.Wait(lock, [&] { return stream.ended || stream.text.contains(text); });
  return stream.text.contains(text);
}

std::string Process::out() const {
  const MutexLock lock(mutex_);
  return out_.text;
}

std::string Process::err() const {
  const MutexLock lock(mutex_);
  return err_.text;
}

bool Process::ended() const {
  const MutexLock lock(mutex_);
  return out_.ended && err_.ended;
}

void Process::Signal(int number) const {
  if (!reaped_) kill(id_, number);
}

Finished Process::Wait() {
  int status = 0;
  EXPECT_EQ(waitpid(id_, &status, 0), id_);
  reaped_ = true;
  MutexLock lock(mutex_);
  changed_.Wait(lock, [this]() REQUIRES(mutex_) { return out_.ended && err_.ended; });
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = out_.text,
          .err = err_.text};
}

Finished RunProgram(const std::vector<std::string>& arguments, const std::string& input,
                    const std::vector<std::string>& variables) {
  return Process(arguments, input, variables).Wait();
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace idkiosk
