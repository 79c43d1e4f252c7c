#include "app/settings/nearest_key.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(NearestKeyTest, KnowsWhatWasMeant) {
  EXPECT_EQ(NearestKey("camera.widht"), "camera.width");
  EXPECT_EQ(NearestKey("service.base_ulr"), "service.base_url");
  EXPECT_EQ(NearestKey("service.baseUrl"), "service.base_url");
  EXPECT_EQ(NearestKey("service.base-url"), "service.base_url");
  EXPECT_EQ(NearestKey("base_url"), "service.base_url");
  EXPECT_EQ(NearestKey("camera.base_url"), "service.base_url");
  EXPECT_EQ(NearestKey("queue.max_billed_attempts"), "billing.max_billed_attempts");
  EXPECT_EQ(NearestKey("servcie"), "service");
  EXPECT_EQ(NearestKey("light.ld"), "light.led");
  EXPECT_EQ(NearestKey("Environment"), "environment");
  EXPECT_EQ(NearestKey("stateFolder"), "state_folder");
}

TEST(NearestKeyTest, MakesNoWildGuesses) {
  for (const std::string_view key : {"", "x", "camera.zoom", "service.api_key", "password"}) {
    EXPECT_EQ(NearestKey(key), "") << key;
  }
  EXPECT_EQ(NearestKey(std::string(100000, 'a')), "");
}

}  // namespace
}  // namespace idkiosk
