#include "app/workers/threaded_operator_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "app/capture/vision/face_detector.h"
#include "app/settings/credentials.h"
#include "app/settings/load_settings.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using Check = OperatorBackend::Check;

constexpr std::string_view kMessage = R"({"base_url": "https://new.example", "api_key": "K-new",
    "user_id": "U-new", "login": {"email": "new@example.ng", "password": "a new password"}})";

// Sees nobody, and costs nothing.
class NoDetector final : public FaceDetector {
 public:
  [[nodiscard]] Status Find(const PictureView&, FaceList& faces) override {
    faces = FaceList();
    return {};
  }
  [[nodiscard]] bool finds_landmarks() const override { return false; }
  [[nodiscard]] int preferred_side() const override { return 64; }
  [[nodiscard]] std::string_view name() const override { return "none"; }
};

// One grey frame after the other. Sets `open` to false once it is closed.
class GreyCamera final : public Camera {
 public:
  GreyCamera(const Clock& clock, std::atomic<bool>& open) : clock_(clock), open_(open) {}
  Result<CameraInfo> Open(const CameraRequest&) override { return CameraInfo(); }
  Result<Frame> NextFrame(MonotonicTime) override {
    Frame frame = Frame::Owning(PixelFormat::kGrey, 64, 64, 64, Bytes(size_t{64} * 64, 90));
    frame.captured_at = clock_.Now();
    return frame;
  }
  void Close() override { open_ = false; }

 private:
  const Clock& clock_;
  std::atomic<bool>& open_;
};

struct OpenBench : QueueBench {
  OpenBench() { Open(); }
};

// A kiosk that knows its service: the storage thread's and the delivery's work is done by the
// test's hand.
class ThreadedSourcesTest : public testing::Test {
 protected:
  ThreadedSourcesTest() {
    bench_.files.Put("/etc/sandbox.jsonc",
                     AsBytes(ReadRepositoryFile("config/profiles/sandbox.jsonc")));
    bench_.files.Put("/etc/kiosk.jsonc",
                     AsBytes(R"({"state_folder": "/state", "service": {"profile": "sandbox.jsonc",
                                 "base_url": "https://old.example"}})"));
    settings_.state_folder = "/state";
  }

  DeliveryLoop::Dependencies Delivery() {
    return {.worker = *bench_.worker,
            .clock = bench_.clock,
            .heartbeat = heartbeat_,
            .longest_exchange = 60s,
            .report = [](const DeliveryWorker::Step&) {},
            .chore = [this] { return bench_.clock.Now() + 10min; },
            .give_up = [] {}};
  }
  ThreadedOperatorBackend::Dependencies Dependencies(
      const ThreadedOperatorBackend::Service* service) {
    return {.files = bench_.files,
            .clock = bench_.clock,
            .storage = bench_.storage,
            .audit = audit_,
            .storage_runner = storage_runner_,
            .control = control_,
            .settings = settings_,
            .config_path = "/etc/kiosk.jsonc",
            .facts =
                [] {
                  SupportFacts facts;
                  facts.version = "1.2.3";
                  return facts;
                },
            .start_anew = [this] { ++started_anew_; },
            .try_out =
                [this](const Onboarding& onboarding, const Settings& after, const ServiceProfile&) {
                  tried_.push_back(after.service.base_url + " " +
                                   std::string(onboarding.credentials.back().value.text()));
                  return trial_;
                },
            .service = service};
  }
  void RunAll() {
    for (int i = 0; i < 3; ++i) {
      storage_runner_.RunUntilIdle();
      control_.RunUntilIdle();
    }
  }
  // What `ask` was answered, once the storage and control threads have had their turn.
  template <typename T, typename Ask>
  T AnswerTo(Ask ask) {
    std::optional<T> answer;
    ask([&answer](T told) { answer.emplace(std::move(told)); });
    EXPECT_FALSE(answer) << "answered before anybody could listen";
    RunAll();
    (void)delivery_.StepOnce();
    RunAll();
    EXPECT_TRUE(answer);
    return std::move(*answer);
  }
  Findings Look(Check check) {
    return AnswerTo<Findings>([&](auto then) { sources_.Look(check, std::move(then)); });
  }
  Status SetUpBy(OperatorBackend& sources, std::string_view message) {
    return AnswerTo<Status>(
        [&](auto then) { sources.SetUp(SecretBytes::CopyOf(message), {}, std::move(then)); });
  }
  std::string Secret(std::string_view name) {
    const auto secret = bench_.storage.Get(name);
    return secret ? std::string(secret->text()) : "";
  }

  std::vector<std::string> tried_;  // address and API key of each onboarding
  Status trial_;
  OpenBench bench_;
  FakeTaskRunner control_{bench_.clock};
  FakeTaskRunner storage_runner_{bench_.clock};
  FakeAuditLog audit_;
  Heartbeat heartbeat_{bench_.clock};
  Settings settings_;
  PreviewSlot preview_;
  CaptureWorker capture_{[](CaptureObserver&, const std::stop_token&) -> Result<CaptureResult> {
                           return Fail(ErrorCode::kCancelled, "not here");
                         },
                         control_, bench_.clock, preview_, heartbeat_};
  DeliveryLoop delivery_{Delivery()};
  ThreadedQueueClient queue_{{*bench_.queue, bench_.profile, bench_.clock, audit_, storage_runner_,
                              control_, "", [this] { delivery_.Wake(); }}};
  const ThreadedOperatorBackend::Service service_{
      queue_, bench_.client, delivery_, capture_, preview_, heartbeat_, [] {
        return Fail(ErrorCode::kNotFound, "no camera here");
      }};
  int started_anew_ = 0;
  ThreadedOperatorBackend sources_{Dependencies(&service_)};
};

