// Holds tools/sandbox/openapi.json and the server together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "platform/base/bytes.h"
#include "tests/tools/sandbox/contract/curl.h"
#include "tests/tools/sandbox/contract/json_schema.h"
#include "tools/sandbox/control/resources.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/service/portrait.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

// One method of one path.
struct Operation {
  std::string method;
  std::string path;
  JsonView json;
};

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

class OpenApiContractTest : public ContractTest {
 protected:
  OpenApiContractTest() {
    const auto text = ReadTextFile("tools/sandbox/openapi.json");
    auto parsed = JsonDocument::Parse(text.value_or(""));
    EXPECT_TRUE(parsed) << "tools/sandbox/openapi.json";
    if (parsed) file_ = std::move(*parsed);
  }

  std::vector<Operation> Operations() {
    std::vector<Operation> operations;
    for (const JsonView path : file_.root()["paths"].children()) {
      for (const JsonView method : path.children()) {
        std::string name(method.key());
        std::ranges::transform(name, name.begin(), [](char c) { return std::toupper(c); });
        operations.push_back({name, std::string(path.key()), method});
      }
    }
    return operations;
  }

  // curl's arguments for what the operation's `security` names.
  std::vector<std::string> Credentials(const Operation& operation) {
    const JsonView schemes = operation.json.At("/security/0");
    if (!schemes.exists()) return {};
    if (!schemes["apiKeyAsBearer"].exists()) return customer_.Headers();
    return {"--header", "Authorization: Bearer " + customer_.api_key};
  }

  Answer Send(const Operation& operation, JsonView example,
              const std::vector<std::string>& credentials) {
    if (operation.method == "GET") {
      return Get(operation.path + "?" + TextOf(example["query"]), credentials);
    }
    std::string body = example["body"].Print();
    ReplaceAll(body, "{{picture}}", ToBase64(DrawPortrait("somebody")));
    ReplaceAll(body, "{{email}}", customer_.email);
    ReplaceAll(body, "{{password}}", customer_.password);
    return Post(operation.path, body, credentials);
  }

  // What is wrong with an answer by the file; empty for a good one.
  std::string Compare(const Operation& operation, const Answer& answer) {
    const JsonView listed = operation.json["responses"][std::to_string(answer.status)];
    if (!listed.exists()) return "status " + std::to_string(answer.status) + " is not in the file";
    const JsonView response = Resolve(file_.root(), listed);
    return Complaint(file_.root(), response.At("/content/application~1json/schema"),
                     answer.json.root());
  }

  JsonDocument file_;
  Customer customer_ = Onboard();
};

TEST_F(OpenApiContractTest, TheFileListsTheEndpointsOfTheServerAndNoOther) {
  std::set<std::string> listed;
  for (const Operation& operation : Operations()) {
    listed.insert(TextOf(operation.json["operationId"]) + " " + operation.method + " " +
                  operation.path);
  }
  std::set<std::string> served;
  for (const EndpointRow& row : Endpoints()) {
    served.insert(std::string(row.name) + " " + std::string(row.method) + " " +
                  std::string(row.path));
  }
  EXPECT_EQ(listed, served);
}

TEST_F(OpenApiContractTest, EachExampleIsAnsweredAsTheFileSays) {
  for (const Operation& operation : Operations()) {
    const std::vector<JsonView> examples = operation.json["x-examples"].children();
    EXPECT_FALSE(examples.empty()) << operation.path;
    for (const JsonView example : examples) {
      const Answer answer = Send(operation, example, Credentials(operation));
      EXPECT_EQ(answer.status, example["status"].AsInteger()) << operation.path << answer.body;
      EXPECT_EQ(Compare(operation, answer), "") << operation.path << answer.body;
    }
  }
}

TEST_F(OpenApiContractTest, ExamplesOfGoodRequestsAreGoodByTheirSchema) {
  for (const Operation& operation : Operations()) {
    const JsonView schema = operation.json.At("/requestBody/content/application~1json/schema");
    for (const JsonView example : operation.json["x-examples"].children()) {
      if (!schema.exists() || example["status"].AsInteger() > 299) continue;
      std::string body = example["body"].Print();
      ReplaceAll(body, "{{picture}}", "AAAA");
      EXPECT_EQ(Complaint(file_.root(), schema, JsonDocument::Parse(body)->root()), "") << body;
    }
  }
}

TEST_F(OpenApiContractTest, WhatNeedsCredentialsIsRefusedWithoutThem) {
  for (const Operation& operation : Operations()) {
    const JsonView example = operation.json.At("/x-examples/0");
    const bool open = operation.json["security"].children().empty();
    const Answer answer = Send(operation, example, {});
    EXPECT_EQ(answer.status == 401, !open) << operation.path;
    EXPECT_EQ(Compare(operation, answer), "") << operation.path;
  }
}

TEST_F(OpenApiContractTest, EachStatusListedIsAnsweredInTheShapeListed) {
  for (const Operation& operation : Operations()) {
    for (const JsonView response : operation.json["responses"].children()) {
      const std::string status(response.key());
      if (status < "400") continue;
      const std::string fault = R"({"kind":"status","status":)" + status + R"(,"endpoint":")" +
                                TextOf(operation.json["operationId"]) + "\"}";
      ASSERT_EQ(Admin("POST", "/sandbox/faults", fault).status, 201) << fault;
      const Answer answer =
          Send(operation, operation.json.At("/x-examples/0"), Credentials(operation));
      EXPECT_EQ(std::to_string(answer.status), status) << operation.path;
      EXPECT_EQ(Compare(operation, answer), "") << operation.path;
    }
  }
}

TEST_F(OpenApiContractTest, WhatTheSpecificationShowsIsNotMarkedAssumedAndTheRestIs) {
  // Method and path are both shown for these three alone.
  const std::set<std::string> shown = {"check", "reasons", "lookup_phone"};
  for (const Operation& operation : Operations()) {
    const std::string name = TextOf(operation.json["operationId"]);
    EXPECT_EQ(operation.json["x-assumed"].AsBool().value_or(false), !shown.contains(name)) << name;
  }
  // Of bodies, those of the generic verification alone; of answers, none.
  for (const JsonView schema : file_.root().At("/components/schemas").children()) {
    const bool is_shown = schema.key() == "CheckRequest";
    EXPECT_EQ(schema["x-assumed"].AsBool().value_or(false), !is_shown) << schema.key();
  }
}

}  // namespace
}  // namespace idkiosk::sandbox
