#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "app/service/credential_headers.h"
#include "app/service/endpoint_profile.h"
#include "app/settings/duration_text.h"
#include "app/settings/nearest_key.h"
#include "platform/base/json.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr Duration kLongestKeepAlive = std::chrono::minutes(10);
constexpr double kLargestPrice = 1e9;  // of the currency; more is a slip of the pen

// Besides those with credentials. In lower case.
constexpr std::string_view kOwnHeaders[] = {
    "accept",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
};

struct PointerKey {
  std::string_view key;
  std::optional<std::string> AnswerShape::* member;
};
constexpr PointerKey kPointerKeys[] = {
    {"verified", &AnswerShape::verified},   {"name", &AnswerShape::name},
    {"status", &AnswerShape::status},       {"photo", &AnswerShape::photo},
    {"reference", &AnswerShape::reference}, {"list", &AnswerShape::list},
    {"code", &AnswerShape::code},           {"label", &AnswerShape::label},
    {"token", &AnswerShape::token},         {"expires_at", &AnswerShape::expires_at},
    {"user_id", &AnswerShape::user_id},     {"attempt_id", &AnswerShape::attempt_id},
};

// "/endpoints/verify/path" as a person writes it: "endpoints.verify.path".
std::string KeyOf(std::string_view pointer) {
  std::string key(pointer.substr(std::min<size_t>(pointer.size(), 1)));
  std::ranges::replace(key, '/', '.');
  return key;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Result<ServiceProfile> Parse() {
    auto document = JsonDocument::ParseWithComments(text_);
    if (!document) return std::unexpected(document.error().Within(file_));
    root_ = document->root();
    if (!root_.IsObject()) return Fail(ErrorCode::kInvalid, "{}: not a JSON object", file_);
    ServiceProfile profile;
    profile.file = file_;
    CheckKeys("", {"name", "currency", "error_message", "keep_alive", "attempt_id_header",
                   "billed_by_status", "endpoints"});
    profile.name = String("/name");
    profile.currency = Currency("/currency");
    profile.error_message = Pointers("/error_message");
    profile.keep_alive = KeepAlive("/keep_alive");
    profile.attempt_id_header = HeaderName("/attempt_id_header");
    profile.billed_by_status = BilledByStatus("/billed_by_status");
    if (const JsonView all = Required("/endpoints"); all.exists() && !all.IsObject()) {
      Refuse("/endpoints", "must be an object");
    }
    for (JsonView each : root_["endpoints"].children()) {
      if (EndpointOf(each.key())) continue;
      std::vector<std::string_view> names;
      for (const Endpoint known : kEndpoints) names.push_back(Name(known));
      const std::string nearest = NearestKey(each.key(), names);
      Refuse("/endpoints/" + std::string(each.key()),
             nearest.empty() ? fmt::format("no endpoint; there are {}", fmt::join(names, ", "))
                             : fmt::format("no endpoint; did you mean {}?", nearest));
    }
    for (const Endpoint each : kEndpoints) {
      profile.endpoints[static_cast<size_t>(each)] = ReadEndpoint(each);
    }
    if (error_) return std::unexpected(*error_);
    return profile;
  }

 private:
  // Keeps the first fault; the rest of the reading then does not matter.
  void Refuse(const std::string& pointer, std::string_view fault) {
    if (error_) return;
    const std::string key = pointer.empty() ? "" : KeyOf(pointer) + ": ";
    error_ = Error{ErrorCode::kInvalid,
                   fmt::format("{}:{}: {}{}", file_, LineOf(text_, pointer), key, fault)};
  }

  // The value at `pointer`; nothing after a complaint if it is not there.
  JsonView Required(const std::string& pointer) {
    const JsonView value = root_.At(pointer);
    if (!value.exists() && !error_) {
      const size_t slash = pointer.rfind('/');
      Refuse(pointer.substr(0, slash),
             fmt::format("\"{}\" is missing (null says: not delivered yet)",
                         pointer.substr(slash + 1)));
    }
    return value;
  }

  void CheckKeys(const std::string& pointer, std::initializer_list<std::string_view> known) {
    for (JsonView each : root_.At(pointer).children()) {
      if (std::ranges::find(known, each.key()) != known.end()) continue;
      if (each.key() == "not_found") {
        Refuse(pointer + "/not_found", "is now \"no_record\", which says how such an answer looks");
      }
      Refuse(pointer + "/" + std::string(each.key()),
             fmt::format("no such key; known: {}", fmt::join(known, ", ")));
    }
  }

  std::string String(const std::string& pointer) {
    const JsonView value = Required(pointer);
    const auto text = value.AsString();
    if (value.exists() && (!text || text->empty())) {
      Refuse(pointer, fmt::format("must be text, not {}", value.TypeName()));
    }
    return std::string(text.value_or(""));
  }

  // Of ISO 4217.
  std::string Currency(const std::string& pointer) {
    std::string code = String(pointer);
    const bool fits =
        code.size() == 3 && std::ranges::all_of(code, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!code.empty() && !fits) Refuse(pointer, "must be three capital letters, such as \"NGN\"");
    return code;
  }

  bool Bool(const std::string& pointer) {
    const JsonView value = Required(pointer);
    if (value.exists() && !value.AsBool()) {
      Refuse(pointer, fmt::format("must be true or false, not {}", value.TypeName()));
    }
    return value.AsBool().value_or(false);
  }

  std::string Pointer(const std::string& at, JsonView value) {
    const auto text = value.AsString();
    if (!text || (!text->empty() && !text->starts_with('/'))) {
      Refuse(at, "must be a JSON pointer (RFC 6901) such as \"/data/name\"");
    }
    return std::string(text.value_or(""));
  }

  std::vector<std::string> Pointers(const std::string& pointer) {
    const JsonView value = Required(pointer);
    if (value.exists() && !value.IsArray()) Refuse(pointer, "must be a list of JSON pointers");
    std::vector<std::string> pointers;
    for (JsonView each : value.children()) pointers.push_back(Pointer(pointer, each));
    return pointers;
  }

  std::map<int, Billed> BilledByStatus(const std::string& pointer) {
    std::map<int, Billed> billed;
    const JsonView json = root_.At(pointer);
    if (json.exists() && !json.IsObject()) Refuse(pointer, "must be an object of statuses");
    for (JsonView each : json.children()) {
      const std::string at = pointer + "/" + std::string(each.key());
      const int status = ParseNumber<int>(each.key()).value_or(0);
      if (status < 400 || status > 599) Refuse(at, "must be a status from 400 to 599");
      billed[status] = OneOf<Billed>(
          at, {{"yes", Billed::kYes}, {"maybe", Billed::kMaybe}, {"no", Billed::kNo}});
    }
    return billed;
  }

  std::string HeaderName(const std::string& pointer) {
    const JsonView json = root_.At(pointer);
    if (!json.exists() || json.IsNull()) return "";
    const std::string_view name = json.AsString().value_or("");
    const bool fits = !name.empty() && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!fits) {
      Refuse(pointer, "must be a header's name, of letters, digits and hyphens");
    } else if (IsCredentialHeader(name) ||
               std::ranges::find(kOwnHeaders, LowerCase(name)) != std::end(kOwnHeaders)) {
      Refuse(pointer, "is a header that requests have already");
    }
    return std::string(name);
  }

  Duration KeepAlive(const std::string& pointer) {
    const JsonView json = root_.At(pointer);
    if (!json.exists() || json.IsNull()) return {};
    const auto time = ParseDuration(json.AsString().value_or(""));
    if (!time || *time > kLongestKeepAlive) {
      Refuse(pointer, "must be a time up to \"10 min\", such as \"5 s\"");
    }
    return time.value_or(Duration());
  }

  template <typename T>
  T OneOf(const std::string& pointer, std::initializer_list<std::pair<std::string_view, T>> words) {
    const std::string text = String(pointer);
    std::vector<std::string_view> known;
    for (const auto& [word, value] : words) {
      if (word == text) return value;
      known.push_back(word);
    }
    Refuse(pointer, fmt::format("\"{}\" is none of {}", text, fmt::join(known, ", ")));
    return words.begin()->second;
  }

  // Every null below an endpoint is something that its operator has still to deliver.
  void FindMissing(const std::string& pointer, JsonView value, EndpointProfile& profile) {
    if (value.IsNull()) profile.missing.push_back(KeyOf(pointer));
    if (!value.IsObject()) return;
    for (JsonView each : value.children()) {
      FindMissing(pointer + "/" + std::string(each.key()), each, profile);
    }
  }

  EndpointProfile ReadEndpoint(Endpoint endpoint) {
    EndpointProfile profile;
    profile.endpoint = endpoint;
    const std::string at = "/endpoints/" + std::string(Name(endpoint));
    const JsonView json = root_.At(at);
    if (!json.exists() || json.IsNull()) {  // as in a profile of before there was this endpoint
      profile.missing.push_back(KeyOf(at));
      return profile;
    }
    if (!json.IsObject()) {
      Refuse(at, "must be an object");
      return profile;
    }
    CheckKeys(at, {"documented", "method", "path", "auth", "body", "fields", "query", "kinds",
                   "answer", "no_record", "billed", "price"});
    FindMissing(at, json, profile);
    profile.source = json.Print();
    profile.documented = Bool(at + "/documented");
    profile.billed = Bool(at + "/billed");
    ReadAddress(at, profile);
    ReadTemplates(at, json, profile);
    ReadKinds(at + "/kinds", profile);
    ReadAnswerShape(at + "/answer", profile);
    ReadNoRecord(at + "/no_record", profile);
    ReadPrice(at, json, profile);
    if (profile.missing.empty()) CheckPlaceholders(at, profile);
    if (profile.missing.empty()) CheckRepeatedId(at + "/answer/attempt_id", profile);
    return profile;
  }

  void ReadAddress(const std::string& at, EndpointProfile& profile) {
    if (Given(at + "/method")) {
      profile.method = OneOf<const char*>(
          at + "/method", {{"GET", "GET"}, {"POST", "POST"}, {"PUT", "PUT"}, {"PATCH", "PATCH"}});
    }
    if (Given(at + "/path")) {
      profile.path = String(at + "/path");
      if (!profile.path.starts_with('/') ||
          profile.path.find_first_of("?# ") != std::string::npos) {
        Refuse(at + "/path", "must begin with a slash and hold no query; use \"query\" for that");
      } else if (profile.path.find_first_of("{}") != std::string::npos) {
        Refuse(at + "/path", "is sent as it stands: only \"fields\" and \"query\" are filled in");
      }
    }
    if (Given(at + "/auth")) {
      profile.authentication =
          OneOf<Authentication>(at + "/auth", {{"none", Authentication::kNone},
                                               {"three_headers", Authentication::kThreeHeaders},
                                               {"api_key_bearer", Authentication::kApiKeyBearer}});
    }
    if (Given(at + "/body")) {
      profile.body = OneOf<BodyFormat>(at + "/body", {{"none", BodyFormat::kNone},
                                                      {"json", BodyFormat::kJson},
                                                      {"multipart", BodyFormat::kMultipart}});
    }
  }

  void ReadNoRecord(const std::string& at, EndpointProfile& profile) {
    const JsonView json = root_.At(at);
    if (!json.exists() || json.IsNull()) return;
    CheckKeys(at, {"message", "pointer", "values"});
    NoRecordShape shape;
    const bool by_message = json["message"].exists();
    if (by_message != json["pointer"].exists() && by_message != json["values"].exists()) {
      if (by_message) shape.message = String(at + "/message");
      if (!by_message) shape.pointer = Pointer(at + "/pointer", json["pointer"]);
      for (JsonView each : json["values"].children()) shape.values.push_back(each.Print());
    }
    if (shape.message.empty() && shape.values.empty()) {
      return Refuse(at, "needs either \"message\", or \"pointer\" and a list of \"values\"");
    }
    profile.no_record = std::move(shape);
  }

  // Whether the required key holds a value; null is for later.
  bool Given(const std::string& pointer) {
    const JsonView value = Required(pointer);
    return value.exists() && !value.IsNull();
  }

  void ReadTemplates(const std::string& at, JsonView json, EndpointProfile& profile) {
    if (profile.body == BodyFormat::kJson && Given(at + "/fields")) {
      profile.json = Checked(at + "/fields", ParseJsonTemplate(json["fields"]));
    }
    if (profile.body == BodyFormat::kMultipart && Given(at + "/fields")) {
      profile.parts = Checked(at + "/fields", ParseNamedTemplates(json["fields"]));
      for (const NamedTemplate& each : profile.parts) CheckPart(at + "/fields", each);
    }
    if (json["query"].exists() && !json["query"].IsNull()) {
      profile.query = Checked(at + "/query", ParseNamedTemplates(json["query"]));
    }
  }

  void ReadKinds(const std::string& at, EndpointProfile& profile) {
    const std::string_view documented = TraitsOf(profile.endpoint).kind;
    if (!documented.empty()) profile.kinds.emplace_back(documented);
    const JsonView json = root_.At(at);
    if (!json.exists() || json.IsNull()) return;
    if (documented.empty()) Refuse(at, "this endpoint has no kinds");
    profile.kinds.clear();
    for (JsonView each : json.children()) {
      if (!each.AsString() || each.AsString()->empty())
        return Refuse(at, "must be a list of words");
      profile.kinds.emplace_back(*each.AsString());
    }
    if (!json.IsArray() || profile.kinds.empty()) Refuse(at, "must be a list of words");
  }

  template <typename T>
  T Checked(const std::string& pointer, Result<T> parsed) {
    if (parsed) return std::move(*parsed);
    Refuse(pointer, parsed.error().message);
    return {};
  }

  void CheckPart(const std::string& pointer, const NamedTemplate& part) {
    const bool picture = std::ranges::any_of(
        part.value, [](const TemplatePiece& each) { return IsPicture(each.placeholder); });
    if (picture && (part.value.size() != 1 || !part.value.front().literal.empty())) {
      Refuse(pointer, fmt::format("\"{}\": a file is a picture and nothing else", part.name));
    }
    if (part.name.find_first_of("\"\r\n") != std::string::npos) {
      Refuse(pointer, "a part's name holds no quotation mark and no line break");
    }
  }

  void ReadAnswerShape(const std::string& at, EndpointProfile& profile) {
    const JsonView json = Required(at);
    if (json.IsNull() || error_) return;
    if (!json.IsObject()) return Refuse(at, "must be an object");
    for (JsonView each : json.children()) {
      const bool values = each.key() == "verified_values" || each.key() == "not_verified_values";
      if (!values &&
          std::ranges::find(kPointerKeys, each.key(), &PointerKey::key) == std::end(kPointerKeys)) {
        Refuse(at + "/" + std::string(each.key()), "no such key");
      }
    }
    AnswerShape& shape = profile.answer;
    for (const PointerKey& each : kPointerKeys) {
      const JsonView value = json[each.key];
      if (!value.exists() || value.IsNull()) continue;
      shape.*each.member = Pointer(at + "/" + std::string(each.key), value);
    }
    shape.verified_values = Values(at + "/verified_values", "true");
    shape.not_verified_values = Values(at + "/not_verified_values", "false");
    CheckVerdictValues(at, json, shape);
    if (const std::string needed(TraitsOf(profile.endpoint).pointer); !needed.empty()) {
      Required(at + "/" + needed);
    }
    if (profile.billed && !shape.verified && !shape.name && !shape.status && !shape.reference &&
        profile.missing.empty()) {
      Refuse(at, "needs \"verified\", or at least one of name, status and reference");
    }
  }

  // A mistake here takes a "no" for a yes, or pays for answers that nobody can read.
  void CheckVerdictValues(const std::string& at, JsonView json, const AnswerShape& shape) {
    for (const char* key : {"verified_values", "not_verified_values"}) {
      const std::string pointer = at + "/" + key;
      if (!json[key].exists() || json[key].IsNull()) continue;
      if (!shape.verified)
        Refuse(pointer, "is of \"verified\", which is missing: say where it stands");
      if (json[key].children().empty()) Refuse(pointer, "must name a value, or be left out");
    }
    for (const std::string& each : shape.verified_values) {
      if (std::ranges::count(shape.not_verified_values, each) == 0) continue;
      Refuse(at + "/not_verified_values",
             fmt::format("{} says yes, too: it can say one alone", each));
    }
  }

  std::vector<std::string> Values(const std::string& pointer, std::string_view otherwise) {
    const JsonView json = root_.At(pointer);
    if (!json.exists() || json.IsNull()) return {std::string(otherwise)};
    if (!json.IsArray()) Refuse(pointer, "must be a list of values");
    std::vector<std::string> values;
    for (JsonView each : json.children()) values.push_back(each.Print());
    return values;
  }

  void ReadPrice(const std::string& at, JsonView json, EndpointProfile& profile) {
    if (!profile.billed) {
      if (json["price"].exists()) Refuse(at + "/price", "what is not billed has no price");
      return;
    }
    if (!Given(at + "/price")) return;
    const double price = json["price"].AsNumber().value_or(-1);
    const double hundredths = std::round(price * 100);
    if (price < 0 || price > kLargestPrice || std::abs(price * 100 - hundredths) > 1e-6) {
      return Refuse(at + "/price", fmt::format("must be a price with at most two decimals, such as "
                                               "25.50, and no more than {:.0f}",
                                               kLargestPrice));
    }
    profile.price = static_cast<int64_t>(hundredths);
  }

  void CheckPlaceholders(const std::string& at, EndpointProfile& profile) {
    std::vector<Placeholder> used;
    const auto collect = [&used](const Template& from) {
      for (const TemplatePiece& each : from) {
        if (each.placeholder != Placeholder::kNone) used.push_back(each.placeholder);
      }
    };
    collect(profile.json);
    for (const NamedTemplate& each : profile.parts) collect(each.value);
    const size_t in_body = used.size();
    for (const NamedTemplate& each : profile.query) collect(each.value);
    const EndpointTraits traits = TraitsOf(profile.endpoint);
    for (const Placeholder each : traits.asks.list()) {
      if (std::ranges::count(used, each) == 1) continue;
      Refuse(at, fmt::format("\"{{{}}}\" must stand in \"fields\" or \"query\" exactly once",
                             Name(each)));
    }
    const auto ids = std::ranges::count(used, Placeholder::kAttemptId);
    if (ids > 1 || (ids == 1 && !profile.billed)) {
      Refuse(at, "\"{attempt_id}\" stands once, and only where a request is billed");
    }
    profile.has_attempt_id = ids == 1;
    profile.has_reason = std::ranges::count(used, Placeholder::kRequestReason) > 0;
    for (size_t i = 0; i < used.size(); ++i) {
      if (used[i] == Placeholder::kAttemptId) continue;
      if (i >= in_body && IsPicture(used[i])) Refuse(at + "/query", "holds no pictures");
      if (!traits.Takes(used[i])) {
        Refuse(at, fmt::format("this endpoint does not know \"{{{}}}\"", Name(used[i])));
      }
    }
  }

  // What is not sent cannot be repeated: the pointer would read something else.
  void CheckRepeatedId(const std::string& at, const EndpointProfile& profile) {
    const bool has_header = root_["attempt_id_header"].AsString().has_value();
    const bool is_sent = profile.billed && (profile.has_attempt_id || has_header);
    if (!profile.answer.attempt_id || is_sent) return;
    Refuse(at,
           "the request carries no {attempt_id} that the answer could repeat: name "
           "\"attempt_id_header\", or put \"{attempt_id}\" into \"fields\" or \"query\"");
  }

  const std::string_view text_;
  const std::string file_;
  JsonView root_;
  std::optional<Error> error_;
};

}  // namespace

Result<ServiceProfile> ParseProfile(std::string_view text, std::string_view file) {
  return Parser(text, file).Parse();
}

}  // namespace idkiosk
