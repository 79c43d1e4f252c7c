#include "tools/benchmarks/sandbox_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

pid_t Spawn(const std::vector<std::string>& arguments, int out) {
  std::vector<char*> argv;
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t child = -1;
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
    GiveUp("cannot start " + arguments[0]);
  }
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

std::string ReadLine(int file) {
  std::string line;
  char c = 0;
  while (read(file, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

}  // namespace

SandboxProgram::SandboxProgram(const std::string& state_folder) : folder_(state_folder) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) GiveUp("no pipe");
  process_ = Spawn(
      {ProgramFolder() + "/idkiosk-sandbox", "serve", "--state", folder_, "--port", "0"}, ends[1]);
  close(ends[1]);
  const std::string line = ReadLine(ends[0]);
  close(ends[0]);
  const auto ready = JsonDocument::Parse(line);
  if (!ready) GiveUp("the sandbox did not start: " + line);
  base_url_ = ready->root()["base_url"].AsString().value_or("");
}

SandboxProgram::~SandboxProgram() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

JsonDocument SandboxProgram::Onboard() {
  const std::string file = folder_ + "/onboarding.json";
  const pid_t child =
      Spawn({ProgramFolder() + "/idkiosk-sandbox", "onboard", "--state", folder_, "--out", file},
            STDERR_FILENO);
  int status = 0;
  waitpid(child, &status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  auto message = JsonDocument::Parse(text.str());
  if (status != 0 || !message) GiveUp("the sandbox did not onboard a customer");
  return std::move(*message);
}

}  // namespace idkiosk
