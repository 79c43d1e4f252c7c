#include "tools/sandbox/service/form.h"

#include <utility>

#include "platform/base/text/letter_case.h"

namespace idkiosk::sandbox {
namespace {

constexpr std::string_view kJson = "application/json";

bool IsJson(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return EqualsIgnoringCase(type.substr(0, type.find(' ')), kJson);
}

}  // namespace

Form::Form(const HttpRequest& request) : request_(request) {
  if (request.method == "GET" || !request.parts.empty()) return;
  if (!IsJson(request.Header("Content-Type"))) {
    defect_ = "The body must be JSON with the header Content-Type: application/json.";
    return;
  }
  auto parsed = JsonDocument::Parse(request.body);
  if (!parsed) {
    defect_ = "The body is " + parsed.error().message + ".";
  } else if (!parsed->root().IsObject()) {
    defect_ = "The body must be a JSON object.";
  } else {
    json_ = std::move(*parsed);
  }
}

Result<std::string> Form::Text(std::string_view name) const {
  const JsonView member = json_.root()[name];
  std::string text(member.AsString().value_or(""));
  if (member.exists() && !member.AsString()) {
    return Fail(ErrorCode::kInvalid, "{} must be text, not {}.", name, member.TypeName());
  }
  for (const HttpPart& part : request_.parts) {
    if (part.name == name && part.filename.empty()) text = part.content;
  }
  if (request_.method == "GET") text = request_.Query(name).value_or("");
  if (text.empty()) return Fail(ErrorCode::kInvalid, "{} is missing.", name);
  return text;
}

std::string Form::TextOrNothing(std::string_view name) const {
  return Text(name).value_or(std::string());
}

size_t Form::PictureCount(std::string_view name) const {
  size_t count = 0;
  for (const HttpPart& part : request_.parts) count += part.name == name ? 1 : 0;
  const JsonView member = json_.root()[name];
  if (member.IsArray()) return member.children().size();
  return member.exists() && !member.IsNull() ? 1 : count;
}

Result<std::vector<Bytes>> Form::Pictures(std::string_view name) const {
  std::vector<Bytes> pictures;
  for (const HttpPart& part : request_.parts) {
    if (part.name != name) continue;
    const ByteSpan bytes = AsBytes(part.content);
    pictures.emplace_back(bytes.begin(), bytes.end());
  }
  const JsonView member = json_.root()[name];
  std::vector<JsonView> values = member.children();
  if (member.AsString()) values.push_back(member);
  for (const JsonView value : values) {
    auto bytes = FromBase64(value.AsString().value_or("?"));
    if (!bytes) return Fail(ErrorCode::kInvalid, "{} must be pictures in base64.", name);
    pictures.push_back(std::move(*bytes));
  }
  return pictures;
}

}  // namespace idkiosk::sandbox
