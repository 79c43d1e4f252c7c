#ifndef IDKIOSK_APP_FLEET_MOSQUITTO_LINK_H_
#define IDKIOSK_APP_FLEET_MOSQUITTO_LINK_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fleet/broker_link.h"
#include "app/fleet/fleet_settings.h"
#include "app/fleet/reconnect.h"
#include "platform/api/clock.h"

struct mosquitto;

namespace idkiosk {

// The connection to a broker by libmosquitto: TLS with this kiosk's own certificate, MQTT 5 and,
// for a broker that does not speak it, 3.1.1; a session that outlives a connection; a will that
// says "gone". One thread: everything happens inside Step.
class MosquittoLink final : public BrokerLink {
 public:
  struct Options {
    FleetSettings settings;
    std::vector<std::string> subscribe;  // topics, with wildcards
    std::string will_topic;
    std::string will;
  };

  // All must outlive this. Errors: kInvalid (certificate, key or CA cannot be used).
  [[nodiscard]] static Result<std::unique_ptr<MosquittoLink>> Create(Options options,
                                                                     BrokerListener& listener,
                                                                     const Clock& clock,
                                                                     Entropy& entropy);
  ~MosquittoLink() override;

  // Connects where it is time to, sends and receives, for `most` at the longest. What comes faster
  // than kMostASecond stays with the broker.
  void Step(std::chrono::milliseconds most);
  static constexpr int kMostASecond = 50;
  static constexpr size_t kLargestMessage = 64 << 10;  // bytes, that is received
  // What the broker has not acknowledged, in memory: behind so much nothing more is taken. Whoever
  // publishes has it from somewhere, and says it later.
  static constexpr size_t kMostWaiting = 200;
  static constexpr size_t kMostWaitingBytes = 1 << 20;

  [[nodiscard]] bool connected() const override { return connected_; }
  [[nodiscard]] Status Publish(const std::string& topic, std::string_view payload) override;

 private:
  MosquittoLink(Options options, BrokerListener& listener, const Clock& clock, Entropy& entropy);
  [[nodiscard]] Status Prepare();
  void Connect();
  void Lost(const std::string& why);
  void Accepted(int code);
  void Took(std::string_view topic, std::string_view payload);
  [[nodiscard]] bool IsFlooded();
  void Acknowledged(int number);

  const Options options_;
  BrokerListener& listener_;
  const Clock& clock_;
  Reconnect reconnect_;
  mosquitto* handle_ = nullptr;
  int version_ = 0;  // of the protocol
  bool trying_ = false;
  bool connected_ = false;
  MonotonicTime next_try_;
  std::string said_;  // why it was lost, the last time that was logged
  MonotonicTime second_{};
  int in_second_ = 0;
  std::map<int, size_t> waiting_;  // bytes of what is not acknowledged, by libmosquitto's number
  size_t waiting_bytes_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_MOSQUITTO_LINK_H_
