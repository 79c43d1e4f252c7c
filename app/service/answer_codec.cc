#include "app/service/answer_codec.h"

#include <algorithm>
#include <cmath>

#include "app/service/service_reference.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr size_t kMaxShown = 300;  // bytes of a text
// Seconds since 1970 of the year 5138: what is larger counts milliseconds.
constexpr double kLargestSeconds = 1e11;

std::unexpected<Error> Unreadable(std::string_view why) {
  return Fail(ErrorCode::kCorrupt, "the service's answer is not the expected one: {}", why);
}

JsonView At(JsonView json, const std::optional<std::string>& pointer) {
  return pointer ? json.At(*pointer) : JsonView();
}

// Text as it is; a number or truth as JSON writes it; nothing for the rest.
SecretBytes TextOf(JsonView value) {
  if (const auto text = value.AsString()) return SecretBytes::CopyOf(*text);
  if (!value.AsNumber() && !value.AsBool()) return {};
  std::string printed = value.Print();
  return SecretBytes::Take(printed);
}

// What screens have room for; not in the middle of a UTF-8 sequence.
std::string_view Shortened(std::string_view text) {
  size_t size = std::min(text.size(), kMaxShown);
  while (size < text.size() && size > 0 && (static_cast<uint8_t>(text[size]) & 0xc0) == 0x80) {
    --size;
  }
  return text.substr(0, size);
}

// The same, to be shown: with nothing in it that turns letters round or hides.
SecretBytes ShownTextOf(JsonView value) {
  const SecretBytes text = TextOf(value);
  std::string shown = Printable(Shortened(text.text()));
  return SecretBytes::Take(shown);
}

Result<SecretBytes> PhotoOf(JsonView value) {
  auto text = value.AsString();
  if (!text || text->empty()) return SecretBytes();
  if (text->starts_with("data:")) text->remove_prefix(std::min(text->find(',') + 1, text->size()));
  auto picture = FromBase64(*text);
  if (!picture) return Unreadable("the photograph is not base64");
  SecretBytes secret = SecretBytes::CopyOf(*picture);
  Wipe(*picture);
  return secret;
}

// The 32 digits of an attempt's number, in lower case, however a service writes it; empty: it is
// none. A word that an answer always has in its place is no other attempt.
std::string AttemptIdIn(std::string_view text) {
  constexpr size_t kDigits = 32;
  std::string digits;
  for (const char each : text) {
    const char small = LowerLetter(each);
    const bool is_digit = (small >= '0' && small <= '9') || (small >= 'a' && small <= 'f');
    if (each == '-') continue;
    if (!is_digit || digits.size() == kDigits) return "";
    digits.push_back(small);
  }
  return digits.size() == kDigits ? digits : "";
}

// Whether the answer says yes. Text is compared with its quotes, so "true" is not true.
Result<bool> VerifiedOf(const AnswerShape& shape, JsonView root) {
  const JsonView value = root.At(*shape.verified);
  std::string printed = value.exists() ? value.Print() : "";
  const bool yes = std::ranges::find(shape.verified_values, printed) != shape.verified_values.end();
  const bool no =
      std::ranges::find(shape.not_verified_values, printed) != shape.not_verified_values.end();
  Wipe(printed);
  if (yes != no) return yes;
  return Unreadable(
      fmt::format("{} at {} says neither yes nor no", value.TypeName(), *shape.verified));
}

std::optional<WallTime> FromEpoch(double count) {
  if (!std::isfinite(count) || count <= 0 || count > kLargestSeconds * 1000) return std::nullopt;
  const double milliseconds = count > kLargestSeconds ? count : count * 1000;
  return WallTime{std::chrono::milliseconds(static_cast<int64_t>(milliseconds))};
}

std::optional<WallTime> TimeOf(JsonView value) {
  if (const auto number = value.AsNumber()) return FromEpoch(*number);
  const auto text = value.AsString();
  if (!text) return std::nullopt;
  if (const auto time = ParseRfc3339(*text)) return time;
  const auto number = ParseNumber<double>(*text);
  return number ? FromEpoch(*number) : std::nullopt;
}

// A service's own word, which stands on screens and in tables.
bool IsReasonCode(std::string_view code) {
  constexpr size_t kLongest = 64;  // bytes
  return code.size() <= kLongest && Printable(code) == code;
}

std::optional<RequestReason> ReasonOf(const AnswerShape& shape, JsonView item) {
  if (const auto text = item.AsString(); text && !text->empty()) {
    return RequestReason{std::string(*text), Printable(*text)};
  }
  const JsonView code = At(item, shape.code);
  RequestReason reason;
  if (const auto text = code.AsString()) reason.code = *text;
  if (const auto number = code.AsInteger()) reason.code = std::to_string(*number);
  if (reason.code.empty()) return std::nullopt;
  reason.label = Printable(At(item, shape.label).AsString().value_or(reason.code));
  return reason;
}

}  // namespace

