#include "app/operator/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "app/results/hand_over.h"
#include "app/results/webhook_signature.h"
#include "app/session/staff/pin_record.h"
#include "app/settings/credential_store.h"
#include "tests/app/operator/finding_matcher.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

// Whoever reads of trouble reads what to do about it.
void ExpectMends(const Findings& findings) {
  for (const Finding& each : findings) {
    EXPECT_EQ(each.mend.empty(), each.state == FindingState::kGood) << Name(each.part) << each.text;
  }
}

struct Readiness : QueueBench {
  void PutConfiguration(std::string_view text) {
    files.Put("/etc/kiosk.jsonc", AsBytes(text));
    files.Put("/etc/sandbox.jsonc", AsBytes(ReadRepositoryFile("config/profiles/sandbox.jsonc")));
  }
};

TEST(ReadinessTest, GoodConfigurationNamesEnvironmentAndAddress) {
  Readiness kiosk;
  kiosk.PutConfiguration(
      R"({"state_folder": "/state", "service": {"base_url": "https://a.example", "profile": "sandbox.jsonc"}})");
  const Findings findings = CheckConfiguration(kiosk.files, "/etc/kiosk.jsonc");
  EXPECT_THAT(findings,
              Contains(Is(FindingState::kGood, KioskPart::kConfiguration, "https://a.example")));
  EXPECT_THAT(findings, Contains(Is(FindingState::kGood, KioskPart::kProfile, "sandbox.jsonc")));
  ExpectMends(findings);
}

TEST(ReadinessTest, BadConfigurationNamesLineKeyAndMend) {
  Readiness kiosk;
  kiosk.PutConfiguration("{\n\"camera\": {\"widht\": 3}}");
  const Findings findings = CheckConfiguration(kiosk.files, "/etc/kiosk.jsonc");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings, ElementsAre(Is(FindingState::kBad, KioskPart::kConfiguration,
                                       "kiosk.jsonc:2: camera.widht")));
  EXPECT_THAT(findings[0].mend, HasSubstr("idkiosk config check /etc/kiosk.jsonc"));
}

// What is free by assumption is asked again without a limit of money.
TEST(ReadinessTest, AProfileThatDoesNotSayWhatABusyServiceCostsIsNoted) {
  Readiness kiosk;
  kiosk.PutConfiguration(
      R"({"state_folder": "/state", "service": {"base_url": "https://a.example", "profile": "sandbox.jsonc"}})");
  const auto silent = Is(FindingState::kNote, KioskPart::kProfile, "what a 503 costs");
  const Findings findings = CheckConfiguration(kiosk.files, "/etc/kiosk.jsonc");
  EXPECT_THAT(findings, Contains(silent));
  ExpectMends(findings);
  std::string profile = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  profile.insert(profile.find("\"name\""), "\"billed_by_status\": { \"503\": \"maybe\" },\n");
  kiosk.files.Put("/etc/sandbox.jsonc", AsBytes(profile));
  EXPECT_THAT(CheckConfiguration(kiosk.files, "/etc/kiosk.jsonc"), testing::Not(Contains(silent)));
}

TEST(ReadinessTest, BrokenProfileIsBadThoughTheConfigurationIsGood) {
  Readiness kiosk;
  kiosk.PutConfiguration(
      R"({"state_folder": "/state", "service": {"base_url": "https://a.example", "profile": "sandbox.jsonc"}})");
  kiosk.files.Put("/etc/sandbox.jsonc", AsBytes("{"));
  const Findings findings = CheckConfiguration(kiosk.files, "/etc/kiosk.jsonc");
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kProfile, "sandbox.jsonc")));
  ExpectMends(findings);
}

Settings Of(Mode mode) {
  Settings settings;
  settings.mode = mode;
  return settings;
}

