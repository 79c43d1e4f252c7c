#ifndef IDKIOSK_TOOLS_BENCHMARKS_SANDBOX_PROGRAM_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SANDBOX_PROGRAM_H_

#include <sys/types.h>

#include <string>

#include "platform/base/json.h"

namespace idkiosk {

// The sandbox, as a program of its own beside this one, on a free loopback port; ended with this.
class SandboxProgram {
 public:
  explicit SandboxProgram(const std::string& state_folder);
  ~SandboxProgram();
  SandboxProgram(const SandboxProgram&) = delete;
  SandboxProgram& operator=(const SandboxProgram&) = delete;

  [[nodiscard]] const std::string& base_url() const { return base_url_; }
  [[nodiscard]] std::string ca_file() const { return folder_ + "/ca.pem"; }

  // A new customer's onboarding message.
  [[nodiscard]] JsonDocument Onboard();

 private:
  const std::string folder_;
  pid_t process_ = -1;
  std::string base_url_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SANDBOX_PROGRAM_H_
