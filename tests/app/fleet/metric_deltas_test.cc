#include "app/fleet/metric_deltas.h"

#include <gtest/gtest.h>

#include "platform/base/json.h"

namespace idkiosk {
namespace {

constexpr const char* kText =
    "# HELP idkiosk_up It runs.\n# TYPE idkiosk_up gauge\nidkiosk_up 1\n"
    "idkiosk_queue_calls{state=\"pending\"} 3\nidkiosk_queue_calls{state=\"unknown\"} 0\n";

TEST(MetricDeltasTest, TellsAllAtFirstAndThenWhatChanged) {
  MetricDeltas deltas;
  EXPECT_EQ(deltas.Next(kText),
            R"({"full":true,"values":{"idkiosk_up":1,"idkiosk_queue_calls{state=\"pending\"}":3,)"
            R"("idkiosk_queue_calls{state=\"unknown\"}":0}})");
  EXPECT_EQ(deltas.Next(kText), "");
  EXPECT_EQ(deltas.Next("idkiosk_up 1\nidkiosk_queue_calls{state=\"pending\"} 4\n"),
            R"({"full":false,"values":{"idkiosk_queue_calls{state=\"pending\"}":4}})");
  deltas.StartOver();
  EXPECT_EQ(deltas.Next("idkiosk_up 1\n"), R"({"full":true,"values":{"idkiosk_up":1}})");
}

// However it wanders, what headquarters have is within a twentieth.
TEST(MetricDeltasTest, ASizeThatWandersIsNoNewsUntilItIsATwentiethMore) {
  MetricDeltas deltas;
  const auto next = [&deltas](const char* value) {
    return deltas.Next(fmt::format("process_resident_memory_bytes {}\n", value));
  };
  EXPECT_NE(next("60000000"), "");
  for (const char* value : {"60004096", "59996000", "62900000", "57100000"}) {
    EXPECT_EQ(next(value), "") << value;
  }
  EXPECT_EQ(next("63000000"),
            R"({"full":false,"values":{"process_resident_memory_bytes":63000000}})");
  EXPECT_EQ(next("60000000"), "");
  EXPECT_NE(next("59800000"), "");
  EXPECT_NE(next("0"), "");
  EXPECT_EQ(next("0"), "");
  EXPECT_NE(next("1"), "");
}

TEST(MetricDeltasTest, WhatIsNoNumberIsLeftOut) {
  MetricDeltas deltas;
  for (const char* line :
       {"idkiosk_up", "idkiosk_up NaN", "idkiosk_up +Inf", "idkiosk_up 1}", "", " 1 x"}) {
    EXPECT_EQ(deltas.Next(line), "") << line;
  }
}

// Names come from idkiosk; a label may hold anything all the same.
TEST(MetricDeltasTest, WhateverALabelHoldsTheMessageIsJson) {
  MetricDeltas deltas;
  const auto message = deltas.Next("a{b=\"\\\"}, \x01\xff\"} 5\n");
  EXPECT_TRUE(JsonDocument::Parse(message)) << message;
}

}  // namespace
}  // namespace idkiosk
