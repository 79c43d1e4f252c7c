#include "tools/sandbox/service/authentication.h"

#include "platform/base/text/letter_case.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {

std::string_view BearerOf(const HttpRequest& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = request.Header("Authorization");
  if (!EqualsIgnoringCase(value.substr(0, kScheme.size()), kScheme)) return {};
  return value.substr(kScheme.size());
}

std::expected<Account, std::string> Authentication::Caller(const HttpRequest& request,
                                                           Credentials credentials) {
  switch (credentials) {
    case Credentials::kNone:
      return Account{};
    case Credentials::kApiKeyAsBearer:
      // The document says both: its example sends the key alone, its rule all three headers.
      return request.Header("X-API-KEY").empty() ? ByKeyAsBearer(request) : ByThreeHeaders(request);
    case Credentials::kThreeHeaders:
      return ByThreeHeaders(request);
  }
  return std::unexpected("The way of authentication is unknown.");
}

std::expected<Account, std::string> Authentication::ByKeyAsBearer(const HttpRequest& request) {
  const std::string_view key = BearerOf(request);
  if (key.empty()) return std::unexpected("The header Authorization: Bearer <API_KEY> is missing.");
  auto account = accounts_.FindByKey(key);
  if (!account) return std::unexpected("The API key in Authorization is unknown or revoked.");
  return *account;
}

std::expected<Account, std::string> Authentication::ByThreeHeaders(const HttpRequest& request) {
  const std::string_view key = request.Header("X-API-KEY");
  if (key.empty()) return std::unexpected("The header X-API-KEY is missing.");
  auto account = accounts_.FindByKey(key);
  if (!account) return std::unexpected("The API key in X-API-KEY is unknown or revoked.");
  const std::string_view user = request.Header("X-USER-ID");
  if (user.empty()) return std::unexpected("The header X-USER-ID is missing.");
  if (!EqualInConstantTime(user, account->user_id)) {
    return std::unexpected("X-USER-ID is not the user that this API key belongs to.");
  }
  const std::string_view token = BearerOf(request);
  if (token.empty()) {
    return std::unexpected("The header Authorization: Bearer <ACCESS_TOKEN> is missing.");
  }
  const auto holder = tokens_.Use(token, clock_.Now(), settings_.Get().token_lifetime);
  if (!holder) return std::unexpected("The access token is unknown or expired. Log in again.");
  if (*holder != account->id) {
    return std::unexpected("The access token is not of the user that this API key belongs to.");
  }
  return *account;
}

}  // namespace idkiosk::sandbox
