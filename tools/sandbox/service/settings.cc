#include "tools/sandbox/service/settings.h"

namespace idkiosk::sandbox {
namespace {

constexpr int64_t kLongestLifetime = 30L * 24 * 60 * 60;
constexpr int64_t kHighestRate = 10'000'000;

std::string_view Name(ExpiryForm form) {
  switch (form) {
    case ExpiryForm::kRfc3339:
      return "rfc3339";
    case ExpiryForm::kSeconds:
      return "seconds";
    case ExpiryForm::kMilliseconds:
      return "milliseconds";
  }
  return "rfc3339";
}

std::string_view Name(ReasonForm form) {
  return form == ReasonForm::kObjects ? "objects" : "strings";
}

Status Take(JsonView member, ServiceSettings& settings) {
  const std::string_view key = member.key();
  const auto number = member.AsInteger();
  const auto text = member.AsString();
  if (key == "token_lifetime" && number && *number > 0 && *number <= kLongestLifetime) {
    settings.token_lifetime = std::chrono::seconds(*number);
  } else if (key == "rate_limit" && number && *number >= 0 && *number <= kHighestRate) {
    settings.rate_limit = static_cast<int>(*number);
  } else if (key == "expires_at" && text && ParseExpiryForm(*text)) {
    settings.expiry_form = *ParseExpiryForm(*text);
  } else if (key == "reasons" && text && ParseReasonForm(*text)) {
    settings.reason_form = *ParseReasonForm(*text);
  } else if (key == "check_reason" && (text == "optional" || text == "required")) {
    settings.check_wants_reason = text == "required";
  } else {
    return Fail(ErrorCode::kInvalid,
                "'{}' is no setting, or its value is not possible; there are token_lifetime "
                "(seconds), rate_limit "
                "(calls a minute), expires_at (rfc3339, seconds, milliseconds), reasons (objects, "
                "strings), check_reason (optional, required)",
                key);
  }
  return {};
}

}  // namespace

std::optional<ExpiryForm> ParseExpiryForm(std::string_view name) {
  for (const auto form : {ExpiryForm::kRfc3339, ExpiryForm::kSeconds, ExpiryForm::kMilliseconds}) {
    if (Name(form) == name) return form;
  }
  return std::nullopt;
}

std::optional<ReasonForm> ParseReasonForm(std::string_view name) {
  for (const auto form : {ReasonForm::kObjects, ReasonForm::kStrings}) {
    if (Name(form) == name) return form;
  }
  return std::nullopt;
}

ServiceSettings CurrentSettings::Get() const {
  const MutexLock lock(mutex_);
  return settings_;
}

Status CurrentSettings::Change(JsonView json) {
  if (!json.IsObject()) return Fail(ErrorCode::kInvalid, "settings are a JSON object");
  const MutexLock lock(mutex_);
  ServiceSettings changed = settings_;
  for (const JsonView member : json.children()) {
    if (auto taken = Take(member, changed); !taken) return taken;
  }
  settings_ = changed;
  return {};
}

std::string CurrentSettings::Json() const {
  const ServiceSettings settings = Get();
  return JsonWriter()
      .BeginObject()
      .Field("token_lifetime", static_cast<int64_t>(settings.token_lifetime.count()))
      .Field("rate_limit", settings.rate_limit)
      .Field("expires_at", Name(settings.expiry_form))
      .Field("reasons", Name(settings.reason_form))
      .Field("check_reason", settings.check_wants_reason ? "required" : "optional")
      .EndObject()
      .Take();
}

}  // namespace idkiosk::sandbox
