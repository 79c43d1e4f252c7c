#include <gmock/gmock.h>

#include "tests/app/api/api_bench.h"

// Ledger and audit trail, record by record, as a copy elsewhere is made of them.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class ApiJournalsTest : public ApiBench {
 protected:
  // The records behind a number, as one program after the other asks for them.
  JsonDocument Ledger(int64_t after) const {
    return JsonOf(Get(fmt::format("/v1/journals/ledger?after={}", after)));
  }
};

TEST_F(ApiJournalsTest, EachRecordOfTheLedgerNamesTheProofOfTheOneBefore) {
  Serve();
  const auto first = OnStorage([&] { return Accept(LookupCall(1)); });
  OnStorage([&] {
    QueueBench::Serve(200, kVerifiedAnswer);
    Step();
    return 0;
  });
  const JsonDocument document = Ledger(0);
  std::string mac_before(64, '0');
  std::vector<std::string> kinds;
  int64_t number = 0;
  for (const JsonView record : document.root()["records"].children()) {
    EXPECT_EQ(record["number"].AsInteger(), ++number);
    EXPECT_EQ(record["mac_before"].AsString(), mac_before);
    mac_before = *record["mac"].AsString();
    for (const JsonView entry : record["entries"].children()) {
      kinds.emplace_back(*entry["kind"].AsString());
    }
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"accepted", "attempt", "attempt_ended"}));
  EXPECT_THAT(document.root().Print(), HasSubstr(first));

  // From any record on; behind the last there is none.
  const JsonDocument rest = Ledger(1);
  EXPECT_EQ(rest.root().At("/records/0/number").AsInteger(), 2);
  const JsonDocument none = Ledger(number);
  EXPECT_TRUE(none.root()["records"].children().empty());
}

TEST_F(ApiJournalsTest, HoldsNothingOfAPersonOrTheQuestion) {
  Serve();
  OnStorage([&] { return Accept(LookupCall(1)); });
  const std::string answer = Get("/v1/journals/ledger");
  EXPECT_THAT(answer, Not(HasSubstr("00000000001")));
  EXPECT_THAT(answer, Not(HasSubstr("question")));
}

TEST_F(ApiJournalsTest, ManyRecordsComeInParts) {
  Serve();
  constexpr int kCalls = 130;
  OnStorage([&] {
    for (int i = 0; i < kCalls; ++i) {
      Accept(LookupCall(i));
      EXPECT_TRUE(queue->Expire());  // which puts acceptances into the ledger
    }
    return 0;
  });
  int64_t last = 0;
  int parts = 0;
  for (size_t taken = 1; taken > 0; ++parts) {
    const JsonDocument part = Ledger(last);
    taken = part.root()["records"].children().size();
    for (const JsonView each : part.root()["records"].children()) {
      EXPECT_EQ(each["number"].AsInteger(), ++last);
    }
  }
  EXPECT_EQ(last, kCalls);
  EXPECT_GT(parts, 2);
}

TEST_F(ApiJournalsTest, TheAuditTrailIsThereToo) {
  Serve();
  OnStorage([&] { return audit_.Record(AuditEvent::kHoldLifted, "anna", "all:breaker"); });
  const std::string answer = Get("/v1/journals/audit?after=0");
  EXPECT_EQ(TextAt(answer, "/records/0/event"), "hold.lifted");
  EXPECT_EQ(TextAt(answer, "/records/0/by"), "anna");
}

TEST_F(ApiJournalsTest, ANumberThatIsNoneIsNamed) {
  Serve();
  for (const char* after : {"", "-1", "1x", "18446744073709551616"}) {
    const std::string answer = Get(fmt::format("/v1/journals/ledger?after={}", after));
    EXPECT_EQ(StatusOf(answer), 400) << after;
  }
}

}  // namespace
}  // namespace idkiosk
