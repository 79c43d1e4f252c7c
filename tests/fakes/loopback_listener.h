#ifndef IDKIOSK_TESTS_FAKES_LOOPBACK_LISTENER_H_
#define IDKIOSK_TESTS_FAKES_LOOPBACK_LISTENER_H_

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "platform/base/file_descriptor.h"

namespace idkiosk {

// A TCP socket that listens on a port of this machine.
class LoopbackListener {
 public:
  // On a free port; or on `port`, where somebody listened before.
  explicit LoopbackListener(int port = 0)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    (void)setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    socklen_t size = sizeof address;
    (void)bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size);
    (void)listen(socket_.get(), 8);
    (void)getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }

  [[nodiscard]] int port() const { return port_; }

  // Waits for the next connection; an invalid one after Stop.
  [[nodiscard]] FileDescriptor Accept() const {
    return FileDescriptor(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  // A connection that waits already, else an invalid one.
  [[nodiscard]] FileDescriptor AcceptIfThere() const {
    pollfd there{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    return poll(&there, 1, 0) > 0 ? Accept() : FileDescriptor();
  }
  // Takes no connection any more; any thread.
  void Stop() const { shutdown(socket_.get(), SHUT_RDWR); }

 private:
  const FileDescriptor socket_;
  int port_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_LOOPBACK_LISTENER_H_
