#include "app/operator/books.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "app/operator/console_tabs.h"
#include "app/operator/ledger_export.h"
#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

class BooksTest : public testing::Test {
 protected:
  void SetUp() override { bench_.Open(); }
  CallReference Verified(int number, const std::string& operator_id = "") {
    bench_.Serve(200);
    const auto reference =
        bench_.queue->Accept(LookupCall(number), {.operator_id = operator_id, .confirmed = true});
    bench_.RunFor(std::chrono::minutes(1));
    return reference.value_or("");
  }
  Books Read(const BooksQuestion& question) {
    auto books = ReadBooks(*bench_.queue, question, "NGN");
    EXPECT_TRUE(books) << books.error().message;
    return books.value_or(Books());
  }

  QueueBench bench_;
};

TEST_F(BooksTest, AMonthAnEndpointAndAnOperatorAreAddedUp) {
  (void)Verified(1, "amina");
  const CallReference newest = Verified(2, "tunde");
  const Books all = Read({"2026-11", "", "", 0});
  EXPECT_EQ(all.count, 2U);
  EXPECT_EQ(all.rows.at(0).reference, newest);
  EXPECT_THAT(all.operators, ElementsAre("amina", "tunde"));
  ASSERT_THAT(all.total.at("NGN"), SizeIs(1));
  EXPECT_EQ(all.total.at("NGN")[0].billed_yes, 2);
  EXPECT_EQ(all.by_endpoint.at("NGN")[0].key, "lookup_nin");
  const Books hers = Read({"2026-11", "", "amina", 0});
  EXPECT_EQ(hers.count, 1U);
  EXPECT_THAT(hers.operators, ElementsAre("amina", "tunde"));
  EXPECT_EQ(Read({"2026-10", "", "", 0}).count, 0U);
  EXPECT_EQ(Read({"2026-11", "verify", "", 0}).count, 0U);
  EXPECT_FALSE(ReadBooks(*bench_.queue, {"November", "", "", 0}, "NGN"));
}

TEST_F(BooksTest, WhoReadsALedgerThatIsNotGenuineIsToldThatAttemptsMayBeMissing) {
  (void)Verified(1);
  EXPECT_EQ(Read({}).doubt, "");
  const DiskImage before = DiskImage::Of(bench_);
  (void)Verified(2);
  bench_.Close();
  DiskImage older = before;
  older.vault = bench_.storage;
  older.PutOn(bench_);
  bench_.Open();
  EXPECT_THAT(Read({}).doubt, HasSubstr("the ledger is not genuine"));
}

TEST_F(BooksTest, AnAttemptThatWasFreeCostsNothingWhereverItIsListed) {
  bench_.Serve(429);
  bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  const LedgerRow free = Read({}).rows.at(0);
  ASSERT_EQ(free.billed, Billed::kNo);
  ASSERT_GT(free.price, 0);
  EXPECT_EQ(LineOf(free, "NGN").price, 0);
  JsonWriter json;
  WriteRow(json, free, "NGN");
  EXPECT_THAT(json.text(), HasSubstr(R"("price":"0.00 NGN")"));
}

TEST_F(BooksTest, DaysAndHoursAreThoseOfTheMonthsZone) {
  (void)Verified(1);
  const std::vector<LedgerRow> rows = Read({}).rows;
  const char* const before = std::getenv("TZ");
  const std::string saved = before == nullptr ? "" : before;
  setenv("TZ", "AOE12", 1);  // where days end last
  const auto key = [&](LedgerBy by, Zone zone) {
    const SumsByCurrency sums = SumUp(rows, by, "NGN", zone);
    return sums.at("NGN").size() == 1 ? sums.at("NGN")[0].key : "none, or many";
  };
  const std::string utc = FormatIn(Zone::kUtc, rows.at(0).started_at);
  const std::string here = FormatIn(Zone::kKiosk, rows.at(0).started_at);
  EXPECT_NE(utc.substr(0, 10), here.substr(0, 10));
  EXPECT_EQ(key(LedgerBy::kDay, Zone::kKiosk), here.substr(0, 10));
  EXPECT_EQ(key(LedgerBy::kDay, Zone::kUtc), utc.substr(0, 10));
  EXPECT_EQ(key(LedgerBy::kHour, Zone::kKiosk), here.substr(0, 13) + ":00-12:00");
  EXPECT_EQ(key(LedgerBy::kHour, Zone::kUtc), utc.substr(0, 13) + ":00Z");
  EXPECT_EQ(key(LedgerBy::kTotal, Zone::kKiosk), "");
  EXPECT_THAT(SumUp({}, LedgerBy::kDay, "NGN").at("NGN"), SizeIs(0));
  if (before != nullptr) {
    setenv("TZ", saved.c_str(), 1);
  } else {
    unsetenv("TZ");
  }
}

