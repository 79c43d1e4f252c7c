#include "tests/integration/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace idkiosk {
namespace {

void Redirect(const std::string& path, int flags, int to) {
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::string& input) {
  WriteFile(folder_ / "in", input);
  std::vector<char*> argv;
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  id_ = fork();
  if (id_ == 0) {
    Redirect(folder_ / "in", O_RDONLY, STDIN_FILENO);
    Redirect(folder_ / "out", O_WRONLY | O_CREAT, STDOUT_FILENO);
    Redirect(folder_ / "err", O_WRONLY | O_CREAT, STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
}

Process::~Process() {
  if (!reaped_) {
    Signal(SIGKILL);
    waitpid(id_, nullptr, 0);
  }
}

std::string Process::out() const { return ReadFile(folder_ / "out"); }

std::string Process::err() const { return ReadFile(folder_ / "err"); }

void Process::Signal(int number) const {
  if (!reaped_) kill(id_, number);
}

Finished Process::Wait(std::chrono::milliseconds limit) {
  int status = 0;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (waitpid(id_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) kill(id_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  reaped_ = true;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          ReadFile(folder_ / "out"), ReadFile(folder_ / "err")};
}

Finished RunProgram(const std::vector<std::string>& arguments, const std::string& input) {
  return Process(arguments, input).Wait();
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
