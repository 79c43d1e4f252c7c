#include "tools/headquarters/ingest.h"

#include <gmock/gmock.h>

#include "app/queue/call_record.h"
#include "platform/base/json.h"
#include "tests/fleet/headquarters.h"
#include "tools/headquarters/fleet_view.h"

// What headquarters take and what they refuse, on a real PostgreSQL.
namespace idkiosk::headquarters {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OriginTest, IsReadFromATopicOfAKioskAlone) {
  const auto origin = OriginOf("idkiosk/v1/bank/lagos-12/ledger");
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->tenant, "bank");
  EXPECT_EQ(origin->kiosk, "lagos-12");
  EXPECT_EQ(origin->what, "ledger");
  for (const char* topic :
       {"", "idkiosk/v1/bank/k/ledger/x", "idkiosk/v2/bank/k/ledger", "idkiosk/v1/bank/k",
        "idkiosk/v1/bank/k/erase", "idkiosk/v1/BANK/k/ledger", "idkiosk/v1/bank//ledger",
        "idkiosk/v1/bank/k'; drop table kiosk/ledger", "idkiosk/v1/bank/k/ack", "$SYS/broker"}) {
    EXPECT_FALSE(OriginOf(topic)) << topic;
  }
}

class IngestTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (Postgres::IsInstalled()) postgres_ = std::make_unique<Postgres>();
  }
  static void TearDownTestSuite() { postgres_.reset(); }

  void SetUp() override {
    if (!postgres_) GTEST_SKIP() << "PostgreSQL is not installed: run tools/setup";
    const auto cleared = database_.Run("drop schema public cascade; create schema public");
    ASSERT_TRUE(cleared) << cleared.error().message;
    const Status made = database_.MakeSchema();
    ASSERT_TRUE(made) << made.error().message;
  }

  // A record that follows the one before, unless its proofs are given.
  static std::string Record(int64_t number, const std::string& entries = "[]",
                            const std::string& mac = "", const std::string& before = "") {
    return fmt::format(R"({{"number":{},"mac_before":"{}","mac":"{}","entries":{}}})", number,
                       before.empty() ? MacOf(number - 1) : before,
                       mac.empty() ? MacOf(number) : mac, entries);
  }
  static std::string MacOf(int64_t number) { return fmt::format("{:064x}", number); }
  static std::string Attempt(const std::string& reference, const char* price = "100.00") {
    return fmt::format(
        R"([{{"kind":"attempt","attempt":{{"started_at":"2026-11-24T10:00:00.000Z","reference":"{}","attempt":1,)"
        R"("endpoint":"verify","operator":"anna","stage":"sent","http_status":0,"billed":"maybe","rule":"in_flight",)"
        R"("price":"{}","currency":"NGN","attempt_id":"a1","service_reference":"","genuine":true,"case":"","pictures":""}}}}])",
        reference, price);
  }
  static std::string End(const std::string& reference, const char* billed) {
    return fmt::format(
        R"([{{"kind":"attempt_ended","reference":"{}","attempt":1,"ended_at":"2026-11-24T10:00:02.000Z",)"
        R"("stage":"answered","http_status":200,"billed":"{}","rule":"verified","service_reference":"S-1"}}])",
        reference, billed);
  }
  // Returns whether it was taken.
  bool Take(std::vector<std::string> records, const std::string& kiosk = "k1",
            const std::string& journal = "ledger") {
    std::string list;
    for (const std::string& each : records) list += (list.empty() ? "" : ",") + each;
    return TakeText("{\"records\":[" + list + "]}", kiosk, journal);
  }
  bool TakeText(const std::string& text, const std::string& kiosk = "k1",
                const std::string& what = "ledger") {
    told_.clear();
    return ingest_.Take({{fmt::format("idkiosk/v1/bank/{}/{}", kiosk, what), text}}).has_value();
  }
  static std::string Told(int64_t number, const std::string& kiosk = "k1") {
    return fmt::format(R"(idkiosk/v1/bank/{}/ack/ledger {{"number":{},"mac":"{}"}})", kiosk, number,
                       MacOf(number));
  }
  std::string Ask(const std::string& statement) { return postgres_->Ask(statement); }

  static std::unique_ptr<Postgres> postgres_;
  Database database_{postgres_ ? postgres_->where() : ""};
  std::vector<std::string> told_;
  Ingest ingest_{database_, [this](const std::string& topic, const std::string& payload) {
                   told_.push_back(topic + " " + payload);
                 }};
};

