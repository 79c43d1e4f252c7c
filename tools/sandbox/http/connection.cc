#include "tools/sandbox/http/connection.h"

#include <netdb.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace idkiosk::sandbox {
namespace {

// How long, and how much, a closing connection still takes in, so that the client reads the answer
// to a body that it had not finished sending.
constexpr auto kLingerTime = std::chrono::seconds(2);
constexpr size_t kLingerBytes = 32 << 20;

// The length of an answer with half of its body.
size_t CutOf(std::string_view answer) {
  constexpr std::string_view kEndOfHeaders = "\r\n\r\n";
  const size_t headers = answer.find(kEndOfHeaders);
  if (headers == std::string_view::npos) return answer.size() / 2;
  const size_t body = headers + kEndOfHeaders.size();
  return body + (answer.size() - body) / 2;
}

}  // namespace

Connection::Connection(int socket, SSL_CTX* tls) : socket_(socket) {
  if (tls == nullptr) return;
  tls_.reset(SSL_new(tls));
  if (tls_ != nullptr) SSL_set_fd(tls_.get(), socket);
  broken_ = tls_ == nullptr;
}

Connection::~Connection() {
  if (!broken_) CloseGently();
  close(socket_);
}

bool Connection::Handshake() {
  if (tls_ == nullptr) return !broken_;
  ERR_clear_error();
  broken_ = SSL_accept(tls_.get()) != 1;
  return !broken_;
}

bool Connection::HasBufferedInput() const {
  return input_begin_ < input_end_ || (tls_ != nullptr && SSL_pending(tls_.get()) > 0);
}

bool Connection::Deliver(Delivery delivery) {
  std::string_view bytes = output_;
  if (delivery == Delivery::kCut) bytes = bytes.substr(0, CutOf(bytes));
  const bool send = delivery == Delivery::kWhole || delivery == Delivery::kCut;
  const bool sent = send && SendAll(bytes);
  output_.clear();
  if (delivery == Delivery::kReset) {
    // Dissolving the association of a TCP socket sends an RST.
    const sockaddr nowhere{.sa_family = AF_UNSPEC, .sa_data = {}};
    (void)connect(socket_, &nowhere, sizeof nowhere);
  }
  if (delivery != Delivery::kWhole) broken_ = true;
  return sent && delivery == Delivery::kWhole;
}

ssize_t Connection::read(char* to, size_t size) {
  if (input_begin_ == input_end_) {
    // "100 Continue" must go out before the body it asks for comes in.
    if (!output_.empty() && !Deliver(Delivery::kWhole)) return -1;
    if (size >= input_.size()) return Receive(to, size);
    const ssize_t count = Receive(input_.data(), input_.size());
    if (count <= 0) return count;
    input_begin_ = 0;
    input_end_ = static_cast<size_t>(count);
  }
  const size_t count = std::min(size, input_end_ - input_begin_);
  std::memcpy(to, input_.data() + input_begin_, count);
  input_begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, size_t size) {
  output_.append(from, size);
  return static_cast<ssize_t>(size);
}

ssize_t Connection::Receive(char* to, size_t size) {
  if (broken_) return -1;
  ssize_t count = 0;
  if (tls_ == nullptr) {
    count = recv(socket_, to, size, 0);
  } else {
    ERR_clear_error();
    count = SSL_read(tls_.get(), to, static_cast<int>(std::min<size_t>(size, 1 << 20)));
  }
  if (count <= 0) broken_ = true;
  return count;
}

bool Connection::SendAll(std::string_view bytes) {
  while (!bytes.empty() && !broken_) {
    ssize_t count = 0;
    if (tls_ == nullptr) {
      count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    } else {
      ERR_clear_error();
      count = SSL_write(tls_.get(), bytes.data(),
                        static_cast<int>(std::min<size_t>(bytes.size(), 1 << 20)));
    }
    if (count <= 0) {
      broken_ = true;
    } else {
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }
  return !broken_;
}

void Connection::CloseGently() {
  if (tls_ != nullptr) (void)SSL_shutdown(tls_.get());
  (void)shutdown(socket_, SHUT_WR);
  const auto deadline = std::chrono::steady_clock::now() + kLingerTime;
  std::array<char, 65536> discarded;
  for (size_t total = 0; total < kLingerBytes;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0) return;
    const ssize_t count = recv(socket_, discarded.data(), discarded.size(), 0);
    if (count <= 0) return;
    total += static_cast<size_t>(count);
  }
}

std::string Connection::RemoteAddress() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (getpeername(socket_, address, &size) != 0) return {};
  std::array<char, NI_MAXHOST> text{};
  const int failed =
      getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return failed != 0 ? "" : text.data();
}

}  // namespace idkiosk::sandbox
