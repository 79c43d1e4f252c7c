#include "app/service/probe_client.h"

#include <algorithm>
#include <array>

#include "platform/base/json.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"
#include "platform/base/time.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestBody = 64 << 10;
constexpr size_t kLongestWord = 20;  // that is shown: a code is, a token is not
constexpr size_t kMostShown = 40;    // values of one answer

// A body that was read whole, and is sent as it is.
class KeptBody final : public HttpBody {
 public:
  explicit KeptBody(HttpBody& body) {
    bytes_.resize(static_cast<size_t>(std::min<uint64_t>(body.size(), kLargestBody)));
    size_t read = 0;
    while (read < bytes_.size()) {
      const size_t more = body.Read(std::span(bytes_).subspan(read));
      if (more == 0) break;
      read += more;
    }
    bytes_.resize(read);
  }
  ~KeptBody() override { Wipe(bytes_); }
  KeptBody(const KeptBody&) = delete;
  KeptBody& operator=(const KeptBody&) = delete;

  [[nodiscard]] uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] size_t Read(std::span<char> out) override {
    const size_t count = std::min(out.size(), bytes_.size() - read_);
    bytes_.copy(out.data(), count, read_);
    read_ += count;
    return count;
  }
  [[nodiscard]] const std::string& text() const { return bytes_; }

 private:
  std::string bytes_;
  size_t read_ = 0;
};

void ReplaceAll(std::string& text, std::string_view what, std::string_view by) {
  if (what.empty()) return;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// A name such as accessToken or apiKey.
bool NamesASecret(std::string_view name) {
  const std::string lower = LowerCase(name);
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"token", "jwt", "key", "secret", "password"},
      [&lower](std::string_view each) { return lower.contains(each); });
}

// A token is a long text of one word. A time is one, too, and is shown: the profile must say how it
// is written.
bool IsShown(std::string_view text) {
  if (text.size() <= kLongestWord || text.contains(' ')) return true;
  return ParseRfc3339(text).has_value();
}

}  // namespace

std::string ProbeClient::Masked(std::string_view text) const {
  std::string masked(text);
  for (const Secret& each : secrets_) {
    const std::string by = fmt::format("[{}]", each.name);
    std::string quoted = QuoteJson(each.value.text());
    ReplaceAll(masked, each.value.text(), by);
    ReplaceAll(masked, std::string_view(quoted).substr(1, quoted.size() - 2), by);
    Wipe(quoted);
  }
  return Printable(masked, "\n");
}

HttpExchange ProbeClient::Send(const HttpRequest& request, BeforeSend before_send) {
  std::optional<KeptBody> body;
  HttpRequest sent{.method = request.method,
                   .url = request.url.Clone(),
                   .headers = {},
                   .body = nullptr,
                   .connect_timeout = request.connect_timeout,
                   .total_timeout = request.total_timeout,
                   .max_answer_size = request.max_answer_size,
                   .watch_behind = request.watch_behind,
                   .fresh_connection = request.fresh_connection};
  tell_(fmt::format("> {} {}", request.method, Masked(request.url.text())));
  for (const HttpRequest::Header& each : request.headers) {
    sent.headers.push_back({each.name, each.value.Clone()});
    const bool is_token = each.name == "Authorization";
    tell_(fmt::format("> {}: {}", each.name,
                      is_token ? "Bearer [token]" : Masked(each.value.text())));
  }
  if (request.body != nullptr) {
    body.emplace(*request.body);
    sent.body = &*body;
    tell_(fmt::format(">\n> {}", Masked(body->text())));
  }
  HttpExchange exchange = http_.Send(sent, std::move(before_send));
  TellAnswer(exchange);
  return exchange;
}

