#include "tests/app/api/schema_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "tests/app/ui/raw_client.h"

namespace idkiosk {
namespace {

bool IsOfType(JsonView value, std::string_view type) {
  if (type == "object") return value.IsObject();
  if (type == "array") return value.IsArray();
  if (type == "string") return value.AsString().has_value();
  if (type == "boolean") return value.AsBool().has_value();
  if (type == "integer") return value.AsInteger().has_value();
  return type == "number" && value.AsNumber().has_value();
}

std::string MisfitOfObject(JsonView value, JsonView schema, JsonView document,
                           const std::string& at) {
  for (const JsonView each : schema["required"].children()) {
    if (!value[*each.AsString()].exists()) return fmt::format("{} lacks {}", at, *each.AsString());
  }
  for (const JsonView each : value.children()) {
    const JsonView known = schema["properties"][each.key()];
    const std::string name = fmt::format("{}/{}", at, each.key());
    if (!known.exists() && schema["additionalProperties"].AsBool() == false) {
      return name + " is not in the document";
    }
    if (!known.exists()) continue;
    if (std::string wrong = Misfit(each, known, document, name); !wrong.empty()) return wrong;
  }
  return "";
}

std::string HeaderOf(std::string_view answer, std::string_view name) {
  const size_t begin = answer.find(fmt::format("\r\n{}: ", name));
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = answer.substr(begin + name.size() + 4);
  return std::string(rest.substr(0, rest.find("\r\n")));
}

}  // namespace

std::string Misfit(JsonView value, JsonView schema, JsonView document, const std::string& at) {
  if (const auto ref = schema["$ref"].AsString()) {
    return Misfit(value, document.At(ref->substr(1)), document, at);
  }
  if (!schema.exists()) return at + " has no schema";
  const auto type = schema["type"].AsString();
  if (type && !IsOfType(value, *type)) return fmt::format("{} is not a {}", at, *type);
  const auto options = schema["enum"].children();
  if (!options.empty() &&
      std::ranges::none_of(options, [&](JsonView each) { return each.Print() == value.Print(); })) {
    return fmt::format("{} is {}, which the document does not name", at, value.Print());
  }
  if (const auto pattern = schema["pattern"].AsString()) {
    const std::string text(value.AsString().value_or(""));
    if (!std::regex_search(text, std::regex(std::string(*pattern)))) {
      return fmt::format("{} is {}, not like {}", at, text, *pattern);
    }
  }
  if (const auto least = schema["minimum"].AsNumber(); least && value.AsNumber() < least) {
    return at + " is too small";
  }
  if (value.IsObject()) return MisfitOfObject(value, schema, document, at);
  for (size_t i = 0; const JsonView each : value.children()) {
    std::string wrong = Misfit(each, schema["items"], document, fmt::format("{}/{}", at, i++));
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string MisfitOfAnswer(std::string_view answer, std::string_view method, std::string_view path,
                           JsonView document) {
  std::string lower(method);
  std::ranges::transform(lower, lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  const int status = StatusOf(answer);
  JsonView said = document["paths"][path][lower]["responses"][fmt::format("{}", status)];
  if (!said.exists()) return fmt::format("{} {} has no answer {}", method, path, status);
  if (const auto ref = said["$ref"].AsString()) said = document.At(ref->substr(1));
  std::string type = HeaderOf(answer, "Content-Type");
  type = type.substr(0, type.find(';'));
  const JsonView media = said["content"][type];
  if (!media.exists()) return fmt::format("{} {} {} has no {}", method, path, status, type);
  if (!type.ends_with("json")) return "";
  const auto body = JsonDocument::Parse(BodyOf(answer));
  if (!body) return body.error().message;
  return Misfit(body->root(), media["schema"], document);
}

}  // namespace idkiosk
