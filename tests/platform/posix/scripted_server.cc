#include "tests/platform/posix/scripted_server.h"

#include <fmt/format.h>

#include <cstdlib>

namespace idkiosk {
namespace {

// The bytes of one whole request once they are all in `received`, else 0.
size_t WholeRequest(const std::string& received) {
  const size_t head = received.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const size_t field = received.find("Content-Length: ");
  const size_t body = field < head ? std::strtoul(received.c_str() + field + 16, nullptr, 10) : 0;
  return received.size() >= head + 4 + body ? head + 4 + body : 0;
}

}  // namespace

ScriptedServer::ScriptedServer(Script script)
    : script_(std::move(script)), thread_([this] { Serve(); }) {}

ScriptedServer::~ScriptedServer() {
  listener_.Stop();
  thread_.join();
}

std::string ScriptedServer::url(const std::string& path) const {
  return fmt::format("http://127.0.0.1:{}{}", listener_.port(), path);
}

std::vector<std::string> ScriptedServer::requests() const {
  const MutexLock lock(mutex_);
  return requests_;
}

void ScriptedServer::Serve() {
  for (;;) {
    const FileDescriptor connection = listener_.Accept();
    if (!connection.valid()) return;
    ServeConnection(connection.get());
  }
}

void ScriptedServer::ServeConnection(int connection) {
  std::string received;
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(connection, buffer, sizeof(buffer));
    if (count <= 0) return;
    received.append(buffer, static_cast<size_t>(count));
    const size_t whole = WholeRequest(received);
    if (whole == 0) continue;
    {
      const MutexLock lock(mutex_);
      requests_.push_back(received.substr(0, whole));
    }
    const Reaction reaction = script_(received.substr(0, whole));
    received.erase(0, whole);
    send(connection, reaction.answer.data(), reaction.answer.size(), MSG_NOSIGNAL);
    if (reaction.close) return;
  }
}

std::string OkAnswer(const std::string& body) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace idkiosk
