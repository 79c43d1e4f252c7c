#include "app/api/event_hub.h"

#include <gmock/gmock.h>

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

TEST(EventHubTest, GivesEachReaderWhatCameSinceItBegan) {
  EventHub hub;
  hub.Put("1");
  EventReader reader(hub, std::nullopt);
  EXPECT_EQ(reader.Next(0ms), "");
  hub.Put("2");
  hub.Put("3");
  EXPECT_EQ(reader.Next(0ms), "id: 2\nevent: check\ndata: 2\n\n");
  EXPECT_EQ(reader.Next(0ms), "id: 3\nevent: check\ndata: 3\n\n");
  EXPECT_EQ(reader.Next(0ms), "");
}

TEST(EventHubTest, ASlowReaderIsToldHowManyItMissed) {
  EventHub hub;
  EventReader reader(hub, std::nullopt);
  for (size_t i = 0; i < EventHub::kKept + 5; ++i) hub.Put("x");
  EXPECT_EQ(reader.Next(0ms), "event: missed\ndata: 5\n\nid: 6\nevent: check\ndata: x\n\n");
  EXPECT_EQ(reader.Next(0ms), "id: 7\nevent: check\ndata: x\n\n");
}

TEST(EventHubTest, AReaderOfOneUserHearsOfItsChecksAlone) {
  EventHub hub;
  EventReader reader(hub, std::nullopt, 1003);
  hub.Put("another's", 1004);
  hub.Put("own", 1003);
  hub.Put("of a visit");
  EXPECT_EQ(reader.Next(0ms), "");
  EXPECT_EQ(reader.Next(0ms), "id: 2\nevent: check\ndata: own\n\n");
  EXPECT_EQ(reader.Next(0ms), "");
}

// As of a run before this one.
TEST(EventHubTest, ANumberThatWasNeverGivenOutBeginsAtTheNewest) {
  EventHub hub;
  hub.Put("1");
  EventReader reader(hub, 77);
  EXPECT_EQ(reader.Next(0ms), "");
  hub.Put("2");
  EXPECT_EQ(reader.Next(0ms), "id: 2\nevent: check\ndata: 2\n\n");
}

}  // namespace
}  // namespace idkiosk
