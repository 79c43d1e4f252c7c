#include "tests/tools/sandbox/contract/sandbox_process.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {

SandboxProcess::SandboxProcess(const std::vector<std::string>& options) { StartAgain(options); }

SandboxProcess::~SandboxProcess() {
  const int exit_code = process_ ? Stop(SIGTERM) : 0;
  EXPECT_EQ(exit_code, 0) << "the sandbox did not end well";
}

void SandboxProcess::StartAgain(const std::vector<std::string>& options) {
  std::vector<std::string> command = {SANDBOX_PROGRAM, "serve", "--state", state(), "--seed", "1"};
  command.insert(command.end(), options.begin(), options.end());
  process_.emplace(command);
  ASSERT_TRUE(process_->AwaitOut("\n")) << process_->err();
  ready_line_ = process_->out().substr(0, process_->out().find('\n'));
  const auto ready = JsonDocument::Parse(ready_line_);
  ASSERT_TRUE(ready) << ready_line_;
  base_url_ = ready->root()["base_url"].AsString().value_or("");
  const auto token = ReadTextFile(state() + "/admin-token");
  admin_token_ = token ? token->substr(0, token->find('\n')) : "";
}

int SandboxProcess::Stop(int signal) {
  process_->Signal(signal);
  const Finished finished = process_->Wait();
  if (finished.exit_code != 0) std::fputs(finished.err.c_str(), stderr);
  process_.reset();
  return finished.exit_code;
}

Finished SandboxProcess::Command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SANDBOX_PROGRAM);
  arguments.insert(arguments.end(), {"--state", state()});
  return RunProgram(arguments);
}

}  // namespace idkiosk::sandbox
