#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/app/queue/queue_fixture.h"

// Erasure on request: what is kept of a person goes, the money's record stays.
namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kNin = "12345678901";

class ErasePersonTest : public QueueBench, public testing::Test {
 protected:
  ErasePersonTest() {
    Open();
    Serve(200);
  }
  static PersonNumbers Person(std::string_view nin = kNin) {
    PersonNumbers person;
    person.nin = SecretBytes::CopyOf(nin);
    return person;
  }
  std::vector<CallReference> Found(const PersonNumbers& person = Person()) {
    std::vector<CallReference> references;
    const auto calls = queue->FindPerson(person);
    EXPECT_TRUE(calls) << calls.error().message;
    for (const CallSummary& each : calls.value_or(std::vector<CallSummary>())) {
      references.push_back(each.reference);
    }
    return references;
  }
  static VerificationCall Of(Endpoint endpoint, std::string_view number = kNin) {
    VerificationCall call;
    call.endpoint = endpoint;
    const EndpointTraits traits = TraitsOf(endpoint);
    if (traits.Takes(Placeholder::kNin)) call.nin = SecretBytes::CopyOf(number);
    if (traits.Takes(Placeholder::kPhone)) call.phone = SecretBytes::CopyOf(number);
    if (traits.Takes(Placeholder::kIdNumber)) call.id_number = SecretBytes::CopyOf(number);
    call.reason = "ACCOUNT_OPENING";
    return call;
  }
};

TEST_F(ErasePersonTest, FindsEveryQuestionAboutANumberAndNoOther) {
  const CallReference verify = Accept(FacialCall(kNin));
  const CallReference lookup = Accept(Of(Endpoint::kLookupNin));
  const CallReference check = Accept(Of(Endpoint::kCheck));
  const CallReference phone = Accept(Of(Endpoint::kLookupPhone, "08012345678"));
  (void)Accept(Of(Endpoint::kLookupNin, "12345678902"));
  EXPECT_THAT(Found(), ElementsAre(verify, lookup, check));
  PersonNumbers by_phone;
  by_phone.phone = SecretBytes::CopyOf("+2348012345678");
  EXPECT_THAT(Found(by_phone), ElementsAre(phone));
}

// Somebody puts the queue's file back as it was before.
TEST_F(ErasePersonTest, AnOlderFileBringsNothingBack) {
  const CallReference answered = Accept(FacialCall(kNin));
  StepUntilIdle();
  Serve(500, "");
  const CallReference unknown = Accept(FacialCall("12345678902"));
  StepUntilIdle();
  ASSERT_TRUE(queue->Answer(answered));
  const DiskImage before = DiskImage::Of(*this);
  ASSERT_TRUE(queue->ErasePerson(answered));
  ASSERT_TRUE(queue->ErasePerson(unknown));
  PutFileBack(before, DurableQueue::Role::kOperate);
  const auto read = queue->Answer(answered);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("was erased"));
  PutFileBack(before);
  EXPECT_FALSE(queue->Answer(answered));
  EXPECT_THAT(Found(), IsEmpty());
  EXPECT_EQ(Show(unknown).verdict, Verdict::kGivenUp);
  EXPECT_THAT(Found(Person("12345678902")), IsEmpty());
  // Once: what an old file has lost again is not found again.
  const auto age = Show(answered).ended_at;
  Restart();
  EXPECT_EQ(Show(answered).ended_at, age);
}

TEST_F(ErasePersonTest, AnOlderFileKnowsTheVerdictThatWasTold) {
  Serve(500, "");
  const CallReference unknown = Accept(FacialCall(kNin));
  StepUntilIdle();
  const DiskImage before = DiskImage::Of(*this);
  ASSERT_TRUE(queue->Settle(unknown, 1, Settlement::kVerified));
  ASSERT_TRUE(queue->ErasePerson(unknown));
  PutFileBack(before);
  EXPECT_EQ(Show(unknown).verdict, Verdict::kVerified);
  EXPECT_THAT(Found(), IsEmpty());
}