TEST(ReadinessTest, JournalThatCannotBeWrittenIsBadBeforeAnybodyNeedsIt) {
  Readiness kiosk;
  EXPECT_TRUE(CheckJournals(kiosk.files, "/state").empty());
  for (const auto& [name, part] :
       {std::pair("audit", KioskPart::kAudit), std::pair("consent", KioskPart::kRoom)}) {
    ASSERT_TRUE(kiosk.files.CreateFolder(fmt::format("/other/{}", name)));
    EXPECT_TRUE(CheckJournals(kiosk.files, "/other").empty());
    kiosk.files.FailStep(name == std::string_view("audit") ? 2 : 4, ErrorCode::kForbidden);
    const Findings findings = CheckJournals(kiosk.files, "/other");
    EXPECT_THAT(findings,
                ElementsAre(Is(FindingState::kBad, part, fmt::format("/other/{}", name))));
    ExpectMends(findings);
  }
}

TEST(ReadinessTest, VaultSaysWhichSecretsAreMissingAndHowToSetThem) {
  Readiness kiosk;
  kiosk.storage.Set(PinSecret(Staff::kOperator), "a record");
  ASSERT_TRUE(kiosk.storage.Remove(kApiKeySecret));
  const Findings findings = CheckVault(kiosk.storage, Of(Mode::kKiosk));
  EXPECT_THAT(findings, Contains(Is(FindingState::kGood, KioskPart::kVault, "a fake")));
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kVault, "api_key")));
  EXPECT_THAT(findings, Contains(Is(FindingState::kNote, KioskPart::kPin, "one operator alone")));
  EXPECT_EQ(findings.size(), 3U);
  ExpectMends(findings);
}

TEST(ReadinessTest, ADamagedAuditTrailIsBad) {
  Readiness kiosk;
  AuditTrail trail("/state", kiosk.clock, kiosk.crypto, kiosk.storage, kiosk.files);
  ASSERT_TRUE(trail.Record(AuditEvent::kPinSet, "user anna", "clerk"));
  EXPECT_THAT(CheckAudit(trail),
              ElementsAre(Is(FindingState::kGood, KioskPart::kAudit, "genuine; entries: 1")));
  kiosk.files.Delete("/state/audit/000000000001.journal");
  EXPECT_THAT(CheckAudit(trail),
              ElementsAre(Is(FindingState::kBad, KioskPart::kAudit, "rolled back to 0")));
  ASSERT_TRUE(trail.Record(AuditEvent::kPinSet, "user anna", "clerk"));
  EXPECT_THAT(CheckAudit(trail),
              ElementsAre(Is(FindingState::kNote, KioskPart::kAudit, "was found damaged before")));
}

TEST(ReadinessTest, NoValueOfASecretIsInAFinding) {
  Readiness kiosk;
  for (const Finding& each : CheckVault(kiosk.storage, Of(Mode::kBranch))) {
    for (const char* value : {"api-key", "user-id", "kiosk@customer.example", "pass\"word"}) {
      EXPECT_THAT(each.text + each.mend, Not(HasSubstr(value)));
    }
  }
}

TEST(ReadinessTest, SaysWhosePinIsMissingWhereItIsNeeded) {
  Readiness kiosk;
  const Findings branch = CheckVault(kiosk.storage, Of(Mode::kBranch));
  EXPECT_THAT(branch, Contains(Is(FindingState::kBad, KioskPart::kPin, "the branch stays locked")));
  EXPECT_THAT(branch, Contains(Is(FindingState::kNote, KioskPart::kPin, "console stays closed")));
  ExpectMends(branch);
  EXPECT_EQ(CheckVault(kiosk.storage, Of(Mode::kKiosk)).size(), 2U);
  kiosk.storage.Set(PinSecret(Staff::kClerk), "a record");
  kiosk.storage.Set(PinSecret(Staff::kOperator), "a record");
  kiosk.storage.Set("staff.amina", "staff/1 operator Amina\na record");
  EXPECT_THAT(CheckVault(kiosk.storage, Of(Mode::kBranch)),
              Contains(Is(FindingState::kNote, KioskPart::kPin, "PIN without a name")));
  ASSERT_TRUE(kiosk.storage.Remove(PinSecret(Staff::kOperator)));
  kiosk.storage.Set("staff.bello", "staff/1 operator Bello\na record");
  EXPECT_EQ(CheckVault(kiosk.storage, Of(Mode::kBranch)).size(), 1U);
}

