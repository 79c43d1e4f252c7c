#include "app/operator/person_erasure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "app/operator/readiness.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PersonErasureTest : public QueueBench, public testing::Test {
 protected:
  PersonErasureTest() { Open(); }

  ErasureReceipt Erase() {
    ErasureRequest request;
    request.person.nin = SecretBytes::CopyOf(kNin);
    const auto receipt = ErasePerson(request, "Ada", *queue, consents_, audit_, clock);
    EXPECT_TRUE(receipt) << receipt.error().message;
    return receipt.value_or(ErasureReceipt());
  }
  // As somebody does who puts the state of before back, but for the copies and the vault.
  void LoseQueuesFileAndLedger() {
    Close();
    DiskImage disk = DiskImage::Of(*this);
    disk.database.clear();
    std::erase_if(disk.files, [](const auto& each) { return each.first.contains("/ledger/"); });
    disk.PutOn(*this);
    Open();
  }

  static constexpr std::string_view kNin = "12345678901";
  ConsentLog consents_{"/state", clock, crypto, storage, files};
  FakeAuditLog audit_;
};

TEST_F(PersonErasureTest, IsNotCompleteWhileChecksLieInCopiesAlone) {
  const CallReference waits = QueueBench::Accept(FacialCall(kNin));
  LoseQueuesFileAndLedger();
  ErasureReceipt receipt = Erase();
  EXPECT_THAT(receipt.calls, IsEmpty());
  EXPECT_THAT(receipt.untold,
              ElementsAre(HasSubstr("nobody has accepted"), HasSubstr("(" + waits + ")")));
  EXPECT_FALSE(receipt.IsComplete());
  EXPECT_THAT(ReceiptText(receipt), HasSubstr("idkiosk ledger accept"));
  EXPECT_THAT(ReceiptText(receipt), HasSubstr(waits));
  EXPECT_THAT(ReceiptText(receipt), Not(HasSubstr("is on this kiosk")));
  const auto read = ReadReceipt(JsonDocument::Parse(ReceiptJson(receipt))->root());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->untold, receipt.untold);
  EXPECT_FALSE(read->IsComplete());
  const auto shown = queue->Show(waits);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(shown.error().message, HasSubstr("lies in its copy alone"));
  EXPECT_EQ(queue->Show("AAAAAA").error().code, ErrorCode::kNotFound);

  ASSERT_TRUE(queue->AcceptLedger());
  receipt = Erase();
  ASSERT_EQ(receipt.calls.size(), 1U);
  EXPECT_EQ(receipt.calls[0].reference, waits);
  EXPECT_TRUE(receipt.IsComplete());
  Restart();
  RunFor(std::chrono::minutes(1));
  EXPECT_EQ(posts(), 0);
}

TEST_F(PersonErasureTest, IsNotCompleteWhileADamagedRecordMayBeOfThePerson) {
  for (const bool is_unknown : {false, true}) {
    SCOPED_TRACE(is_unknown);
    Serve(is_unknown ? 500 : 0);
    const CallReference call = QueueBench::Accept(FacialCall(kNin));
    if (is_unknown) StepUntilIdle();
    Close();
    DamageCopies();
    Meddle(kQueueFile, disk.name(),
           "UPDATE call SET question_mac=zeroblob(32) WHERE reference='" + call + "'");
    Open();
    StepUntilIdle();
    ErasureReceipt receipt = Erase();
    EXPECT_THAT(receipt.untold, ElementsAre(HasSubstr("(" + call + ")")));
    EXPECT_FALSE(receipt.IsComplete());
    EXPECT_THAT(ReceiptText(receipt), HasSubstr("'idkiosk queue discard ID' ends"));
    ASSERT_TRUE(queue->Discard(call));
    receipt = Erase();
    EXPECT_TRUE(receipt.IsComplete()) << ReceiptText(receipt);
  }
}

