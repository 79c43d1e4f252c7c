#include "tools/sandbox/service/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using Stage = Faults::Stage;

Result<Fault> Parse(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  EXPECT_TRUE(document);
  return ParseFault(document->root());
}

int Hits(Faults& faults, int requests) {
  int hits = 0;
  for (int i = 0; i < requests; ++i) hits += faults.Take("verify", Stage::kAfterBody) ? 1 : 0;
  return hits;
}

TEST(FaultsTest, AFaultHitsOnceUnlessToldOtherwise) {
  Faults faults(1);
  faults.Add(*Parse(R"({"kind":"status","status":500})"));
  EXPECT_EQ(Hits(faults, 10), 1);
  EXPECT_TRUE(faults.All().empty());
}

TEST(FaultsTest, ACountOfZeroLastsUntilItIsCleared) {
  Faults faults(1);
  faults.Add(*Parse(R"({"kind":"reset","count":0})"));
  EXPECT_EQ(Hits(faults, 10), 10);
  faults.Clear();
  EXPECT_EQ(Hits(faults, 10), 0);
}

TEST(FaultsTest, AnEndpointsFaultLeavesTheOthersAlone) {
  Faults faults(1);
  faults.Add(*Parse(R"({"kind":"html","endpoint":"login"})"));
  EXPECT_FALSE(faults.Take("verify", Stage::kAfterBody));
  EXPECT_TRUE(faults.Take("login", Stage::kAfterBody));
}

TEST(FaultsTest, ADropBeforeTheBodyIsDueBeforeItAlone) {
  Faults faults(1);
  faults.Add(*Parse(R"({"kind":"drop-before-body"})"));
  EXPECT_FALSE(faults.Take("verify", Stage::kAfterBody));
  EXPECT_TRUE(faults.Take("verify", Stage::kBeforeBody));
}

TEST(FaultsTest, EveryNthRequestOfAnEndpoint) {
  Faults faults(1);
  faults.Add(*Parse(R"({"kind":"stale-token","endpoint":"verify","every":200,"count":0})"));
  EXPECT_EQ(Hits(faults, 1000), 5);
}

TEST(FaultsTest, AChanceIsTheSameForTheSameSeedAndAboutWhatItSays) {
  const auto hits = [](uint64_t seed) {
    Faults faults(seed);
    faults.Add(*Parse(R"({"kind":"reset","probability":0.02,"count":0})"));
    return Hits(faults, 10'000);
  };
  EXPECT_EQ(hits(7), hits(7));
  EXPECT_NEAR(hits(7), 200, 60);
}

TEST(FaultsTest, RefusesWhatMakesNoSenseAndNamesIt) {
  for (const auto& [json, named] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"({"status":500})", "kind"},
           {R"({"kind":"explode"})", "drop-after-body"},
           {R"({"kind":"status","status":99})", "status"},
           {R"({"kind":"delay"})", "delay_ms"},
           {R"({"kind":"status","endpoint":"nowhere"})", "lookup_nin_phone"},
           {R"({"kind":"status","probability":2})", "probability"},
           {R"({"kind":"status","billed":1})", "billed"},
           {R"({"kind":"status","colour":"red"})", "colour"}}) {
    const auto fault = Parse(json);
    ASSERT_FALSE(fault) << json;
    EXPECT_THAT(fault.error().message, HasSubstr(named));
  }
}

}  // namespace
}  // namespace idkiosk::sandbox
