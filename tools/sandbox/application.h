#ifndef IDKIOSK_TOOLS_SANDBOX_APPLICATION_H_
#define IDKIOSK_TOOLS_SANDBOX_APPLICATION_H_

#include <memory>
#include <string>
#include <vector>

#include "platform/base/error.h"
#include "tools/sandbox/http/http_server.h"
#include "tools/sandbox/service/clock.h"
#include "tools/sandbox/service/settings.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {

struct ApplicationOptions {
  std::string address = "127.0.0.1";
  int port = 0;                         // 0: any free one
  bool plain_http = false;              // no TLS
  std::vector<std::string> more_names;  // DNS names and addresses for the certificate
  size_t max_body = 8 << 20;            // bytes
  uint64_t seed = 1;                    // of the faults' chances
  ServiceSettings settings;
};

// The whole sandbox, serving: the service, the control API and the dashboard on one port.
class Application {
 public:
  // `folder` and `clock` must outlive it.
  // Errors: as the state folder, its files and the address give them.
  [[nodiscard]] static Result<std::unique_ptr<Application>> Start(
      StateFolder& folder, SandboxClock& clock, const ApplicationOptions& options);
  ~Application();

  [[nodiscard]] const std::string& base_url() const;
  // Empty for plain HTTP.
  [[nodiscard]] const std::string& ca_file() const;
  [[nodiscard]] const std::string& admin_token() const;
  [[nodiscard]] int port() const;

 private:
  struct State;
  explicit Application(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_APPLICATION_H_