// A lookup by a phone number is answered with a NIN.
TEST_F(ErasePersonTest, FindsWhatWasAnsweredWithANumber) {
  int count = 0;
  const auto ask = [&](const std::string& more) {
    Serve(200, R"({"data":{"verified":true,"reference":"R-1",)" + more + "}}");
    const std::string phone = fmt::format("0801234567{}", ++count);
    const CallReference asked = Accept(Of(Endpoint::kLookupPhone, phone));
    RunFor(std::chrono::minutes(1));
    EXPECT_EQ(Show(asked).state, CallState::kDone) << Show(asked).engineer;
    EXPECT_TRUE(Show(asked).has_answer);
    return asked;
  };
  const CallReference text = ask(R"("idNumber":"123 4567-8901")");
  const CallReference number = ask(R"("people":[{"nin":12345678901}])");
  const CallReference phone = ask(R"("mobile":"+234 809 999 9999")");
  const CallReference within = ask(R"("nin":"12345678902","note":"no record of x12345678901")");
  const CallReference name = ask(R"("12345678901":"yes")");
  const CallReference groups = ask(R"("note":"Row 5, 1. 123/456\n78901 of 20")");
  const CallReference brackets = ask(R"("note":"tel. (0809) 999-9999, at home")");
  (void)ask(R"("nin":"12345678902","note":"112345678901, 123 456 789")");
  EXPECT_THAT(Found(), ElementsAre(text, number, within, name, groups));
  PersonNumbers by_phone;
  by_phone.phone = SecretBytes::CopyOf("08099999999");
  EXPECT_THAT(Found(by_phone), ElementsAre(phone, brackets));
  const CallReference slashes = ask(R"("passport":"Ab/123456/7")");
  const CallReference sentence = ask(R"("note":"as AB-123456 7 says")");
  (void)ask(R"("note":"xAB1234567, AB123456 78")");
  PersonNumbers by_letters;
  by_letters.id_number = SecretBytes::CopyOf("AB/123456/7");
  by_letters.id_type = "nin";
  EXPECT_THAT(Found(by_letters), ElementsAre(slashes, sentence));
  ASSERT_TRUE(queue->ErasePerson(text));
  EXPECT_FALSE(queue->Answer(text));
  EXPECT_THAT(Found(), ElementsAre(number, within, name, groups));
}

TEST_F(ErasePersonTest, FindsANumberInAnAnswerThatIsNoJson) {
  Serve(200, "<p>12345678901: Ada Obi</p>");
  const CallReference page = Accept(Of(Endpoint::kLookupPhone, "08012345678"));
  RunFor(std::chrono::minutes(1));
  ASSERT_TRUE(queue->Answer(page));
  EXPECT_THAT(Found(), ElementsAre(page));
  EXPECT_THAT(Found(Person("12345678902")), IsEmpty());
}

// By the number that is kept for the receiver of results, whoever names one check means the person.
TEST_F(ErasePersonTest, AKeptNumberIsThatOfThePerson) {
  options.keep_number = true;
  Restart();
  for (const Endpoint endpoint : {Endpoint::kLookupNin, Endpoint::kCheck}) {
    const CallReference reference = Accept(Of(endpoint));
    RunFor(std::chrono::minutes(1));
    ASSERT_EQ(Show(reference).state, CallState::kDone);
    EXPECT_EQ(queue->PersonOf(reference)->nin.text(), kNin);
    EXPECT_EQ(queue->Nin(reference)->text(), kNin);
    ASSERT_TRUE(queue->ErasePerson(reference));
    EXPECT_TRUE(queue->PersonOf(reference)->empty());
  }
}

TEST_F(ErasePersonTest, FindsANinThatIsNamedAsTheNumberOfThatType) {
  const CallReference verify = Accept(FacialCall(kNin));
  const CallReference check = Accept(Of(Endpoint::kCheck));
  PersonNumbers typed;
  typed.id_number = SecretBytes::CopyOf(kNin);
  typed.id_type = "nin";
  EXPECT_THAT(Found(typed), ElementsAre(verify, check));
}

