#ifndef IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_CURL_H_
#define IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_CURL_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/json.h"
#include "tests/tools/sandbox/contract/sandbox_process.h"

namespace idkiosk::sandbox {

// The answer that the curl program (Debian's, on OpenSSL) got.
struct Answer {
  int curl_exit = -1;  // 7 refused, 18 cut short, 52 nothing at all, 56 reset, 60 bad certificate
  int status = 0;
  std::string headers;
  std::string body;
  JsonDocument json;  // empty for a body that is none

  [[nodiscard]] std::string Text(std::string_view pointer) const {
    return std::string(json.root().At(pointer).AsString().value_or(""));
  }
  [[nodiscard]] std::string message() const { return Text("/message"); }
};

using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// {"name":"value",...}
[[nodiscard]] std::string Json(Fields fields);

// A customer of the sandbox, as an onboarding message tells of one.
struct Customer {
  std::string email, password, user_id, api_key, token;

  // curl's arguments for the three headers; `without` leaves one out.
  [[nodiscard]] std::vector<std::string> Headers(std::string_view without = {}) const;
};

// A test of the service's contract: a sandbox, and curl to speak with it.
class ContractTest : public testing::Test {
 protected:
  explicit ContractTest(const std::vector<std::string>& options = {}) : sandbox_(options) {}

  // `path` is relative to the base address.
  Answer Curl(const std::string& path, std::vector<std::string> arguments = {});
  Answer Get(const std::string& path, const std::vector<std::string>& headers = {});
  Answer Post(const std::string& path, const std::string& json,
              const std::vector<std::string>& headers = {});
  // The control API.
  Answer Admin(const std::string& method, const std::string& path, const std::string& json = "");

  // A new customer, logged in.
  Customer Onboard(Fields options = {});
  [[nodiscard]] std::string LogIn(const Customer& customer);

  // A facial verification in JSON.
  [[nodiscard]] std::string FaceJson(std::string_view nin, size_t selfies = 1, size_t liveness = 4,
                                     std::string_view reason = "LOAN_APPLICATION");
  // The same as curl's arguments for a multipart body.
  [[nodiscard]] std::vector<std::string> FaceForm(std::string_view nin, size_t selfies = 1,
                                                  size_t liveness = 4);

  // How many rows the billing ledger has.
  [[nodiscard]] int64_t Billed();
  [[nodiscard]] int64_t PostsFor(std::string_view nin);
  // Seconds that the sandbox's clock goes ahead.
  void PassTime(int64_t seconds);

  static constexpr const char* kTestNin = "70123456789";
  static constexpr const char* kMatchingNin = "70123456701";
  static constexpr const char* kDifferingNin = "70123456707";
  static constexpr const char* kUnknownNin = "70123456799";

  static constexpr const char* kCheck = "/v1/verify";
  static constexpr const char* kReasons = "/api/v1/ninAuth/getRequestReasons";
  static constexpr const char* kVerify = "/api/v1/ninAuth/verifyNINWithFace";
  static constexpr const char* kPhone = "/verify/verifyPhoneNumber";
  static constexpr const char* kDetails = "/ninAuth/getNINDetails";
  static constexpr const char* kDetailsByPhone = "/ninAuth/getNINDetailsWithPhone";
  static constexpr const char* kLogin = "/api/v1/auth/login";
  static constexpr const char* kRegister = "/api/v1/auth/register";
  static constexpr const char* kChangePassword = "/api/v1/auth/changePassword";

  SandboxProcess sandbox_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_CURL_H_