Result<JsonDocument> ParseAnswer(ByteSpan body) {
  auto document = JsonDocument::Parse(AsText(body));
  if (!document) return Unreadable(document.error().message);
  const JsonView root = document->root();
  if (!root.IsObject() && !root.IsArray()) return Unreadable("neither an object nor a list");
  if (root.RepeatedName()) return Unreadable("an object has a name twice");
  return document;
}

Result<AnswerParts> ReadAnswer(const EndpointProfile& profile, ByteSpan body) {
  const auto document = ParseAnswer(body);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  const AnswerShape& shape = profile.answer;
  AnswerParts parts;
  parts.name = ShownTextOf(At(root, shape.name));
  parts.status = ShownTextOf(At(root, shape.status));
  parts.reference = ShownTextOf(At(root, shape.reference));
  auto photo = PhotoOf(At(root, shape.photo));
  if (!photo) return std::unexpected(photo.error());
  parts.photo = std::move(*photo);
  if (shape.verified) {
    const auto verified = VerifiedOf(shape, root);
    if (!verified) return std::unexpected(verified.error());
    parts.verified = *verified;
    return parts;
  }
  // Without such a field an answer that holds what was asked for is the yes.
  parts.verified = !parts.name.empty() || !parts.status.empty() || !parts.reference.empty();
  if (!parts.verified) return Unreadable("none of the expected parts is there");
  return parts;
}

ReferenceInAnswer ReadReference(const EndpointProfile& profile, ByteSpan body) {
  constexpr size_t kLongest = 64;
  if (!profile.answer.reference) return {};
  const auto document = ParseAnswer(body);
  if (!document) return {};
  const SecretBytes reference = TextOf(document->root().At(*profile.answer.reference));
  const bool fits =
      reference.size() <= kLongest &&
      std::ranges::all_of(reference.view(), [](uint8_t c) { return c >= 0x20 && c < 0x7f; });
  if (!fits) return {};
  const SecretBytes name = TextOf(At(document->root(), profile.answer.name));
  return {std::string(reference.text()), HoldsName(reference.text(), name.text())};
}

bool SaysNoRecord(const EndpointProfile& profile, ByteSpan body, std::string_view message) {
  if (!profile.no_record) return false;
  const NoRecordShape& shape = *profile.no_record;
  if (!shape.message.empty()) return message.contains(shape.message);
  const auto document = ParseAnswer(body);
  if (!document) return false;
  const JsonView value = document->root().At(shape.pointer);
  return value.exists() && std::ranges::find(shape.values, value.Print()) != shape.values.end();
}

bool RepeatsAnotherAttempt(const EndpointProfile& profile, ByteSpan body,
                           std::string_view attempt_id) {
  if (!profile.answer.attempt_id || attempt_id.empty()) return false;
  const auto document = ParseAnswer(body);
  if (!document) return false;
  const JsonView repeated = document->root().At(*profile.answer.attempt_id);
  if (!repeated.exists() || repeated.IsNull()) return false;
  const auto text = repeated.AsString();
  if (!text) return true;
  const std::string theirs = AttemptIdIn(*text);
  return !theirs.empty() && theirs != AttemptIdIn(attempt_id);
}

Result<std::vector<RequestReason>> ReadReasons(const EndpointProfile& profile, ByteSpan body) {
  const auto document = ParseAnswer(body);
  if (!document) return std::unexpected(document.error());
  const JsonView list = At(document->root(), profile.answer.list);
  if (!list.IsArray() || list.children().empty()) {
    return Unreadable("there is no list of request reasons in it");
  }
  std::vector<RequestReason> reasons;
  for (JsonView item : list.children()) {
    auto reason = ReasonOf(profile.answer, item);
    if (!reason) return Unreadable("a request reason without a code");
    if (!IsReasonCode(reason->code))
      return Unreadable("a request reason whose code is too long, or holds control characters");
    reasons.push_back(std::move(*reason));
  }
  return reasons;
}

Result<LoginAnswer> ReadLogin(const EndpointProfile& profile, ByteSpan body) {
  const auto document = ParseAnswer(body);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  LoginAnswer answer;
  answer.token = TextOf(At(root, profile.answer.token));
  // A header value: what is not printable ASCII could end it and begin another.
  const auto fits_header = [](uint8_t c) { return c > 0x20 && c < 0x7f; };
  if (answer.token.empty() || !std::ranges::all_of(answer.token.view(), fits_header)) {
    return Unreadable("there is no access token in it");
  }
  answer.expires_at = TimeOf(At(root, profile.answer.expires_at));
  answer.user_id = TextOf(At(root, profile.answer.user_id));
  return answer;
}

SecretBytes ReadErrorMessage(const ServiceProfile& profile, ByteSpan body) {
  const auto document = ParseAnswer(body);
  if (!document) return {};
  for (const std::string& pointer : profile.error_message) {
    const auto text = document->root().At(pointer).AsString();
    if (!text || text->empty()) continue;
    SecretBytes message = SecretBytes::CopyOf(Shortened(*text));
    for (uint8_t& c : message.mutable_view()) {
      if (c < 0x20 || c == 0x7f) c = ' ';
    }
    std::string shown = Printable(message.text());
    return SecretBytes::Take(shown);
  }
  return {};
}

}  // namespace idkiosk
