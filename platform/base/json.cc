#include "platform/base/json.h"

#include <cjson/cJSON.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "platform/base/secret_bytes.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

void WipeValues(cJSON* node) {
  for (; node != nullptr; node = node->next) {
    if (node->valuestring != nullptr) explicit_bzero(node->valuestring, strlen(node->valuestring));
    explicit_bzero(&node->valueint, sizeof(node->valueint));
    explicit_bzero(&node->valuedouble, sizeof(node->valuedouble));
    WipeValues(node->child);
  }
}

// Returns a character of at most three bytes of UTF-8 as \u and four digits.
std::string Escaped(std::string_view sequence) {
  const auto byte = [sequence](size_t at) { return static_cast<uint8_t>(sequence[at]); };
  unsigned point = byte(0);
  if (sequence.size() == 2) point = (point & 0x1fU) << 6U | (byte(1) & 0x3fU);
  if (sequence.size() == 3) {
    point = (point & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
  }
  return fmt::format("\\u{:04x}", point);
}

// cJSON points one character behind the one that begins no name.
size_t StartOfName(std::string_view text, size_t offset) {
  if (offset == 0 || offset > text.size() || kSpace.contains(text[offset - 1])) return offset;
  const std::string_view before = text.substr(0, offset - 1);
  const size_t last = before.find_last_not_of(kSpace);
  const bool begins_name =
      last != std::string_view::npos && (before[last] == '{' || before[last] == ',');
  return begins_name && text[offset - 1] != '"' ? offset - 1 : offset;
}

// What is often wrong at such a place. Repeats nothing of the text, which may hold secrets.
std::string_view MendAt(std::string_view text, size_t offset, bool is_name) {
  constexpr std::string_view kOpens = "\"{[";
  constexpr std::string_view kEnds = "\"}]0123456789el";  // of a text, a number, true, null
  const size_t at = text.find_first_not_of(kSpace, offset);
  // cJSON points at the last character then.
  const bool is_at_end = at == text.size() - 1 && text[at] != '}' && text[at] != ']';
  if (at == std::string_view::npos || is_at_end) return ": it ends before it is whole";
  const size_t before = at == 0 ? at : text.find_last_not_of(kSpace, at - 1);
  const bool follows_value = at != before && before < at && kEnds.contains(text[before]);
  const std::string_view rest = text.substr(at);
  constexpr std::array kOtherQuotes = {"'", "`", "\u2018", "\u2019", "\u201c", "\u201d", "\u201e"};
  if (std::ranges::any_of(kOtherQuotes, [&](auto each) { return rest.starts_with(each); })) {
    return ": texts and names stand in double quotes, straight ones";
  }
  if (is_name) return ": a name in double quotes belongs here";
  constexpr std::array kOtherWords = {"True", "False", "TRUE", "FALSE", "None", "NULL", "Null"};
  if (std::ranges::any_of(kOtherWords, [&](auto each) { return rest.starts_with(each); })) {
    return ": it is true, false or null, in small letters";
  }
  if (follows_value && kOpens.contains(text[at])) {
    return ": is a comma or a colon missing before it?";
  }
  return "";
}

std::string PlaceOf(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

// The end of the string literal that starts at `at`, one past its closing quote.
size_t EndOfString(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

// The end of the comment that starts at `at`, or `at` where none starts. One that is never closed
// is none, so that the error for it names its start.
size_t EndOfComment(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? at : end + 2;
}

// A comma that may be left out: it follows a value and comes before the end of its list or object.
bool FollowsValue(char last) { return last != '\0' && !std::string_view("{[,:").contains(last); }

// Comments, trailing commas and a byte order mark become spaces; every other byte keeps its place,
// so positions in errors are the file's own.
std::string BlankComments(std::string_view text) {
  std::string plain(text);
  if (text.starts_with(kByteOrderMark)) plain.replace(0, kByteOrderMark.size(), "   ");
  size_t comma = std::string::npos;
  char last = '\0';  // the last character that was neither space nor comment
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = EndOfString(text, at);
      comma = std::string::npos;
      last = '"';
      continue;
    }
    const size_t end = EndOfComment(text, at);
    if (end > at) {
      for (; at < end; ++at) {
        if (plain[at] != '\n') plain[at] = ' ';
      }
      continue;
    }
    if (text[at] == ',') {
      comma = FollowsValue(last) ? at : std::string::npos;
    } else if ((text[at] == '}' || text[at] == ']') && comma != std::string::npos) {
      plain[comma] = ' ';
    }
    if (!kSpace.contains(text[at])) {
      if (text[at] != ',') comma = std::string::npos;
      last = text[at];
    }
    ++at;
  }
  return plain;
}

// Where the text has a NUL, raw or as \u0000 in a string, or npos. cJSON would end the string there
// and say nothing.
size_t FindNul(std::string_view text) {
  size_t nul = text.find('\0');
  for (size_t at = text.find("\\u0000"); at < nul; at = text.find("\\u0000", at + 1)) {
    const size_t before = text.substr(0, at).find_last_not_of('\\');
    const size_t backslashes = at - (before == std::string_view::npos ? 0 : before + 1);
    if (backslashes % 2 == 0) nul = at;
  }
  return nul;
}

// Takes the first token off a JSON pointer that is not empty, with ~0 and ~1 resolved.
std::string TakeToken(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::string_view token = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(token.size());
  std::string plain;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      plain.push_back(token[++i] == '0' ? '~' : '/');
    } else {
      plain.push_back(token[i]);
    }
  }
  return plain;
}

