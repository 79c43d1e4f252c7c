// Calls whose answers never came, settled by what the service's operator says; and the books.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OperatorReplyTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(
        Provision(R"("billing": { "duplicate_window": "0 s", "breaker_after": 10 },)"));
  }

  // A question whose answer is lost, before or after the service has billed it.
  void LoseAnswer(const std::string& kind) {
    const Finished fault = Sandbox({"fault", "add", "--endpoint", "check", "--kind", kind});
    ASSERT_EQ(fault.exit_code, 0) << fault.err;
    ASSERT_EQ(Kiosk({"check", "--id-number", test_nin_}).exit_code, kNeedsPerson);
  }

  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  // The sandbox's reply to what is in doubt now.
  std::string Reply() {
    const std::string asked = Write("unknown.csv", Kiosk({"queue", "list", "--unknown-csv"}).out);
    const Finished reply = Sandbox({"reply", asked});
    EXPECT_EQ(reply.exit_code, 0) << reply.err;
    return Write("reply.csv", reply.out);
  }

  int Unknown() { return std::stoi(Text(Parse(Kiosk({"queue", "stats"}).out), "/unknown")); }
};

TEST_F(OperatorReplyTest, SettlesWhatIsInDoubtAndTheBooksMatchTheInvoice) {
  LoseAnswer("drop-after-body");
  LoseAnswer("drop-before-body");
  LoseAnswer("drop-after-body");
  ASSERT_EQ(Unknown(), 3);
  EXPECT_EQ(BilledRows(), 2);

  const std::string reply = Reply();
  const Finished asked = Kiosk({"queue", "import", reply});
  EXPECT_EQ(asked.exit_code, kNeedsPerson) << "nobody said yes";
  EXPECT_THAT(asked.err, HasSubstr("2 verified"));
  EXPECT_THAT(asked.err, HasSubstr("1 never arrived: not billed. Calls that still wait are sent"));
  EXPECT_EQ(Unknown(), 3);

  const Finished imported = Kiosk({"queue", "import", reply, "--yes"});
  EXPECT_EQ(imported.exit_code, kDone) << imported.err;
  EXPECT_EQ(Unknown(), 0);
  EXPECT_EQ(Kiosk({"queue", "import", reply, "--yes"}).exit_code, kUsage) << "nothing is left";
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kDone);
  EXPECT_EQ(BilledRows(), 3) << "what never arrived was sent once more";

  const std::string invoice = Write("invoice.csv", Sandbox({"invoice"}).out);
  const Finished matched = Kiosk({"ledger", "match", invoice});
  EXPECT_EQ(matched.exit_code, kDone) << matched.out << matched.err;
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("call.settled"));

  const std::string again = Write("again.csv", Sandbox({"invoice"}).out);
  const Finished twice = Kiosk({"ledger", "match", invoice, again});
  EXPECT_EQ(twice.exit_code, kNotVerified) << twice.out << twice.err;
  EXPECT_THAT(twice.err, HasSubstr("3 invoiced twice"));
  EXPECT_THAT(twice.out, HasSubstr("endpoint         attempt_id"));
  EXPECT_THAT(twice.out, HasSubstr(" 1 check            "));
  EXPECT_THAT(Kiosk({"--json", "ledger", "match", invoice, again}).out, HasSubstr("again.csv:2"));
  const Finished same = Kiosk({"ledger", "match", invoice, invoice});
  EXPECT_EQ(same.exit_code, kUsage);
  EXPECT_THAT(same.err, HasSubstr("is given twice: name each file once"));
  const std::string wide("\xFF\xFE{\0", 4);
  const Finished wide_ledger =
      Kiosk({"ledger", "match", invoice, "--ledger", Write("wide.jsonl", wide)});
  EXPECT_EQ(wide_ledger.exit_code, kUsage);
  EXPECT_THAT(wide_ledger.err, HasSubstr("wide.jsonl: not UTF-8 text: save it as UTF-8."));
  EXPECT_THAT(Kiosk({"ledger", "match", invoice, "--ledger", Write("none.jsonl", "\n")}).err,
              HasSubstr("none.jsonl: no attempt is in it"));
  const Finished sheet = Kiosk({"ledger", "match", Write("invoice.xlsx", "PK\x03\x04")});
  EXPECT_EQ(sheet.exit_code, kUsage);
  EXPECT_THAT(sheet.err, HasSubstr("invoice.xlsx: this is a spreadsheet (.xlsx, .ods)"));
}

