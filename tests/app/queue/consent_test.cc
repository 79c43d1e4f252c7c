#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// What a person agreed to is on record before the call is accepted, and no longer than that.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class QueueConsentTest : public QueueBench, public testing::Test {
 protected:
  QueueConsentTest() {
    options.consents = &consents_;
    Open();
    Serve(200);
  }
  Accepted AcceptWith(const std::optional<Consent>& consent) {
    return queue->Accept(
        LookupCall(++asked_),
        {.person_waits = true, .operator_id = "anna", .confirmed = false, .consent = consent});
  }
  std::vector<std::string> Recorded() {
    std::vector<std::string> all;
    const auto read = consents_.Read();
    EXPECT_TRUE(read) << read.error().message;
    if (!read) return all;
    for (const ConsentEntry& each : read->entries) {
      all.push_back(fmt::format("{} {} {} {}", each.reference, each.consent.version,
                                each.consent.language, each.operator_id));
    }
    return all;
  }

  ConsentLog consents_{options.folder, clock, crypto, storage, files};
  int asked_ = 0;
};

TEST_F(QueueConsentTest, IsOnRecordWithTheCall) {
  const auto reference = AcceptWith(Consent{"2026-11", "yo"});
  ASSERT_TRUE(reference) << reference.error().message;
  EXPECT_EQ(StateOf(*reference), "pending");
  EXPECT_THAT(Recorded(), ElementsAre(*reference + " 2026-11 yo anna"));
}

TEST_F(QueueConsentTest, IsNotMadeUpWhereNobodyWasAsked) {
  ASSERT_TRUE(AcceptWith(std::nullopt));
  EXPECT_THAT(Recorded(), IsEmpty());
}

TEST_F(QueueConsentTest, StaysOnRecordAfterTheCallIsErased) {
  const auto reference = AcceptWith(Consent{"2026-11", "yo"});
  StepUntilIdle();
  ASSERT_EQ(StateOf(*reference), "done");
  clock.Advance(std::chrono::hours(24 * 30));
  ASSERT_TRUE(queue->Expire());
  ASSERT_FALSE(queue->Show(*reference));
  EXPECT_THAT(Recorded(), ElementsAre(*reference + " 2026-11 yo anna"));
}

TEST_F(QueueConsentTest, NothingIsAcceptedThatCannotBePutOnRecord) {
  storage.set_put_error(Error{ErrorCode::kUnavailable, "in use"});
  const auto refused = AcceptWith(Consent{"2026-11", "yo"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("its consent cannot be recorded"));
  EXPECT_THAT(*queue->List(false), IsEmpty());
}

TEST_F(QueueConsentTest, IsNotRecordedForACallThatIsRefused) {
  options.queue.max_calls = 1;
  Restart();
  const auto first = AcceptWith(Consent{"2026-11", "yo"});
  ASSERT_TRUE(first);
  ASSERT_FALSE(AcceptWith(Consent{"2026-11", "yo"}));
  EXPECT_THAT(Recorded(), ElementsAre(*first + " 2026-11 yo anna"));
}

TEST_F(QueueConsentTest, IsTakenBackWhereTheCallCannotBeKept) {
  // The consent's own writes succeed, those of the call behind them fail.
  for (size_t step = 1;; ++step) {
    SCOPED_TRACE(step);
    const size_t before = Recorded().size();
    const size_t calls = queue->List(false)->size();
    const size_t steps = files.steps();
    files.FailStep(step, ErrorCode::kUnavailable);
    const bool accepted = AcceptWith(Consent{"2026-11", "yo"}).has_value();
    const bool failed = files.steps() - steps >= step;
    files.FailStep(1'000'000, ErrorCode::kUnavailable);
    EXPECT_EQ(queue->List(false)->size() - calls, accepted ? 1U : 0U);
    EXPECT_EQ(Recorded().size() - before, accepted ? 1U : 0U);
    if (!failed || HasFailure()) return;
  }
}

}  // namespace
}  // namespace idkiosk
