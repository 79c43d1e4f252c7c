#include "app/service/request_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "platform/base/enum_rows.h"

namespace idkiosk {
namespace {

constexpr std::array<std::string_view, 17> kNames = {
    "",           "type",        "id_number",      "nin",
    "phone",      "search_type", "request_reason", "selfie",
    "liveness_1", "liveness_2",  "liveness_3",     "liveness_4",
    "login",      "password",    "new_password",   "name",
    "attempt_id",
};
static_assert(kNames.size() == EnumeratorCount<Placeholder>());

void AppendLiteral(Template& to, std::string_view text) {
  if (to.empty() || to.back().placeholder != Placeholder::kNone) to.emplace_back();
  to.back().literal += text;
}

void AppendPlaceholder(Template& to, Placeholder placeholder) {
  AppendLiteral(to, "");
  to.back().placeholder = placeholder;
}

Result<Placeholder> PlaceholderOf(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end() || name.empty()) {
    return Fail(ErrorCode::kInvalid, "\"{{{}}}\" is not a value that can be filled in; known: {}",
                name, fmt::join(kNames.begin() + 1, kNames.end(), ", "));
  }
  return static_cast<Placeholder>(found - kNames.begin());
}

// The inside of a JSON string, without its quotes.
std::string EscapeForJson(std::string_view text) {
  const std::string quoted = QuoteJson(text);
  return quoted.substr(1, quoted.size() - 2);
}

class JsonCompiler {
 public:
  Status Add(JsonView json) {
    if (json.IsObject()) return AddMembers(json, "{", "}");
    if (json.IsArray()) return AddMembers(json, "[", "]");
    const auto text = json.AsString();
    if (!text) {
      AppendLiteral(compiled_, json.Print());
      return {};
    }
    return AddString(*text);
  }

  Template Take() { return std::move(compiled_); }

 private:
  Status AddMembers(JsonView json, std::string_view open, std::string_view close) {
    std::string_view before = open;
    for (JsonView child : json.children()) {
      AppendLiteral(compiled_, std::exchange(before, ","));
      if (json.IsObject()) AppendLiteral(compiled_, QuoteJson(child.key()) + ":");
      if (Status added = Add(child); !added) return added;
    }
    if (before == open) AppendLiteral(compiled_, open);
    AppendLiteral(compiled_, close);
    return {};
  }

  Status AddString(std::string_view text) {
    auto pieces = ParseTemplate(text);
    if (!pieces) return std::unexpected(pieces.error());
    AppendLiteral(compiled_, "\"");
    for (const TemplatePiece& each : *pieces) {
      AppendLiteral(compiled_, EscapeForJson(each.literal));
      if (each.placeholder != Placeholder::kNone) AppendPlaceholder(compiled_, each.placeholder);
    }
    AppendLiteral(compiled_, "\"");
    return {};
  }

  Template compiled_;
};

Status AddNamed(std::vector<NamedTemplate>& to, std::string_view name, JsonView value) {
  const auto text = value.AsString();
  if (!text) {
    return Fail(ErrorCode::kInvalid, "\"{}\" must be a string or a list of strings, not {}", name,
                value.TypeName());
  }
  auto parsed = ParseTemplate(*text);
  if (!parsed) return std::unexpected(parsed.error());
  to.push_back({std::string(name), std::move(*parsed)});
  return {};
}

}  // namespace

std::string_view Name(Placeholder placeholder) { return kNames[static_cast<size_t>(placeholder)]; }

Result<Template> ParseTemplate(std::string_view text) {
  Template pieces;
  while (!text.empty()) {
    const size_t brace = text.find_first_of("{}");
    AppendLiteral(pieces, text.substr(0, brace));
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    const size_t end = text.find('}');
    if (end == 0 || end == std::string_view::npos) {
      return Fail(ErrorCode::kInvalid, "a brace without its other half");
    }
    const auto placeholder = PlaceholderOf(text.substr(1, end - 1));
    if (!placeholder) return std::unexpected(placeholder.error());
    AppendPlaceholder(pieces, *placeholder);
    text.remove_prefix(end + 1);
  }
  return pieces;
}

Result<Template> ParseJsonTemplate(JsonView json) {
  JsonCompiler compiler;
  if (Status added = compiler.Add(json); !added) return std::unexpected(added.error());
  return compiler.Take();
}

Result<std::vector<NamedTemplate>> ParseNamedTemplates(JsonView json) {
  if (!json.IsObject()) {
    return Fail(ErrorCode::kInvalid, "must be an object, not {}", json.TypeName());
  }
  std::vector<NamedTemplate> named;
  for (JsonView member : json.children()) {
    const std::vector<JsonView> values =
        member.IsArray() ? member.children() : std::vector<JsonView>{member};
    for (JsonView value : values) {
      if (Status added = AddNamed(named, member.key(), value); !added) {
        return std::unexpected(added.error());
      }
    }
  }
  return named;
}

}  // namespace idkiosk
