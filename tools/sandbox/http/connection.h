#ifndef IDKIOSK_TOOLS_SANDBOX_HTTP_CONNECTION_H_
#define IDKIOSK_TOOLS_SANDBOX_HTTP_CONNECTION_H_

#include <httplib.h>
#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>

#include "tools/sandbox/http/http.h"

namespace idkiosk::sandbox {

// One accepted connection, TLS or plain, as a byte stream for httplib. What is written is held back
// until Deliver(), so that an answer can be cut, dropped or reset. One thread serves a connection
// from its first byte to its last.
class Connection final : public httplib::Stream {
 public:
  // Takes over `socket`, whose send and receive timeouts are set already. `tls` may be null: plain.
  Connection(int socket, SSL_CTX* tls);
  // Closes the connection; without Abandon(), so that the client still reads a last answer.
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The TLS handshake; true at once on a plain connection.
  [[nodiscard]] bool Handshake();

  // Returns the client's IP address; empty if it is gone.
  [[nodiscard]] std::string RemoteAddress() const;

  // True while input waits that a poll() on the socket does not show.
  [[nodiscard]] bool HasBufferedInput() const;

  // Sends what was written. False if the client is gone, or if `delivery` ended the connection.
  [[nodiscard]] bool Deliver(Delivery delivery);

  // httplib::Stream
  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  // Not asked: the server gives the addresses with each request.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  struct FreeTls {
    void operator()(SSL* tls) const { SSL_free(tls); }
  };

  ssize_t Receive(char* to, size_t size);
  bool SendAll(std::string_view bytes);
  void CloseGently();

  int socket_;
  std::unique_ptr<SSL, FreeTls> tls_;
  bool broken_ = false;  // nothing more may be sent: the client is gone, or was dropped
  std::array<char, 16384> input_;
  size_t input_begin_ = 0;
  size_t input_end_ = 0;
  std::string output_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_HTTP_CONNECTION_H_
