#ifndef IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_SANDBOX_PROCESS_H_
#define IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_SANDBOX_PROCESS_H_

#include <optional>
#include <string>
#include <vector>

#include "platform/base/json.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/integration/process.h"

namespace idkiosk::sandbox {

// `idkiosk-sandbox serve` on a folder of its own, as anybody would start it; ended with the test.
class SandboxProcess {
 public:
  // Starts and waits until it says that it is ready. `options` go to serve.
  explicit SandboxProcess(const std::vector<std::string>& options = {});
  ~SandboxProcess();
  SandboxProcess(const SandboxProcess&) = delete;
  SandboxProcess& operator=(const SandboxProcess&) = delete;

  // Asks it to end and waits. The exit code; 128 and the signal where one ended it.
  int Stop(int signal);
  // Another server on the same folder.
  void StartAgain(const std::vector<std::string>& options);

  // One of the program's own commands on this folder.
  [[nodiscard]] Finished Command(std::vector<std::string> arguments);

  [[nodiscard]] const std::string& base_url() const { return base_url_; }
  [[nodiscard]] std::string ca_file() const { return state() + "/ca.pem"; }
  [[nodiscard]] const std::string& admin_token() const { return admin_token_; }
  [[nodiscard]] std::string state() const { return scratch_ / "state"; }
  [[nodiscard]] const ScratchFolder& scratch() const { return scratch_; }
  // The line it printed when it was ready.
  [[nodiscard]] const std::string& ready_line() const { return ready_line_; }

 private:
  ScratchFolder scratch_;
  std::optional<Process> process_;
  std::string ready_line_;
  std::string base_url_;
  std::string admin_token_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_SANDBOX_PROCESS_H_
