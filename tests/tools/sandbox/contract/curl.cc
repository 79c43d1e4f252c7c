#include "tests/tools/sandbox/contract/curl.h"

#include <charconv>

#include "platform/base/bytes.h"
#include "tools/sandbox/service/portrait.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

const std::vector<std::string> kJsonHeader = {"--header", "Content-Type: application/json"};

void Append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

int NumberOf(const std::string& text) {
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string Json(Fields fields) {
  JsonWriter json;
  json.BeginObject();
  for (const auto& [key, value] : fields) json.Field(key, value);
  return json.EndObject().Take();
}

std::vector<std::string> Customer::Headers(std::string_view without) const {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"X-API-KEY", api_key},
                                    {"X-USER-ID", user_id},
                                    {"Authorization", "Bearer " + token}}) {
    if (name != without) Append(arguments, {"--header", name + ": " + value});
  }
  return arguments;
}

Answer ContractTest::Curl(const std::string& path, std::vector<std::string> arguments) {
  const std::string headers = sandbox_.scratch() / "headers";
  const std::string body = sandbox_.scratch() / "body";
  (void)WritePrivateFile(headers, "");
  (void)WritePrivateFile(body, "");
  std::vector<std::string> command = {
      "curl",  "--silent", "--cacert", sandbox_.ca_file(), "--dump-header",
      headers, "--output", body,       "--write-out",      "%{http_code}"};
  Append(command, arguments);
  command.push_back(sandbox_.base_url() + path);
  const Finished finished = RunProgram(command);
  Answer answer{.curl_exit = finished.exit_code,
                .status = NumberOf(finished.out),
                .headers = ReadTextFile(headers).value_or(""),
                .body = ReadTextFile(body).value_or(""),
                .json = {}};
  if (auto parsed = JsonDocument::Parse(answer.body)) answer.json = std::move(*parsed);
  return answer;
}

Answer ContractTest::Get(const std::string& path, const std::vector<std::string>& headers) {
  return Curl(path, headers);
}

Answer ContractTest::Post(const std::string& path, const std::string& json,
                          const std::vector<std::string>& headers) {
  const std::string file = sandbox_.scratch() / "request";
  (void)WritePrivateFile(file, json);
  std::vector<std::string> arguments = headers;
  Append(arguments, kJsonHeader);
  Append(arguments, {"--data-binary", "@" + file});
  return Curl(path, arguments);
}

Answer ContractTest::Admin(const std::string& method, const std::string& path,
                           const std::string& json) {
  std::vector<std::string> arguments = {"--request", method, "--header",
                                        "Authorization: Bearer " + sandbox_.admin_token()};
  if (!json.empty()) Append(arguments, {"--data-binary", json});
  return Curl(path, arguments);
}

Customer ContractTest::Onboard(Fields options) {
  const Answer answer = Admin("POST", "/sandbox/onboard", Json(options));
  EXPECT_EQ(answer.status, 201) << answer.body;
  Customer customer{.email = answer.Text("/login/email"),
                    .password = answer.Text("/login/password"),
                    .user_id = answer.Text("/user_id"),
                    .api_key = answer.Text("/api_key"),
                    .token = {}};
  customer.token = LogIn(customer);
  return customer;
}

std::string ContractTest::LogIn(const Customer& customer) {
  return Post(kLogin, Json({{"email", customer.email}, {"password", customer.password}}))
      .Text("/data/accessToken");
}

std::string ContractTest::FaceJson(std::string_view nin, size_t selfies, size_t liveness,
                                   std::string_view reason) {
  JsonWriter json;
  json.BeginObject().Field("nin", nin).Field("requestReason", reason);
  const auto pictures = [&](std::string_view name, size_t count) {
    json.Key(name).BeginArray();
    for (size_t i = 0; i < count; ++i) {
      json.Value(ToBase64(DrawPortrait(std::string(name) + std::to_string(i))));
    }
    json.EndArray();
  };
  if (selfies == 1) {
    json.Field("selfieImage", ToBase64(DrawPortrait("selfie")));
  } else if (selfies > 1) {
    pictures("selfieImage", selfies);
  }
  pictures("livenessImages", liveness);
  return json.EndObject().Take();
}

std::vector<std::string> ContractTest::FaceForm(std::string_view nin, size_t selfies,
                                                size_t liveness) {
  const std::string file = sandbox_.scratch() / "picture.jpg";
  (void)WritePrivateFile(file, AsText(DrawPortrait("somebody")));
  std::vector<std::string> arguments = {"--form", "nin=" + std::string(nin), "--form",
                                        "requestReason=LOAN_APPLICATION"};
  for (size_t i = 0; i < selfies; ++i) Append(arguments, {"--form", "selfieImage=@" + file});
  for (size_t i = 0; i < liveness; ++i) Append(arguments, {"--form", "livenessImages=@" + file});
  return arguments;
}

int64_t ContractTest::Billed() {
  return Admin("GET", "/sandbox/ledger").json.root().At("/sum/count").AsInteger().value_or(-1);
}

int64_t ContractTest::PostsFor(std::string_view nin) {
  const Answer answer = Admin("GET", "/sandbox/requests?nin=" + std::string(nin));
  return answer.json.root().At("/count/posts").AsInteger().value_or(-1);
}

void ContractTest::PassTime(int64_t seconds) {
  const std::string json =
      JsonWriter().BeginObject().Field("advance_seconds", seconds).EndObject().Take();
  EXPECT_EQ(Admin("POST", "/sandbox/clock", json).status, 200);
}

}  // namespace idkiosk::sandbox
