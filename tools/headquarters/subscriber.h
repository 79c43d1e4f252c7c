#ifndef IDKIOSK_TOOLS_HEADQUARTERS_SUBSCRIBER_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_SUBSCRIBER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tools/headquarters/ingest.h"

struct mosquitto;

namespace idkiosk::headquarters {

// The connection of headquarters to the broker. Several of the same group share the messages. One
// thread.
class Subscriber {
 public:
  struct Options {
    std::string host;
    int port = 8883;
    std::string ca_file;  // empty: without TLS, on this machine
    std::string certificate;
    std::string key;
    std::string name;   // the session's: the same at each start
    std::string group;  // of the shared subscription
  };

  // Errors: kInvalid (a file that cannot be used).
  [[nodiscard]] static Result<std::unique_ptr<Subscriber>> Create(Options options);
  ~Subscriber();

  // Returns what has come within `most`, up to kMostMessages; connects where it has to.
  [[nodiscard]] std::vector<Message> Next(std::chrono::milliseconds most);
  static constexpr size_t kMostMessages = 200;

  void Publish(const std::string& topic, const std::string& payload);

 private:
  explicit Subscriber(Options options) : options_(std::move(options)) {}
  void Connect();

  const Options options_;
  mosquitto* handle_ = nullptr;
  bool connected_ = false;
  std::vector<Message> came_;
};

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_SUBSCRIBER_H_
