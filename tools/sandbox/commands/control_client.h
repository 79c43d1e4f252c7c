#ifndef IDKIOSK_TOOLS_SANDBOX_COMMANDS_CONTROL_CLIENT_H_
#define IDKIOSK_TOOLS_SANDBOX_COMMANDS_CONTROL_CLIENT_H_

#include <memory>
#include <string>

#include "platform/base/error.h"
#include "platform/base/json.h"

namespace idkiosk::sandbox {

// Speaks with the control API of the server that runs on a state folder.
class ControlClient {
 public:
  // Errors: kNotFound where no server has run; kUnavailable where none runs now.
  [[nodiscard]] static Result<ControlClient> Open(const std::string& state);
  ~ControlClient();
  ControlClient(ControlClient&&) noexcept;
  ControlClient& operator=(ControlClient&&) = delete;

  // The JSON of a good answer. Errors: kRejected with the server's message; kUnavailable.
  [[nodiscard]] Result<std::string> Get(const std::string& path);
  [[nodiscard]] Result<std::string> Post(const std::string& path, const std::string& json);
  [[nodiscard]] Result<std::string> Delete(const std::string& path);

 private:
  struct Connection;
  explicit ControlClient(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

// `text` as it stands in the query of an address.
[[nodiscard]] std::string EncodeQuery(const std::string& text);

// Says the error on standard error and throws Failure.
[[noreturn]] void GiveUp(const Error& error);

// The value, or the end of the command.
template <typename T>
T OrGiveUp(Result<T> result) {
  if (!result) GiveUp(result.error());
  return std::move(*result);
}

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_COMMANDS_CONTROL_CLIENT_H_
