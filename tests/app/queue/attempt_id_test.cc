#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/journal/fields.h"
#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/ledger_entry.h"
#include "tests/app/queue/queue_fixture.h"

// Each billed attempt has a number of its own, which goes out with it and stands in the ledger,
// beside the service's reference.

namespace idkiosk {
namespace {

using testing::SizeIs;

class AttemptIdTest : public testing::Test {
 protected:
  void Deliver(QueueBench& bench, int calls) {
    bench.Serve(200);
    bench.Open();
    for (int i = 0; i < calls; ++i) bench.Accept(LookupCall(i));
    bench.StepUntilIdle();
    EXPECT_EQ(bench.posts(), calls);
  }
  // Of the billed requests, in their order.
  static std::vector<std::string> Sent(const QueueBench& bench) {
    std::vector<std::string> ids;
    for (const FakeHttpClient::Seen& each : bench.http.seen()) {
      if (each.url.contains("NIN")) ids.push_back(each.header("X-Attempt-Id"));
    }
    return ids;
  }
  static std::vector<std::string> Kept(QueueBench& bench) {
    std::vector<std::string> ids;
    for (const LedgerRow& each : bench.Ledger()) ids.push_back(each.attempt_id);
    return ids;
  }
};

TEST_F(AttemptIdTest, GoesOutWithEachBilledAttemptAndStandsInTheLedger) {
  QueueBench bench;
  Deliver(bench, 20);
  const std::vector<std::string> sent = Sent(bench);
  EXPECT_EQ(sent, Kept(bench));
  EXPECT_THAT(std::set<std::string>(sent.begin(), sent.end()), SizeIs(20)) << "no two are the same";
  EXPECT_THAT(sent.front(), SizeIs(32));
  for (const FakeHttpClient::Seen& each : bench.http.seen()) {
    const bool login = each.url.ends_with("/login");
    EXPECT_EQ(each.header("X-Attempt-Id").empty(), login) << each.url;
  }
}

TEST_F(AttemptIdTest, IsAnotherOneForEachAttemptOfACall) {
  QueueBench bench;
  bench.options.billing.max_billed_attempts = 3;
  bench.options.billing.breaker_after = 0;
  bench.Serve(500);
  bench.Open();
  bench.Accept(LookupCall(1));
  bench.RunFor(std::chrono::hours(2));
  const std::vector<std::string> sent = Sent(bench);
  EXPECT_THAT(std::set<std::string>(sent.begin(), sent.end()), SizeIs(3));
  EXPECT_EQ(sent, Kept(bench));
}

TEST_F(AttemptIdTest, StandsInTheLedgerBesideTheServicesReference) {
  QueueBench bench;
  Deliver(bench, 2);
  for (const LedgerRow& each : bench.Ledger()) EXPECT_EQ(each.service_reference, "R-1");
  const auto before = Kept(bench);
  bench.Restart();
  EXPECT_EQ(Kept(bench), before) << "read again from the disk";
  for (const LedgerRow& each : bench.Ledger()) EXPECT_EQ(each.service_reference, "R-1");
}

TEST_F(AttemptIdTest, NoReferenceThatIsPersonalOrNoTextStandsInTheLedger) {
  QueueBench bench;
  bench.Open();
  for (const char* reference : {"00000000001", "R-00000000001-7", "70123456789", "701-2345-6789",
                                "+234 803 123 4567", "Eve Okafor", "R\\u001b[2J", "R\\u00e4"}) {
    bench.Serve(200, fmt::format(R"({{"data":{{"verified":true,"reference":"{}"}}}})", reference));
    bench.Accept(LookupCall(1));
    bench.StepUntilIdle();
    EXPECT_EQ(bench.Ledger().back().billed, Billed::kYes);
    EXPECT_EQ(bench.Ledger().back().service_reference, "") << reference;
  }
}

TEST_F(AttemptIdTest, AProfileWithoutAPlaceForItSendsAndKeepsNone) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  for (std::string_view place :
       {R"("attempt_id_header": "X-Attempt-Id",)", ",\n        \"attempt_id\": \"/attemptId\""}) {
    while (text.contains(place)) text.erase(text.find(place), place.size());
  }
  auto profile = ParseProfile(text, "sandbox.jsonc");
  ASSERT_TRUE(profile) << profile.error().message;
  QueueBench bench(1, std::move(*profile));
  Deliver(bench, 2);
  for (const auto& ids : {Sent(bench), Kept(bench)}) EXPECT_THAT(ids, testing::Each(""));
}

TEST_F(AttemptIdTest, MayStandInTheBody) {
  QueueBench bench(1, SandboxProfile(R"("fields": { "nin": "{nin}",)",
                                     R"("fields": { "our": "{attempt_id}", "nin": "{nin}",)"));
  Deliver(bench, 1);
  const std::string id = bench.Ledger().front().attempt_id;
  ASSERT_THAT(id, SizeIs(32));
  EXPECT_THAT(bench.http.seen().back().body, testing::HasSubstr("\"our\":\"" + id + "\""));
}

TEST_F(AttemptIdTest, RecordsOfAnEarlierProgramAreReadWithoutIt) {
  FieldWriter body;
  body.Byte(1);
  body.Byte(1).Text("KD7Q2M").Uint32(1).Text("lookup_nin").Text("op");
  body.Int64(1'000).Int64(2'000).Int64(5'000).Byte(1);
  body.Byte(2).Text("KD7Q2M").Uint32(1).Int64(3'000).Text("answered").Uint32(200).Text("yes");
  body.Text("verified").Text("lookup_nin").Text("done").Text("verified").Text("verified");
  body.Text("answered").Int64(-1).Text("status 200").Byte(0);
  const auto entries = ParseLedgerEntries(body.Take());
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_THAT(*entries, SizeIs(2));
  EXPECT_EQ((*entries)[0].row.reference, "KD7Q2M");
  EXPECT_EQ((*entries)[0].row.price, 5'000);
  EXPECT_EQ((*entries)[0].row.attempt_id, "");
  EXPECT_EQ((*entries)[1].row.billed, Billed::kYes);
  EXPECT_EQ((*entries)[1].row.service_reference, "");

  FieldWriter second;
  second.Byte(2);
  second.Byte(1).Text("KD7Q2M").Uint32(1).Text("lookup_nin").Text("op");
  second.Int64(1'000).Int64(2'000).Int64(5'000).Byte(1).Text(std::string(32, 'a'));
  second.Byte(5).Text("KD7Q2M").Text("lookup_nin").Int64(900);
  const auto without_case = ParseLedgerEntries(second.Take());
  ASSERT_TRUE(without_case) << without_case.error().message;
  EXPECT_EQ(without_case->front().row.attempt_id, std::string(32, 'a'));
  EXPECT_EQ(without_case->front().row.currency, "");
  EXPECT_TRUE(without_case->back().question_mac.empty());

  FieldWriter newer;
  newer.Byte(5);
  EXPECT_EQ(ParseLedgerEntries(newer.Take()).error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
