#include "app/api/event_hub.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kStart = "0101010101010101-";
constexpr uid_t kBankTeller = 1003;
constexpr uid_t kOtherUser = 1004;

class EventHubTest : public testing::Test {
 protected:
  EventHubTest() : hub_(Constant(1)) {}

  // The whole stream as far as it has come. The start is left out of its ids.
  static std::string All(EventReader& reader) {
    std::string all;
    for (size_t i = 0; i < EventHub::kKept + 10; ++i) all += reader.Next(0ms);
    for (size_t at = all.find(kStart); at != std::string::npos; at = all.find(kStart)) {
      all.erase(at, kStart.size());
    }
    return all;
  }
  // The same for a program that begins with this id of this start.
  std::string Behind(const std::string& id, std::optional<uid_t> owner = std::nullopt) {
    EventReader reader(hub_, std::string(kStart) + id, owner);
    return All(reader);
  }
  std::string BehindText(std::string_view id, std::optional<uid_t> owner = std::nullopt) {
    EventReader reader(hub_, id, owner);
    return All(reader);
  }
  Entropy& Constant(uint8_t byte) {
    entropy_.set_constant(byte);
    return entropy_;
  }

  FakeEntropy entropy_;
  EventHub hub_;
};

TEST_F(EventHubTest, GivesEachReaderWhatCameSinceItBegan) {
  hub_.Put("1");
  EventReader reader(hub_, "");
  EXPECT_EQ(All(reader), "id: 1\n\n") << "a place to come back to, which is no event";
  hub_.Put("2");
  hub_.Put("3");
  EXPECT_EQ(All(reader), "id: 2\nevent: check\ndata: 2\n\nid: 3\nevent: check\ndata: 3\n\n");
  EXPECT_EQ(All(reader), "");
  EXPECT_EQ(Behind("2"), "id: 2\n\nid: 3\nevent: check\ndata: 3\n\n");
}

TEST_F(EventHubTest, ASlowReaderIsToldHowManyItMissed) {
  EventReader reader(hub_, "");
  (void)reader.Next(0ms);
  for (size_t i = 0; i < EventHub::kKept + 5; ++i) hub_.Put("x");
  const std::string all = All(reader);
  EXPECT_THAT(all, testing::StartsWith("id: 5\nevent: missed\ndata: 5\n\n"
                                       "id: 6\nevent: check\ndata: x\n\nid: 7\n"));
  EXPECT_EQ(all.find("missed", all.find("id: 6")), std::string::npos);
}

TEST_F(EventHubTest, AReaderOfOneUserHearsOfItsChecksAlone) {
  EventReader reader(hub_, "", kBankTeller);
  hub_.Put("another's", kOtherUser);
  hub_.Put("own", kBankTeller);
  hub_.Put("of a visit");
  EXPECT_EQ(All(reader), "id: 1003-0\n\nid: 1003-1\nevent: check\ndata: own\n\n");
}

TEST_F(EventHubTest, TheNumbersOfOneUserHaveNoGapsAndTellNothingOfOthers) {
  for (int i = 1; i <= 3; ++i) {
    hub_.Put("another's", kOtherUser);
    hub_.Put(std::to_string(i), kBankTeller);
  }
  EXPECT_EQ(Behind("1003-1", kBankTeller),
            "id: 1003-1\n\nid: 1003-2\nevent: check\ndata: 2\n\n"
            "id: 1003-3\nevent: check\ndata: 3\n\n");
  for (size_t i = 0; i < EventHub::kKept; ++i) hub_.Put("4", kBankTeller);
  EXPECT_THAT(Behind("1003-1", kBankTeller),
              testing::StartsWith("id: 1003-1\n\nid: 1003-3\nevent: missed\ndata: 2\n\n"
                                  "id: 1003-4\nevent: check\ndata: 4\n\n"));
}

// Nothing of its own need come after them.
TEST_F(EventHubTest, WhatOthersEventsPushedOutIsToldToBeMissed) {
  EventReader reader(hub_, "", kBankTeller);
  (void)reader.Next(0ms);
  hub_.Put("own", kBankTeller);
  for (size_t i = 0; i < EventHub::kKept; ++i) hub_.Put("another's", kOtherUser);
  EXPECT_EQ(All(reader), "id: 1003-1\nevent: missed\ndata: 1\n\n");
  EXPECT_EQ(Behind("1003-0", kBankTeller), "id: 1003-0\n\nid: 1003-1\nevent: missed\ndata: 1\n\n");
}

// An id of an earlier start, of another reader, one that was never given out, or none at all: the
// number of what is missed is not known.
TEST_F(EventHubTest, AnIdThatThisStartHasNotGivenOutIsToldAndBeginsAtTheOldest) {
  hub_.Put("1", kBankTeller);
  hub_.Put("2", kBankTeller);
  const std::string all =
      "id: 0\nevent: missed\ndata: null\n\n"
      "id: 1\nevent: check\ndata: 1\n\nid: 2\nevent: check\ndata: 2\n\n";
  const EventHub earlier(Constant(2));
  for (const std::string& id :
       {earlier.start() + "-1", earlier.start() + "-2", std::string("1"), std::string("999"),
        std::string("abc"), std::string("-"), std::string(kStart), std::string(kStart) + "3",
        std::string(kStart) + "-1", std::string(kStart) + "1 ", std::string(kStart) + "1003-1",
        std::string(kStart) + "99999999999999999999999"}) {
    EXPECT_EQ(BehindText(id), all) << id;
  }
  EXPECT_EQ(BehindText(std::string(kStart) + "1", kBankTeller),
            "id: 1003-0\nevent: missed\ndata: null\n\nid: 1003-1\nevent: check\ndata: 1\n\n"
            "id: 1003-2\nevent: check\ndata: 2\n\n");
}

// It comes at once, not with the next event, which may never come.
TEST_F(EventHubTest, AProgramOfAnEarlierStartIsToldBeforeAnythingHappens) {
  EXPECT_EQ(BehindText("4"), "id: 0\nevent: missed\ndata: null\n\n");
  EXPECT_EQ(Behind("0"), "id: 0\n\n") << "and is told once";
}

}  // namespace
}  // namespace idkiosk