TEST_F(ThreadedSourcesTest, ChecksAnswerFromTheirThreads) {
  bench_.Serve(200, R"({"data":[{"code":"KYC","label":"Know"}]})");
  EXPECT_THAT(Look(Check::kConfiguration),
              Contains(Field(&Finding::text, HasSubstr("old.example"))));
  EXPECT_THAT(Look(Check::kVault), Contains(Field(&Finding::text, HasSubstr("fake"))));
  EXPECT_THAT(Look(Check::kQueue), Contains(Field(&Finding::part, KioskPart::kQueue)));
  EXPECT_THAT(Look(Check::kClock), Contains(Field(&Finding::part, KioskPart::kClock)));
  EXPECT_THAT(Look(Check::kService), Contains(Field(&Finding::part, KioskPart::kService)));
  EXPECT_EQ(bench_.posts(), 0);
}

TEST_F(ThreadedSourcesTest, QueueAndLedgerAreReadOnTheKeepersThread) {
  bench_.Serve(500, "");
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  const auto queue = AnswerTo<Result<OperatorBackend::QueueView>>(
      [&](auto then) { sources_.ReadQueue(std::move(then)); });
  ASSERT_TRUE(queue) << queue.error().message;
  EXPECT_EQ(queue->stats.In(CallState::kUnknown), 1);
  ASSERT_THAT(queue->calls, SizeIs(1));
  EXPECT_EQ(queue->currency, bench_.profile.currency);
  const auto ledger = AnswerTo<Result<OperatorBackend::LedgerView>>(
      [&](auto then) { sources_.ReadLedger(std::move(then)); });
  ASSERT_TRUE(ledger) << ledger.error().message;
  EXPECT_THAT(ledger->hours, SizeIs(24));
}

TEST_F(ThreadedSourcesTest, ResendIsSentOnceAndGivingUpEndsACall) {
  bench_.Serve(500, "");
  const CallReference first = bench_.Accept(LookupCall(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 2);
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(second, OperatorBackend::Decision::kGiveUp, std::move(then));
  }));
  EXPECT_EQ(bench_.StateOf(second), "done");
  EXPECT_EQ(bench_.posts(), 2);
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, std::move(then));
  }));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 3);
  // It is unknown no more once it was answered: nothing is sent for a second press.
  bench_.Serve(200);
  ASSERT_TRUE(AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, std::move(then));
  }));
  const Status twice = AnswerTo<Status>([&](auto then) {
    sources_.Decide(first, OperatorBackend::Decision::kResend, std::move(then));
  });
  EXPECT_FALSE(twice);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 4);
}

