#include "app/operator/back_office.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/operator/fake_office_backend.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class BackOfficeTest : public testing::Test {
 protected:
  std::optional<CommandReply> Do(std::string_view command, const std::string& arguments) {
    const auto document = JsonDocument::Parse(arguments);
    EXPECT_TRUE(document) << arguments;
    reply_.reset();
    Reply reply = [this](CommandReply answer) { reply_ = std::move(answer); };
    EXPECT_TRUE(office_.Do(command, document->root(), reply)) << command;
    return reply_;
  }
  std::string Written(void (BackOffice::*write)(JsonWriter&) const) const {
    JsonWriter json;
    json.BeginObject();
    (office_.*write)(json);
    return json.EndObject().Take();
  }
  void ShowPeople() {
    ListedCall listed;
    listed.call.reference = "KD7Q2M";
    listed.call.state = CallState::kUnknown;
    listed.call.has_payload = true;
    listed.call.resend_price = 10'000;
    listed.spent = 10'000;
    listed.times = 3;
    listed.answered_by = "KRXQRP";
    office_.OpenQueue();
    backend_.people.back()(
        OfficeBackend::PeopleView{{{{"701 **** **89", {listed}}}, 0}, {}, "NGN"});
  }

  FakeClock clock_;
  FakeTaskRunner control_{clock_};
  FakeOfficeBackend backend_;
  int changes_ = 0;
  BackOffice office_{backend_, control_, clock_, [this] { ++changes_; }};
  std::optional<CommandReply> reply_;
};

TEST_F(BackOfficeTest, APersonIsErasedForAYesAndGetsAReceiptThatTheStickTakes) {
  ShowPeople();
  for (const char* no : {R"({"nin":"7012345678","confirmed":true})", R"({"nin":"70123456789"})",
                         R"({"nin":70123456789,"confirmed":true})", R"({"confirmed":true})"}) {
    EXPECT_EQ(Do("operator.erase_person", no)->status.error().code, ErrorCode::kInvalid) << no;
  }
  EXPECT_EQ(Do("operator.export", R"({"what":"receipt"})")->status.error().code,
            ErrorCode::kInvalid)
      << "nobody was erased";
  EXPECT_FALSE(Do("operator.erase_person", R"({"nin":"70123456789","confirmed":true})"));
  ASSERT_THAT(backend_.erased_people, SizeIs(1));
  EXPECT_EQ(backend_.erased_people.front().text(), "70123456789");
  const size_t looked = backend_.people.size();
  backend_.erased.front()("Erasure on request\n");
  EXPECT_TRUE(reply_ && reply_->status);
  EXPECT_THAT(backend_.people, SizeIs(looked + 1)) << "the list is read anew";
  EXPECT_THAT(Written(&BackOffice::WritePeople),
              HasSubstr(R"("receipt":"Erasure on request\u000a")"));
  (void)Do("operator.export", R"({"what":"receipt"})");
  EXPECT_THAT(backend_.texts, ElementsAre(testing::Pair("receipt.txt", "Erasure on request\n")));
  office_.Forget();
  ShowPeople();
  EXPECT_THAT(Written(&BackOffice::WritePeople), Not(HasSubstr("receipt")));
}

TEST_F(BackOfficeTest, PeopleAreToldMaskedWithWhatIsKnownOfTheirCalls) {
  ShowPeople();
  const std::string people = Written(&BackOffice::WritePeople);
  EXPECT_THAT(people, HasSubstr(R"("number":"701 **** **89")"));
  EXPECT_THAT(people, HasSubstr(R"("hundredths":10000)"));
  EXPECT_THAT(people, HasSubstr(R"("times":3)"));
  EXPECT_THAT(people, HasSubstr(R"("answered_by":"KRXQRP")"));
}

