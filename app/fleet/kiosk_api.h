#ifndef IDKIOSK_APP_FLEET_KIOSK_API_H_
#define IDKIOSK_APP_FLEET_KIOSK_API_H_

#include <string>

#include "platform/base/error.h"

namespace idkiosk {

// The kiosk, as its local API shows it to this program.
class KioskApi {
 public:
  virtual ~KioskApi() = default;

  // Returns the body of the answer to GET `target`. Errors: kUnavailable (idkiosk does not run),
  // kExhausted (it is busy), kForbidden (this user may not ask: api.fleet_user), kInternal (any
  // other answer).
  [[nodiscard]] virtual Result<std::string> Get(const std::string& target) = 0;
  // Returns the body of the answer to POST `target` with that body, which is JSON. Errors: the
  // same; kInvalid (it is too long, or no JSON).
  [[nodiscard]] virtual Result<std::string> Post(const std::string& target,
                                                 const std::string& body) = 0;
};

// The same over idkiosk's socket file.
class SocketKioskApi final : public KioskApi {
 public:
  explicit SocketKioskApi(std::string socket) : socket_(std::move(socket)) {}

  [[nodiscard]] Result<std::string> Get(const std::string& target) override;
  [[nodiscard]] Result<std::string> Post(const std::string& target,
                                         const std::string& body) override;

 private:
  const std::string socket_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_KIOSK_API_H_