TEST_F(BooksTest, EveryAttemptIsOnSomePage) {
  for (int i = 1; i <= 60; ++i) (void)Verified(i);
  const Books first = Read({});
  const Books second = Read({"", "", "", Books::kRowsShown});
  EXPECT_THAT(first.rows, SizeIs(50));
  EXPECT_THAT(second.rows, SizeIs(10));
  EXPECT_GT(first.rows.back().started_at, second.rows.front().started_at);
  EXPECT_THAT(Read({"", "", "", 1000}).rows, SizeIs(0));
}

// One that a spreadsheet made of another file has thousands.
TEST_F(BooksTest, OfManyBadLinesTheFirstAreNamedAndTheOthersCounted) {
  std::string lines = "reference,price\n";
  for (int i = 0; i < 1000; ++i) lines += "AAAAAA,none\n";
  std::istringstream invoice(lines);
  const auto view = HoldInvoice(*bench_.queue, invoice, {"2026-11", "", "", 0}, "NGN");
  ASSERT_TRUE(view) << view.error().message;
  ASSERT_THAT(view->bad_lines, SizeIs(51));
  EXPECT_EQ(view->bad_lines.back(), "and 950 lines more");
  EXPECT_FALSE(view->all_match);
}

TEST_F(BooksTest, AnInvoiceIsHeldAgainstTheMonth) {
  const CallReference billed = Verified(1);
  const auto ours = Read({}).rows.at(0);
  std::istringstream invoice(fmt::format(
      "time,reference,price,currency\n{0},{1},{2},NGN\n{0},ZZZZZZ,9.00,NGN\n{0},A,\"1,234\",NGN\n",
      FormatRfc3339(ours.started_at), billed, FormatAmount(ours.price)));
  const auto view = HoldInvoice(*bench_.queue, invoice, {"2026-11", "", "", 0}, "NGN");
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_FALSE(view->all_match);
  EXPECT_THAT(view->counts, Contains(Pair("matched", 1)));
  EXPECT_THAT(view->bad_lines, ElementsAre(HasSubstr("line 4")));
  ASSERT_THAT(view->differences, SizeIs(1));
  EXPECT_THAT(view->csv, HasSubstr("ZZZZZZ"));
  std::istringstream unread(fmt::format("reference,price\n{},12.345\n", billed));
  const auto once = HoldInvoice(*bench_.queue, unread, {"2026-11", "", "", 0}, "NGN");
  ASSERT_TRUE(once) << once.error().message;
  EXPECT_THAT(once->bad_lines, ElementsAre(HasSubstr("line 2")));
  EXPECT_THAT(once->differences, SizeIs(0)) << "it is on the invoice, and was named once";
  EXPECT_FALSE(once->all_match);
  std::istringstream credit(fmt::format("reference,price\n{},-5.00\n", billed));
  const auto alone = HoldInvoice(*bench_.queue, credit, {"2026-11", "", "", 0}, "NGN");
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_THAT(alone->counts, Contains(Pair("credit without its charge", 1)));
  std::istringstream none("nothing here");
  EXPECT_FALSE(HoldInvoice(*bench_.queue, none, {}, "NGN"));
}

}  // namespace
}  // namespace idkiosk