TEST(ReadinessTest, SaysWhoMayDoWhatIsDangerousAlone) {
  Readiness kiosk;
  Settings settings = Of(Mode::kKiosk);
  kiosk.storage.Set("staff.amina", "staff/1 operator Amina\na record");
  EXPECT_THAT(CheckVault(kiosk.storage, settings),
              Contains(Is(FindingState::kNote, KioskPart::kPin, "erase it alone")));
  settings.staff.two_persons = "always";
  EXPECT_THAT(CheckVault(kiosk.storage, settings),
              Contains(Is(FindingState::kNote, KioskPart::kPin, "can neither point")));
  kiosk.storage.Set("staff.bello", "staff/1 operator Bello\na record");
  EXPECT_EQ(CheckVault(kiosk.storage, settings).size(), 1U);
  settings.staff.two_persons = "off";
  EXPECT_THAT(CheckVault(kiosk.storage, settings),
              Contains(Is(FindingState::kNote, KioskPart::kPin, "each operator")));
}

TEST(ReadinessTest, QuietQueueIsGood) {
  Readiness kiosk;
  kiosk.Open();
  (void)kiosk.Accept(LookupCall(1));
  EXPECT_THAT(CheckQueue(*kiosk.queue),
              ElementsAre(Is(FindingState::kGood, KioskPart::kQueue, "1 wait, 0 done")));
}

TEST(ReadinessTest, UnknownAndHeldCallsNeedAPerson) {
  Readiness kiosk;
  kiosk.Open();
  kiosk.Serve(500, "");
  (void)kiosk.Accept(LookupCall(1));
  kiosk.StepUntilIdle();
  kiosk.Serve(403, "");
  (void)kiosk.Accept(LookupCall(2));
  kiosk.clock.Advance(std::chrono::hours(1));
  kiosk.StepUntilIdle();
  const Findings findings = CheckQueue(*kiosk.queue);
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kCalls, "1 unknown")));
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kQueue, "calls are held")));
  EXPECT_THAT(findings, Each(Field(&Finding::state, FindingState::kBad)));
  ExpectMends(findings);
}

// Hands results over to a webhook that answers as the test says.
struct ResultsReadiness : Readiness {
  ResultsReadiness() {
    settings.state_folder = "/state";
    settings.results.webhook = "https://bank.example/results";
    Open();
  }
  Findings Check() {
    Findings findings = CheckResults(settings, storage, crypto, files, *queue, clock);
    ExpectMends(findings);
    return findings;
  }
  // The program runs, one end is handed over, and there is one more.
  void HandOverTo(int status) {
    storage.Set(kWebhookKey, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    receiver.set_server([&](const auto&) {
      FakeHttpClient::Reply reply;
      reply.status = status;
      return reply;
    });
    const auto made = HandOver::Make({.settings = settings,
                                      .profile = profile,
                                      .queue = *queue,
                                      .vault = storage,
                                      .crypto = crypto,
                                      .files = files,
                                      .entropy = entropy,
                                      .audit = audit,
                                      .clock = clock,
                                      .http = &receiver});
    ASSERT_TRUE(made);
    (void)(*made)->Step();
    ASSERT_TRUE(queue->Cancel(Accept(LookupCall(1))));
    (void)(*made)->Step();
  }

  Settings settings;
  FakeAuditLog audit;
  FakeHttpClient receiver{clock};
};

TEST(ReadinessTest, ResultsAreNoPartOfAKioskThatHandsNoneOver) {
  ResultsReadiness kiosk;
  kiosk.settings.results.webhook.clear();
  EXPECT_THAT(kiosk.Check(), testing::IsEmpty());
}

TEST(ReadinessTest, ResultsThatNobodyCanSignNeedAPerson) {
  ResultsReadiness kiosk;
  const Findings findings = kiosk.Check();
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kResults, "webhook-key")));
}