// As the program makes it where its file cannot be read.
TEST_F(PersonErasureTest, IsNotCompleteWhileAFileThatWasSetAsideMayHoldThePerson) {
  files.Put("/state/queue.db.damaged-20261129T100000Z", AsBytes("what was in it"));
  ErasureReceipt receipt = Erase();
  EXPECT_THAT(receipt.untold, ElementsAre(HasSubstr("queue.db.damaged-20261129T100000Z")));
  EXPECT_FALSE(receipt.IsComplete());
}

// Somebody else's work goes on between finding a person's calls and erasing them.
class BusyAuditLog final : public AuditLog {
 public:
  explicit BusyAuditLog(std::function<void()> work) : work_(std::move(work)) {}
  [[nodiscard]] Status Record(AuditEvent, std::string_view, std::string_view) override {
    work_();
    return {};
  }

 private:
  const std::function<void()> work_;
};

TEST_F(PersonErasureTest, SaysWhatBecameOfACallThatWasSentMeanwhile) {
  Serve(200);
  const CallReference waits = QueueBench::Accept(FacialCall(kNin));
  BusyAuditLog audit([this] { StepUntilIdle(); });
  ErasureRequest request;
  request.person.nin = SecretBytes::CopyOf(kNin);
  const auto receipt = ErasePerson(request, "Ada", *queue, consents_, audit, clock);
  ASSERT_TRUE(receipt);
  ASSERT_EQ(posts(), 1);
  ASSERT_EQ(receipt->calls.size(), 1U);
  EXPECT_EQ(receipt->calls[0].reference, waits);
  EXPECT_EQ(receipt->calls[0].what, ErasedCall::kErased);
  EXPECT_EQ(receipt->calls[0].attempts, 1);
}

// Older files of one mind know of no erasure; the audit trail does.
TEST_F(PersonErasureTest, IsMissedWhereOlderFilesBringBackWhatWasErased) {
  Serve(200);
  const CallReference call = QueueBench::Accept(FacialCall(kNin));
  StepUntilIdle();
  const DiskImage before = DiskImage::Of(*this);
  AuditTrail trail("/state", clock, crypto, storage, files);
  ASSERT_TRUE(trail.Record(AuditEvent::kPersonErased, "Ada", "nothing was found"));
  ASSERT_TRUE(trail.Record(AuditEvent::kPersonErased, "Ada", call));
  ASSERT_TRUE(queue->ErasePerson(call));
  EXPECT_THAT(CheckErasures(trail, *queue), IsEmpty());
  Close();
  before.PutOn(*this);
  AuditTrail same("/state", clock, crypto, storage, files);
  ASSERT_TRUE(same.Record(AuditEvent::kPersonErased, "Ada", call));
  Open();
  ASSERT_TRUE(queue->Show(call)->has_answer);
  const Findings findings = CheckErasures(same, *queue);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].text, HasSubstr("(" + call + ")"));
  EXPECT_THAT(findings[0].mend, HasSubstr("people erase --reference " + call));
  ASSERT_TRUE(queue->ErasePerson(call));
  EXPECT_THAT(CheckErasures(same, *queue), IsEmpty());
}

// By numbers, only the kinds are asked for that the profile names today.
TEST_F(PersonErasureTest, ErasesTheCallThatWasNamedWhateverItsKind) {
  VerificationCall call;
  call.endpoint = Endpoint::kLookupPhone;
  call.phone = SecretBytes::CopyOf("08012345678");
  call.search_type = "of_before";
  call.reason = "ACCOUNT_OPENING";
  const CallReference named = QueueBench::Accept(call);
  ErasureRequest request;
  request.reference = named;
  const auto receipt = ErasePerson(request, "Ada", *queue, consents_, audit_, clock);
  ASSERT_TRUE(receipt);
  ASSERT_EQ(receipt->calls.size(), 1U);
  EXPECT_EQ(receipt->calls[0].reference, named);
  EXPECT_EQ(StateOf(named), "cancelled");
}

}  // namespace
}  // namespace idkiosk