// Walks JSON text far enough to say where a value begins.
class Locator {
 public:
  explicit Locator(std::string_view text) : text_(text) {}

  // Offset of the value at `pointer`, or npos. Where an object has several members of its last
  // name, that many are passed over.
  size_t Find(std::string_view pointer, int passed_over) {
    SkipSpace();
    while (!pointer.empty()) {
      const std::string token = TakeToken(pointer);
      if (!Enter(token, pointer.empty() ? passed_over : 0)) return std::string_view::npos;
    }
    return at_;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipSpace() {
    while (at_ < text_.size() && (kSpace.contains(text_[at_]) || text_[at_] == ',')) ++at_;
  }

  void SkipValue() {
    int depth = 0;
    do {
      SkipSpace();
      const char c = Peek();
      if (c == '"') {
        at_ = EndOfString(text_, at_);
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else {
        while (at_ < text_.size() && !std::string_view(",]} \t\r\n").contains(text_[at_])) ++at_;
      }
    } while (depth > 0 && at_ < text_.size());
  }

  // The name that ends before `at_`, without its quotes and escapes.
  std::string NameFrom(size_t start) const {
    const std::string_view literal = text_.substr(start, at_ - start);
    if (literal.contains('\\')) {
      const auto parsed = JsonDocument::Parse(literal);
      if (parsed) return std::string(parsed->root().AsString().value_or(""));
    }
    return literal.size() < 2 ? std::string() : std::string(literal.substr(1, literal.size() - 2));
  }

  // From the start of an object or list to the start of the member `token`.
  bool Enter(const std::string& token, int passed_over) {
    const bool object = Peek() == '{';
    if (!object && Peek() != '[') return false;
    ++at_;
    for (size_t index = 0;; ++index) {
      SkipSpace();
      if (at_ >= text_.size() || Peek() == '}' || Peek() == ']') return false;
      std::string name = std::to_string(index);
      if (object) {
        const size_t start = at_;
        at_ = EndOfString(text_, at_);
        name = NameFrom(start);
        at_ = std::min(text_.find(':', at_), text_.size() - 1) + 1;
        SkipSpace();
      }
      if (name == token && passed_over-- == 0) return true;
      SkipValue();
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool IsWhole(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return std::trunc(number) == number && std::abs(number) <= kExact;
}

}  // namespace

bool JsonView::IsNull() const { return cJSON_IsNull(node_) != 0; }
bool JsonView::IsObject() const { return cJSON_IsObject(node_) != 0; }
bool JsonView::IsArray() const { return cJSON_IsArray(node_) != 0; }

std::optional<std::string_view> JsonView::AsString() const {
  if (cJSON_IsString(node_) == 0) return std::nullopt;
  return std::string_view(node_->valuestring);
}

std::optional<double> JsonView::AsNumber() const {
  if (cJSON_IsNumber(node_) == 0 || !std::isfinite(node_->valuedouble)) return std::nullopt;
  return node_->valuedouble;
}

std::optional<int64_t> JsonView::AsInteger() const {
  const auto number = AsNumber();
  if (!number || !IsWhole(*number)) return std::nullopt;
  return static_cast<int64_t>(*number);
}

std::optional<bool> JsonView::AsBool() const {
  if (cJSON_IsBool(node_) == 0) return std::nullopt;
  return cJSON_IsTrue(node_) != 0;
}

std::string_view JsonView::TypeName() const {
  if (node_ == nullptr) return "nothing";
  if (IsNull()) return "null";
  if (AsBool()) return "true or false";
  if (AsNumber()) return "a number";
  if (AsString()) return "a string";
  return IsArray() ? "a list" : "an object";
}

std::string_view JsonView::key() const {
  return node_ == nullptr || node_->string == nullptr ? std::string_view() : node_->string;
}

JsonView JsonView::operator[](std::string_view key) const {
  if (!IsObject()) return {};
  return JsonView(cJSON_GetObjectItemCaseSensitive(node_, std::string(key).c_str()));
}

JsonView JsonView::At(std::string_view pointer) const {
  const cJSON* node = node_;
  while (node != nullptr && pointer.starts_with('/')) {
    const std::string token = TakeToken(pointer);
    if (cJSON_IsArray(node) == 0) {
      node = JsonView(node)[token].node_;
      continue;
    }
    const auto index = ParseNumber<int>(token);
    node = index >= 0 ? cJSON_GetArrayItem(node, *index) : nullptr;
  }
  return pointer.empty() ? JsonView(node) : JsonView();
}

std::vector<JsonView> JsonView::children() const {
  std::vector<JsonView> list;
  if (!IsObject() && !IsArray()) return list;
  for (const cJSON* child = node_->child; child != nullptr; child = child->next) {
    list.emplace_back(child);
  }
  return list;
}

std::optional<std::string_view> JsonView::RepeatedName() const {
  std::vector<std::string_view> names;
  for (const JsonView child : children()) {
    if (const auto below = child.RepeatedName()) return below;
    if (IsObject()) names.push_back(child.key());
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  return twice == names.end() ? std::nullopt : std::optional(*twice);
}

std::string JsonView::Print() const {
  if (node_ == nullptr) return "null";
  char* printed = cJSON_PrintUnformatted(node_);
  if (printed == nullptr) return "null";
  std::string text = printed;
  explicit_bzero(printed, text.size());
  cJSON_free(printed);
  return text;
}

Result<JsonDocument> JsonDocument::Parse(std::string_view text) {
  if (const size_t nul = FindNul(text); nul != std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "a NUL character at {}", PlaceOf(text, nul));
  }
  const char* end = nullptr;
  cJSON* root = cJSON_ParseWithLengthOpts(text.data(), text.size(), &end, 0);
  const size_t offset = end == nullptr ? 0 : static_cast<size_t>(end - text.data());
  if (root == nullptr) {
    if (text.find_first_not_of(kSpace) == std::string_view::npos) {
      return Fail(ErrorCode::kInvalid, "no JSON: the text is empty");
    }
    const size_t at = StartOfName(text, offset);
    return Fail(ErrorCode::kInvalid, "not JSON at {}{}", PlaceOf(text, at),
                MendAt(text, at, /*is_name=*/at < offset));
  }
  JsonDocument document(root);
  if (text.find_first_not_of(kSpace, offset) != std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "text after the JSON value at {}", PlaceOf(text, offset));
  }
  return document;
}

Result<JsonDocument> JsonDocument::ParseWithComments(std::string_view text) {
  std::string plain = BlankComments(text);
  auto document = Parse(plain);
  Wipe(plain);
  return document;
}

JsonDocument::~JsonDocument() {
  WipeValues(root_);
  cJSON_Delete(root_);
}

JsonDocument::JsonDocument(JsonDocument&& other) noexcept
    : root_(std::exchange(other.root_, nullptr)) {}

JsonDocument& JsonDocument::operator=(JsonDocument&& other) noexcept {
  std::swap(root_, other.root_);
  return *this;
}

void JsonWriter::NewLine() {
  if (indent_ == 0) return;
  text_.push_back('\n');
  text_.append(has_items_.size() * static_cast<size_t>(indent_), ' ');
}

void JsonWriter::BeforeValue() {
  if (std::exchange(after_key_, false) || has_items_.empty()) return;
  if (has_items_.back()) text_.push_back(',');
  has_items_.back() = true;
  NewLine();
}

JsonWriter& JsonWriter::Begin(char bracket) {
  BeforeValue();
  text_.push_back(bracket);
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::End(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) NewLine();
  text_.push_back(bracket);
  return *this;
}

JsonWriter& JsonWriter::BeginObject() { return Begin('{'); }
JsonWriter& JsonWriter::EndObject() { return End('}'); }
JsonWriter& JsonWriter::BeginArray() { return Begin('['); }
JsonWriter& JsonWriter::EndArray() { return End(']'); }

JsonWriter& JsonWriter::Key(std::string_view key) {
  BeforeValue();
  text_ += QuoteJson(key);
  text_ += indent_ == 0 ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::Value(std::string_view text) { return Raw(QuoteJson(text)); }
JsonWriter& JsonWriter::Value(bool value) { return Raw(value ? "true" : "false"); }
JsonWriter& JsonWriter::Value(int64_t value) { return Raw(std::to_string(value)); }
JsonWriter& JsonWriter::Null() { return Raw("null"); }

JsonWriter& JsonWriter::Value(double value) {
  return std::isfinite(value) ? Raw(fmt::format("{:.6g}", value)) : Null();
}

std::string QuoteJson(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const size_t length = Utf8Length(text);
    if (c == '"' || c == '\\') {
      quoted.push_back('\\');
      quoted.push_back(c);
    } else if (length == 0) {
      quoted += "\xef\xbf\xbd";
    } else if (IsControl(text.substr(0, length))) {
      quoted += Escaped(text.substr(0, length));
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  quoted.push_back('"');
  return quoted;
}

std::string EscapeControls(std::string_view json) {
  constexpr std::string_view kWhiteSpace = " \t\r\n";
  std::string escaped;
  while (!json.empty()) {
    const size_t length = Utf8Length(json);
    const std::string_view sequence = json.substr(0, std::max<size_t>(length, 1));
    if (length == 0) {
      escaped += "\xef\xbf\xbd";
    } else if (IsControl(sequence) && !kWhiteSpace.contains(sequence.front())) {
      escaped += Escaped(sequence);
    } else {
      escaped += sequence;
    }
    json.remove_prefix(sequence.size());
  }
  return escaped;
}

int LineOf(std::string_view text, std::string_view pointer, int passed_over) {
  std::string plain = BlankComments(text);
  const size_t offset = Locator(plain).Find(pointer, passed_over);
  Wipe(plain);
  if (offset == std::string_view::npos) return 0;
  return static_cast<int>(std::ranges::count(text.substr(0, offset), '\n')) + 1;
}

}  // namespace idkiosk
