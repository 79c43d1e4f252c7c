#include "tests/app/service/service_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ServiceFixtureTest, AProfileThatIsRefusedFailsItsTestWithTheReason) {
  EXPECT_THAT([] { (void)SandboxProfile(R"("currency": ")", R"("currency": "not )"); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("currency")));
}

TEST(ServiceFixtureTest, WordsThatTheProfileDoesNotHoldFailTheirTest) {
  EXPECT_THAT([] { (void)SandboxProfile("nowhere in it", ""); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("has no nowhere in it")));
}

}  // namespace
}  // namespace idkiosk
