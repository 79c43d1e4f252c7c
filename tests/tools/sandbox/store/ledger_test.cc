#include "tools/sandbox/store/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/json.h"
#include "tests/fakes/scratch_folder.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr WallTime kStart{std::chrono::seconds(1'800'000'000)};
constexpr const char* kNin = "70123456701";

class LedgerTest : public testing::Test {
 protected:
  LoggedRequest Request(std::string_view nin = kNin) {
    return {.time = kStart,
            .account = 1,
            .endpoint = "verify",
            .method = "POST",
            .path = "/verify",
            .status = 200,
            .message = {},
            .fault = {},
            .body_bytes = 10,
            .body_read = true,
            .attempt_id = {},
            .subject = nin,
            .content = "a body"};
  }

  JsonDocument Billing(const LedgerQuery& query = {}) {
    return *JsonDocument::Parse(*ledger_.BillingJson(query));
  }
  JsonDocument Requests(const LedgerQuery& query = {}) {
    return *JsonDocument::Parse(*ledger_.RequestsJson(query));
  }

  ScratchFolder scratch_;
  std::unique_ptr<Database> database_ = *Database::Open(scratch_ / "sandbox.db");
  Ledger ledger_{*database_, KeyedDigest("a key")};
};

TEST_F(LedgerTest, FindsARequestAndItsBillByTheNumberThatItBrought) {
  const Charge charge{.outcome = "verified", .reference = "SBX-1", .amount = 100'05};
  LoggedRequest request = Request();
  request.attempt_id = "0011";
  ASSERT_TRUE(ledger_.Record(request, charge));
  ASSERT_TRUE(ledger_.Record(Request(), charge));
  LedgerQuery query;
  query.attempt_id = "0011";
  EXPECT_EQ(Billing(query).root().At("/sum/count").AsInteger(), 1);
  EXPECT_EQ(Billing(query).root().At("/rows/0/attempt_id").AsString(), "0011");
  EXPECT_EQ(Requests(query).root().At("/count/received").AsInteger(), 1);
  EXPECT_EQ(Requests(query).root().At("/rows/0/attempt_id").AsString(), "0011");
}

TEST_F(LedgerTest, AddsUpWhatWasChargedToTheHundredth) {
  const Charge charge{.outcome = "verified", .reference = "SBX-1", .amount = 100'05};
  ASSERT_TRUE(ledger_.Record(Request(), charge));
  ASSERT_TRUE(ledger_.Record(Request(), charge));
  ASSERT_TRUE(ledger_.Record(Request(), std::nullopt));
  const JsonDocument json = Billing();
  EXPECT_EQ(json.root().At("/sum/count").AsInteger(), 2);
  EXPECT_EQ(json.root().At("/sum/amount").AsString(), "200.10");
  EXPECT_EQ(json.root().At("/sum/by_endpoint/verify/amount").AsString(), "200.10");
  EXPECT_EQ(json.root()["rows"].children().size(), 2U);
}

TEST_F(LedgerTest, SumsAreOverAllRowsHoweverFewAreShown) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(
        ledger_.Record(Request(), Charge{.outcome = "verified", .reference = {}, .amount = 1}));
  }
  LedgerQuery query;
  query.limit = 2;
  const JsonDocument json = Billing(query);
  EXPECT_EQ(json.root()["rows"].children().size(), 2U);
  EXPECT_EQ(json.root().At("/sum/count").AsInteger(), 5);
}

TEST_F(LedgerTest, CountsThePostsForOneNinWithoutKeepingIt) {
  ASSERT_TRUE(ledger_.Record(Request(), std::nullopt));
  ASSERT_TRUE(ledger_.Record(Request(), std::nullopt));
  ASSERT_TRUE(ledger_.Record(Request("70123456702"), std::nullopt));
  LedgerQuery query;
  query.subject = kNin;
  EXPECT_EQ(Requests(query).root().At("/count/posts").AsInteger(), 2);
  for (const char* name : {"sandbox.db", "sandbox.db-wal"}) {
    EXPECT_THAT(*ReadTextFile(scratch_ / name), Not(HasSubstr(kNin)));
  }
}

TEST_F(LedgerTest, AnotherProcessReadsWhatIsCommitted) {
  ASSERT_TRUE(
      ledger_.Record(Request(), Charge{.outcome = "verified", .reference = {}, .amount = 1}));
  const auto second = *Database::Open(scratch_ / "sandbox.db");
  Ledger other(*second, KeyedDigest("a key"));
  const auto json = JsonDocument::Parse(*other.BillingJson({}));
  EXPECT_EQ(json->root().At("/sum/count").AsInteger(), 1);
}

TEST_F(LedgerTest, RowsBeforeATimeAreLeftOut) {
  ASSERT_TRUE(ledger_.Record(Request(), std::nullopt));
  LedgerQuery query;
  query.since = kStart + std::chrono::milliseconds(1);
  EXPECT_EQ(Requests(query).root().At("/count/received").AsInteger(), 0);
  query.since = kStart;
  EXPECT_EQ(Requests(query).root().At("/count/received").AsInteger(), 1);
}

TEST(DatabaseTest, SaysOfAFileThatIsNoneWhatToDo) {
  const ScratchFolder scratch;
  ASSERT_TRUE(WritePrivateFile(scratch / "sandbox.db", std::string(4096, 'x')));
  const auto database = Database::Open(scratch / "sandbox.db");
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(database.error().message, HasSubstr("move it away"));
}

TEST(FormatAmountTest, KeepsTwoDigitsOfTheHundredths) {
  EXPECT_EQ(FormatAmount(0), "0.00");
  EXPECT_EQ(FormatAmount(5), "0.05");
  EXPECT_EQ(FormatAmount(125'000), "1250.00");
}

}  // namespace
}  // namespace idkiosk::sandbox
