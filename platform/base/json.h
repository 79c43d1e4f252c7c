#ifndef IDKIOSK_PLATFORM_BASE_JSON_H_
#define IDKIOSK_PLATFORM_BASE_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"

struct cJSON;

namespace idkiosk {

// A value in a JSON document, borrowed from the JsonDocument it came from. Cheap to copy.
// A default-made JsonView stands for "not there": every question to it answers nothing.
class JsonView {
 public:
  JsonView() = default;
  explicit JsonView(const cJSON* node) : node_(node) {}

  [[nodiscard]] bool exists() const { return node_ != nullptr; }
  [[nodiscard]] bool IsNull() const;
  [[nodiscard]] bool IsObject() const;
  [[nodiscard]] bool IsArray() const;

  [[nodiscard]] std::optional<std::string_view> AsString() const;
  [[nodiscard]] std::optional<double> AsNumber() const;
  // Whole numbers up to 2^53 only.
  [[nodiscard]] std::optional<int64_t> AsInteger() const;
  [[nodiscard]] std::optional<bool> AsBool() const;
  // "null", "true or false", "a number", "a string", "a list", "an object", "nothing".
  [[nodiscard]] std::string_view TypeName() const;

  // Its name in the object that holds it; empty elsewhere.
  [[nodiscard]] std::string_view key() const;
  // A member of an object, by exact name.
  [[nodiscard]] JsonView operator[](std::string_view key) const;
  // RFC 6901: "" is this value, "/data/0/code" goes down. Not there: a JsonView that does not
  // exist.
  [[nodiscard]] JsonView At(std::string_view pointer) const;
  // The elements of a list or members of an object, in order; empty for anything else.
  [[nodiscard]] std::vector<JsonView> children() const;

  // A name that an object has twice, in this value or in any below it; nothing: none. Who reads
  // such an object may take either value.
  [[nodiscard]] std::optional<std::string_view> RepeatedName() const;

  // Compact JSON text.
  [[nodiscard]] std::string Print() const;

  [[nodiscard]] const cJSON* node() const { return node_; }

 private:
  const cJSON* node_ = nullptr;
};

// Owns a parsed JSON text. The values in it are wiped when it goes: answers hold personal data.
// Bytes in a string that are not UTF-8 stay as they are; a NUL is an error.
class JsonDocument {
 public:
  // Errors: kInvalid, with "line L, column C"; text after the value is one too.
  [[nodiscard]] static Result<JsonDocument> Parse(std::string_view text);
  // The same for JSON with // and /* */ comments and trailing commas.
  [[nodiscard]] static Result<JsonDocument> ParseWithComments(std::string_view text);

  JsonDocument() = default;
  ~JsonDocument();
  JsonDocument(JsonDocument&& other) noexcept;
  JsonDocument& operator=(JsonDocument&& other) noexcept;
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  [[nodiscard]] JsonView root() const { return JsonView(root_); }

 private:
  explicit JsonDocument(cJSON* root) : root_(root) {}
  cJSON* root_ = nullptr;
};

// Builds JSON text from front to back.
//   JsonWriter json; json.BeginObject().Field("code",
//   code).Key("tags").BeginArray().Value("a").EndArray().EndObject();
class JsonWriter {
 public:
  // `indent` spaces a level; 0 writes one line.
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view key);
  JsonWriter& Value(std::string_view text);
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(bool value);
  JsonWriter& Value(int64_t value);
  JsonWriter& Value(int value) { return Value(static_cast<int64_t>(value)); }
  JsonWriter& Value(uint64_t value) { return Value(static_cast<int64_t>(value)); }
  // At most six significant decimals; a number that JSON cannot hold (NaN) becomes null.
  JsonWriter& Value(double value);
  JsonWriter& Null();
  // JSON text as it is.
  JsonWriter& Raw(std::string_view json);

  template <typename T>
  JsonWriter& Field(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  void BeforeValue();
  void NewLine();
  JsonWriter& Begin(char bracket);
  JsonWriter& End(char bracket);

  std::string text_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
  int indent_;
};

// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD; what Printable
// replaces is escaped, so that it moves nothing in a terminal that shows the JSON.
[[nodiscard]] std::string QuoteJson(std::string_view text);

// The same JSON for a terminal: each control character that Printable replaces is escaped, but for
// ASCII's white space, and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string EscapeControls(std::string_view json);

// Line of the value at `pointer` (RFC 6901) in JSON text with or without comments, from 1; 0 where
// there is none. Of several members of that name, `passed_over` are left out: 1 finds the second.
// For error messages: cJSON does not keep positions.
[[nodiscard]] int LineOf(std::string_view text, std::string_view pointer, int passed_over = 0);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_JSON_H_
