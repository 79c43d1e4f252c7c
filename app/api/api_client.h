#ifndef IDKIOSK_APP_API_API_CLIENT_H_
#define IDKIOSK_APP_API_API_CLIENT_H_

#include <expected>
#include <memory>
#include <string>

#include "app/settings/settings.h"
#include "platform/base/error.h"
#include "platform/base/json.h"

namespace idkiosk {

// The socket of a running kiosk's local API: that of api.socket, or one of the state folder that is
// for the kiosk's own user and root alone.
[[nodiscard]] std::string ApiSocketOf(const Settings& settings);

// A problem that the kiosk answered with.
struct ApiRefusal {
  std::string type;      // "asked-before", "price-differs", ...
  std::string detail;    // for a clerk
  std::string engineer;  // for an engineer
  JsonDocument whole;
};

// Asks a running kiosk through its socket. One thread, which waits for each answer.
class ApiClient {
 public:
  // Returns nothing where no kiosk serves ApiSocketOf(settings). Errors: kForbidden (somebody else
  // does), kUnavailable.
  [[nodiscard]] static Result<std::unique_ptr<ApiClient>> Connect(const Settings& settings);
  ~ApiClient();

  using Answer = std::expected<JsonDocument, ApiRefusal>;
  // `target`: "/v1/queue". A kiosk that ends meanwhile is a refusal of type "gone".
  [[nodiscard]] Answer Get(const std::string& target);
  [[nodiscard]] Answer Delete(const std::string& target);
  // `key`: an Idempotency-Key; may be empty.
  [[nodiscard]] Answer Post(const std::string& target, const std::string& body,
                            const std::string& key = "");

 private:
  class Connection;
  explicit ApiClient(std::unique_ptr<Connection> connection);
  const std::unique_ptr<Connection> connection_;
};

// The error that a command makes of a refusal.
[[nodiscard]] Error ErrorOf(const ApiRefusal& refusal);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_CLIENT_H_
