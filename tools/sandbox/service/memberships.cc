#include "tools/sandbox/service/memberships.h"

#include "platform/base/text/letter_case.h"

namespace idkiosk::sandbox {
namespace {

constexpr int kWrongPasswordsAMinute = 10;   // from one network address
constexpr int kWrongPasswordsFromAll = 100;  // for those who guess from many
constexpr int kRegistrationsAMinute = 30;

void WriteExpiry(JsonWriter& json, WallTime expires, ExpiryForm form) {
  json.Key("expires_at");
  const int64_t milliseconds = expires.time_since_epoch().count();
  if (form == ExpiryForm::kRfc3339) {
    json.Value(FormatRfc3339(expires));
  } else {
    json.Value(form == ExpiryForm::kSeconds ? milliseconds / 1000 : milliseconds);
  }
}

int StatusOf(const Error& error) {
  const bool callers_fault = error.code == ErrorCode::kInvalid ||
                             error.code == ErrorCode::kRejected ||
                             error.code == ErrorCode::kFailedPrecondition;
  return callers_fault ? 400 : 500;
}

}  // namespace

std::expected<Account, Reply> Memberships::Authenticate(std::string_view email,
                                                        std::string_view password,
                                                        std::string_view from, WallTime now) {
  const std::string account_name = LowerCase(email);
  // No e-mail address has a space: the two never meet.
  const std::string caller = fmt::format("{} {}", account_name, from);
  auto wait = wrong_passwords_.Ask(caller, kWrongPasswordsAMinute, now);
  if (!wait) wait = wrong_passwords_.Ask(account_name, kWrongPasswordsFromAll, now);
  if (wait) {
    return std::unexpected(
        RefuseForNow(*wait, "Too many wrong passwords for this account. Wait, then try again."));
  }
  auto account = accounts_.Authenticate(email, password);
  if (account) return *account;
  (void)wrong_passwords_.Take(caller, kWrongPasswordsAMinute, now);
  (void)wrong_passwords_.Take(account_name, kWrongPasswordsFromAll, now);
  return std::unexpected(Refuse(401, "The e-mail address or the password is not right."));
}

Reply Memberships::LogIn(const Call& call) {
  const auto email = call.form.Text("email");
  if (!email) return Refuse(400, email.error().message);
  const auto password = call.form.Text("password");
  if (!password) return Refuse(400, password.error().message);
  auto account = Authenticate(*email, *password, call.request.remote_address, call.now);
  if (!account) return std::move(account.error());
  const ServiceSettings settings = settings_.Get();
  JsonWriter data;
  data.BeginObject().Field("accessToken",
                           tokens_.Issue(account->id, call.now, settings.token_lifetime));
  WriteExpiry(data, call.now + settings.token_lifetime, settings.expiry_form);
  data.Field("userId", account->user_id).EndObject();
  return {.http = Success(200, "Logged in.", data.text()), .message = {}, .reference = {}};
}

Reply Memberships::Register(const Call& call) {
  if (const auto wait =
          registrations_.Take(call.request.remote_address, kRegistrationsAMinute, call.now)) {
    return RefuseForNow(*wait, "Too many registrations. Wait, then try again.");
  }
  NewAccount fresh;
  for (const auto& [field, value] :
       {std::pair{"email", &fresh.email}, std::pair{"password", &fresh.password},
        std::pair{"name", &fresh.name}}) {
    const auto text = call.form.Text(field);
    if (!text) return Refuse(400, text.error().message);
    *value = *text;
  }
  fresh.level = "basic";
  const auto account = accounts_.Create(fresh, call.now);
  if (!account) return Refuse(StatusOf(account.error()), account.error().message);
  if (auto sent = onboarding_.SendTo(*account); !sent) return Refuse(500, sent.error().message);
  const std::string data =
      JsonWriter().BeginObject().Field("userId", account->user_id).EndObject().Take();
  return {.http = Success(201, "The account is made. Its onboarding message is on its way.", data),
          .message = {},
          .reference = {}};
}

Reply Memberships::ChangePassword(const Call& call) {
  const auto current = call.form.Text("currentPassword");
  if (!current) return Refuse(400, current.error().message);
  const auto fresh = call.form.Text("newPassword");
  if (!fresh) return Refuse(400, fresh.error().message);
  const auto changed = accounts_.ChangePassword(call.account.id, *current, *fresh);
  if (!changed) return Refuse(StatusOf(changed.error()), changed.error().message);
  tokens_.RevokeAllOf(call.account.id);
  return {.http = Success(200, "The password is changed. Log in again.", "{}"),
          .message = {},
          .reference = {}};
}

}  // namespace idkiosk::sandbox
