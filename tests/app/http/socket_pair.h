#ifndef IDKIOSK_TESTS_APP_HTTP_SOCKET_PAIR_H_
#define IDKIOSK_TESTS_APP_HTTP_SOCKET_PAIR_H_

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "app/http/http_connection.h"

namespace idkiosk {

// So long that no test ends by it.
inline constexpr auto kNever = std::chrono::hours(1);

// A connection, and the client at its other end.
class SocketPair {
 public:
  explicit SocketPair(HttpConnection::Rank rank = HttpConnection::Rank::kOwnUser) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) abort();
    client_ = ends[0];
    connection = std::make_shared<HttpConnection>(ends[1], rank);
  }
  ~SocketPair() { Close(); }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  void Send(std::string_view bytes) const {
    if (send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(bytes.size()))
      abort();
  }
  // Waits for the server to close. Returns what it sent before.
  [[nodiscard]] std::string ReadAll() const {
    std::string all;
    char next = 0;
    while (recv(client_, &next, 1, 0) == 1) all += next;
    return all;
  }
  void Close() {
    if (client_ >= 0) close(client_);
    client_ = -1;
  }

  std::shared_ptr<HttpConnection> connection;  // to be handed over with std::move

 private:
  int client_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_HTTP_SOCKET_PAIR_H_