TEST_F(OperatorReplyTest, SettlesAttemptsOfCallsThatHaveEndedInAnyOrderOfLines) {
  LoseAnswer("drop-after-body");
  const std::string given_up = Kiosk({"queue", "list", "--unknown-csv"}).out;
  const size_t reference = given_up.find(',', given_up.find('\n')) + 1;
  const std::string id = given_up.substr(reference, 6);
  const Finished asked = Kiosk({"queue", "give-up", id});
  EXPECT_EQ(asked.exit_code, kNeedsPerson);
  EXPECT_THAT(asked.err, HasSubstr(fmt::format("To go on: idkiosk queue give-up {} --yes", id)));
  EXPECT_THAT(asked.err, HasSubstr("Its question is erased")) << "a lookup has no pictures";
  EXPECT_THAT(Kiosk({"queue", "list"}).out, HasSubstr("unknown")) << "nobody has decided";
  ASSERT_EQ(Kiosk({"queue", "give-up", id, "--yes"}).exit_code, kDone);
  const Finished again = Kiosk({"queue", "give-up", id});
  EXPECT_THAT(again.err, AllOf(HasSubstr("is done: only a call that may have been sent"),
                               Not(HasSubstr("To go on"))));
  LoseAnswer("drop-before-body");
  const std::string in_doubt = Kiosk({"queue", "list", "--unknown-csv"}).out;
  EXPECT_EQ(std::ranges::count(in_doubt, '\n'), 3) << in_doubt;
  ASSERT_EQ(Kiosk({"queue", "import", Reply(), "--yes"}).exit_code, kDone);
  const std::string sum = Kiosk({"--json", "ledger", "sum"}).out;
  EXPECT_THAT(sum, HasSubstr("\"maybe_billed\":0"));
  EXPECT_THAT(sum, HasSubstr("\"billed\":1"));
}

// What the reply sends again is billed, and its answer lost: the same reply says nothing of that.
TEST_F(OperatorReplyTest, ALineWithoutAnAttemptSettlesOneAttemptAlone) {
  LoseAnswer("drop-before-body");
  const std::string listed = Kiosk({"queue", "list", "--unknown-csv"}).out;
  const size_t at = listed.find(',', listed.find('\n')) + 1;
  const std::string reply =
      Write("reply.csv", "reference,outcome\n" + listed.substr(at, 6) + ",not_received\n");
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "drop-after-body"}).exit_code,
            0);
  ASSERT_EQ(Kiosk({"queue", "import", reply, "--yes"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kNeedsPerson);
  ASSERT_EQ(BilledRows(), 1);
  ASSERT_EQ(Unknown(), 1);

  const Finished again = Kiosk({"queue", "import", reply, "--yes"});
  EXPECT_EQ(again.exit_code, kUsage) << again.out << again.err;
  EXPECT_THAT(again.err, HasSubstr("name the attempt by its attempt_id or sent_at"));
  EXPECT_EQ(Unknown(), 1);
  (void)Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(BilledRows(), 1) << "the same line paid twice";
  EXPECT_EQ(Kiosk({"queue", "import", Reply(), "--yes"}).exit_code, kDone);
  EXPECT_THAT(Kiosk({"--json", "ledger", "sum"}).out, HasSubstr("\"billed\":1"));
}

TEST_F(OperatorReplyTest, ReadsNothingIntoAReplyThatMakesNoSense) {
  LoseAnswer("drop-after-body");
  const std::string listed = Kiosk({"queue", "list", "--unknown-csv"}).out;
  const size_t line = listed.find('\n') + 1;
  const std::string id = listed.substr(line, listed.find(',', line) - line);
  const struct {
    std::string text, said;
  } kReplies[] = {
      {"", "it is empty"},
      {"id,outcome\r\n" + id + ",verified\r\n", "must name a column outcome"},
      {"attempt_id,outcome\r\n" + id + ",perhaps\r\n", "none of not_received"},
      {"attempt_id,outcome\r\nffff,verified\r\n", "no attempt in doubt"},
      {"attempt_id,outcome,Outcome\r\n" + id + ",verified,not_received\r\n", "'Outcome' twice"},
      {"attempt_id,reference,outcome\r\n" + id + ",KD7Q2M,not_received\r\n", "and not of KD7Q2M"},
      {"attempt_id,outcome\r" + id + ",verified\r", "carriage return alone"},
      {"attempt_id,outcome\r\n" + id + ",verified\r\n" + id + ",not_received\r\n",
       "another outcome on an earlier line"},
  };
  for (const auto& each : kReplies) {
    const Finished refused = Kiosk({"queue", "import", Write("bad.csv", each.text), "--yes"});
    EXPECT_EQ(refused.exit_code, kUsage) << each.text << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(each.said)) << each.text;
    EXPECT_EQ(Unknown(), 1);
  }
  EXPECT_EQ(Kiosk({"queue", "import", folder_ / "nothing.csv"}).exit_code, kUsage);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"queue", "import", state()},
        {"ledger", "match", state()},
        {"ledger", "match", folder_ / "bad.csv", "--ledger", state()}}) {
    const Finished folder = Kiosk(command);
    EXPECT_EQ(folder.exit_code, kUsage) << command[1];
    EXPECT_THAT(folder.err, HasSubstr("this is a folder, not a file")) << command[1];
  }
  const std::string good = "Attempt ID;Outcome\n" + id + ";Verified\n";
  EXPECT_EQ(Kiosk({"queue", "import", Write("good.csv", good), "--yes"}).exit_code, kDone);
}

