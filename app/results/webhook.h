#ifndef IDKIOSK_APP_RESULTS_WEBHOOK_H_
#define IDKIOSK_APP_RESULTS_WEBHOOK_H_

#include "app/results/destination.h"
#include "app/settings/settings.h"
#include "platform/api/clock.h"
#include "platform/api/http_client.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// Returns a transport that trusts for the receiver what the settings say, and nothing that they say
// of the service.
[[nodiscard]] ServiceSettings WebhookTransport(const Settings& settings);
// A sentence of that transport, which names the keys that it reads: with those of the webhook's.
[[nodiscard]] std::string WithWebhookKeys(std::string sentence);

// Posts each message to an address, signed as Standard Webhooks asks. Any 2xx says that it has
// come; what the answer holds is not looked at.
class Webhook final : public Destination {
 public:
  // The time that one exchange takes at most, connecting included.
  static constexpr Duration kDeadline = std::chrono::seconds(15);

  // All must outlive this. `http` trusts what the settings say.
  struct Dependencies {
    std::string address;
    HttpClient& http;
    SecureStorage& vault;
    const Crypto& crypto;
    const Clock& clock;
  };
  explicit Webhook(const Dependencies& deps) : deps_(deps) {}

  [[nodiscard]] std::string_view name() const override { return "webhook"; }
  [[nodiscard]] Delivery Deliver(const ResultMessage& message) override;

 private:
  [[nodiscard]] Delivery Meaning(const HttpExchange& exchange) const;

  const Dependencies deps_;
  MonotonicTime last_exchange_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_WEBHOOK_H_