std::unique_ptr<Postgres> IngestTest::postgres_;

TEST_F(IngestTest, ARecordIsKeptOnceAndToldWhenItIs) {
  EXPECT_TRUE(Take({Record(1), Record(2)}));
  EXPECT_THAT(told_, ElementsAre(Told(2)));
  EXPECT_TRUE(Take({Record(1), Record(2)}));
  EXPECT_THAT(told_, ElementsAre(Told(2)));
  EXPECT_TRUE(Take({Record(2), Record(3)}));
  EXPECT_THAT(told_, ElementsAre(Told(3)));
  EXPECT_EQ(Ask("select string_agg(number::text, ' ' order by number) from record"), "1 2 3");
  EXPECT_EQ(Ask("select count(*) from alarm"), "0");
}

TEST_F(IngestTest, WhatIsMissingIsAskedForAgain) {
  EXPECT_TRUE(Take({Record(1)}));
  EXPECT_TRUE(Take({Record(3), Record(4)}));
  EXPECT_THAT(told_, ElementsAre(Told(1)));
  EXPECT_EQ(Ask("select count(*) from record"), "1");
}

TEST_F(IngestTest, AnOlderCopyThatWasPutBackIsNoticedAndNothingIsTakenFromIt) {
  EXPECT_TRUE(Take({Record(1), Record(2), Record(3)}));
  // It went on from record 1, otherwise.
  const std::string other(64, 'f');
  EXPECT_TRUE(Take({Record(2, "[]", other), Record(3, "[]", "", other), Record(4)}));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_EQ(Ask("select number, broken_at from journal"), "3|2");
  EXPECT_THAT(Ask("select what from alarm"), HasSubstr("record 2 of its ledger"));
  // Not even what would follow, until somebody has looked.
  EXPECT_TRUE(Take({Record(4)}));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_EQ(Ask("select count(*) from alarm"), "1");
  EXPECT_EQ(Ask("select accept_journal('bank', 'k1', 'ledger')"), "t");
  EXPECT_EQ(Ask("select accept_journal('bank', 'k1', 'ledger')"), "f");
  EXPECT_TRUE(Take({Record(4)}));
  EXPECT_THAT(told_, ElementsAre(fmt::format(
                         R"(idkiosk/v1/bank/k1/ack/ledger {{"number":0,"mac":"{}"}})", MacOf(0))));
  EXPECT_TRUE(Take({Record(1, "[]", other), Record(2, "[]", "", other)}));
  EXPECT_EQ(Ask("select life, count(*) from record group by life order by life"), "1|3\n2|2");
}

TEST_F(IngestTest, ARecordThatDoesNotFollowIsRefused) {
  EXPECT_TRUE(Take({Record(1)}));
  EXPECT_TRUE(Take({Record(2, "[]", "", MacOf(77))}));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_EQ(Ask("select count(*) from record"), "1");
}

TEST_F(IngestTest, MoneyIsKeptToTheCent) {
  EXPECT_TRUE(Take({Record(1, Attempt("KD7Q2M", "0.10")), Record(2, Attempt("AAAAAA", "99999.99")),
                    Record(3, End("KD7Q2M", "yes")), Record(4, End("AAAAAA", "no"))}));
  EXPECT_EQ(
      Ask("select reference, price, billed, status, service_reference from attempt order by 1"),
      "AAAAAA|99999.99|no|200|S-1\nKD7Q2M|0.10|yes|200|S-1");
  const auto csv = LedgerCsv(database_, "", "2026-11");
  ASSERT_TRUE(csv) << csv.error().message;
  EXPECT_THAT(*csv, HasSubstr("2026-11-24T10:00:00.000Z,bank,k1,KD7Q2M,1,verify,anna,,answered,200,"
                              "yes,verified,0.10,NGN,a1,S-1\r\n"));
  EXPECT_THAT(*LedgerCsv(database_, "", "2026-10"), testing::Not(HasSubstr("KD7Q2M")));
  for (const char* month : {"2026-13", "2026-1", "", "2026-00", "november", "2026-11'"}) {
    EXPECT_FALSE(LedgerCsv(database_, "", month)) << month;
  }
}

