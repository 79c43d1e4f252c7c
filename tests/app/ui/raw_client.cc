#include "tests/app/ui/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace idkiosk {

RawClient::RawClient(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) abort();
}

RawClient::RawClient(const std::string& path)
    : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) abort();
}

RawClient::~RawClient() { close(socket_); }

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::string RawClient::ReadAll() { return ReadUntil(std::string_view()); }

std::string RawClient::ReadSome() {
  char buffer[4096];
  const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
  return {buffer, static_cast<size_t>(std::max<ssize_t>(count, 0))};
}

std::string RawClient::ReadUntil(std::string_view text) {
  std::string all;
  while (text.empty() || all.find(text) == std::string::npos) {
    const std::string more = ReadSome();
    if (more.empty()) break;
    all += more;
  }
  return all;
}

bool RawClient::HasEnded() {
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t size = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size <= 0) return size == 0 || errno != EAGAIN;
  }
}

bool RawClient::IsClosedWithin(std::chrono::milliseconds time) const {
  pollfd socket{.fd = socket_, .events = POLLIN, .revents = 0};
  return poll(&socket, 1, static_cast<int>(time.count())) > 0;
}

StartPage::StartPage(std::string_view html) {
  constexpr std::string_view kAction = "action=\"http://";
  constexpr std::string_view kToken = "name=\"token\" value=\"";
  const size_t host_at = html.find(kAction);
  const size_t token_at = html.find(kToken);
  if (host_at == std::string_view::npos || token_at == std::string_view::npos) abort();
  host = html.substr(host_at + kAction.size());
  host.resize(host.find('/'));
  port = std::stoi(host.substr(host.find(':') + 1));
  token = html.substr(token_at + kToken.size(), 32);
}

std::string StartPage::Request() const {
  const std::string form = "token=" + token;
  return "POST /start HTTP/1.1\r\nHost: " + host +
         "\r\nOrigin: null\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
         "Sec-Fetch-Dest: document\r\nContent-Type: application/x-www-form-urlencoded\r\n"
         "Content-Length: " +
         std::to_string(form.size()) + "\r\nConnection: close\r\n\r\n" + form;
}

std::string StartPage::Post() const {
  RawClient client(port);
  client.Send(Request());
  return client.ReadAll();
}

std::string CookieIn(std::string_view answer) {
  const size_t begin = answer.find("idkiosk=");
  if (begin == std::string_view::npos) return "";
  return std::string(answer.substr(begin, answer.find(';', begin) - begin));
}

int StatusOf(std::string_view answer) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  return answer.starts_with(kStart) ? atoi(answer.data() + kStart.size()) : 0;
}

std::string_view BodyOf(std::string_view answer) {
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string_view::npos ? "" : answer.substr(end + 4);
}

}  // namespace idkiosk
