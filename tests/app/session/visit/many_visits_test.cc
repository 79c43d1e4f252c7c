#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/workers/delivery_loop.h"
#include "app/workers/threaded_queue_client.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/base/sanitized.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/app/session/visit/visit_fixture.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/resident_memory.h"
#include "tests/fakes/scratch_folder.h"

// A day of a busy kiosk: one process, the real queue on a real disk, one person after the other.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

// A service that verifies everybody, and remembers nobody.
class VerifyingHttpClient final : public HttpClient {
 public:
  HttpExchange Send(const HttpRequest& request, BeforeSend before_send) override {
    HttpExchange exchange;
    if (before_send) {
      if (Status approved = before_send(); !approved) {
        exchange.error = approved.error();
        return exchange;
      }
    }
    const bool login = request.url.text().find("login") != std::string_view::npos;
    exchange.stage = SendStage::kAnswered;
    exchange.answer.status = 200;
    exchange.answer.body = SecretBytes::CopyOf(login ? kLoginAnswer : kVerifiedAnswer);
    return exchange;
  }
  void Cancel() override {}
};

// A sanitizer keeps freed memory to catch whoever still uses it.
#ifdef IDKIOSK_SANITIZED
constexpr int64_t kFlat = int64_t{1} << 40;
#else
constexpr int64_t kFlat = 3 << 20;
#endif

class ManySessionsTest : public ServiceBench, public testing::Test {
 protected:
  ManySessionsTest()
      : tokens_(profile, settings, Environment::kSandbox, answering_, storage, clock),
        client_(profile, settings, Environment::kSandbox, answering_, storage, tokens_, clock) {
    DurableQueue::Options options;
    options.folder = folder_.path();
    options.role = DurableQueue::Role::kDeliver;
    options.queue.retention = 0s;
    options.queue.reserve_bytes = 64 << 10;
    options.billing.duplicate_window = 0s;
    auto opened = DurableQueue::Open(options, profile, clock, crypto_, entropy_, storage, files_);
    EXPECT_TRUE(opened) << opened.error().message;
    queue_ = std::move(*opened);
    worker_ = std::make_unique<DeliveryWorker>(*queue_, client_, shrinker_, clock);
    queue_client_ = std::make_unique<ThreadedQueueClient>(ThreadedQueueClient::Dependencies{
        *queue_, profile, clock, audit_, runner_, runner_, user_, [] {}});
    session_ = std::make_unique<VisitController>(
        VisitController::Dependencies{kiosk_, runner_, clock, entropy_, camera_, *queue_client_,
                                      [this](const UiSnapshot& snapshot) { shown_ = snapshot; }});
    session_->SetReasons({{"KYC", "Know your customer"}});
  }

  void Do(std::string_view command, std::string_view arguments = "{}") {
    const auto body = JsonDocument::Parse(arguments);
    const Status done = session_->Do(shown_.session, command, body->root());
    EXPECT_TRUE(done) << command << ": " << done.error().message;
    runner_.RunUntilIdle();
  }

  void OnePerson() {
    Do("start");
    Do("agree");
    Do("number", R"({"digits": "12345678901"})");
    Do("next");
    camera_.Deliver();
    Do("send");
    const auto step = worker_->DeliverNext();
    ASSERT_TRUE(step && step->reference);
    session_->OnCallChanged(*step->reference);
    runner_.RunUntilIdle();
    ASSERT_EQ(shown_.screen, Screen::kAnswer);
    EXPECT_EQ(shown_.answer->kind, AnswerKind::kVerified);
    Do("finish");
    clock.Advance(1min);
  }

  ScratchFolder folder_;
  PosixFileSystem files_;
  MbedtlsCrypto crypto_;
  FakeEntropy entropy_;
  FakeShrinker shrinker_;
  VerifyingHttpClient answering_;
  TokenKeeper tokens_;
  ServiceClient client_;
  FakeTaskRunner runner_{clock};
  FakeAuditLog audit_;
  FakePictureTaker camera_;
  Settings kiosk_ = [] {
    Settings at_once;
    at_once.ui.get_ready = Duration::zero();
    return at_once;
  }();
  UiSnapshot shown_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<DeliveryWorker> worker_;
  PageUser user_;
  std::unique_ptr<ThreadedQueueClient> queue_client_;
  std::unique_ptr<VisitController> session_;
};

TEST_F(ManySessionsTest, LeavesNothingBehindButTheLedger) {
  constexpr int kWarmUp = 50;
  constexpr int kSessions = 500;
  for (int i = 0; i < kWarmUp; ++i) OnePerson();
  const int64_t before = ResidentMemory();
  const auto files = files_.List(folder_.path());
  for (int i = kWarmUp; i < kSessions; ++i) OnePerson();
  EXPECT_LT(ResidentMemory() - before, kFlat);
  EXPECT_EQ(*files_.List(folder_.path()), *files);

  clock.Advance(1min);
  ASSERT_TRUE(queue_->Expire());
  EXPECT_THAT(*queue_->List(/*only_open=*/false), IsEmpty());
  EXPECT_THAT(*queue_->Ledger(std::nullopt), SizeIs(kSessions));
  EXPECT_EQ(runner_.pending_timers(), 0U);
}

}  // namespace
}  // namespace idkiosk