TEST(ReadinessTest, AFolderForResultsMustBeThereAndNobodyElses) {
  ResultsReadiness kiosk;
  kiosk.settings.results.webhook.clear();
  kiosk.settings.results.spool = "/spool";
  EXPECT_THAT(kiosk.Check(), Contains(Is(FindingState::kBad, KioskPart::kResults, "/spool")));
  ASSERT_TRUE(kiosk.files.CreateFolder("/spool"));
  EXPECT_THAT(kiosk.Check(), Each(Field(&Finding::state, FindingState::kGood)));
  ASSERT_TRUE(kiosk.files.WriteDurably("/spool/file", Bytes(1), FileAccess::kOwnerOnly));
  kiosk.settings.results.spool = "/spool/file";
  EXPECT_THAT(kiosk.Check(), Contains(Is(FindingState::kBad, KioskPart::kResults, "no folder")));
  kiosk.settings.results.spool = "/state/vault";
  EXPECT_THAT(kiosk.Check(),
              Contains(Is(FindingState::kBad, KioskPart::kResults, "lies in the state folder")));
}

TEST(ReadinessTest, ResultsThatWereTakenAreGood) {
  ResultsReadiness kiosk;
  kiosk.HandOverTo(200);
  EXPECT_THAT(kiosk.Check(),
              ElementsAre(Is(FindingState::kGood, KioskPart::kResults, "webhook: e")));
}

TEST(ReadinessTest, ResultsThatWaitAreNotedAndThenBad) {
  ResultsReadiness kiosk;
  kiosk.HandOverTo(500);
  EXPECT_THAT(kiosk.Check(),
              ElementsAre(Is(FindingState::kNote, KioskPart::kResults, "answered 500")));
  kiosk.clock.Advance(std::chrono::minutes(10));
  EXPECT_THAT(kiosk.Check(),
              ElementsAre(Is(FindingState::kNote, KioskPart::kResults, "answered 500")));
  kiosk.clock.Advance(std::chrono::hours(2));
  EXPECT_THAT(kiosk.Check(),
              ElementsAre(Is(FindingState::kBad, KioskPart::kResults, "the oldest")));
}

TEST(ReadinessTest, AReceiverThatWantsNoMoreNeedsAPerson) {
  ResultsReadiness kiosk;
  kiosk.HandOverTo(410);
  EXPECT_THAT(kiosk.Check(),
              ElementsAre(Is(FindingState::kBad, KioskPart::kResults, "answered 410")));
}

TEST(ReadinessTest, ACallForAnotherAddressKeepsNobodyElseFromAsking) {
  Readiness kiosk;
  kiosk.Open();
  (void)kiosk.Accept(LookupCall(1));
  kiosk.options.base_url = "https://other.example";
  ASSERT_TRUE(
      TakeCredentialsOf(kiosk.storage, AddressOf(Environment::kSandbox, kiosk.options.base_url)));
  kiosk.Restart();
  const Findings findings = CheckQueue(*kiosk.queue);
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kCalls, "calls are held")));
  EXPECT_THAT(findings, Contains(Is(FindingState::kGood, KioskPart::kQueue, "1 wait")));
  ExpectMends(findings);
}

TEST(ReadinessTest, FullDiskKeepsPeopleFromTheCamera) {
  Readiness kiosk;
  kiosk.Open();
  kiosk.files.set_capacity(0);
  const Findings findings = CheckQueue(*kiosk.queue);
  EXPECT_THAT(findings, Contains(Field(&Finding::part, KioskPart::kRoom)));
  ExpectMends(findings);
}

