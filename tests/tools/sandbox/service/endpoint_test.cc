#include "tools/sandbox/service/endpoint.h"

#include <gtest/gtest.h>

namespace idkiosk::sandbox {
namespace {

TEST(EndpointTest, EachIsFoundByItsMethodAndPath) {
  for (const EndpointRow& row : Endpoints()) {
    EXPECT_EQ(FindEndpoint(row.method, row.path), &row);
    EXPECT_EQ(FindEndpoint(row.name), &row);
    EXPECT_EQ(FindEndpoint("PUT", row.path), nullptr);
  }
}

TEST(EndpointTest, EachLevelAddsToTheOneBelow) {
  for (const EndpointRow& row : Endpoints()) {
    EXPECT_TRUE(LevelAllows("full", row.endpoint)) << row.name;
    const bool by_both =
        LevelAllows("basic", row.endpoint) <= LevelAllows("standard", row.endpoint);
    EXPECT_TRUE(by_both) << row.name;
    EXPECT_FALSE(LevelAllows("unheard-of", row.endpoint)) << row.name;
  }
  EXPECT_FALSE(LevelAllows("basic", Endpoint::kLookupNin));
  EXPECT_FALSE(LevelAllows("standard", Endpoint::kVerify));
}

}  // namespace
}  // namespace idkiosk::sandbox