TEST_F(ErasePersonTest, RefusesANumberThatNobodyCanHaveBeenAskedAbout) {
  const auto why = [&](std::string_view number, std::string_view type) {
    PersonNumbers person = type == "phone" || type.empty() ? PersonNumbers() : Person("");
    (type == "phone" ? person.phone
     : type.empty()  ? person.nin
                     : person.id_number) = SecretBytes::CopyOf(number);
    if (type != "phone" && !type.empty()) person.id_type = type;
    const auto found = queue->FindPerson(person);
    return found ? "found, or not here" : found.error().message;
  };
  EXPECT_THAT(why("1", ""), HasSubstr("11 digits"));
  EXPECT_THAT(why("1", "nin"), HasSubstr("11 digits"));
  EXPECT_THAT(why("1", "phone"), HasSubstr("Nigerian mobile number"));
  EXPECT_THAT(why(kNin, "bvn"), HasSubstr("'bvn' is not a type of number"));
  EXPECT_THAT(why(kNin, "NIN"), HasSubstr("it takes nin"));
  EXPECT_EQ(why(kNin, ""), "found, or not here");
}

// The profile took it once.
TEST_F(ErasePersonTest, FindsANumberOfATypeThatTheProfileNoLongerTakes) {
  VerificationCall call = Of(Endpoint::kCheck, "B-17");
  call.id_type = "bvn";
  const CallReference reference = Accept(call);
  PersonNumbers person;
  person.id_number = SecretBytes::CopyOf("B-17");
  person.id_type = "bvn";
  EXPECT_THAT(Found(person), ElementsAre(reference));
}

TEST_F(ErasePersonTest, FindsCallsOfEveryDay) {
  const CallReference first = Accept(Of(Endpoint::kLookupNin));
  clock.Advance(std::chrono::hours(25));
  ASSERT_TRUE(queue->Expire());
  const CallReference second = Accept(Of(Endpoint::kLookupNin));
  EXPECT_THAT(Found(), ElementsAre(first, second));
  Restart();
  EXPECT_THAT(Found(), ElementsAre(first, second));
}

TEST_F(ErasePersonTest, EndsWhatWaitsUnsent) {
  const CallReference reference = Accept(FacialCall(kNin));
  ASSERT_TRUE(queue->ErasePerson(reference));
  const CallSummary call = Show(reference);
  EXPECT_EQ(call.state, CallState::kCancelled);
  EXPECT_FALSE(call.has_payload);
  EXPECT_THAT(Found(), IsEmpty());
  StepUntilIdle();
  EXPECT_EQ(posts(), 0);
  Restart();
  StepUntilIdle();
  EXPECT_EQ(posts(), 0);
  EXPECT_THAT(Found(), IsEmpty());
}

TEST_F(ErasePersonTest, ErasesTheAnswerAndKeepsTheLedger) {
  const CallReference reference = Accept(Of(Endpoint::kLookupNin));
  StepUntilIdle();
  ASSERT_TRUE(Show(reference).has_answer);
  ASSERT_TRUE(queue->ErasePerson(reference));
  EXPECT_FALSE(Show(reference).has_answer);
  EXPECT_FALSE(queue->Answer(reference));
  EXPECT_EQ(Show(reference).verdict, Verdict::kVerified);
  EXPECT_EQ(Total().billed_yes, 1);
  EXPECT_THAT(Found(), IsEmpty());
  Restart();
  EXPECT_FALSE(queue->Answer(reference));
  EXPECT_EQ(Total().billed_yes, 1);
}

