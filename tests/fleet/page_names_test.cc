#include "tools/headquarters/page_names.h"

#include <gtest/gtest.h>

namespace idkiosk::headquarters {
namespace {

// Browsers leave the usual port out.
TEST(PageNamesTest, TheUsualPortMayBeLeftOutAndNoOther) {
  for (const char* host : {"127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"}) {
    EXPECT_TRUE(IsNameOfPage(host, 80, {})) << host;
  }
  for (const char* host : {"127.0.0.1", "localhost", "localhost:80", "127.0.0.1:8481"}) {
    EXPECT_FALSE(IsNameOfPage(host, 8480, {})) << host;
  }
  for (const char* host : {"", ":", ":80", "evil.example", "127.0.0.1.evil.example"}) {
    EXPECT_FALSE(IsNameOfPage(host, 80, {"fleet.bank.example"})) << host;
  }
}

}  // namespace
}  // namespace idkiosk::headquarters
