#include "tools/headquarters/publisher.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>

#include <chrono>
#include <memory>

#include "tools/headquarters/tls_files.h"

namespace idkiosk::headquarters {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr int kStep = 200;  // milliseconds
// An answer of MQTT 5 from there on is a refusal.
constexpr int kRefused = 0x80;

struct Free {
  void operator()(mosquitto* handle) const { mosquitto_destroy(handle); }
};

struct Progress {
  bool connected = false;
  size_t taken = 0;
  int refusal = 0;
};

Progress& Of(void* self) { return *static_cast<Progress*>(self); }

}  // namespace

Status PublishAll(const Subscriber::Options& where, const std::vector<Message>& messages) {
  if (Status good = CheckTlsFiles(where); !good) return good;
  mosquitto_lib_init();
  Progress progress;
  const std::unique_ptr<mosquitto, Free> handle(mosquitto_new(nullptr, true, &progress));
  if (!handle) return Fail(ErrorCode::kExhausted, "libmosquitto: out of memory");
  mosquitto_int_option(handle.get(), MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  if (Status used = UseTlsFiles(handle.get(), where); !used) return used;
  mosquitto_connect_v5_callback_set(
      handle.get(), [](mosquitto*, void* self, int code, int, const mosquitto_property*) {
        Of(self).connected = code == 0;
        Of(self).refusal = code;
      });
  mosquitto_publish_v5_callback_set(
      handle.get(), [](mosquitto*, void* self, int, int code, const mosquitto_property*) {
        ++Of(self).taken;
        if (code >= kRefused) Of(self).refusal = code;
      });
  int code = mosquitto_connect(handle.get(), where.host.c_str(), where.port, kKeepAlive);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  bool sent = false;
  while (code == MOSQ_ERR_SUCCESS && progress.refusal == 0 && progress.taken < messages.size()) {
    if (std::chrono::steady_clock::now() > end) {
      return Fail(ErrorCode::kUnavailable, "the broker {}:{} does not answer", where.host,
                  where.port);
    }
    for (size_t i = 0; progress.connected && !sent && i < messages.size(); ++i) {
      code = mosquitto_publish_v5(handle.get(), nullptr, messages[i].topic.c_str(),
                                  static_cast<int>(messages[i].payload.size()),
                                  messages[i].payload.data(), kQos, false, nullptr);
    }
    sent = progress.connected;
    if (code == MOSQ_ERR_SUCCESS) code = mosquitto_loop(handle.get(), kStep, 1);
  }
  if (progress.refusal != 0) {
    return Fail(ErrorCode::kInvalid, "the broker refuses that: {}",
                mosquitto_reason_string(progress.refusal));
  }
  if (code != MOSQ_ERR_SUCCESS) {
    return Fail(ErrorCode::kUnavailable, "the broker {}:{}: {}", where.host, where.port,
                mosquitto_strerror(code));
  }
  mosquitto_disconnect(handle.get());
  return {};
}

}  // namespace idkiosk::headquarters
