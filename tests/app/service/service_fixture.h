#ifndef IDKIOSK_TESTS_APP_SERVICE_SERVICE_FIXTURE_H_
#define IDKIOSK_TESTS_APP_SERVICE_SERVICE_FIXTURE_H_

#include <string>
#include <string_view>

#include "app/service/service_client.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_http_client.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {

// The text of a file of the repository.
[[nodiscard]] std::string ReadRepositoryFile(const std::string& path);

// config/profiles/sandbox.jsonc, with `from` replaced by `to` where it stands first. Throws
// std::invalid_argument, and so fails its test, where `from` stands nowhere or the profile is
// refused.
[[nodiscard]] ServiceProfile SandboxProfile(std::string_view from = "", std::string_view to = "");

// A JPEG by its marks, of `size` bytes (at least 60); `filler` tells pictures apart.
[[nodiscard]] SecretBytes DrawJpeg(size_t size, char filler);

[[nodiscard]] VerificationCall FacialCall(std::string_view nin = "12345678901");

// The sandbox's answers to a facial verification.
inline constexpr std::string_view kVerifiedAnswer =
    R"({"data":{"verified":true,"fullName":"Ada Obi","photo":"/9j/","reference":"R-1"}})";
inline constexpr std::string_view kNotVerifiedAnswer =
    R"({"data":{"verified":false,"reference":"R-2"}})";
inline constexpr std::string_view kLoginAnswer =
    R"({"data":{"accessToken":"token-1","expires_at":"2026-11-20T02:00:00Z","userId":"U-1"}})";

// What it says with an error.
inline constexpr std::string_view kErrorAnswer = R"({"message":"because"})";

inline constexpr std::string_view kTestBaseUrl = "https://customer.example/gateway";

// A service client on a network of the test's own, with every credential in place.
struct ServiceBench {
  explicit ServiceBench(ServiceProfile with = SandboxProfile(),
                        Environment environment = Environment::kSandbox,
                        std::string_view base_url = kTestBaseUrl);

  // Answers logins with tokens "token-1", "token-2" ...; everything else is up to `server`.
  void ServeLogins(FakeHttpClient::Server server);

  FakeClock clock;  // 2026-11-20T01:00:00Z
  FakeHttpClient http{clock};
  FakeSecureStorage storage;
  ServiceProfile profile;
  ServiceSettings settings;
  TokenKeeper tokens;
  ServiceClient client;
  int logins = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SERVICE_SERVICE_FIXTURE_H_