// What an end costs does not grow with what the kiosk has there already: it is found by its name.
TEST_F(IngestTest, AnEndFindsItsAttemptAmongManyWithoutALookAtTheOthers) {
  constexpr int kAttempts = 500;
  {
    Database own(postgres_->where());
    Ingest ingest(own, [](const std::string&, const std::string&) {});
    for (int i = 0; i < kAttempts; ++i) {
      const std::string reference = fmt::format("R{:05}", i);
      ASSERT_TRUE(ingest.Take({{"idkiosk/v1/bank/k1/ledger",
                                "{\"records\":[" + Record(2 * i + 1, Attempt(reference)) + "," +
                                    Record(2 * i + 2, End(reference, "yes")) + "]}"}}));
    }
  }  // PostgreSQL counts what a session has read once it is over
  EXPECT_EQ(Ask("select count(*) from attempt where billed = 'yes'"), fmt::format("{}", kAttempts));
  const std::string read =
      "select coalesce(sum(idx_tup_fetch) + sum(seq_tup_read), 0) from pg_stat_user_tables "
      "where relname = 'attempt'";
  std::string rows = Ask(read);
  while (std::stoll(rows) < kAttempts) rows = Ask(read);
  EXPECT_LT(std::stoll(rows), 10 * kAttempts);
}

