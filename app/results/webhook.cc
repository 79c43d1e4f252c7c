#include "app/results/webhook.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "app/results/webhook_signature.h"
#include "app/service/outcome.h"
#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr Duration kConnect = std::chrono::seconds(10);
constexpr size_t kLargestAnswer = 256 << 10;  // what is behind that is not waited for
// An older connection may be dead, and the request's fate would be unknown.
constexpr Duration kConnectionLives = std::chrono::seconds(5);

constexpr int kTooMany = 429;
constexpr int kUnavailable = 503;
constexpr int kGone = 410;

class MessageBody final : public HttpBody {
 public:
  explicit MessageBody(const SecretBytes& body) : rest_(body.text()), size_(body.size()) {}
  [[nodiscard]] uint64_t size() const override { return size_; }
  [[nodiscard]] size_t Read(std::span<char> out) override {
    const size_t count = rest_.copy(out.data(), out.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  const size_t size_;
};

Delivery Later(std::string why, std::optional<Duration> retry_after = std::nullopt) {
  return {.kind = Delivery::Kind::kLater, .why = std::move(why), .retry_after = retry_after};
}

}  // namespace

ServiceSettings WebhookTransport(const Settings& settings) {
  ServiceSettings transport;
  transport.ca_file = settings.results.webhook_ca;
  transport.pins = settings.results.webhook_pins;
  transport.allow_plain_http = settings.service.allow_plain_http;
  return transport;
}

std::string WithWebhookKeys(std::string sentence) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kKeys = {
      {{"service.ca_file", "results.webhook_ca"},
       {"service.base_url", "results.webhook"},
       {"service.pins", "results.webhook_pins"}}};
  for (const auto& [of_service, of_webhook] : kKeys) {
    const size_t at = sentence.find(of_service);
    if (at != std::string::npos) sentence.replace(at, of_service.size(), of_webhook);
  }
  return sentence;
}

Delivery Webhook::Deliver(const ResultMessage& message) {
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(deps_.clock.WallNow()).time_since_epoch().count();
  const auto signature = SignWebhook(deps_.vault, deps_.crypto, message.id, seconds, message.body);
  if (!signature) return Later(signature.error().message);

  MessageBody body(message.body);
  HttpRequest request;
  request.method = "POST";
  request.url = SecretBytes::CopyOf(deps_.address);
  const auto add = [&request](std::string_view name, std::string_view value) {
    request.headers.push_back({std::string(name), SecretBytes::CopyOf(value)});
  };
  add("Content-Type", "application/json");
  add("User-Agent", "idkiosk");
  add("webhook-id", message.id);
  add("webhook-timestamp", fmt::format("{}", seconds));
  add("webhook-signature", *signature);
  request.body = &body;
  request.connect_timeout = kConnect;
  request.total_timeout = kDeadline;
  request.max_answer_size = kLargestAnswer;
  request.needs_head_alone = true;
  const MonotonicTime now = deps_.clock.Now();
  request.fresh_connection = now - last_exchange_ > kConnectionLives;
  const HttpExchange exchange = deps_.http.Send(request, {});
  last_exchange_ = deps_.clock.Now();
  return Meaning(exchange);
}

Delivery Webhook::Meaning(const HttpExchange& exchange) const {
  const std::string address = WithoutPath(deps_.address);
  if (exchange.stage != SendStage::kAnswered) {
    return Later(fmt::format(
        "{}: {}", address,
        exchange.error ? WithWebhookKeys(exchange.error->message) : "no reason was given"));
  }
  const int status = exchange.answer.status;
  if (status / 100 == 2) return {};
  if (status == kGone) {
    return {.kind = Delivery::Kind::kGone,
            .why = fmt::format("{} answered 410: it wants no more results", address),
            .retry_after = {}};
  }
  if (status / 100 == 3) {
    return Later(
        fmt::format("{} answered {}: no redirect is followed, so results.webhook must be "
                    "the address that it leads to",
                    address, status));
  }
  RetryAfter rest;
  if (status == kTooMany || status == kUnavailable) {
    rest = ReadRetryAfter(exchange.answer, deps_.clock.WallNow());
  }
  return Later(fmt::format("{} answered {}{}", address, status, rest.oddity), rest.wait);
}

}  // namespace idkiosk
