#include "tools/sandbox/http/http.h"

#include <algorithm>
#include <ctime>

#include "platform/base/json.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk::sandbox {

std::string_view HttpRequest::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoringCase(key, name)) return value;
  }
  return {};
}

std::optional<std::string_view> HttpRequest::Query(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string_view HttpRequest::Cookie(std::string_view name) const {
  std::string_view rest = Header("Cookie");
  while (!rest.empty()) {
    std::string_view pair = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return pair.substr(equals + 1);
    }
  }
  return {};
}

size_t HttpRequest::BodySize() const {
  size_t size = body.size();
  for (const HttpPart& part : parts) size += part.content.size();
  return size;
}

HttpAnswer Success(int status, std::string_view message, std::string_view data) {
  JsonWriter json;
  json.BeginObject().Field("status", "success").Field("message", message);
  if (!data.empty()) json.Key("data").Raw(data);
  json.EndObject();
  HttpAnswer answer;
  answer.status = status;
  answer.body = json.Take();
  return answer;
}

HttpAnswer Refusal(int status, std::string_view message) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = JsonWriter()
                    .BeginObject()
                    .Field("status", "error")
                    .Field("message", message)
                    .EndObject()
                    .Take();
  return answer;
}

std::string FormatHttpDate(WallTime time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[40];
  const size_t length = strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text, length};
}

}  // namespace idkiosk::sandbox
