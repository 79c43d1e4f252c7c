#ifndef IDKIOSK_TESTS_PLATFORM_POSIX_SCRIPTED_SERVER_H_
#define IDKIOSK_TESTS_PLATFORM_POSIX_SCRIPTED_SERVER_H_

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "platform/base/mutex.h"
#include "tests/fakes/loopback_listener.h"

namespace idkiosk {

// A plain HTTP server on a free loopback port that does to its clients what the script says.
class ScriptedServer {
 public:
  // The reaction to one whole request: the bytes to send back, and whether to close then.
  struct Reaction {
    std::string answer;
    bool close = false;
  };
  using Script = std::function<Reaction(const std::string& request)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] int port() const { return listener_.port(); }
  [[nodiscard]] std::string url(const std::string& path) const;
  // The requests read so far, head and body.
  [[nodiscard]] std::vector<std::string> requests() const;

 private:
  void Serve();
  void ServeConnection(int connection);

  Script script_;
  const LoopbackListener listener_;
  mutable Mutex mutex_;
  std::vector<std::string> requests_ GUARDED_BY(mutex_);
  std::thread thread_;
};

// "HTTP/1.1 200 OK" with this body and its length.
[[nodiscard]] std::string OkAnswer(const std::string& body);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_PLATFORM_POSIX_SCRIPTED_SERVER_H_
