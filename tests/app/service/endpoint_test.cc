#include "app/service/endpoint.h"

#include <gtest/gtest.h>

#include <set>

namespace idkiosk {
namespace {

TEST(EndpointTest, NamesAndTasksGoBothWays) {
  std::set<std::string_view> names;
  for (const Endpoint each : kEndpoints) {
    EXPECT_EQ(EndpointOf(Name(each)), each);
    EXPECT_TRUE(names.insert(Name(each)).second) << Name(each);
    if (TaskOf(each).empty()) continue;
    EXPECT_EQ(EndpointOfTask(TaskOf(each)), each);
    EXPECT_FALSE(TraitsOf(each).summary.empty()) << "the command has no help: " << TaskOf(each);
  }
  EXPECT_FALSE(EndpointOf("nothing"));
  EXPECT_FALSE(EndpointOf(""));
  EXPECT_FALSE(EndpointOfTask(""));
  EXPECT_FALSE(EndpointOfTask("login"));
}

TEST(EndpointTest, PlaceholdersAreListedInTheirOrder) {
  using enum Placeholder;
  const PlaceholderSet set = {kLiveness1, kNin};
  EXPECT_EQ(set.list(), (std::vector{kNin, kLiveness1}));
  EXPECT_FALSE(set.Has(kPhone));
  EXPECT_TRUE(PlaceholderSet({}).list().empty());
}

// A type or a search that nobody has to name has one that is usual.
TEST(EndpointTest, WhatHasKindsTakesOne) {
  for (const Endpoint each : kEndpoints) {
    const EndpointTraits traits = TraitsOf(each);
    const bool takes = traits.Takes(Placeholder::kType) || traits.Takes(Placeholder::kSearchType);
    EXPECT_EQ(takes, !traits.kind.empty()) << traits.name;
  }
}

}  // namespace
}  // namespace idkiosk
