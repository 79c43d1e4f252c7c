#include "tools/headquarters/subscriber.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>

#include <thread>

#include "platform/base/log.h"
#include "tools/headquarters/tls_files.h"

namespace idkiosk::headquarters {
namespace {

constexpr uint32_t kSessionLives = 24 * 3600;  // seconds
constexpr auto kNextTry = std::chrono::seconds(1);

}  // namespace

Result<std::unique_ptr<Subscriber>> Subscriber::Create(Options options) {
  if (Status good = CheckTlsFiles(options); !good) return std::unexpected(good.error());
  mosquitto_lib_init();
  auto subscriber = std::unique_ptr<Subscriber>(new Subscriber(std::move(options)));
  const Options& given = subscriber->options_;
  subscriber->handle_ = mosquitto_new(given.name.c_str(), false, subscriber.get());
  mosquitto* const handle = subscriber->handle_;
  if (handle == nullptr) return Fail(ErrorCode::kExhausted, "libmosquitto: out of memory");
  mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  if (Status used = UseTlsFiles(handle, given); !used) return std::unexpected(used.error());
  mosquitto_connect_v5_callback_set(
      handle, [](mosquitto* from, void* self, int code, int, const mosquitto_property*) {
        auto& me = *static_cast<Subscriber*>(self);
        if (code != 0) {
          LogWarning("the broker refuses headquarters: {}", mosquitto_reason_string(code));
          mosquitto_disconnect(from);
          return;
        }
        me.connected_ = true;
        const std::string topics = fmt::format("$share/{}/idkiosk/v1/+/+/+", me.options_.group);
        mosquitto_subscribe(from, nullptr, topics.c_str(), kQos);
        LogInfo("connected to the broker {}:{}", me.options_.host, me.options_.port);
      });
  mosquitto_message_v5_callback_set(
      handle, [](mosquitto*, void* self, const mosquitto_message* one, const mosquitto_property*) {
        static_cast<Subscriber*>(self)->came_.push_back(
            {one->topic, std::string(static_cast<const char*>(one->payload),
                                     static_cast<size_t>(std::max(one->payloadlen, 0)))});
      });
  return subscriber;
}

Subscriber::~Subscriber() {
  if (handle_ != nullptr) mosquitto_destroy(handle_);
}

void Subscriber::Connect() {
  mosquitto_property* properties = nullptr;
  mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, kSessionLives);
  const int code = mosquitto_connect_bind_v5(handle_, options_.host.c_str(), options_.port,
                                             kKeepAlive, nullptr, properties);
  mosquitto_property_free_all(&properties);
  if (code == MOSQ_ERR_SUCCESS) {
    connected_ = true;
    return;
  }
  LogWarning("no connection to the broker {}:{}: {}", options_.host, options_.port,
             mosquitto_strerror(code));
  std::this_thread::sleep_for(kNextTry);
}

std::vector<Message> Subscriber::Next(std::chrono::milliseconds most) {
  if (!connected_) Connect();
  const auto end = std::chrono::steady_clock::now() + most;
  while (connected_ && came_.size() < kMostMessages) {
    // The first is waited for; then what is there already is taken along.
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    const int wait = came_.empty() ? static_cast<int>(std::max<int64_t>(left.count(), 0)) : 0;
    const size_t before = came_.size();
    const int code = mosquitto_loop(handle_, wait, 1);
    if (code != MOSQ_ERR_SUCCESS) {
      LogWarning("the broker was lost: {}", mosquitto_strerror(code));
      connected_ = false;
      std::this_thread::sleep_for(kNextTry);
    }
    const bool is_over = came_.empty() ? left.count() <= 0 : came_.size() == before;
    if (is_over) break;
  }
  return std::exchange(came_, {});
}

void Subscriber::Publish(const std::string& topic, const std::string& payload) {
  const int code =
      mosquitto_publish_v5(handle_, nullptr, topic.c_str(), static_cast<int>(payload.size()),
                           payload.data(), kQos, false, nullptr);
  // A kiosk that is not told sends the same again.
  if (code != MOSQ_ERR_SUCCESS) LogDebug("{}: {}", topic, mosquitto_strerror(code));
}

}  // namespace idkiosk::headquarters
