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
  EXPECT_EQ(reader.Next(0ms), "id: 1\nevent: check\ndata: own\n\n");
  EXPECT_EQ(reader.Next(0ms), "");
}

TEST(EventHubTest, TheNumbersOfOneUserHaveNoGapsAndTellNothingOfOthers) {
  EventHub hub;
  for (int i = 1; i <= 3; ++i) {
    hub.Put("another's", 1004);
    hub.Put(std::to_string(i), 1003);
  }
  const auto rest = [](EventReader& reader) {
    std::string all;
    for (int i = 0; i < 10; ++i) all += reader.Next(0ms);
    return all;
  };
  EventReader again(hub, 1, 1003);
  EXPECT_EQ(rest(again), "id: 2\nevent: check\ndata: 2\n\nid: 3\nevent: check\ndata: 3\n\n");
  EventReader unheard(hub, 77, 1003);
  EXPECT_EQ(rest(unheard), "");
  EventReader slow(hub, 1, 1003);
  for (size_t i = 0; i < EventHub::kKept; ++i) hub.Put("4", 1003);
  EXPECT_EQ(slow.Next(0ms), "event: missed\ndata: 2\n\nid: 4\nevent: check\ndata: 4\n\n");
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
