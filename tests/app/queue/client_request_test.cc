#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/app/queue/queue_fixture.h"

// A request of another program that comes twice: the power fails at each step of the first, and the
// second finds its call, or makes the only one.
namespace idkiosk {
namespace {

class ClientRequestTest : public QueueBench, public testing::Test {
 protected:
  ClientRequestTest() {
    files.ShareSupply(power_);
    disk.ShareSupply(power_);
    Open();
    Serve(200);
  }

  static constexpr DurableQueue::ClientRequest kRequest{"key-1", "the body"};

  // What the local API does with a request.
  Result<CallReference> Ask(const DurableQueue::ClientRequest& request) {
    const auto known = queue->FindRequest(request);
    if (!known) return std::unexpected(known.error());
    if (*known) return **known;
    auto taken = queue->Accept(
        LookupCall(1),
        {.person_waits = true, .operator_id = {}, .confirmed = true, .request = request});
    if (!taken) return std::unexpected(Error(taken.error()));
    return std::move(*taken);
  }

  void PowerComesBack(Unsynced fate) {
    Close();
    power_->Restore();
    disk.Restart(fate);
    files.Restart(fate);
    tokens.Forget();
    Open();
  }

  const std::shared_ptr<FakePower> power_ = std::make_shared<FakePower>();
};

TEST_F(ClientRequestTest, IsOneCallHoweverThePowerFails) {
  for (const Unsynced fate : {Unsynced::kLost, Unsynced::kKept}) {
    for (size_t step = 1;; ++step) {
      SCOPED_TRACE(step);
      const std::string key = fmt::format("key-{}-{}", static_cast<int>(fate), step);
      const DurableQueue::ClientRequest request{key, "the body"};
      const size_t calls_before = queue->List(false)->size();
      power_->FailAtStep(step);
      const auto told = Ask(request);
      const bool failed = power_->failed();
      PowerComesBack(fate);
      const auto again = Ask(request);
      ASSERT_TRUE(again) << again.error().message;
      if (told) {
        EXPECT_EQ(*told, *again);
      }
      EXPECT_EQ(queue->List(false)->size(), calls_before + 1);
      if (!failed) break;
    }
  }
  const int calls = static_cast<int>(queue->List(false)->size());
  StepUntilIdle();
  EXPECT_EQ(posts(), calls);
}

// A copy that cannot be erased would come back at the next start, and be billed beside the other.
TEST_F(ClientRequestTest, IsOneCallHoweverTheDiskFailsAndItsCopyStays) {
  int refused = 0;
  for (const size_t failing : {2, 3, 5}) {
    for (size_t step = 1; step < 10; ++step) {
      SCOPED_TRACE(testing::Message() << failing << " steps fail from " << step);
      const std::string key = fmt::format("key-{}-{}", failing, step);
      const DurableQueue::ClientRequest request{key, "the body"};
      const size_t calls_before = queue->List(false)->size();
      for (size_t i = 0; i < failing; ++i) files.FailStep(step + i, ErrorCode::kUnavailable);
      const auto told = Ask(request);
      refused += told ? 0 : 1;
      for (size_t i = 0; i < 2 * failing; ++i) (void)Ask(request);
      const auto again = Ask(request);
      ASSERT_TRUE(again) << again.error().message;
      Restart();
      EXPECT_EQ(*Ask(request), *again);
      EXPECT_EQ(queue->List(false)->size(), calls_before + 1);
    }
  }
  EXPECT_GT(refused, 6);
}

// As long as it may come back nothing else is kept, and nobody is told that all of it is erased.
TEST_F(ClientRequestTest, NothingIsKeptBesideTheCopyOfOneThatWasRefused) {
  PersonNumbers person;
  person.nin = LookupCall(7).nin.Clone();
  DurableQueue::AcceptOptions asked;
  asked.request = kRequest;
  int came_back = 0;
  for (size_t step = 1; step < 10; ++step) {
    SCOPED_TRACE(testing::Message() << "all steps fail from " << step);
    QueueBench bench(step);
    bench.Open();
    bench.Accept(LookupCall(3));
    bench.Restart();
    for (size_t i = 0; i < 200; ++i) bench.files.FailStep(step + i, ErrorCode::kUnavailable);
    const auto told = bench.queue->Accept(LookupCall(1), asked);
    ASSERT_FALSE(told);
    const bool stays = told.error().message.contains("is sent as ");
    EXPECT_FALSE(bench.queue->Accept(LookupCall(7), {}));
    EXPECT_EQ(bench.queue->FindPerson(person).has_value(), !stays);
    bench.Close();
    bench.files.Restart(Unsynced::kKept);
    bench.Open();
    const size_t calls = bench.queue->List(false)->size();
    came_back += calls == 2 ? 1 : 0;
    EXPECT_EQ(bench.queue->FindRequest(kRequest)->has_value(), calls == 2) << "it has its key";
  }
  EXPECT_GT(came_back, 0);
}

TEST_F(ClientRequestTest, WithAnotherBodyIsAnotherRequest) {
  const auto first = Ask(kRequest);
  ASSERT_TRUE(first);
  const auto other = queue->FindRequest({kRequest.key, "another body"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(other.error().message, testing::HasSubstr(*first));
  EXPECT_EQ(*queue->FindRequest({"key-2", kRequest.body}), std::nullopt);
  EXPECT_EQ(*queue->FindRequest({}), std::nullopt);
}

// Nothing of either can be read, and what stands for the body goes with its epoch.
TEST_F(ClientRequestTest, IsNotInTheFile) {
  ASSERT_TRUE(Ask({"a-telling-key", "NIN 12345678901"}));
  Close();
  const DiskImage image = DiskImage::Of(*this);
  for (const auto& [path, bytes] : image.database) {
    EXPECT_THAT(bytes, testing::Not(testing::HasSubstr("a-telling-key"))) << path;
    EXPECT_THAT(bytes, testing::Not(testing::HasSubstr("12345678901"))) << path;
  }
  Open();
}

TEST_F(ClientRequestTest, AnAlteredRowIsNotTakenForAnotherRequestsCall) {
  const auto first = Ask(kRequest);
  ASSERT_TRUE(first);
  Close();
  {
    auto database = SqliteDatabase::Open("/state/queue.db", disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute("UPDATE call SET case_id='other'"));
  }
  DamageCopies();
  Open();
  // Damaged; and no second call is made for its key, nor is another person's taken for it.
  EXPECT_EQ(**queue->FindRequest(kRequest), *first);
  EXPECT_EQ(StateOf(*first), "damaged");
  const auto other = queue->FindRequest({kRequest.key, "another body"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(other.error().message, testing::HasSubstr(*first));
}

}  // namespace
}  // namespace idkiosk
