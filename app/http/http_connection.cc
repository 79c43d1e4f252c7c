#include "app/http/http_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// Who takes nothing for so long has died.
constexpr auto kLongestWrite = std::chrono::seconds(5);

// Returns the length of the body that a head announces; 0 where it says none, or nonsense, which
// whoever answers refuses.
size_t BodySize(std::string_view head) {
  constexpr std::string_view kName = "\r\ncontent-length:";
  const auto found = std::ranges::search(head, kName, {}, &LowerLetter);
  if (found.empty()) return 0;
  std::string_view rest(found.end(), head.end());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  size_t size = 0;
  (void)std::from_chars(rest.data(), rest.data() + rest.size(), size);
  return size;
}

bool HasWholeRequest(std::string_view heard, size_t room) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  const size_t end = heard.find(kEnd);
  if (end == std::string_view::npos) return false;
  const size_t head = end + kEnd.size();
  const size_t body = BodySize(heard.substr(0, end));
  return body > room - head || heard.size() - head >= body;
}

}  // namespace

HttpConnection::~HttpConnection() {
  explicit_bzero(input_.data(), input_.size());
  // With unread input a plain close would be a reset, and the client would lose the last answer.
  (void)shutdown(socket_, SHUT_WR);
  (void)recv(socket_, input_.data(), input_.size(), MSG_DONTWAIT);
  close(socket_);
}

bool HttpConnection::Await(short events, Clock::time_point deadline) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd waiting{.fd = socket_, .events = events, .revents = 0};
  return poll(&waiting, 1, static_cast<int>(std::max<int64_t>(left, 0))) > 0;
}

HttpConnection::Heard HttpConnection::Hear() {
  if (input_begin_ > 0) {
    std::memmove(input_.data(), input_.data() + input_begin_, input_end_ - input_begin_);
    explicit_bzero(input_.data() + (input_end_ - input_begin_), input_begin_);
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
  if (input_end_ == input_.size() || HasWholeRequest({input_.data(), input_end_}, input_.size())) {
    return Heard::kRequest;
  }
  return has_gone ? Heard::kGone : Heard::kNothingYet;
}

void HttpConnection::BeginRequest(std::chrono::milliseconds longest, size_t bytes) {
  deadline_ = Clock::now() + longest;
  budget_ = bytes;
}

bool HttpConnection::IsOpen() const {
  char next;
  const ssize_t count = recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool HttpConnection::is_writable() const {
  return Await(POLLOUT, Clock::now() + kLongestWrite) && IsOpen();
}

ssize_t HttpConnection::read(char* to, size_t size) {
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
  explicit_bzero(input_.data() + input_begin_, count);
  input_begin_ += count;
  budget_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t HttpConnection::write(const char* from, size_t size) {
  if (!Await(POLLOUT, Clock::now() + kLongestWrite)) return -1;
  return send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace idkiosk
