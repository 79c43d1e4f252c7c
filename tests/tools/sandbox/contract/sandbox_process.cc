#include "tests/tools/sandbox/contract/sandbox_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

std::vector<char*> ArgumentsOf(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

int WaitFor(pid_t process) {
  int status = 0;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string ReadLine(int file) {
  std::string line;
  char c = 0;
  while (read(file, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

}  // namespace

Finished RunProgram(const std::vector<std::string>& command, const std::string& output_file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = -1;
  const int spawned = posix_spawnp(&process, command[0].c_str(), &actions, nullptr,
                                   ArgumentsOf(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(spawned, 0) << "cannot start " << command[0];
  if (spawned != 0) return {};
  const int exit_code = WaitFor(process);
  return {.exit_code = exit_code, .output = ReadTextFile(output_file).value_or("")};
}

SandboxProcess::SandboxProcess(const std::vector<std::string>& options) { StartAgain(options); }

SandboxProcess::~SandboxProcess() {
  const int exit_code = process_ > 0 ? Stop(SIGTERM) : 0;
  EXPECT_EQ(exit_code, 0) << "the sandbox did not end well";
}

void SandboxProcess::StartAgain(const std::vector<std::string>& options) {
  std::vector<std::string> command = {SANDBOX_PROGRAM, "serve", "--state", state(), "--seed", "1"};
  command.insert(command.end(), options.begin(), options.end());
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int spawned = posix_spawn(&process_, SANDBOX_PROGRAM, &actions, nullptr,
                                  ArgumentsOf(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ASSERT_EQ(spawned, 0);
  ready_line_ = ReadLine(ends[0]);
  close(ends[0]);
  const auto ready = JsonDocument::Parse(ready_line_);
  ASSERT_TRUE(ready) << ready_line_;
  base_url_ = ready->root()["base_url"].AsString().value_or("");
  const auto token = ReadTextFile(state() + "/admin-token");
  admin_token_ = token ? token->substr(0, token->find('\n')) : "";
}

int SandboxProcess::Stop(int signal) {
  kill(process_, signal);
  const int exit_code = WaitFor(process_);
  process_ = -1;
  return exit_code;
}

Finished SandboxProcess::Command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SANDBOX_PROGRAM);
  arguments.insert(arguments.end(), {"--state", state()});
  return RunProgram(arguments, scratch_ / "command-output");
}

}  // namespace idkiosk::sandbox
