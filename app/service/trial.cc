#include "app/service/trial.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/service/service_client.h"
#include "app/service/token_keeper.h"

namespace idkiosk {
namespace {

// The message's credentials as the service client reads them: in memory, and in no vault.
class CandidateSecrets final : public SecureStorage {
 public:
  CandidateSecrets(const Onboarding& onboarding, const ServiceAddress& address)
      : onboarding_(onboarding), address_(SecretBytes::CopyOf(ToText(address))) {}

  [[nodiscard]] Result<SecretBytes> Get(std::string_view name) override {
    if (auto found = Find(name)) return std::move(*found);
    return Fail(ErrorCode::kNotFound, "the message holds no {}", name);
  }
  [[nodiscard]] Result<std::vector<std::optional<SecretBytes>>> GetTogether(
      std::span<const std::string_view> names) override {
    std::vector<std::optional<SecretBytes>> values;
    for (const std::string_view name : names) values.push_back(Find(name));
    return values;
  }
  [[nodiscard]] Status Put(std::string_view, const SecretBytes&) override { return Refuse(); }
  [[nodiscard]] Status Remove(std::string_view) override { return Refuse(); }
  [[nodiscard]] Result<Info> Describe() override { return std::unexpected(Refuse().error()); }
  [[nodiscard]] RootKey DescribeRootKey() override { return {}; }
  [[nodiscard]] Result<std::unique_ptr<SecureMark>> OpenMark() override {
    return std::unexpected(Refuse().error());
  }
  [[nodiscard]] Result<SecretBytes> DeriveKey(std::string_view) override {
    return std::unexpected(Refuse().error());
  }

 private:
  [[nodiscard]] std::optional<SecretBytes> Find(std::string_view name) const {
    if (name == kAddressOfCredentials) return address_.Clone();
    const auto found =
        std::ranges::find(onboarding_.credentials, name, &Onboarding::Credential::name);
    if (found == onboarding_.credentials.end() || found->value.empty()) return std::nullopt;
    return found->value.Clone();
  }
  [[nodiscard]] static Status Refuse() {
    return Fail(ErrorCode::kFailedPrecondition, "nothing is stored before it was tried");
  }

  const Onboarding& onboarding_;
  const SecretBytes address_;
};

bool IsRefused(const Error& error) {
  return error.code == ErrorCode::kUnauthenticated || error.code == ErrorCode::kForbidden ||
         error.code == ErrorCode::kRejected;
}

std::unexpected<Error> Explain(const Error& error, std::string_view refused) {
  if (IsRefused(error)) {
    return Fail(ErrorCode::kUnauthenticated, "{} Nothing was changed. ({})", refused,
                error.message);
  }
  if (error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimeout) {
    return Fail(ErrorCode::kUnavailable,
                "the service cannot be reached, so nothing was tried and nothing was "
                "changed: check the network, and try again. ({})",
                error.message);
  }
  return std::unexpected(error);
}

}  // namespace

Status TryOnboarding(const Onboarding& onboarding, const Settings& after,
                     const ServiceProfile& profile, HttpClient& http, const Clock& clock) {
  CandidateSecrets secrets(onboarding, AddressOf(after.environment, after.service.base_url));
  TokenKeeper tokens(profile, after.service, after.environment, http, secrets, clock);
  ServiceClient client(profile, after.service, after.environment, http, secrets, tokens, clock);
  if (const Status login = client.Login(); !login) {
    return Explain(login.error(),
                   "the service refused the login: its e-mail address or its password is wrong.");
  }
  if (const auto reasons = client.FetchReasons(); !reasons) {
    return Explain(reasons.error(),
                   "the login works, but the service refused the API key or the user ID.");
  }
  return {};
}

}  // namespace idkiosk