void ProbeClient::TellAnswer(const HttpExchange& exchange) const {
  if (exchange.stage != SendStage::kAnswered) {
    return tell_(fmt::format("< no answer: {}",
                             exchange.error ? Masked(exchange.error->message) : "unknown"));
  }
  const HttpAnswer& answer = exchange.answer;
  tell_(fmt::format("< HTTP {}", answer.status));
  for (const HttpAnswer::Header& each : answer.headers) {
    const bool is_secret = each.name == "set-cookie" || each.name.contains("token");
    tell_(fmt::format("< {}: {}", each.name, is_secret ? "[hidden]" : Masked(each.value)));
  }
  const auto document = JsonDocument::Parse(answer.body.text());
  if (!document) {
    return tell_(fmt::format("< {} bytes that are no JSON: {}", answer.body.size(),
                             document.error().message));
  }
  tell_("< each value of the answer, by the pointer that a profile takes:");
  TellValues(document->root(), "");
}

void ProbeClient::TellValues(JsonView value, const std::string& pointer) const {
  const auto children = value.children();
  const bool is_list = value.IsArray();
  if (is_list || value.IsObject()) {
    tell_(fmt::format("  {:<36} {}, {} members", pointer.empty() ? "\"\"" : pointer,
                      is_list ? "a list" : "an object", children.size()));
    size_t shown = 0;
    for (const JsonView each : children) {
      // The others of a list look like the first ones.
      if (++shown > (is_list ? size_t{2} : kMostShown)) break;
      TellValues(each, is_list ? fmt::format("{}/{}", pointer, shown - 1)
                               : fmt::format("{}/{}", pointer, Masked(each.key())));
    }
    return;
  }
  std::string said(value.TypeName());
  if (const auto text = value.AsString()) {
    const std::string masked = Masked(*text);
    said = IsShown(masked) && !NamesASecret(value.key())
               ? fmt::format("\"{}\"", masked)
               : fmt::format("a text of {} characters, hidden", text->size());
  } else if (!value.IsNull()) {
    said = value.Print();
  }
  tell_(fmt::format("  {:<36} {}", pointer, said));
}

Status CheckProbe(Endpoint endpoint) {
  if (endpoint == Endpoint::kLogin || endpoint == Endpoint::kReasons) return {};
  if (TaskOf(endpoint).empty()) {
    return Fail(ErrorCode::kForbidden,
                "'{}' changes an account: use 'idkiosk account'. Only login and reasons are probed",
                Name(endpoint));
  }
  return Fail(ErrorCode::kForbidden,
              "'{}' is billed, also where it fails, so it is never sent to try it out: fill in its "
              "part of the profile from what the service's operator delivers, and ask the sandbox. "
              "Only login and reasons are probed",
              Name(endpoint));
}

ServiceProfile ProfileOfProbe(ServiceProfile profile, Endpoint endpoint) {
  for (const Endpoint each : {endpoint, Endpoint::kLogin}) {
    EndpointProfile& about = profile.endpoints[static_cast<size_t>(each)];
    if (each == endpoint) {
      std::erase_if(about.missing, [](const auto& key) { return key.contains(".answer"); });
    }
    about.documented = true;
  }
  return profile;
}

std::vector<std::string> StillAssumed(const ServiceProfile& profile, Endpoint endpoint) {
  std::vector<std::string> keys;
  for (const Endpoint each : {Endpoint::kLogin, endpoint}) {
    std::string key = fmt::format("endpoints.{}.documented", Name(each));
    if (!profile.at(each).documented && std::ranges::count(keys, key) == 0) {
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

Status CheckLabels(const ServiceProfile& profile, const std::vector<RequestReason>& reasons) {
  const AnswerShape& shape = profile.at(Endpoint::kReasons).answer;
  const bool some = std::ranges::any_of(
      reasons, [](const RequestReason& each) { return each.label != each.code; });
  if (some || reasons.empty() || !shape.label || shape.label == shape.code) return {};
  return Fail(ErrorCode::kCorrupt,
              "endpoints.reasons.answer.label: '{}' finds no text in any reason, so people would "
              "see codes; where the service has no labels, write the pointer of code there",
              *shape.label);
}

}  // namespace idkiosk