TEST_F(BackOfficeTest, ADecisionNamesItsCallsAndThePriceAndIsConfirmed) {
  for (const char* wrong :
       {R"({"resend": ["KD7Q2M"], "give_up": [], "price": 10000, "attempts": 1})",
        R"({"resend": [], "give_up": [], "price": 0, "attempts": 0, "confirmed": true})",
        R"({"resend": ["?"], "give_up": [], "price": 0, "attempts": 1, "confirmed": true})",
        R"({"resend": ["KD7Q2M"], "give_up": [], "price": 10000, "confirmed": true})",
        R"({"resend": ["KD7Q2M"], "price": 10000, "attempts": 1, "confirmed": true})"}) {
    const auto reply = Do("operator.decide", wrong);
    ASSERT_TRUE(reply && !reply->status) << wrong;
    EXPECT_EQ(reply->status.error().code, ErrorCode::kInvalid);
  }
  EXPECT_THAT(backend_.decided_about, IsEmpty());
  EXPECT_FALSE(Do("operator.decide",
                  R"({"resend": ["KD7Q2M"], "give_up": ["KRXQRP"], "price": 10000,
                      "attempts": 1, "confirmed": true})"));
  ASSERT_THAT(backend_.decided_about, SizeIs(1));
  EXPECT_THAT(backend_.decided_about[0].resend, ElementsAre("KD7Q2M"));
  EXPECT_EQ(backend_.decided_about[0].price, 10'000);
  EXPECT_EQ(backend_.decided_about[0].attempts, 1);
  backend_.decided[0](Fail(ErrorCode::kFailedPrecondition, "it costs more now"));
  EXPECT_EQ(reply_->status.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(backend_.people, SizeIs(1)) << "the list is read again";
}

TEST_F(BackOfficeTest, AWholeNumberIsShownForTenSeconds) {
  ShowPeople();
  std::optional<CommandReply> told;
  office_.ShowNumber("KD7Q2M", [&](CommandReply reply) { told = std::move(reply); });
  EXPECT_THAT(Written(&BackOffice::WritePeople), Not(HasSubstr("shown")));
  backend_.numbers[0](SecretBytes::CopyOf("70123456789"));
  EXPECT_TRUE(told && told->status);
  EXPECT_THAT(Written(&BackOffice::WritePeople), HasSubstr("70123456789"));
  clock_.Advance(9s);
  EXPECT_THAT(Written(&BackOffice::WritePeople), HasSubstr("70123456789"));
  const int before = changes_;
  clock_.Advance(1s);
  EXPECT_THAT(Written(&BackOffice::WritePeople), Not(HasSubstr("70123456789")));
  EXPECT_GT(changes_, before) << "the page is told";
}

TEST_F(BackOfficeTest, ANumberThatComesAfterTheListWasLeftIsNotShown) {
  ShowPeople();
  office_.ShowNumber("KD7Q2M", [&](CommandReply reply) { reply_ = std::move(reply); });
  office_.Forget();
  backend_.numbers[0](SecretBytes::CopyOf("70123456789"));
  EXPECT_FALSE(reply_->status);
  ShowPeople();
  EXPECT_THAT(Written(&BackOffice::WritePeople), Not(HasSubstr("70123456789")));
}

TEST_F(BackOfficeTest, AReplyIsReadBeforeItIsTaken) {
  ShowPeople();
  EXPECT_FALSE(Do("operator.reply", R"({"file": "reply.csv"})"));
  EXPECT_FALSE(backend_.replies_of[0].second);
  backend_.replies[0](OfficeBackend::ReplyView{"reply.csv", "2 verified", {"line 3: no"}});
  EXPECT_TRUE(reply_->status);
  EXPECT_THAT(Written(&BackOffice::WritePeople), HasSubstr("2 verified"));
  EXPECT_FALSE(Do("operator.reply", R"({"file": "reply.csv", "confirmed": true})"));
  EXPECT_TRUE(backend_.replies_of[1].second);
  backend_.replies[1](OfficeBackend::ReplyView{"reply.csv", "2 settled, 1 not.", {}});
  EXPECT_THAT(Written(&BackOffice::WriteStick), HasSubstr("2 settled, 1 not."));
  EXPECT_THAT(backend_.people, SizeIs(2)) << "the list is read again";
}

TEST_F(BackOfficeTest, AReplyOfManyWrongLinesIsAShortListAndACount) {
  ShowPeople();
  EXPECT_FALSE(Do("operator.reply", R"({"file": "reply.csv"})"));
  backend_.replies[0](OfficeBackend::ReplyView{"reply.csv", "nothing",
                                               std::vector<std::string>(10'000, "line 3: no")});
  const std::string written = Written(&BackOffice::WritePeople);
  EXPECT_LT(written.size(), 1000U);
  EXPECT_THAT(written, HasSubstr(R"("line 3: no"],"more_wrong":9995)"));
}

TEST_F(BackOfficeTest, AboveTheBooksStandsWhyAttemptsMayBeMissing) {
  office_.OpenLedger();
  OfficeBackend::BooksView view{{}, "NGN"};
  view.books.doubt = "Attempts may be missing here";
  backend_.books[0](std::move(view));
  EXPECT_THAT(Written(&BackOffice::WriteBooks),
              HasSubstr(R"("problem":"Attempts may be missing here")"));
}

TEST_F(BackOfficeTest, WhatIsWrittenIsNamedAndTheStickListedAnew) {
  office_.OpenLedger();
  EXPECT_TRUE(
      Do("operator.books", R"({"month": "2026-11", "endpoint": "", "operator": "", "from": 0})"));
  EXPECT_FALSE(Do("operator.export", R"({"what": "ledger"})"));
  EXPECT_EQ(backend_.exports[0].second.month, "2026-11");
  backend_.written[0](std::string("ledger-2026-11.csv"));
  EXPECT_TRUE(reply_->status);
  EXPECT_THAT(Written(&BackOffice::WriteStick), HasSubstr("ledger-2026-11.csv"));
  EXPECT_THAT(backend_.lists, SizeIs(2));
  EXPECT_FALSE(Do("operator.export", R"({"what": "unknown"})"));
  backend_.written[1](Fail(ErrorCode::kNotFound, "no memory stick is there"));
  EXPECT_THAT(reply_->status.error().message, HasSubstr("no memory stick"));
  const auto nothing_held = Do("operator.export", R"({"what": "differences"})");
  EXPECT_FALSE(nothing_held->status);
}

}  // namespace
}  // namespace idkiosk