// A spreadsheet of something else has thousands.
TEST_F(OperatorReplyTest, OfManyBadLinesTheFirstAreNamedAndTheOthersCounted) {
  std::string reply = "attempt_id,outcome\n";
  std::string invoice = "reference,price\n";
  for (int i = 0; i < 1000; ++i) {
    reply += "ffff,verified\n";
    invoice += "AAAAAA,none\n";
  }
  const auto named = [](const std::string& text) {
    constexpr std::string_view kLine = "line ";
    size_t count = 0;
    for (size_t at = 0; (at = text.find(kLine, at)) != text.npos;) {
      at += kLine.size();
      if (at < text.size() && text[at] >= '0' && text[at] <= '9') ++count;
    }
    return count;
  };
  const Finished imported = Kiosk({"queue", "import", Write("reply.csv", reply), "--yes"});
  EXPECT_EQ(imported.exit_code, kUsage);
  EXPECT_EQ(named(imported.err), 50U) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("and 950 lines more that settle nothing"));
  const Finished matched = Kiosk({"ledger", "match", Write("invoice.csv", invoice)});
  EXPECT_EQ(named(matched.err), 50U) << matched.err;
  EXPECT_THAT(matched.err, HasSubstr("and 950 lines more that are not readable"));
}

TEST_F(OperatorReplyTest, SendsAsManyUnknownCallsAgainAsAPricePaysFor) {
  for (int i = 0; i < 3; ++i) LoseAnswer("drop-before-body");
  const Finished asked = Kiosk({"queue", "retry", "--all-unknown"});
  EXPECT_EQ(asked.exit_code, kNeedsPerson);
  EXPECT_THAT(asked.err, HasSubstr("3 of 3 unknown calls"));
  EXPECT_EQ(Unknown(), 3);
  EXPECT_EQ(Kiosk({"queue", "retry", "--max-price", "100"}).exit_code, kUsage);
  EXPECT_EQ(Kiosk({"queue", "retry"}).exit_code, kUsage);
  EXPECT_EQ(Kiosk({"queue", "retry", "KD7Q2M", "--all-unknown"}).exit_code, kUsage);
  for (const char* price : {"1,234", "", "-1", "cheap"}) {
    const Finished refused =
        Kiosk({"queue", "retry", "--all-unknown", "--max-price", price, "--yes"});
    EXPECT_EQ(refused.exit_code, kUsage) << price << refused.err;
  }
  EXPECT_EQ(Unknown(), 3);
  EXPECT_THAT(Kiosk({"queue", "retry", "--all-unknown", "--max-price", "-5", "--yes"}).err,
              HasSubstr("--max-price: \"-5\" is less than nothing, and would pay for no call"));
  const Finished none = Kiosk({"queue", "retry", "--all-unknown", "--max-price", "0.01", "--yes"});
  EXPECT_EQ(none.exit_code, kNeedsPerson);
  double price = 0;
  const JsonDocument list = Parse(Kiosk({"--json", "queue", "list"}).out);
  for (const JsonView call : list.root().children()) {
    price = call["resend_price"].AsNumber().value_or(0);
  }
  ASSERT_GT(price, 0);
  const std::string two = fmt::format("{:.2f}", 2 * price);
  EXPECT_THAT(Kiosk({"queue", "retry", "--all-unknown", "--max-price", two}).err,
              HasSubstr("--all-unknown --max-price " + two + " --yes"));
  (void)Kiosk({"queue", "retry", "--all-unknown", "--max-price", two, "--yes"});
  EXPECT_EQ(Unknown(), 1);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kNeedsPerson);
  EXPECT_EQ(BilledRows(), 2);
}

}  // namespace
}  // namespace idkiosk