// One kiosk's nonsense harms nobody else's records, and stands among the alarms.
TEST_F(IngestTest, NonsenseIsNamedAndTheRestIsTaken) {
  const std::vector<std::string> nonsense = {
      "",
      "{",
      "[]",
      "null",
      "7",
      "{\"records\":7}",
      "{\"records\":[{\"number\":\"x\"}]}",
      "{\"records\":[" + Record(1, "7") + "]}",
      "{\"records\":[" + Record(1, Attempt("KD7Q2M", "cheap")) + "]}",
      "{\"records\":[" + Record(1, R"([{"kind":"attempt"}])") + "]}",
      R"({"records":[{"number":1,"mac":"\u0000","mac_before":"","entries":[]}]})",
      std::string("{\"records\":\0[]}", 15),
      std::string(200'000, '['),
      std::string(Ingest::kLargest + 1, ' '),
      "{\"records\":[" + Record(1) + "]} and more",
      "\xff\xfe",
  };
  for (const std::string& each : nonsense) {
    told_.clear();
    const Status taken =
        ingest_.Take({{"idkiosk/v1/bank/good/ledger", "{\"records\":[" + Record(1) + "]}"},
                      {"idkiosk/v1/bank/evil/ledger", each},
                      {"idkiosk/v1/bank/last/ledger", "{\"records\":[" + Record(1) + "]}"},
                      {"elsewhere", "{}"}});
    ASSERT_TRUE(taken) << each.substr(0, 60) << ": " << taken.error().message;
    EXPECT_THAT(told_, testing::Contains(Told(1, "good"))) << each.substr(0, 60);
    EXPECT_THAT(told_, testing::Contains(Told(1, "last"))) << each.substr(0, 60);
    EXPECT_EQ(Ask("select count(*) from record where kiosk = 'evil'"), "0") << each.substr(0, 60);
  }
  RecordProperty("attacks", static_cast<int>(nonsense.size()));
}

// Each kind of refusal is counted by itself, and none of them is silent about what it left out.
TEST_F(IngestTest, NumbersThatAreRefusedAllDayHideNoRefusedLedger) {
  const auto refuse = [this](const std::string& what, const std::string& payload) {
    ASSERT_TRUE(ingest_.Take({{"idkiosk/v1/bank/evil/" + what, payload}}));
  };
  for (int i = 0; i < 30; ++i) {
    refuse("metrics", fmt::format(R"({{"values":{{"a{}":"x"}}}})", i));
  }
  refuse("ledger", "{\"records\":[" + Record(1, "7") + "]}");
  refuse("reply", R"({"reason":"it is forged"})");
  for (int i = 0; i < 10; ++i) refuse("metrics", R"({"values":{"a0":"x"}})");
  EXPECT_EQ(Ask("select count(*) || ' and ' || sum(left_out) from alarm "
                "where what like 'its message metrics %'"),
            "20 and 20");
  EXPECT_EQ(Ask("select count(*) || ' and ' || sum(left_out) from alarm "
                "where what like 'its message ledger %'"),
            "1 and 0");
  const auto json = FleetJson(database_, "15 minutes");
  ASSERT_TRUE(json);
  EXPECT_THAT(*json, HasSubstr("its message ledger cannot be taken"));
  EXPECT_THAT(*json, HasSubstr("it refused what should be a command: it is forged"));
  EXPECT_THAT(*json, HasSubstr("; and 10 more of this kind within the hour"));
}

TEST_F(IngestTest, StateAndNumbersAreThoseOfTheNewestMessage) {
  EXPECT_TRUE(TakeText(
      R"({"time":"x","version":"1.2","health":{"ready":false,"parts":[{"part":"camera","state":"bad","text":"it is unplugged"}]}})",
      "k1", "state"));
  EXPECT_TRUE(
      TakeText(R"({"full":true,"values":{"idkiosk_queue_calls{state=\"pending\"}":7,"a":1}})", "k1",
               "metrics"));
  EXPECT_TRUE(TakeText(R"({"full":false,"values":{"idkiosk_queue_calls{state=\"pending\"}":8}})",
                       "k1", "metrics"));
  auto kiosks = Kiosks(database_, "15 minutes");
  ASSERT_TRUE(kiosks) << kiosks.error().message;
  EXPECT_EQ(kiosks->front().health, "bad");
  EXPECT_EQ(kiosks->front().complaint, "camera: it is unplugged");
  EXPECT_EQ(kiosks->front().waiting, "8");
  EXPECT_EQ(*MetricsText(database_),
            "a{tenant=\"bank\",kiosk=\"k1\"} 1\n"
            "idkiosk_queue_calls{tenant=\"bank\",kiosk=\"k1\",state=\"pending\"} 8\n");
  for (const CallStateTraits& each : kCallStates) {
    EXPECT_TRUE(TakeText(
        fmt::format(R"({{"full":true,"values":{{"idkiosk_queue_calls{{state=\"{}\"}}":3}}}})",
                    each.name),
        "k1", "metrics"));
    const KioskRow shown = Kiosks(database_, "15 minutes")->front();
    EXPECT_EQ(shown.waiting, each.course == CallCourse::kGoesOn ? "3" : "0") << each.name;
    EXPECT_EQ(shown.need_person, each.course == CallCourse::kNeedsPerson ? "3" : "0") << each.name;
  }
  EXPECT_TRUE(TakeText(R"({"version":"1.3","health":{"ready":true,"parts":[]}})", "k1", "state"));
  EXPECT_EQ(Kiosks(database_, "15 minutes")->front().health, "good");
  EXPECT_TRUE(TakeText(R"({"gone":true})", "k1", "state"));
  kiosks = Kiosks(database_, "15 minutes");
  EXPECT_EQ(kiosks->front().health, "gone");
  EXPECT_EQ(kiosks->front().version, "1.3");
  EXPECT_TRUE(TakeText(R"({"version":"1.3","health":{"ready":true,"parts":[]}})", "k2", "state"));
  Ask("update kiosk set heard = now() - interval '1 hour' where kiosk = 'k2'");
  EXPECT_EQ(Kiosks(database_, "15 minutes")->back().health, "silent");
}

// PostgreSQL is gone in the middle: nothing is told, and the same is taken when it is back.
TEST_F(IngestTest, WhatCouldNotBeKeptIsNotTold) {
  EXPECT_TRUE(Take({Record(1)}));
  postgres_->Kill();
  EXPECT_FALSE(Take({Record(2)}));
  EXPECT_THAT(told_, IsEmpty());
  postgres_->Start();
  EXPECT_TRUE(Take({Record(2)}));
  EXPECT_THAT(told_, ElementsAre(Told(2)));
}

}  // namespace
}  // namespace idkiosk::headquarters
