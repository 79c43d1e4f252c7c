#ifndef IDKIOSK_APP_FLEET_BROKER_LINK_H_
#define IDKIOSK_APP_FLEET_BROKER_LINK_H_

#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// A broker, as the agent sees it. One thread.
class BrokerLink {
 public:
  virtual ~BrokerLink() = default;

  [[nodiscard]] virtual bool connected() const = 0;
  // Hands a message over, at least once (QoS 1). Errors: kUnavailable (not connected), kExhausted
  // (too many are on their way).
  [[nodiscard]] virtual Status Publish(const std::string& topic, std::string_view payload) = 0;
};

// What comes from a broker, in its own time.
class BrokerListener {
 public:
  virtual ~BrokerListener() = default;

  virtual void Connected() = 0;
  virtual void Disconnected() = 0;
  virtual void Received(std::string_view topic, std::string_view payload) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_BROKER_LINK_H_