TEST(ReadinessTest, ServiceIsAskedForNothingThatIsBilled) {
  Readiness kiosk;
  kiosk.ServeLogins([](const auto& seen) {
    EXPECT_THAT(seen.url, HasSubstr("getRequestReasons"));
    FakeHttpClient::Reply reply;
    reply.body = R"({"data":[{"code":"KYC","label":"Know your customer"}]})";
    return reply;
  });
  EXPECT_THAT(CheckService(kiosk.client, Settings()),
              Contains(Field(&Finding::part, KioskPart::kService)));
  EXPECT_EQ(kiosk.logins, 1);
  EXPECT_EQ(kiosk.posts(), 0);

  Settings settings;
  settings.ui.reasons = {"KYC", "OPENING"};
  const Findings findings = CheckService(kiosk.client, settings);
  ASSERT_EQ(findings.back().part, KioskPart::kConfiguration);
  EXPECT_THAT(findings.back().text, HasSubstr("ui.reasons names OPENING"));
  ExpectMends({findings.back()});
}

TEST(ReadinessTest, EachTroubleOfTheServiceHasItsMend) {
  for (const int status : {401, 403, 500, 503}) {
    Readiness kiosk;
    kiosk.Serve(status, "");
    const Findings findings = CheckService(kiosk.client, Settings());
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].state, FindingState::kBad) << status;
    ExpectMends(findings);
  }
}

TEST(ReadinessTest, AKioskWithoutItsOneQuestionIsNone) {
  Readiness kiosk;
  Settings settings = Of(Mode::kKiosk);
  settings.environment = Environment::kProduction;
  ServiceProfile profile = kiosk.profile;
  for (EndpointProfile& each : profile.endpoints) each.documented = true;
  EXPECT_TRUE(CheckMode(settings, profile));
  profile.endpoints[static_cast<size_t>(Endpoint::kVerify)].missing = {"endpoints.verify.path"};
  const Status refused = CheckMode(settings, profile);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("endpoints.verify.path"));
  settings.mode = Mode::kBranch;
  EXPECT_TRUE(CheckMode(settings, profile)) << "a desk looks numbers up all the same";
}

TEST(ReadinessTest, AnEndpointThatIsOnlyAssumedIsNotSaidToMissAnything) {
  Readiness kiosk;
  ServiceProfile assumed = kiosk.profile;
  assumed.endpoints[static_cast<size_t>(Endpoint::kLogin)].documented = false;
  TokenKeeper tokens(assumed, kiosk.settings, Environment::kProduction, kiosk.http, kiosk.storage,
                     kiosk.clock);
  ServiceClient client(assumed, kiosk.settings, Environment::kProduction, kiosk.http, kiosk.storage,
                       tokens, kiosk.clock);
  const Findings findings = CheckService(client, Settings());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].text, HasSubstr("endpoints.login.documented is true"));
  EXPECT_THAT(findings[0].mend,
              AllOf(HasSubstr("what this message names"), Not(HasSubstr("missing"))));
}

TEST(ReadinessTest, ClockThatCannotBeRightIsBad) {
  Readiness kiosk;
  EXPECT_THAT(CheckClock(kiosk.clock),
              ElementsAre(Is(FindingState::kGood, KioskPart::kClock, "2026-11-20")));
  kiosk.clock.set_wall_is_trusted(false);
  EXPECT_THAT(CheckClock(kiosk.clock),
              ElementsAre(Is(FindingState::kBad, KioskPart::kClock, "certificate")));
}

class ScriptedCamera final : public Camera {
 public:
  explicit ScriptedCamera(Result<Frame> next) : next_(std::move(next)) {}
  Result<CameraInfo> Open(const CameraRequest&) override { return CameraInfo(); }
  Result<Frame> NextFrame(MonotonicTime) override { return next_; }
  void Close() override {}

 private:
  const Result<Frame> next_;
};