TEST_F(ErasePersonTest, GivesUpWhatMayHaveBeenSent) {
  ServeLogins([](const auto&) {
    FakeHttpClient::Reply lost;
    lost.how = FakeHttpClient::Reply::How::kDrop;
    return lost;
  });
  const CallReference reference = Accept(Of(Endpoint::kLookupNin));
  StepUntilIdle();
  ASSERT_EQ(StateOf(reference), "unknown");
  ASSERT_TRUE(queue->ErasePerson(reference));
  EXPECT_EQ(Show(reference).verdict, Verdict::kGivenUp);
  EXPECT_FALSE(queue->Retry(reference, AttemptsOf(*queue, reference))) << "what it asked is gone";
  EXPECT_EQ(Total().billed_maybe, 1);
  // The service's operator may still say what became of it.
  EXPECT_TRUE(queue->Settle(reference, 1, Settlement::kRejected));
}

TEST_F(ErasePersonTest, LeavesWhatIsOnItsWay) {
  const CallReference reference = Accept(Of(Endpoint::kLookupNin));
  ASSERT_TRUE(queue->Claim());
  ASSERT_TRUE(queue->BeginAttempt(reference));
  const auto refused = queue->ErasePerson(reference);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(StateOf(reference), "sending");
  EXPECT_THAT(Found(), ElementsAre(reference));
}

TEST_F(ErasePersonTest, IsNotSentOnceItWasClaimed) {
  const CallReference reference = Accept(Of(Endpoint::kLookupNin));
  ASSERT_TRUE(queue->Claim());
  ASSERT_TRUE(queue->ErasePerson(reference));
  EXPECT_FALSE(queue->BeginAttempt(reference));
}

TEST_F(ErasePersonTest, ARequestThatComesAgainIsRefusedByNameAndNotBilledTwice) {
  const DurableQueue::ClientRequest request{"key-1", "the body"};
  const auto reference = queue->Accept(
      Of(Endpoint::kLookupNin),
      {.person_waits = true, .operator_id = {}, .confirmed = false, .request = request});
  ASSERT_TRUE(reference);
  StepUntilIdle();
  ASSERT_TRUE(queue->ErasePerson(*reference));
  for (const bool again : {false, true}) {
    if (again) Restart();
    for (const char* body : {"the body", "of another person"}) {
      const auto found = queue->FindRequest({"key-1", body});
      ASSERT_FALSE(found) << "nobody can say any more whether it is the same request";
      EXPECT_THAT(found.error().message, AllOf(HasSubstr(*reference), HasSubstr("was erased")));
    }
  }
}

TEST_F(ErasePersonTest, ACallTellsItsPersonAsLongAsItsQuestionIsKept) {
  const CallReference reference = Accept(Of(Endpoint::kCheck));
  EXPECT_EQ(queue->PersonOf(reference)->nin.text(), kNin);
  StepUntilIdle();
  EXPECT_TRUE(queue->PersonOf(reference)->empty());
  EXPECT_THAT(queue->PersonOf("ZZZZZZ").error().message, HasSubstr("ZZZZZZ"));
}

// The number is nowhere on the disks, whatever power failed meanwhile.
TEST_F(ErasePersonTest, IsErasedOrNotWhereverThePowerFails) {
  const auto power = std::make_shared<FakePower>();
  files.ShareSupply(power);
  disk.ShareSupply(power);
  for (size_t step = 1;; ++step) {
    SCOPED_TRACE(step);
    clock.Advance(std::chrono::hours(25));
    const CallReference reference = Accept(FacialCall(kNin));
    power->FailAtStep(step);
    const bool done = queue->ErasePerson(reference).has_value();
    const bool failed = power->failed();
    Close();
    power->Restore();
    disk.Restart(Unsynced::kLost);
    files.Restart(Unsynced::kLost);
    tokens.Forget();
    Open();
    if (done) {
      EXPECT_THAT(Found(), IsEmpty());
    }
    ASSERT_TRUE(queue->ErasePerson(reference)) << "again, whatever came of the first";
    EXPECT_THAT(Found(), IsEmpty());
    EXPECT_TRUE(HasEnded(Show(reference).state));
    StepUntilIdle();
    EXPECT_EQ(posts(), 0);
    if (!failed || HasFailure()) return;
  }
}

}  // namespace
}  // namespace idkiosk
