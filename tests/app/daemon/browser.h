#ifndef IDKIOSK_TESTS_APP_DAEMON_BROWSER_H_
#define IDKIOSK_TESTS_APP_DAEMON_BROWSER_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "platform/base/json.h"
#include "tests/app/ui/raw_client.h"

namespace idkiosk {

// The kiosk's own browser: it has the start page.
class Browser {
 public:
  explicit Browser(const StartPage& start)
      : port_(start.port), host_(start.host), cookie_(CookieIn(start.Post())) {}

  // Reads snapshots, from the one in force on, until one has this text at that pointer. Later
  // commands are of its session.
  JsonDocument Await(const std::string& pointer, std::string_view value) {
    RawClient events(port_);
    events.Send(Head("GET /events", ""));
    for (std::string received;;) {
      const std::string more = events.ReadUntil("\n\n");
      if (more.empty()) break;
      received += more;
      for (size_t end; (end = received.find("\n\n")) != std::string::npos;) {
        const size_t begin = received.find('{');
        auto snapshot = JsonDocument::Parse(received.substr(begin, end - begin));
        received.erase(0, end + 2);
        if (!snapshot) continue;
        session_ = snapshot->root()["session"].AsString().value_or("");
        if (snapshot->root().At(pointer).AsString() == value) return std::move(*snapshot);
      }
    }
    ADD_FAILURE() << pointer << " never became " << value;
    return {};
  }

  // Returns the status of the answer.
  int Do(std::string_view command, std::string_view arguments = "") const {
    const std::string body =
        fmt::format(R"({{"session":"{}","do":"{}"{}}})", session_, command, arguments);
    return StatusOf(Ask("POST /command",
                        fmt::format("Origin: http://{}\r\nContent-Type: application/json\r\n"
                                    "Content-Length: {}\r\n",
                                    host_, body.size()),
                        body));
  }

 private:
  [[nodiscard]] std::string Head(std::string_view line, std::string_view more) const {
    return fmt::format("{} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n{}\r\n", line, host_, cookie_,
                       more);
  }
  [[nodiscard]] std::string Ask(std::string_view line, std::string_view more,
                                std::string_view body = "") const {
    RawClient client(port_);
    client.Send(Head(line, fmt::format("Connection: close\r\n{}", more)) + std::string(body));
    return client.ReadAll();
  }

  const int port_;
  const std::string host_;
  const std::string cookie_;
  std::string session_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_DAEMON_BROWSER_H_
