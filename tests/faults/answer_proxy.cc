#include "tests/faults/answer_proxy.h"

#include <fmt/format.h>

#include "tests/app/ui/raw_client.h"

namespace idkiosk::faults {
namespace {

// Everything that the service bills is a POST; logging in is one, too.
bool IsBilled(const std::string& request) {
  return request.starts_with("POST ") && !request.substr(0, request.find('\r')).contains("/auth/");
}

}  // namespace

AnswerProxy::AnswerProxy(int service)
    : service_(service), server_([this](const std::string& request) { return React(request); }) {}

void AnswerProxy::Set(Change change) {
  const MutexLock lock(mutex_);
  change_ = std::move(change);
  carries_out_ = true;
  changed_ = 0;
}

void AnswerProxy::AnswerInstead(std::string answer) {
  const MutexLock lock(mutex_);
  change_ = [instead = std::move(answer)](const std::string&) { return instead; };
  carries_out_ = false;
  changed_ = 0;
}

int AnswerProxy::changed() const {
  const MutexLock lock(mutex_);
  return changed_;
}

ScriptedServer::Reaction AnswerProxy::React(const std::string& request) {
  Change change;
  bool carries_out = true;
  if (IsBilled(request)) {
    const MutexLock lock(mutex_);
    change = change_;
    carries_out = carries_out_;
    changed_ += change ? 1 : 0;
  }
  const std::string answer = carries_out ? CarryOut(request) : "";
  return {.answer = change ? change(answer) : answer, .close = true};
}

std::string AnswerProxy::CarryOut(const std::string& request) const {
  const size_t line = request.find("\r\n");
  std::string last = request;
  RawClient client(service_);
  client.Send(last.insert(line, "\r\nConnection: close"));
  return client.ReadAll();
}

std::string AnswerOf(const std::string& status, const std::string& headers,
                     const std::string& body) {
  return fmt::format("HTTP/1.1 {}\r\n{}Content-Length: {}\r\n\r\n{}", status, headers, body.size(),
                     body);
}

}  // namespace idkiosk::faults
