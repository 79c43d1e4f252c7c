#include "app/fleet/mosquitto_link.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <thread>
#include <utility>

#include "platform/base/log.h"
#include "platform/base/tls_suites.h"

namespace idkiosk {
namespace {

constexpr int kQos = 1;
constexpr int kKeepAlive = 60;  // seconds
constexpr uint32_t kSessionLives = 7 * 24 * 3600;
constexpr uint16_t kMostOnTheirWay = 20;
// A CONNACK of a broker that does not speak version 5: by MQTT 3.1.1, and by MQTT 5.
constexpr int kUnacceptable = 1;
constexpr int kUnsupported = 132;

Error MosquittoError(int code, std::string_view what) {
  const ErrorCode kind = code == MOSQ_ERR_NO_CONN || code == MOSQ_ERR_CONN_LOST
                             ? ErrorCode::kUnavailable
                             : ErrorCode::kInvalid;
  return Error{kind, fmt::format("{}: {}", what, mosquitto_strerror(code))};
}

// Whether the broker's certificate is for this host by one of its names: an address by an entry of
// that kind alone. libmosquitto takes an address by a name, too, and a certificate that has none by
// its subject's, which whoever signs may have filled with anything.
bool IsNamed(SSL* connection, const std::string& host) {
  if (connection == nullptr) return false;
  const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(connection),
                                                           &X509_free);
  if (!certificate) return false;
  constexpr int kNoAddress = -2;
  const int is_address = X509_check_ip_asc(certificate.get(), host.c_str(), 0);
  if (is_address != kNoAddress) return is_address == 1;
  constexpr unsigned int kStrictly =
      X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
  return X509_check_host(certificate.get(), host.c_str(), host.size(), kStrictly, nullptr) == 1;
}

}  // namespace

Result<std::unique_ptr<MosquittoLink>> MosquittoLink::Create(Options options,
                                                             BrokerListener& listener,
                                                             const Clock& clock, Entropy& entropy) {
  static const int ready = mosquitto_lib_init();
  if (ready != MOSQ_ERR_SUCCESS) return std::unexpected(MosquittoError(ready, "libmosquitto"));
  auto link = std::unique_ptr<MosquittoLink>(
      new MosquittoLink(std::move(options), listener, clock, entropy));
  if (Status prepared = link->Prepare(); !prepared) return std::unexpected(prepared.error());
  return link;
}

MosquittoLink::MosquittoLink(Options options, BrokerListener& listener, const Clock& clock,
                             Entropy& entropy)
    : options_(std::move(options)),
      listener_(listener),
      clock_(clock),
      reconnect_(entropy, options_.settings.reconnect_within),
      version_(MQTT_PROTOCOL_V5),
      next_try_(clock.Now()) {}

MosquittoLink::~MosquittoLink() {
  if (handle_ != nullptr) mosquitto_destroy(handle_);
}

Status MosquittoLink::Prepare() {
  const FleetSettings& settings = options_.settings;
  const std::string id = fmt::format("idkiosk-{}-{}", settings.tenant, settings.kiosk);
  handle_ = mosquitto_new(id.c_str(), false, this);
  if (handle_ == nullptr) return Fail(ErrorCode::kExhausted, "libmosquitto: out of memory");
  if (!settings.plain) {
    int code = mosquitto_tls_set(handle_, settings.ca_file.c_str(), nullptr,
                                 settings.certificate.c_str(), settings.key.c_str(), nullptr);
    if (code != MOSQ_ERR_SUCCESS) {
      return std::unexpected(
          MosquittoError(code, "ca_file, certificate or key cannot be read by this user"));
    }
    code = mosquitto_tls_opts_set(handle_, SSL_VERIFY_PEER, nullptr, kTlsSuites);
    if (code != MOSQ_ERR_SUCCESS) return std::unexpected(MosquittoError(code, "TLS"));
  }
  mosquitto_will_set(handle_, options_.will_topic.c_str(), static_cast<int>(options_.will.size()),
                     options_.will.data(), kQos, false);
  mosquitto_int_option(handle_, MOSQ_OPT_SEND_MAXIMUM, kMostOnTheirWay);
  mosquitto_int_option(handle_, MOSQ_OPT_RECEIVE_MAXIMUM, kMostOnTheirWay);
  mosquitto_connect_v5_callback_set(
      handle_, [](mosquitto*, void* self, int code, int, const mosquitto_property*) {
        static_cast<MosquittoLink*>(self)->Accepted(code);
      });
  mosquitto_publish_v5_callback_set(
      handle_, [](mosquitto*, void* self, int number, int, const mosquitto_property*) {
        static_cast<MosquittoLink*>(self)->Acknowledged(number);
      });
  mosquitto_message_v5_callback_set(
      handle_,
      [](mosquitto*, void* self, const mosquitto_message* message, const mosquitto_property*) {
        static_cast<MosquittoLink*>(self)->Took(
            message->topic, {static_cast<const char*>(message->payload),
                             static_cast<size_t>(std::max(message->payloadlen, 0))});
      });
  return {};
}

