#include <gmock/gmock.h>

#include <algorithm>

#include "tests/app/api/api_bench.h"

// The document and the code say the same. Each answer is held against the document by the bench.
namespace idkiosk {
namespace {

using testing::UnorderedElementsAreArray;

class ApiDocumentTest : public testing::Test {
 protected:
  // "GET /v1/checks listChecks state since limit page", of each operation.
  std::vector<std::string> Documented() const {
    std::vector<std::string> operations;
    for (const JsonView path : document_.root()["paths"].children()) {
      for (const JsonView each : path.children()) {
        std::string method(each.key());
        std::ranges::transform(method, method.begin(), [](char c) { return toupper(c); });
        std::string line =
            fmt::format("{} {} {}", method, path.key(), *each["operationId"].AsString());
        for (const JsonView parameter : each["parameters"].children()) {
          if (parameter["in"].AsString() != "query") continue;
          line += fmt::format(" {}", *parameter["name"].AsString());
        }
        operations.push_back(std::move(line));
      }
    }
    return operations;
  }

  const JsonDocument document_ = std::move(*JsonDocument::Parse(OpenApiText()));
};

TEST_F(ApiDocumentTest, HasEachRouteAndNoOther) {
  std::vector<std::string> routes;
  for (const ApiRoute& each : AllRoutes()) {
    routes.push_back(fmt::format("{} {} {}{}{}", each.method, each.path, each.name,
                                 each.query.empty() ? "" : " ", each.query));
  }
  EXPECT_THAT(Documented(), UnorderedElementsAreArray(routes));
}

TEST_F(ApiDocumentTest, HasABodyWhereTheRouteTakesOne) {
  for (const ApiRoute& each : AllRoutes()) {
    const bool post = each.method == "POST";
    EXPECT_EQ(each.largest_body > 0, post) << each.path;
    const JsonView body =
        document_.root()["paths"][each.path][post ? "post" : "get"]["requestBody"];
    EXPECT_EQ(body.exists(), post) << each.path;
  }
}

TEST_F(ApiDocumentTest, HasEachKindOfProblemAndItsStatus) {
  std::vector<std::string> types;
  for (const ProblemTraits& each : AllProblems()) {
    types.push_back(fmt::format("urn:idkiosk:problem:{}", each.type));
  }
  std::vector<std::string> documented;
  for (const JsonView each :
       document_.root().At("/components/schemas/Problem/properties/type/enum").children()) {
    documented.emplace_back(*each.AsString());
  }
  EXPECT_THAT(documented, UnorderedElementsAreArray(types));
}

TEST_F(ApiDocumentTest, KnowsEveryEndpointThatAsksAboutAPerson) {
  for (const Endpoint each : kEndpoints) {
    if (TaskOf(each).empty()) continue;
    const std::string pointer = fmt::format(
        "/paths/~1v1~1checks/post/requestBody/content/application~1json/schema/discriminator/"
        "mapping/{}",
        Name(each));
    const auto schema = document_.root().At(pointer).AsString();
    ASSERT_TRUE(schema) << pointer;
    const JsonView known = document_.root().At(schema->substr(1))["properties"];
    const EndpointTraits traits = TraitsOf(each);
    EXPECT_EQ(known["nin"].exists(), traits.Takes(Placeholder::kNin)) << Name(each);
    EXPECT_EQ(known["phone"].exists(), traits.Takes(Placeholder::kPhone)) << Name(each);
    EXPECT_EQ(known["id_number"].exists(), traits.Takes(Placeholder::kIdNumber)) << Name(each);
    EXPECT_EQ(known["reason"].exists(), traits.Takes(Placeholder::kRequestReason)) << Name(each);
    EXPECT_EQ(known["type"].exists(), traits.Takes(Placeholder::kType)) << Name(each);
    EXPECT_EQ(known["search_type"].exists(), traits.Takes(Placeholder::kSearchType)) << Name(each);
    EXPECT_EQ(known["pictures"].exists(), traits.TakesPictures()) << Name(each);
  }
}

TEST_F(ApiDocumentTest, ListsEachEndpointThatAsksAboutAPersonOnce) {
  std::vector<std::string> endpoints;
  for (const Endpoint each : kEndpoints) {
    if (!TaskOf(each).empty()) endpoints.emplace_back(Name(each));
  }
  std::vector<std::string> listed;
  for (const JsonView each : document_.root().At("/components/schemas/Endpoint/enum").children()) {
    listed.emplace_back(each.AsString().value_or(""));
  }
  EXPECT_THAT(listed, UnorderedElementsAreArray(endpoints));
  for (const char* pointer : {"/components/schemas/Check", "/components/schemas/CheckDetails",
                              "/components/schemas/CheckEnded/properties/data"}) {
    EXPECT_EQ(document_.root().At(pointer).At("/properties/endpoint/$ref").AsString(),
              "#/components/schemas/Endpoint")
        << pointer;
  }
}

TEST_F(ApiDocumentTest, ListsEachStateOfACall) {
  std::set<std::string> states;
  std::set<std::string> ended;
  for (const CallStateTraits& each : kCallStates) {
    states.emplace(each.name);
    if (HasEnded(each.state)) ended.emplace(each.name);
  }
  const auto listed = [this](std::string_view pointer) {
    std::set<std::string> names;
    for (const JsonView each : document_.root().At(pointer).children()) {
      names.emplace(each.AsString().value_or(""));
    }
    return names;
  };
  states.emplace("held");
  EXPECT_EQ(listed("/paths/~1v1~1checks/get/parameters/0/schema/enum"), states);
  EXPECT_EQ(listed("/components/schemas/State/enum"), states);
  EXPECT_EQ(listed("/components/schemas/CheckEnded/properties/data/properties/state/enum"), ended);
  const JsonView queue = document_.root().At("/components/schemas/Queue");
  for (const std::string& each : states) {
    EXPECT_TRUE(queue["properties"][each].exists()) << each;
    EXPECT_TRUE(listed("/components/schemas/Queue/required").contains(each)) << each;
  }
}

TEST_F(ApiDocumentTest, PromisesASentenceWithEachCheckAndEachEnd) {
  for (const char* pointer :
       {"/components/schemas/Check", "/components/schemas/CheckDetails",
        "/components/schemas/CheckEvent", "/components/schemas/CheckEnded/properties/data"}) {
    const JsonView schema = document_.root().At(pointer);
    EXPECT_THAT(schema.At("/properties/means/description").AsString().value_or(""),
                testing::HasSubstr("plain sentence"))
        << pointer;
    EXPECT_TRUE(std::ranges::any_of(schema["required"].children(), [](JsonView each) {
      return each.AsString() == "means";
    })) << pointer;
  }
}

// As the program serves it.
class ServedDocumentTest : public ApiBench {};

TEST_F(ServedDocumentTest, IsTheFileBesideTheCode) {
  Serve();
  EXPECT_EQ(BodyOf(Get("/v1/openapi.json")), OpenApiText());
}

}  // namespace
}  // namespace idkiosk
