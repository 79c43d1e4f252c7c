#include "app/ui/loopback_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace idkiosk {
namespace {

// A browser that takes nothing for so long has died.
constexpr auto kLongestWrite = std::chrono::seconds(5);

}  // namespace

LoopbackConnection::~LoopbackConnection() {
  explicit_bzero(input_.data(), input_.size());
  // With unread input a plain close would be a reset, and the client would lose the last answer.
  (void)shutdown(socket_, SHUT_WR);
  (void)recv(socket_, input_.data(), input_.size(), MSG_DONTWAIT);
  close(socket_);
}

bool LoopbackConnection::Await(short events, Clock::time_point deadline) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd waiting{.fd = socket_, .events = events, .revents = 0};
  return poll(&waiting, 1, static_cast<int>(std::max<int64_t>(left, 0))) > 0;
}

LoopbackConnection::Heard LoopbackConnection::Hear() {
  if (input_begin_ > 0) {
    std::memmove(input_.data(), input_.data() + input_begin_, input_end_ - input_begin_);
    input_end_ -= std::exchange(input_begin_, 0);
  }
  bool has_gone = false;
  while (input_end_ < input_.size() && !has_gone) {
    const ssize_t count =
        recv(socket_, input_.data() + input_end_, input_.size() - input_end_, MSG_DONTWAIT);
    if (count < 0) {
      has_gone = errno != EAGAIN && errno != EWOULDBLOCK;
      break;
    }
    has_gone = count == 0;
    input_end_ += static_cast<size_t>(count);
  }
  const std::string_view heard(input_.data(), input_end_);
  if (heard.contains("\r\n\r\n") || input_end_ == input_.size()) return Heard::kRequest;
  return has_gone ? Heard::kGone : Heard::kNothingYet;
}

void LoopbackConnection::BeginRequest(std::chrono::milliseconds longest, size_t bytes) {
  deadline_ = Clock::now() + longest;
  budget_ = bytes;
}

bool LoopbackConnection::IsOpen() const {
  char next;
  const ssize_t count = recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool LoopbackConnection::is_writable() const {
  return Await(POLLOUT, Clock::now() + kLongestWrite) && IsOpen();
}

ssize_t LoopbackConnection::read(char* to, size_t size) {
  if (budget_ == 0) return -1;
  if (input_begin_ == input_end_) {
    if (!Await(POLLIN, deadline_)) return -1;
    const ssize_t count = recv(socket_, input_.data(), input_.size(), 0);
    if (count <= 0) return count;
    input_begin_ = 0;
    input_end_ = static_cast<size_t>(count);
  }
  const size_t count = std::min({size, input_end_ - input_begin_, budget_});
  std::memcpy(to, input_.data() + input_begin_, count);
  input_begin_ += count;
  budget_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t LoopbackConnection::write(const char* from, size_t size) {
  if (!Await(POLLOUT, Clock::now() + kLongestWrite)) return -1;
  return send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace idkiosk