TEST_F(ThreadedSourcesTest, NothingIsStoredThatTheServiceDidNotTake) {
  trial_ = Fail(ErrorCode::kUnauthenticated, "the service refused the login");
  const Status refused = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("refused the login"));
  EXPECT_THAT(tried_, testing::ElementsAre("https://new.example K-new"));
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(reference), "done") << "the kiosk goes on with what it had";
}

TEST_F(ThreadedSourcesTest, WhatAMessageLacksIsTyped) {
  constexpr std::string_view kLacking = R"({"base_url": "https://new.example", "user_id": "U-new",
      "login": {"email": "new@example.ng", "password": "a new password"}})";
  EXPECT_FALSE(SetUpBy(sources_, kLacking));
  EXPECT_THAT(tried_, SizeIs(0));
  const Status done = AnswerTo<Status>([&](auto then) {
    OperatorBackend::Typed typed;
    typed.emplace_back(kApiKeySecret, SecretBytes::CopyOf("K-typed"));
    sources_.SetUp(SecretBytes::CopyOf(kLacking), std::move(typed), std::move(then));
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(Secret(kApiKeySecret), "K-typed");
}

TEST_F(ThreadedSourcesTest, SetUpWritesEverythingAndNothingIsSentAnyMore) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  std::optional<Status> done;
  sources_.SetUp(SecretBytes::CopyOf(kMessage), {}, [&done](Status status) { done = status; });
  EXPECT_EQ(Secret(kApiKeySecret), "api-key") << "written while an exchange could be under way";
  (void)delivery_.StepOnce();
  RunAll();
  ASSERT_TRUE(done && *done) << done->error().message;
  EXPECT_EQ(Secret(kApiKeySecret), "K-new");
  const auto settings = LoadSettings(bench_.files, "/etc/kiosk.jsonc");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->service.base_url, "https://new.example");
  // New credentials, and a client that still knows the old address.
  for (int i = 0; i < 5; ++i) (void)delivery_.StepOnce();
  EXPECT_THAT(bench_.http.seen(), SizeIs(0));
}