TEST(ReadinessTest, SilentCameraIsBadAndAWorkingOneNamesItsPicture) {
  const FakeClock clock;
  const CameraInfo info{.name = "Webcam", .source = "v4l2:/dev/video0"};
  ScriptedCamera silent(Fail(ErrorCode::kTimeout, "no picture for 3 s"));
  const Findings bad = CheckCamera(silent, info, {}, clock);
  EXPECT_THAT(bad, ElementsAre(Is(FindingState::kBad, KioskPart::kCamera, "no picture")));
  ExpectMends(bad);
  ScriptedCamera works(Frame::Owning(PixelFormat::kGrey, 640, 480, 640, Bytes(640 * 480)));
  EXPECT_THAT(CheckCamera(works, info, {}, clock),
              ElementsAre(Is(FindingState::kGood, KioskPart::kCamera, "640x480")));
}

TEST(ReadinessTest, PicturesTakenBeforeAreNoRealCamera) {
  const FakeClock clock;
  ScriptedCamera works(Frame::Owning(PixelFormat::kGrey, 640, 480, 640, Bytes(640 * 480)));
  const Findings findings =
      CheckCamera(works, {.name = "folder", .source = "images:/x", .live = false}, {}, clock);
  EXPECT_THAT(findings, Contains(Is(FindingState::kNote, KioskPart::kCamera, "taken before")));
  ExpectMends(findings);
}

TEST(ReadinessTest, DrawnSitterIsNoRealCamera) {
  const FakeClock clock;
  ScriptedCamera works(Frame::Owning(PixelFormat::kGrey, 640, 480, 640, Bytes(640 * 480)));
  EXPECT_THAT(
      CheckCamera(works, {.name = "drawn sitter", .source = "synthetic", .drawn = true}, {}, clock),
      Contains(Is(FindingState::kNote, KioskPart::kCamera, "this kiosk sees a drawn sitter")));
}

TEST(ReadinessTest, KioskThatTakesLiveCamerasAloneIsNotReadyWithAnother) {
  const FakeClock clock;
  Settings settings;
  settings.capture.allow_recorded = false;
  ScriptedCamera works(Frame::Owning(PixelFormat::kGrey, 640, 480, 640, Bytes(640 * 480)));
  for (const CameraInfo& info :
       {CameraInfo{.name = "drawn sitter", .source = "synthetic", .drawn = true},
        CameraInfo{.name = "folder", .source = "images:/x", .live = false}}) {
    const Findings findings = CheckCamera(works, info, settings, clock);
    EXPECT_THAT(findings,
                Contains(Is(FindingState::kBad, KioskPart::kCamera, "nobody is verified by that")));
    ExpectMends(findings);
  }
  EXPECT_THAT(CheckCamera(works, {.name = "Webcam", .source = "v4l2:/dev/video0"}, settings, clock),
              ElementsAre(Is(FindingState::kGood, KioskPart::kCamera, "640x480")));
}

TEST(ReadinessTest, AKioskThatCanSeldomJudgeTheLightSaysWhy) {
  LightTally lights;
  EXPECT_THAT(CheckLights(lights), testing::IsEmpty());
  for (int i = 0; i < 3; ++i) lights.Count(LightFinding::kAnswered);
  for (int i = 0; i < 4; ++i) lights.Count(LightFinding::kTooBright);
  const Findings findings = CheckLights(lights);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].part, KioskPart::kLight);
  EXPECT_EQ(findings[0].state, FindingState::kNote);
  EXPECT_THAT(findings[0].text, HasSubstr("4 of the newest 7 checks"));
  EXPECT_THAT(findings[0].mend, HasSubstr("sun"));
}

TEST(ReadinessTest, SecondChoiceOfADetectorIsANote) {
  EXPECT_EQ(DetectorFinding("yunet", "").state, FindingState::kGood);
  const Finding second = DetectorFinding("cascade", "no face model at /m");
  EXPECT_EQ(second.state, FindingState::kNote);
  EXPECT_FALSE(second.mend.empty());
}

}  // namespace
}  // namespace idkiosk
