#include "tests/tools/sandbox/contract/json_schema.h"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>

#include "platform/base/bytes.h"
#include "tools/sandbox/control/resources.h"

namespace idkiosk::sandbox {
namespace {

bool IsOfType(JsonView value, std::string_view type) {
  if (type == "object") return value.IsObject();
  if (type == "array") return value.IsArray();
  if (type == "string") return value.AsString().has_value();
  if (type == "integer") return value.AsInteger().has_value();
  if (type == "boolean") return value.AsBool().has_value();
  return false;
}

std::string CheckType(JsonView types, JsonView value) {
  if (types.AsString()) {
    return IsOfType(value, TextOf(types)) ? "" : "not of type " + TextOf(types);
  }
  const bool any = std::ranges::any_of(
      types.children(), [&](JsonView type) { return IsOfType(value, TextOf(type)); });
  return any ? "" : "of none of the types " + types.Print();
}

std::string CheckMembers(JsonView document, JsonView properties, JsonView value) {
  for (const JsonView member : value.children()) {
    const JsonView schema = properties[member.key()];
    const std::string key(member.key());
    if (!schema.exists()) return "unknown member " + key;
    if (const std::string wrong = Complaint(document, schema, member); !wrong.empty()) {
      return key + ": " + wrong;
    }
  }
  return {};
}

std::string CheckItems(JsonView document, JsonView schema, JsonView value) {
  for (const JsonView element : value.children()) {
    if (std::string wrong = Complaint(document, schema, element); !wrong.empty()) return wrong;
  }
  return {};
}

std::string CheckOneOf(JsonView document, JsonView schemas, JsonView value) {
  const auto matching = std::ranges::count_if(schemas.children(), [&](JsonView schema) {
    return Complaint(document, schema, value).empty();
  });
  return matching == 1 ? "" : "matches " + std::to_string(matching) + " of the schemas";
}

std::string CheckRequired(JsonView names, JsonView value) {
  for (const JsonView name : names.children()) {
    if (!value[TextOf(name)].exists()) return "lacks " + TextOf(name);
  }
  return {};
}

std::string CheckFormat(std::string_view format, JsonView value) {
  const std::string text = TextOf(value);
  const bool good = format == "date" && std::regex_match(text, std::regex("\\d{4}-\\d\\d-\\d\\d"));
  return good ? "" : "no " + std::string(format);
}

// One keyword of `schema`.
std::string CheckKeyword(JsonView document, JsonView keyword, JsonView value) {
  const std::string_view key = keyword.key();
  const auto size = static_cast<int64_t>(value.children().size());
  if (key == "type") return CheckType(keyword, value);
  if (key == "properties") return CheckMembers(document, keyword, value);
  if (key == "required") return CheckRequired(keyword, value);
  if (key == "items") return CheckItems(document, keyword, value);
  if (key == "oneOf") return CheckOneOf(document, keyword, value);
  if (key == "format") return CheckFormat(TextOf(keyword), value);
  if (key == "minItems") return size >= keyword.AsInteger() ? "" : "too few";
  if (key == "maxItems") return size <= keyword.AsInteger() ? "" : "too many";
  if (key == "minLength") return TextOf(value).empty() ? "empty" : "";
  if (key == "pattern") {
    return std::regex_match(TextOf(value), std::regex(TextOf(keyword))) ? "" : "not as the pattern";
  }
  if (key == "contentEncoding") return FromBase64(TextOf(value)) ? "" : "not base64";
  if (key == "enum") {
    const bool listed = std::ranges::any_of(
        keyword.children(), [&](JsonView one) { return TextOf(one) == TextOf(value); });
    return listed ? "" : "none of " + keyword.Print();
  }
  const bool words_alone = key == "description" || key == "x-assumed" ||
                           key == "contentMediaType" || key == "additionalProperties";
  return words_alone ? "" : "the test does not know the keyword " + std::string(key);
}

}  // namespace

JsonView Resolve(JsonView document, JsonView value) {
  const std::string reference = TextOf(value["$ref"]);
  return reference.starts_with('#') ? document.At(reference.substr(1)) : value;
}

std::string Complaint(JsonView document, JsonView schema, JsonView value) {
  schema = Resolve(document, schema);
  if (!schema.exists()) return "the schema is missing";
  for (const JsonView keyword : schema.children()) {
    if (std::string wrong = CheckKeyword(document, keyword, value); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace idkiosk::sandbox