TEST_F(ThreadedSourcesTest, WrongMessageChangesNothingAndCallsGoOn) {
  (void)bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  for (const char* wrong :
       {"not json", "[]", R"({"base_url": "https://a.example"})", R"({"base_url": "ftp://a"})"}) {
    const Status refused = SetUpBy(sources_, wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
  EXPECT_EQ(started_anew_, 0);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(ThreadedSourcesTest, ProfileThatTheNextStartWouldRefuseIsSaidBefore) {
  bench_.files.Put("/etc/sandbox.jsonc", AsBytes("{}"));
  const Status refused = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("sandbox.jsonc"));
  EXPECT_EQ(Secret(kApiKeySecret), "api-key");
}

TEST_F(ThreadedSourcesTest, SetUpThatIsCutShortStartsAnewInsteadOfMixingAddresses) {
  bench_.storage.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  const Status failed = SetUpBy(sources_, kMessage);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("disk full"));
  RunAll();
  EXPECT_EQ(started_anew_, 1);
  for (int i = 0; i < 3; ++i) (void)delivery_.StepOnce();
  EXPECT_THAT(bench_.http.seen(), SizeIs(0));
}

TEST_F(ThreadedSourcesTest, KioskThatIsNotSetUpSaysSoAndCanBeSetUp) {
  ThreadedOperatorBackend empty(Dependencies(nullptr));
  EXPECT_FALSE(empty.provisioned());
  for (const Check check : {Check::kQueue, Check::kCamera, Check::kService}) {
    const auto findings =
        AnswerTo<Findings>([&](auto then) { empty.Look(check, std::move(then)); });
    EXPECT_THAT(findings, Contains(Field(&Finding::mend, "Set it up.")));
  }
  const auto ledger = AnswerTo<Result<OperatorBackend::LedgerView>>(
      [&](auto then) { empty.ReadLedger(std::move(then)); });
  EXPECT_FALSE(ledger);
  ASSERT_TRUE(SetUpBy(empty, kMessage));
  EXPECT_EQ(Secret(kUserIdSecret), "U-new");
}

TEST_F(ThreadedSourcesTest, BundleIsKeptWithWhatIsKnown) {
  (void)bench_.Accept(LookupCall(1));
  const auto path = AnswerTo<Result<std::string>>([&](auto then) {
    sources_.KeepBundle({{KioskPart::kCamera, FindingState::kBad, "away", "Plug it in."}},
                        std::move(then));
  });
  ASSERT_TRUE(path) << path.error().message;
  const std::string text(AsText(bench_.files.Content(*path)));
  EXPECT_THAT(text, HasSubstr("1.2.3"));
  EXPECT_THAT(text, HasSubstr("Plug it in."));
  EXPECT_THAT(text, HasSubstr("\"pending\": 1"));
  for (const char* secret :
       {"api-key", "user-id", "kiosk@customer", "pass\\\"word", "00000000001"}) {
    EXPECT_THAT(text, Not(HasSubstr(secret)));
  }
}

// The camera's side, with a thread of its own and a real loop. That thread has its own end of each
// promise and future, for it may use them when the test's body is over.
class WatchTest : public testing::Test, protected OperatorBackend::CameraListener {
 protected:
  // The sources end after the threads that they are used on.
  void TearDown() override { capture_.End(); }

  // Somebody who has the camera until the test releases it.
  struct Loan {
    std::promise<void> release;
    std::future<void> begun;
    std::future<bool> undisturbed;  // nobody asked for it meanwhile
  };
  Loan LendUntilReleased() {
    std::promise<void> begun;
    std::promise<bool> undisturbed;
    Loan loan{.release = {}, .begun = begun.get_future(), .undisturbed = undisturbed.get_future()};
    capture_.Lend([begun = std::move(begun), undisturbed = std::move(undisturbed),
                   released = loan.release.get_future()](const std::stop_token& stop) mutable {
      begun.set_value();
      released.wait();
      undisturbed.set_value(!stop.stop_requested());
    });
    return loan;
  }

  static CameraInfo Info() {
    CameraInfo info;
    info.source = "grey";
    info.width = 64;
    info.height = 48;
    info.frames_per_second = 30;
    return info;
  }
  Result<OpenCamera> Open() {
    if (away_) return Fail(ErrorCode::kNotFound, "no camera here");
    open_ = true;
    while (slow_) std::this_thread::yield();
    OpenCamera open;
    open.camera = std::make_unique<GreyCamera>(clock_, open_);
    open.analyzer = &analyzer_;
    open.info = Info();
    open.limits = limits_;
    open.compromise = "no model";
    return open;
  }

  void OnCamera(const std::string& source, const std::string& format,
                const std::string& detector) override {
    camera_text_ = fmt::format("{} {} {}", source, format, detector);
  }
  void OnMeasures(std::vector<Measure> measures) override {
    measures_ = std::move(measures);
    control_.Stop();
  }
  void OnCameraTrouble(std::string sentence) override {
    trouble_ = std::move(sentence);
    away_ = false;
  }

  OpenBench bench_;
  SystemClock clock_;
  LoopTaskRunner control_{clock_};
  Heartbeat heartbeat_{clock_};
  Settings settings_;
  PreviewSlot preview_;
  CaptureSettings limits_;
  FakeAuditLog audit_;
  NoDetector detector_;
  FrameAnalyzer analyzer_{limits_, detector_};
  std::atomic<bool> open_ = false;
  std::atomic<bool> away_ = false;
  std::atomic<bool> slow_ = false;  // opening it takes as long as this
  std::string camera_text_;
  std::vector<Measure> measures_;
  std::string trouble_;

  CaptureWorker capture_{[this](CaptureObserver&, const std::stop_token&) -> Result<CaptureResult> {
                           EXPECT_FALSE(open_) << "two have the camera";
                           return Fail(ErrorCode::kTimeout, "not here");
                         },
                         control_, clock_, preview_, heartbeat_};
  DeliveryLoop delivery_{{.worker = *bench_.worker,
                          .clock = clock_,
                          .heartbeat = heartbeat_,
                          .longest_exchange = 60s,
                          .report = {},
                          .chore = {},
                          .give_up = {}}};
  ThreadedQueueClient queue_{
      {*bench_.queue, bench_.profile, clock_, audit_, control_, control_, "", [] {}}};
  const ThreadedOperatorBackend::Service service_{
      queue_, bench_.client, delivery_, capture_, preview_, heartbeat_, [this] { return Open(); }};
  ThreadedOperatorBackend sources_{{.files = bench_.files,
                                    .clock = clock_,
                                    .storage = bench_.storage,
                                    .audit = audit_,
                                    .storage_runner = control_,
                                    .control = control_,
                                    .settings = settings_,
                                    .config_path = "/x",
                                    .facts = {},
                                    .start_anew = {},
                                    .try_out = {},
                                    .service = &service_,
                                    .open_again = 1ms}};
};

TEST_F(WatchTest, ShowsWhatTheCameraSeesUntilItIsLetGo) {
  PreviewSlot::Watch watch(preview_);
  sources_.WatchCamera(*this);
  control_.Run();
  EXPECT_THAT(camera_text_, testing::StartsWith("grey MJPEG 64x48, 30 a second none"));
  EXPECT_THAT(measures_, Contains(Field(&Measure::name, "Faces")));
  while (!watch.Next(0, 1000ms)) std::this_thread::yield();
  EXPECT_TRUE(open_);
  sources_.LetCameraGo();
  EXPECT_FALSE(preview_.open());
  // The next one on the camera's thread finds it closed.
  std::promise<bool> looked;
  std::future<bool> closed = looked.get_future();
  capture_.Lend([this, looked = std::move(looked)](const std::stop_token&) mutable {
    looked.set_value(!open_);
  });
  EXPECT_TRUE(closed.get());
}

TEST_F(WatchTest, CameraThatIsNotThereIsSaidAndLookedForAgain) {
  away_ = true;
  sources_.WatchCamera(*this);
  control_.Run();
  EXPECT_EQ(trouble_, "no camera here");
  EXPECT_THAT(measures_, Not(testing::IsEmpty()));
  sources_.LetCameraGo();
}

TEST_F(WatchTest, CheckOfTheCameraLetsItGo) {
  Findings findings;
  sources_.Look(Check::kCamera, [&](Findings found) {
    findings = std::move(found);
    control_.Stop();
  });
  control_.Run();
  EXPECT_THAT(findings, Contains(Field(&Finding::part, KioskPart::kCamera)));
  EXPECT_THAT(findings, Contains(Field(&Finding::text, HasSubstr("no model"))));
  EXPECT_FALSE(open_);
  EXPECT_FALSE(preview_.open());
}

TEST_F(WatchTest, CheckThatNeverGotTheCameraIsAnsweredAllTheSame) {
  Loan loan = LendUntilReleased();
  loan.begun.wait();
  Findings found;
  sources_.Look(Check::kCamera, [&](Findings findings) {
    found = std::move(findings);
    control_.Stop();
  });
  sources_.WatchCamera(*this);
  loan.release.set_value();
  control_.Run();
  sources_.LetCameraGo();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found.front().text, HasSubstr("in use for something else"));
}

TEST_F(WatchTest, CheckThatWasOvertakenLeavesTheCameraToWhoeverHasItNow) {
  slow_ = true;
  sources_.Look(Check::kCamera, [this](const Findings&) { control_.Stop(); });
  while (!open_) std::this_thread::yield();
  Loan loan = LendUntilReleased();
  slow_ = false;
  control_.Run();
  loan.release.set_value();
  EXPECT_TRUE(loan.undisturbed.get());
}

}  // namespace
}  // namespace idkiosk
