#ifndef IDKIOSK_APP_API_API_SERVER_H_
#define IDKIOSK_APP_API_API_SERVER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/api/api_backend.h"
#include "app/settings/settings.h"
#include "app/workers/heartbeat.h"

namespace idkiosk {

// Serves the local API to other programs of this board: HTTP on a socket file, for root, the user
// of this process and one group. README.md says what bounds it.
class ApiServer {
 public:
  struct Options {
    std::string socket = {};                    // its path
    std::string group = {};                     // whose programs may ask; empty: this process's own
    std::vector<std::string> supervisors = {};  // users that see every check, beside root
    bool own_user_alone = false;                // nobody of a group may ask: root and this user
    std::string fleet_user = {};                // may ask what is the fleet's alone; empty: none
    std::chrono::milliseconds request_time{5000};  // to send a head, then to send a large body
    std::chrono::milliseconds idle_time{30000};    // between two requests of one connection
  };

  // Listens and serves, on threads of its own. Both must outlive the server. Errors: kUnavailable
  // (another program serves this socket), kInvalid (the path is too long, or something else lies
  // there), kNotFound (its folder, the group or a supervisor is not there), kForbidden.
  [[nodiscard]] static Result<std::unique_ptr<ApiServer>> Start(const Options& options,
                                                                ApiBackend& backend,
                                                                Heartbeat& heartbeat);
  // Whether what the settings name is there: group, supervisors, the socket's folder. Errors:
  // kNotFound, with the key.
  [[nodiscard]] static Status Check(const ApiSettings& settings);
  // Ends every connection, and removes the socket file.
  ~ApiServer();

 private:
  class Listener;
  explicit ApiServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_SERVER_H_