void MosquittoLink::Connect() {
  mosquitto_int_option(handle_, MOSQ_OPT_PROTOCOL_VERSION, version_);
  mosquitto_property* properties = nullptr;
  if (version_ == MQTT_PROTOCOL_V5) {
    mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, kSessionLives);
    mosquitto_property_add_int16(&properties, MQTT_PROP_RECEIVE_MAXIMUM, kMostOnTheirWay);
    mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, kLargestMessage);
  }
  trying_ = true;
  const int code =
      mosquitto_connect_bind_v5(handle_, options_.settings.host.c_str(), options_.settings.port,
                                kKeepAlive, nullptr, properties);
  mosquitto_property_free_all(&properties);
  if (code != MOSQ_ERR_SUCCESS) Lost(mosquitto_strerror(code));
}

void MosquittoLink::Accepted(int code) {
  const FleetSettings& settings = options_.settings;
  if (code == 0 && !settings.plain &&
      !IsNamed(static_cast<SSL*>(mosquitto_ssl_get(handle_)), settings.host)) {
    mosquitto_disconnect(handle_);
    return Lost("its certificate has no subjectAltName of that host");
  }
  if (code == 0) {
    connected_ = true;
    said_.clear();
    reconnect_.Succeeded();
    for (const std::string& each : options_.subscribe) {
      mosquitto_subscribe(handle_, nullptr, each.c_str(), kQos);
    }
    LogInfo("the broker {}:{} takes this kiosk's messages, by MQTT {}", settings.host,
            settings.port, version_ == MQTT_PROTOCOL_V5 ? "5" : "3.1.1");
    return listener_.Connected();
  }
  if (version_ == MQTT_PROTOCOL_V5 && (code == kUnacceptable || code == kUnsupported)) {
    version_ = MQTT_PROTOCOL_V311;
    next_try_ = clock_.Now();
    trying_ = false;
    mosquitto_disconnect(handle_);
    return;
  }
  mosquitto_disconnect(handle_);
  Lost(fmt::format("it refused this kiosk: {}", version_ == MQTT_PROTOCOL_V5
                                                    ? mosquitto_reason_string(code)
                                                    : mosquitto_connack_string(code)));
}

void MosquittoLink::Lost(const std::string& why) {
  const bool was = std::exchange(connected_, false);
  // One that answers nothing that can be understood may be of before MQTT 5.
  if (trying_ && !was) {
    version_ = version_ == MQTT_PROTOCOL_V5 ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5;
  }
  trying_ = false;
  const Duration wait = reconnect_.Next();
  next_try_ = clock_.Now() + wait;
  if (why != said_) {
    LogWarning("no connection to the broker {}:{}: {}; tried again within {}",
               options_.settings.host, options_.settings.port, why,
               FormatDuration(reconnect_.longest()));
    said_ = why;
  }
  if (was) listener_.Disconnected();
}

bool MosquittoLink::IsFlooded() {
  const MonotonicTime now = clock_.Now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    in_second_ = 0;
  }
  return in_second_ >= kMostASecond;
}

void MosquittoLink::Took(std::string_view topic, std::string_view payload) {
  ++in_second_;
  if (payload.size() <= kLargestMessage) listener_.Received(topic, payload);
}

void MosquittoLink::Step(std::chrono::milliseconds most) {
  if (!trying_ && !connected_ && clock_.Now() >= next_try_) Connect();
  // A broker that sends too much is read again in the next second.
  if ((!trying_ && !connected_) || IsFlooded()) return std::this_thread::sleep_for(most);
  const int code = mosquitto_loop(handle_, static_cast<int>(most.count()), 1);
  if (code != MOSQ_ERR_SUCCESS && (trying_ || connected_)) Lost(mosquitto_strerror(code));
}

void MosquittoLink::Acknowledged(int number) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return;
  waiting_bytes_ -= found->second;
  waiting_.erase(found);
}

Status MosquittoLink::Publish(const std::string& topic, std::string_view payload) {
  if (!connected_) return Fail(ErrorCode::kUnavailable, "no broker is connected");
  // libmosquitto itself would keep whatever it is given, also over a lost connection.
  if (waiting_.size() >= kMostWaiting || waiting_bytes_ + payload.size() > kMostWaitingBytes) {
    return Fail(ErrorCode::kExhausted, "the broker acknowledges nothing of what it was sent");
  }
  int number = 0;
  const int code =
      mosquitto_publish_v5(handle_, &number, topic.c_str(), static_cast<int>(payload.size()),
                           payload.data(), kQos, false, nullptr);
  if (code != MOSQ_ERR_SUCCESS) return std::unexpected(MosquittoError(code, topic));
  waiting_[number] = payload.size();
  waiting_bytes_ += payload.size();
  return {};
}

}  // namespace idkiosk
