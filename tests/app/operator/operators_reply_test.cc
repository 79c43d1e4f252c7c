#include "app/operator/operators_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFirstSent = "2026-11-20T01:00:00.250Z";
constexpr const char* kSecondSent = "2026-11-20T01:00:09.500Z";

LedgerRow InDoubt(const std::string& reference, const std::string& attempt_id, int number = 1,
                  const char* sent_at = kFirstSent) {
  LedgerRow row;
  row.id = 10 * reference.front() + number;
  row.reference = reference;
  row.number = number;
  row.attempt_id = attempt_id;
  row.started_at = ParseRfc3339(sent_at).value();
  row.ended_at = row.started_at + std::chrono::seconds(1);
  row.billed = Billed::kMaybe;
  row.rule = "lost";
  return row;
}

LedgerRow Told(LedgerRow row) {
  row.billed = Billed::kNo;
  row.rule = "told_not_received";
  return row;
}

// What a reply with this text decides, "AAAAAA 1 verified", and then what is wrong with it.
std::vector<std::string> Read(const std::string& text, const std::vector<LedgerRow>& ledger) {
  std::istringstream in(text);
  const auto reply = ReadOperatorsReply(in, ledger);
  if (!reply) return {reply.error().message};
  std::vector<std::string> read;
  for (const auto& each : reply->decided) {
    read.push_back(fmt::format("{} {} {}", each.attempt.reference, each.attempt.number,
                               Name(each.settlement)));
  }
  read.insert(read.end(), reply->wrong.begin(), reply->wrong.end());
  return read;
}

// Whoever answers may write a number in capitals, or as a UUID.
TEST(OperatorsReplyTest, AnAttemptIsTheSameInCapitalsAndWithOrWithoutHyphens) {
  const std::vector<LedgerRow> doubtful = {InDoubt("AAAAAA", "0123456789abcdef0123456789abcdef"),
                                           InDoubt("BBBBBB", "1123456789abcdef0123456789abcdef"),
                                           InDoubt("CCCCCC", "2123-4567")};
  EXPECT_THAT(Read("attempt_id,outcome\n"
                   "01234567-89AB-CDEF-0123-456789ABCDEF,verified\n"
                   "1123456789ABCDEF0123456789ABCDEF,rejected\n"
                   "21234567,not received \n"
                   "31234567,verified\n",
                   doubtful),
              ElementsAre("AAAAAA 1 verified", "BBBBBB 1 rejected", "CCCCCC 1 not_received",
                          HasSubstr("line 5: 31234567 names no attempt in doubt")));
}

// The first attempt never arrived, the reply said so, and the second one's answer is lost, too: the
// same reply must not say it of that one.
TEST(OperatorsReplyTest, ALineThatNamesNoAttemptIsNotAboutTheNextOne) {
  const std::string reply = "reference,outcome\nAAAAAA,not_received\n";
  for (const std::string id : {"", "0123456789abcdef0123456789abcdef"}) {
    const LedgerRow first = InDoubt("AAAAAA", id);
    const LedgerRow second =
        InDoubt("AAAAAA", id.empty() ? "" : "1" + id.substr(1), 2, kSecondSent);
    EXPECT_THAT(Read(reply, {first}), ElementsAre("AAAAAA 1 not_received"));
    EXPECT_THAT(Read(reply, {Told(first), second}),
                ElementsAre(AllOf(HasSubstr("line 2: AAAAAA is a call with more than one attempt"),
                                  HasSubstr("one that was settled before"),
                                  HasSubstr(id.empty() ? "by its sent_at" : "by its attempt_id"))));
    EXPECT_THAT(Read(reply, {first, second}), ElementsAre(HasSubstr("any of them")));
    EXPECT_THAT(Read(reply, {Told(first), Told(second)}),
                ElementsAre(HasSubstr("AAAAAA names no attempt in doubt here")));
  }
}

TEST(OperatorsReplyTest, TheTimeOfSendingNamesAnAttempt) {
  const LedgerRow first = InDoubt("AAAAAA", "");
  const LedgerRow second = InDoubt("AAAAAA", "", 2, kSecondSent);
  const auto read = [](const std::string& sent_at, const std::vector<LedgerRow>& ledger) {
    return Read("attempt_id,reference,sent_at,outcome\n,AAAAAA," + sent_at + ",not_received\n",
                ledger);
  };
  for (const char* time : {kSecondSent, "2026-11-20 01:00:09", "2026-11-20T02:00:09.5+01:00"}) {
    EXPECT_THAT(read(time, {Told(first), second}), ElementsAre("AAAAAA 2 not_received")) << time;
    EXPECT_THAT(read(time, {first, second}), ElementsAre("AAAAAA 2 not_received")) << time;
  }
  EXPECT_THAT(read(kFirstSent, {Told(first), second}),
              ElementsAre(AllOf(HasSubstr(kFirstSent), HasSubstr(kSecondSent))));
  EXPECT_THAT(read(kSecondSent, {first}),
              ElementsAre(AllOf(HasSubstr(kFirstSent), HasSubstr(kSecondSent))));
  EXPECT_THAT(read("20/11/2026", {first}), ElementsAre(HasSubstr("'20/11/2026' is no time such")));
  EXPECT_THAT(read("", {first}), ElementsAre("AAAAAA 1 not_received"));
  EXPECT_THAT(read("", {Told(first), second}), ElementsAre(HasSubstr("name the attempt")));
  // Two within a second, and nothing that tells them apart.
  const LedgerRow soon = InDoubt("AAAAAA", "", 2, "2026-11-20T01:00:00.750Z");
  EXPECT_THAT(read("2026-11-20T01:00:00Z", {Told(first), soon}), ElementsAre(HasSubstr("line 2")));
  EXPECT_THAT(read("2026-11-20T01:00:00.750Z", {Told(first), soon}),
              ElementsAre("AAAAAA 2 not_received"));
}

// "-" is what some write where there is nothing.
TEST(OperatorsReplyTest, AnIdOfNoLettersIsNone) {
  const std::vector<LedgerRow> ledger = {Told(InDoubt("AAAAAA", "")),
                                         InDoubt("AAAAAA", "", 2, kSecondSent)};
  EXPECT_THAT(Read("attempt_id,outcome\n-,not_received\n", ledger),
              ElementsAre(HasSubstr("- names no attempt in doubt")));
  EXPECT_THAT(Read("attempt_id,reference,outcome\n-,AAAAAA,not_received\n", ledger),
              ElementsAre(HasSubstr("name the attempt")));
}

// Whoever settles by id is told what was settled before, and a changed record counts for nothing.
TEST(OperatorsReplyTest, OnlyWhatIsInDoubtIsDecided) {
  LedgerRow changed = InDoubt("BBBBBB", "b");
  changed.genuine = false;
  LedgerRow on_its_way = InDoubt("CCCCCC", "c");
  on_its_way.ended_at.reset();
  const std::vector<LedgerRow> ledger = {Told(InDoubt("AAAAAA", "a")), changed, on_its_way};
  EXPECT_THAT(Read("attempt_id,outcome\na,verified\nb,verified\nc,verified\n", ledger),
              ElementsAre(HasSubstr("line 2: a names no"), HasSubstr("line 3: b names no"),
                          HasSubstr("line 4: c names no")));
  EXPECT_THAT(Read("reference,outcome\n", ledger), IsEmpty());
}

}  // namespace
}  // namespace idkiosk
